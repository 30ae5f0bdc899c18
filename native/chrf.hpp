// Rows of chrF and chrF++: for each order the n-grams of hypothesis and reference and how many match.
#pragma once

#include <string>

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

struct ChrfOptions {
    int char_order;
    int word_order;
    double beta;      // decides which of several references is the best one
    bool whitespace;  // keep it in character n-grams
    bool eps_smoothing;
};

// `rows` has 3·(char_order + word_order) columns: hypothesis, reference, match for each order.
void chrf_rows(Lines hypotheses, const References& references, const ChrfOptions& options, unsigned threads,
               double* rows);

// chrF++'s words: white space, and one punctuation mark cut off a word's end or, failing that, its beginning.
void chrf_words(Line line, Tokens& raw, Tokens& words, std::string& scratch);

}  // namespace adjudge
