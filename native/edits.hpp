// Rows of WER and CDER: edits against the best reference, and its length.
#pragma once

#include <string>
#include <vector>

#include "lines.hpp"
#include "ter_search.hpp"
#include "tokenize.hpp"

namespace adjudge {

// Two columns: errors and reference words, of the reference with the fewest errors; of several such the
// longest.
void wer_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, unsigned threads,
              double* rows);
void cder_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, unsigned threads,
               double* rows);

// The words behind a row of WER, and which of them stand beside each other.
struct WerTrace {
    std::vector<std::string> hypothesis, reference;
    WordPairs pairs;
};

std::vector<WerTrace> wer_traces(Lines hypotheses, const References& references, Tokenizer tokenizer,
                                 unsigned threads);

}  // namespace adjudge
