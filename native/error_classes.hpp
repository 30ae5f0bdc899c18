// Classes of errors by words (Popović and Ney 2011): inflection, order, missing, extra, lexical choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lines.hpp"

namespace adjudge {

// A letter a word: x right, i inflected, r reordered, m missing (reference), e extra (hypothesis), l lexical.
struct WordClasses {
    std::string hypothesis, reference;
    std::int64_t set = 0;                                        // which of the references is nearest
    std::int64_t edits = 0;                                      // Levenshtein's distance
    std::int64_t reference_unknown = 0, hypothesis_unknown = 0;  // words that the other side does not have
};

// Words stand between spaces; the bases are texts of as many words.
std::vector<WordClasses> word_classes(Lines hypotheses, const References& references, Lines hypothesis_bases,
                                      const References& reference_bases, unsigned threads);

}  // namespace adjudge
