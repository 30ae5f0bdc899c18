// Whether a hypothesis is one of its references.
#pragma once

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

// One column: 1 where the words are those of a reference (with `raw`: where the text is the same), else 0.
void exact_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, bool raw,
                unsigned threads, double* rows);

}  // namespace adjudge
