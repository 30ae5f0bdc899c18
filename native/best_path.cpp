#include "best_path.hpp"

#include <algorithm>

namespace adjudge {

std::vector<std::int64_t> best_path(std::span<const float> gains, std::span<const double> start,
                                    std::span<const double> end, double change) {
    const std::size_t states = start.size();
    const std::size_t rows = states == 0 ? 0 : gains.size() / states;
    std::vector<double> score(start.begin(), start.end());
    std::vector<std::uint16_t> before(gains.size());
    for (std::size_t row = 0; row < rows; ++row) {
        const auto best =
            static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
        const double changed = score[best] - change;
        for (std::size_t s = 0; s < states; ++s) {
            const bool stays = score[s] >= changed;
            before[row * states + s] = static_cast<std::uint16_t>(stays ? s : best);
            score[s] = (stays ? score[s] : changed) + static_cast<double>(gains[row * states + s]);
        }
    }
    for (std::size_t s = 0; s < states; ++s) score[s] += end[s];
    std::vector<std::int64_t> path(rows);
    auto state = static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
    for (std::size_t row = rows; row-- > 0;) {
        path[row] = static_cast<std::int64_t>(state);
        state = before[row * states + state];
    }
    return path;
}

}  // namespace adjudge
