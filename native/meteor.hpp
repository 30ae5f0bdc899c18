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

// Columns of a row, which Python knows by the same names. Where words count as many as they have characters,
// chunks and the two columns of matched words still count words. A segment all of whose words are matched in
// one chunk has no chunks: METEOR counts it so, in sums too (but not in the 2005 form).
namespace meteor_column {
enum : std::size_t {
    hypothesis_words,
    reference_words,
    hypothesis_function_words,
    reference_function_words,
    hypothesis_matched,
    reference_matched,
    chunks,
    by_matcher,  // from here on four for each matcher, see below
};
// Of a matcher: matched content and function words of the hypothesis, then of the reference.
enum : std::size_t { hypothesis_content, hypothesis_function, reference_content, reference_function };
constexpr std::size_t a_matcher = 4;
constexpr std::size_t matched(std::size_t matcher, std::size_t which) {
    return by_matcher + a_matcher * matcher + which;
}
}  // namespace meteor_column

constexpr std::size_t meteor_columns = meteor_column::matched(meteor_matchers, 0);
using MeteorRow = std::array<double, meteor_columns>;

// The parts of the formula. All words of a side, content words weighing delta and function words the rest:
inline double meteor_words(double words, double function, double delta) {
    return delta * (words - function) + (1 - delta) * function;
}

// Words that are matched, as the mean of both sides.
inline double meteor_matches(double hypothesis, double reference) { return (hypothesis + reference) / 2; }

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
