#include "meteor_aligner.hpp"

namespace adjudge {

std::span<const MeteorMatch> MeteorAligner::align(std::span<const std::int32_t> hypothesis,
                                                  std::span<const std::int32_t> reference) {
    candidates_.collect(hypothesis, reference);
    chosen_.assign(reference.size(), -1);
    const auto choose = [&](std::size_t candidate) {
        chosen_[static_cast<std::size_t>(candidates_[candidate].reference)] =
            static_cast<std::int32_t>(candidate);
    };
    const bool packed = PackedMeteorScore::has_room(
        hypothesis.size() + reference.size(), candidates_.distances(), candidates_.most_at_one_position());
    if (packed && candidates_.contested() <= 64)
        beam_.search(candidates_, choose);
    else if (packed && candidates_.contested() <= 128)
        wider_beam_.search(candidates_, choose);
    else
        widest_beam_.search(candidates_, choose);
    result_.clear();
    for (std::size_t at = 0; at < reference.size(); ++at) {
        if (candidates_.is_fixed(at)) choose(candidates_.begin(at));
        if (chosen_[at] >= 0) result_.push_back(candidates_[static_cast<std::size_t>(chosen_[at])]);
    }
    return result_;
}

}  // namespace adjudge
