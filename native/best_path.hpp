// The best way through a table of gains where every change of state costs the same (Viterbi 1967).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace adjudge {

// The state of each row. `gains` is rows x states, `start` what each state begins with and `end` what it gets
// for being the last one. Of equals the first state is taken, and none is left that loses nothing by staying.
std::vector<std::int64_t> best_path(std::span<const float> gains, std::span<const double> start,
                                    std::span<const double> end, double change);

}  // namespace adjudge
