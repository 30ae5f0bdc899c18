// Rows of TER: edits with shifts against the nearest reference, and the mean length of the references.
#pragma once

#include <string>
#include <vector>

#include "lines.hpp"
#include "ter_search.hpp"
#include "tercom_text.hpp"

namespace adjudge {

// `rows` has 2 columns. `options.tercom` chooses tercom's search as well as its words, else both are
// sacreBLEU's.
void ter_rows(Lines hypotheses, const References& references, const TercomText& options, unsigned threads,
              double* rows);

// The edits themselves, against the first reference that takes the fewest.
struct TerTrace {
    std::vector<std::string> hypothesis, reference;
    WordPairs pairs;
    std::vector<WordShift> shifts;
};

std::vector<TerTrace> ter_traces(Lines hypotheses, const References& references, const TercomText& options,
                                 unsigned threads);

}  // namespace adjudge
