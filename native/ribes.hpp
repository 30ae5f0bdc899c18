// Segment scores of RIBES (Isozaki et al. 2010; RIBES 1.03).
#pragma once

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

// One column: the best score over the references, nkt · precision^alpha · brevity^beta, from 0 to 1.
void ribes_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, double alpha,
                double beta, unsigned threads, double* rows);

}  // namespace adjudge
