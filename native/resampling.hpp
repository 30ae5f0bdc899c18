// Sums of rows over random draws of segments: the one kernel under every bootstrap and randomisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace adjudge {

enum class Draw {
    bootstrap,  // as many as there are, with replacement
    half,       // half of them, without replacement
    coins,      // each one or not, by a fair coin
    runs,       // of two systems' runs as many as the first has: see Sampler in resampling.cpp
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

// Resample number `first + b` into out[b * columns + c] for b < count: the sum of rows[i * columns + c] times
// how often i was drawn. A resample depends on the seed and its number only, and sums run in the order of the
// rows: results are the same for any number of threads and any split into calls, on any machine. With
// Draw::runs there are runs_a + runs_b rows a unit.
void resampled_sums(const double* rows, std::size_t units, std::size_t columns, const Design& design,
                    std::uint64_t first, std::size_t count, unsigned threads, double* out);

}  // namespace adjudge
