// Two metrics whose scores of translations are swapped by coins, and how well each then agrees with people:
// what permutation tests between metrics are made from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace adjudge {

// The scores of two metrics, cell by cell of one table, and the coins of every draw: 1 swaps a cell.
struct Swaps {
    const double* first;
    const double* second;
    const std::uint8_t* coins;  // draws x cells
    std::size_t cells;
    std::size_t draws;
};

// Places of cells that are looked at together, with -1 behind the last of a smaller group.
struct Groups {
    const std::int64_t* places;  // count x width
    std::size_t count;
    std::size_t width;
};

enum class Agreement {
    tau_b,     // Kendall's
    tau_c,     // Stuart's
    accuracy,  // the share of pairs of which both sides say the same, ties included
};

// Two columns a draw: the mean over groups of the agreement with `gold` of the first metric with the swapped
// cells of the second, and of the second with those of the first. Groups in which there is none count for
// nothing; not a number where that leaves none.
void swapped_agreement(const Swaps& swaps, const double* gold, const Groups& groups, Agreement kind,
                       unsigned threads, double* out);

// Two columns a draw as above: the soft pairwise accuracy of tables systems x items. `gold` has the p-values
// of people for each pair of systems; signs are those of signed_sums, of its first `trials` trials.
void swapped_soft_accuracy(const Swaps& swaps, std::size_t systems, const double* gold, std::size_t trials,
                           std::uint64_t seed, unsigned threads, double* out);

}  // namespace adjudge
