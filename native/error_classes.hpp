// Classes of errors by words (Popović and Ney 2011): inflection, order, missing, extra, lexical choice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace adjudge {

// Words and their base forms as numbers, the segments one behind the other.
struct BasedText {
    std::span<const std::int64_t> words, bases, begins;
};

struct BasedReference : BasedText {
    std::span<const bool> is_there;  // by segment
};

// Numbers of words and of base forms are below these.
struct Vocabulary {
    std::size_t words, bases;
};

// A letter a word: x right, i inflected, r reordered, m missing (reference), e extra (hypothesis), l lexical.
struct WordClasses {
    std::vector<std::uint8_t> hypothesis, reference;
    std::vector<std::int64_t> reference_words;  // of the nearest reference of every segment
    std::vector<std::int64_t> sets;             // which one that is
};

constexpr std::size_t error_columns = 21;

// Rows: words of the reference and of the hypothesis, edits, words of each that the other does not have, then
// inflected (reference, hypothesis), reordered (both), missing, extra, lexical (both), and blocks of the
// same.
WordClasses word_classes(BasedText hypotheses, const std::vector<BasedReference>& references,
                         Vocabulary vocabulary, unsigned threads, double* rows);

}  // namespace adjudge
