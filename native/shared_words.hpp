// Which lines of two texts have rare words in common: what tells where a line belongs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lines.hpp"

namespace adjudge {

struct SharedPair {
    std::uint32_t row, column;
    double weight;
};

// Pairs of lines that share words, first letters of words, or pairs of characters where words have no spaces,
// none of which stands in more than `rare` lines of either text; by row and column. A feature in f of m lines
// is shared by chance with probability f/m and by translations in about a third of all cases, so it weighs
// log(m / 3f). If there would be more than `most` pairs of lines a feature, `rare` is halved until there are
// not. Linear in the text and in the pairs.
std::vector<SharedPair> shared_words(Lines ours, Lines theirs, std::uint32_t rare, std::size_t most);

}  // namespace adjudge
