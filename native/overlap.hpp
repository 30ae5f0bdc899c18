// Rows of metrics on words in common: PER, unigram precision and recall, GTM.
#pragma once

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

enum class Choice {
    fewest_errors,  // max(hypothesis words, reference words) − matches; of several such the longest reference
    best_f,         // 2·matches / (hypothesis words + reference words); of several such the first reference
};

// Three columns, of the reference chosen: size of the match, hypothesis words, reference words.
// The size of a match is (Σ run^exponent)^(1/exponent) over the runs of words matched in the same order; with
// an exponent of 1 it is the number of words in common.
void overlap_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, Choice choice,
                  double exponent, unsigned threads, double* rows);

}  // namespace adjudge
