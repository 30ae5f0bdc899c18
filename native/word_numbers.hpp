// Texts as numbers: every word of several texts once, for analyses that count.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lines.hpp"
#include "tokenize.hpp"
#include "word_table.hpp"

namespace adjudge {

struct NumberedText {
    std::vector<std::int64_t> ids, begins;  // one begin a segment and one for the end; missing ones are empty
};

struct NumberedTexts {
    std::vector<std::string> words;
    std::vector<NumberedText> texts;
};

NumberedTexts numbered(const std::vector<Lines>& texts, Tokenizer tokenizer);

// A text whose words are numbers below `words`, as numpy has it.
struct NumberedView {
    std::span<const std::int64_t> ids, begins;
};

// Throws std::invalid_argument unless segments fit their words and words are below `words`: nothing outside
// of the arrays is read or written, whoever calls.
void check_numbered(NumberedView text, std::size_t words);

// For each word of `own`, the place in `other` of the same word of the same segment, the first for the first,
// the second for the second; −1 where `other` has no more of them. Both have as many segments.
std::vector<std::int64_t> partners(NumberedView own, NumberedView other, std::size_t words);

// Stretches of words in which the share of different words falls to the threshold, the last by how far it
// came (MTLD's factors, McCarthy and Jarvis 2010). `before` says where each word stood last, −1 for the
// first.
double diversity_factors(std::span<const std::int64_t> before, double threshold);

std::vector<std::string> texts_of(const WordTable& table);

}  // namespace adjudge
