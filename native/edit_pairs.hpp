// Which words stand beside each other on one cheapest way from one text to another, without shifts.
#pragma once

#include "levenshtein.hpp"
#include "ter_search.hpp"

namespace adjudge {

// Pairs of positions, equal or substituted, ascending on both sides; words in no pair are inserted or
// deleted. Time is quadratic, memory linear (Hirschberg 1975).
WordPairs edit_pairs(Sequence hypothesis, Sequence reference);

}  // namespace adjudge
