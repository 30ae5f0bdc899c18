// Sums of rows over random draws of segments: the one kernel under every bootstrap and randomisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace adjudge {

enum class Draw {
    bootstrap,  // as many as there are, with replacement
    half,       // half of them, rounded down, without replacement (in strata: by a coin; one of one)
    coins,      // each one or not, by a fair coin
    runs,       // of two systems' runs as many as the first has: see Sampler in resampling.cpp
    multeval,   // the same as MultEval draws it, for both systems one after the other
};

struct Design {
    Draw draw = Draw::bootstrap;
    std::uint64_t seed = 0;
    // Units sorted by stratum, and where each stratum begins (with the end behind the last one). Empty: one
    // stratum of all. Coins and runs fall within a unit, so strata do not concern them.
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> begins;
    // For runs: how many runs the first and the second system have.
    std::size_t runs_a = 1;
    std::size_t runs_b = 1;
};

// Sums of so many units are taken by themselves and then added up in order, and units are drawn block by
// block: nothing grows with the number of units but the rows, which may lie in a file. Up to so many there is
// one block. stats/sums.py knows the same number. Strata and runs are drawn whole.
constexpr std::size_t units_of_block = std::size_t{1} << 14;

// How many rows a unit has: one, or those of all runs (with Draw::multeval, twice).
std::size_t rows_of_unit(const Design& design);

// Rows of one system, one behind the other.
struct Block {
    const double* rows;
    std::size_t columns;
};

// Resample number `first + r` into row r of `out`, r < count: the sum of a system's rows, each times how
// often it was drawn, the systems one beside the other. A resample depends on the seed and its number only,
// is the same for all systems, and rows are added in a fixed order: results are the same for any number of
// threads and any split into calls, on any machine.
void resampled_sums(const std::vector<Block>& systems, std::size_t units, const Design& design,
                    std::uint64_t first, std::size_t count, unsigned threads, double* out);

// Units that each hold some cells of a table of counts, as a ranking holds outcomes of pairs.
struct CellsOfUnits {
    const std::uint32_t* cells;   // of the first unit, then of the second, ...
    const std::uint64_t* begins;  // where those of each unit begin, with the end behind the last one
    std::size_t count;            // of units
    std::size_t columns;          // cells there are
};

// The same for rows that are 1 in a few cells and 0 in all others: resample number `first + r` into row r of
// `out`, r < count. A unit is drawn as often as resampled_sums draws its row. A cell is counted with 32 bits.
void resampled_counts(const CellsOfUnits& units, const Design& design, std::uint64_t first, std::size_t count,
                      unsigned threads, double* out);

}  // namespace adjudge
