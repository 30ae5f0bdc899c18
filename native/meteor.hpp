// METEOR's statistics a segment: the alignment with the reference that gives the best score.
#pragma once

#include <cstdint>
#include <vector>

#include "meteor_aligner.hpp"
#include "meteor_formula.hpp"
#include "paraphrases.hpp"

namespace adjudge {

struct MeteorTask {
    const MeteorWords& words;
    const MeteorSegments& hypotheses;
    const std::vector<const MeteorSegments*>& references;
    unsigned matchers;  // bit m stands for matcher m
    MeteorParameters parameters;
    const ParaphraseTable* paraphrases;  // may be null
};

void meteor_rows(const MeteorTask& task, unsigned threads, double* rows);

struct MeteorAlignment {
    std::size_t reference = 0;  // which set
    std::vector<MeteorMatch> matches;
};

// The alignments behind the rows.
std::vector<MeteorAlignment> meteor_alignments(const MeteorTask& task, unsigned threads);

}  // namespace adjudge
