// Rows of BLEU: hypothesis length, closest reference length, then matches and totals for each n-gram order.
#pragma once

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

// `rows` has 2 + 2·max_order columns and a line a hypothesis.
void bleu_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, int max_order,
               unsigned threads, double* rows);

}  // namespace adjudge
