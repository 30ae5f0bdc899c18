// METEOR's formula, from counts to a score: it stands here and nowhere else. Its parts take numbers rather
// than rows, so that loops over many rows can do several at once; their order of operations is that of
// METEOR's own program, so that references that tie there tie here. A ratio of nothing is 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "meteor_aligner.hpp"

namespace adjudge {

struct MeteorParameters {
    double alpha, beta, gamma, delta;
    std::array<double, meteor_matchers> weights;
    bool form_2005;  // fragmentation (chunks - 1) / (matches - 1)
};

// Alpha, beta, gamma, delta and the weights of the matchers.
using MeteorNumbers = std::array<double, 4 + meteor_matchers>;

inline MeteorParameters meteor_parameters(const double* numbers, bool form_2005) {
    MeteorParameters parameters{numbers[0], numbers[1], numbers[2], numbers[3], {}, form_2005};
    std::copy_n(numbers + 4, meteor_matchers, parameters.weights.begin());
    return parameters;
}

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

// The columns of one side, the hypothesis or the reference.
struct MeteorSide {
    std::size_t words, function_words, content, function;
};
constexpr MeteorSide meteor_hypothesis{meteor_column::hypothesis_words,
                                       meteor_column::hypothesis_function_words,
                                       meteor_column::hypothesis_content, meteor_column::hypothesis_function};
constexpr MeteorSide meteor_reference{meteor_column::reference_words, meteor_column::reference_function_words,
                                      meteor_column::reference_content, meteor_column::reference_function};

// What the words that a matcher found count: `part` is delta for content words, 1 - delta for function words.
inline double meteor_weighed(double words, double weight, double part) { return words * weight * part; }

// All words of a side, content words weighing delta and function words the rest.
inline double meteor_words(double words, double function, double delta) {
    return delta * (words - function) + (1 - delta) * function;
}

// Divided by infinity where there is nothing to divide by: then there is nothing above either.
inline double meteor_ratio(double above, double below) {
    return above / (below > 0 ? below : std::numeric_limits<double>::infinity());
}

// The harmonic mean in which recall weighs alpha.
inline double meteor_mean(double precision, double recall, double alpha) {
    const double mean = 1 / ((1 - alpha) / precision + alpha / recall);
    return mean > 0 ? mean : 0;  // 0 / 0 is no number
}

// Words that are matched, as the mean of both sides.
inline double meteor_matches(double hypothesis, double reference) { return (hypothesis + reference) / 2; }

// `begun` is how many segments have a match, each of which begins a chunk, in the form of 2005; otherwise 0.
inline double meteor_fragmentation(double chunks, double matches, double begun) {
    return meteor_ratio(chunks - begun, matches - begun);
}

// `power` is the fragmentation to the power of beta.
inline double meteor_penalised(double mean, double power, double gamma) {
    const double score = mean * (1 - gamma * power);
    return score > 0 ? score : 0;
}

struct MeteorParts {
    double precision, recall, mean, fragmentation, score;
};

// A row, or a sum of rows.
inline MeteorParts meteor_parts(const double* row, double begun, const MeteorParameters& p) {
    const auto share = [&](const MeteorSide& side) {
        double matched = 0;
        for (std::size_t m = 0; m < meteor_matchers; ++m)
            matched += meteor_weighed(row[meteor_column::matched(m, side.content)], p.weights[m], p.delta);
        for (std::size_t m = 0; m < meteor_matchers; ++m)
            matched +=
                meteor_weighed(row[meteor_column::matched(m, side.function)], p.weights[m], 1 - p.delta);
        return meteor_ratio(matched, meteor_words(row[side.words], row[side.function_words], p.delta));
    };
    MeteorParts parts;
    parts.precision = share(meteor_hypothesis);
    parts.recall = share(meteor_reference);
    parts.mean = meteor_mean(parts.precision, parts.recall, p.alpha);
    const double matches =
        meteor_matches(row[meteor_column::hypothesis_matched], row[meteor_column::reference_matched]);
    parts.fragmentation = meteor_fragmentation(row[meteor_column::chunks], matches, begun);
    parts.score = meteor_penalised(parts.mean, std::pow(parts.fragmentation, p.beta), p.gamma);
    return parts;
}

// Of a segment.
inline double meteor_score(const MeteorRow& row, const MeteorParameters& parameters) {
    const bool begun = parameters.form_2005 && row[meteor_column::chunks] > 0;
    return meteor_parts(row.data(), begun, parameters).score;
}

}  // namespace adjudge
