// METEOR 1.5's alignment: the candidates of all matchers at once, then one beam from left to right.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meteor_beam.hpp"
#include "meteor_candidates.hpp"

namespace adjudge {

// Aligns one pair after another in memory it keeps.
class MeteorAligner {
  public:
    explicit MeteorAligner(const MeteorKnowledge& known) : candidates_(known) {}

    // Matches by reference position; good until the next call.
    std::span<const MeteorMatch> align(std::span<const std::int32_t> hypothesis,
                                       std::span<const std::int32_t> reference);

  private:
    MeteorCandidates candidates_;
    MeteorBeam<PackedMeteorScore, FewMeteorWords> beam_;
    MeteorBeam<PackedMeteorScore, SomeMeteorWords> wider_beam_;
    MeteorBeam<MeteorScore, ManyMeteorWords> widest_beam_;
    std::vector<std::int32_t> chosen_;  // the candidate at a reference position, -1 for none
    std::vector<MeteorMatch> result_;
};

}  // namespace adjudge
