// The words of TER: tercom's normaliser as sacreBLEU has it, as tercom itself does, and as TERp does.
#pragma once

#include <string>

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

struct TercomText {
    bool normalized;     // mteval version 11's: entities, punctuation apart, possessives
    bool no_punct;       // remove . , ? : ; ! " ( )
    bool asian_support;  // with normalized: ideographs apart; with no_punct: their punctuation removed too
    bool tercom;         // tercom's own white space and kana instead of sacreBLEU's
    bool terp = false;   // with tercom: TERp's rules for white space, full stops and commas
};

// Words of one line. They point into the line, or into `scratch` where the text is rewritten first.
void tercom_tokenize(const TercomText& options, Line line, Tokens& tokens, std::string& scratch);

}  // namespace adjudge
