// N-grams of several systems that the references have, that they have not, and that are wanting.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

struct NgramCounts {
    std::vector<std::string> words;  // the vocabulary, by number
    // Of each n-gram: the one without its last word (−1 for a single word), that word, and how long it is.
    std::vector<std::int64_t> before, last, length;
    // Of each system and n-gram.
    std::vector<std::vector<std::int64_t>> match, over, under;
};

// Of several references, the one that has an n-gram most often says what is right, and the one that has it
// least often what is wanting.
NgramCounts ngram_counts(const std::vector<Lines>& systems, const References& references, Tokenizer tokenizer,
                         int longest);

}  // namespace adjudge
