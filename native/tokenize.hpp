// sacreBLEU's tokenizers as one-pass scanners that cut a line into views.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lines.hpp"

namespace adjudge {

enum class Tokenizer { none, v13a, intl, character, zh };

// Throws std::invalid_argument for a name that is not one of none, 13a, intl, char, zh.
Tokenizer tokenizer_by_name(std::string_view name);

using Tokens = std::vector<std::string_view>;

// Tokens of one line as it stands. They point into the line, or into `scratch` where text is rewritten first.
void cut(Tokenizer tokenizer, Line line, Tokens& tokens, std::string& scratch);

// Tokens of a segment: as sacreBLEU's metrics do, without the white space at its end.
void tokenize(Tokenizer tokenizer, Line line, Tokens& tokens, std::string& scratch);

// The class that decides what `intl` does with a code point: 'P', 'S', 'N' or 0 for all others.
char unicode_class(char32_t code_point);

}  // namespace adjudge
