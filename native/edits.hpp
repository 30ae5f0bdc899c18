// Rows of WER and CDER: edits against the best reference, and its length.
#pragma once

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

// Two columns: errors and reference words, of the reference with the fewest errors; of several such the
// longest.
void wer_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, unsigned threads,
              double* rows);
void cder_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, unsigned threads,
               double* rows);

}  // namespace adjudge
