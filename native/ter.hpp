// Rows of TER: edits with shifts against the nearest reference, and the mean length of the references.
#pragma once

#include "lines.hpp"
#include "tercom_text.hpp"

namespace adjudge {

// `rows` has 2 columns. `options.tercom` chooses tercom's search as well as its words, else both are
// sacreBLEU's.
void ter_rows(Lines hypotheses, const References& references, const TercomText& options, unsigned threads,
              double* rows);

}  // namespace adjudge
