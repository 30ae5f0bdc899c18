// TrueSkill (Herbrich, Minka and Graepel 2006) for two players at a time, as WMT ran it over rankings.
#pragma once

#include <cstddef>
#include <cstdint>

namespace adjudge {

struct Skill {
    double mean;
    double variance;
};

struct TrueSkill {
    double mean = 0;
    double sigma = 0.5;
    double beta = 0;    // the deviation of a performance about a skill
    double tau = 0;     // what a skill gains in deviation before a match
    double margin = 0;  // of the difference of two performances that is a draw
};

// Both skills after a match that the first one won, or that was a draw.
void play(const TrueSkill& model, bool draw, Skill& first, Skill& second);

// How often each of so many systems was preferred to each other one, and how often two tied (on both sides of
// the diagonal): one table a run.
struct Outcomes {
    const double* wins;
    const double* ties;
    std::size_t systems;
};

// Run number `first + r` into row r of `means`, r < count: every system's mean after so many matches. A match
// is between the system that is least known and one drawn by how near it stands (exp(-|difference|)), among
// those it was compared with; its outcome is drawn from theirs (Sakaguchi, Post and Van Durme 2014). A system
// without any comparison in a run has no mean: NaN. A run depends on the seed and its number only.
void trueskill_runs(const Outcomes& outcomes, const TrueSkill& model, std::size_t matches, std::uint64_t seed,
                    std::uint64_t first, std::size_t count, unsigned threads, double* means);

}  // namespace adjudge
