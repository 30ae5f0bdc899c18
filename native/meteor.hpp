// METEOR's statistics a segment: the alignment with the reference that gives the best score.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "meteor_aligner.hpp"
#include "paraphrases.hpp"

namespace adjudge {

struct MeteorParameters {
    double alpha, beta, gamma, delta;
    std::array<double, meteor_matchers> weights;
    bool form_2005;  // fragmentation (chunks - 1) / (matches - 1)
};

// Columns of a row: words of the hypothesis, of the reference; function words of the hypothesis, of the
// reference; matched words of the hypothesis, of the reference; chunks; then for each matcher: matched
// content and function words of the hypothesis, content and function words of the reference. Where words
// count as many as they have characters, chunks and the two columns of matched words still count words. A
// segment all of whose words are matched in one chunk has no chunks: METEOR counts it so, in sums too (but
// not in the 2005 form).
constexpr std::size_t meteor_columns = 7 + 4 * meteor_matchers;
using MeteorRow = std::array<double, meteor_columns>;

double meteor_score(const MeteorRow& row, const MeteorParameters& parameters);

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
