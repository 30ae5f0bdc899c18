// TER's search for shifts, as sacreBLEU goes about it and as tercom does.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ter_distance.hpp"

namespace adjudge {

// The words [begin, end) went before the word `target`, in the numbers the words had then.
struct WordShift {
    int begin, end, target;
};

using WordPairs = std::vector<std::pair<int, int>>;  // hypothesis word, reference word; from 0

class TerSearch {
  public:
    // Words are numbered by the reference's; −1 = not in the reference, which has `vocabulary` different
    // ones.
    virtual int edits(const Words& hypothesis, const Words& reference, std::int32_t vocabulary) = 0;

    // Of the last search: the shifts in their order, and which words ended beside which (equal or
    // substituted); words in no pair are insertions and deletions. The hypothesis is numbered as it came.
    virtual const std::vector<WordShift>& shifts() const = 0;
    virtual WordPairs pairs() const = 0;

    virtual ~TerSearch() = default;
};

std::unique_ptr<TerSearch> make_ter_search(bool tercom);

}  // namespace adjudge
