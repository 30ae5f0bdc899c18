#include "metric_swaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "correlation.hpp"
#include "many_pairs.hpp"
#include "parallel.hpp"
#include "wide.hpp"

namespace adjudge {
namespace {

constexpr std::size_t lanes = 8;         // draws that are looked at together
constexpr std::size_t small_group = 64;  // cells of a group up to which all pairs are gone through
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding = 1e-12;  // sums that differ by this share of the sum of sizes are equal

struct Verdicts {
    double agreement[lanes];  // pairs ordered alike less pairs ordered the other way; or said the same of
    double ordered[lanes];    // pairs that the scores order
    double distinct[lanes];   // different scores
};

// All pairs of a group in some draws; `scores` is cells x lanes, `people` has the sign of gold of each pair.
ADJUDGE_WIDE void count_pairs(const double* scores, std::size_t size, const double* people, bool same,
                              Verdicts& out) {
    double agreement[lanes] = {}, ordered[lanes] = {}, distinct[lanes] = {};
    for (std::size_t j = 0; j < size; ++j) {
        const double* b = scores + j * lanes;
        double is_new[lanes];
        for (std::size_t l = 0; l < lanes; ++l) is_new[l] = 1.0;
        for (std::size_t i = 0; i < j; ++i) {
            const double* a = scores + i * lanes;
            const double sign = *people++;
            for (std::size_t l = 0; l < lanes; ++l) {
                const double above = a[l] > b[l] ? 1.0 : 0.0, below = a[l] < b[l] ? 1.0 : 0.0;
                const double own = above - below;
                agreement[l] += same ? (own == sign ? 1.0 : 0.0) : own * sign;
                ordered[l] += above + below;
                is_new[l] = own == 0.0 ? 0.0 : is_new[l];
            }
        }
        for (std::size_t l = 0; l < lanes; ++l) distinct[l] += is_new[l];
    }
    std::copy_n(agreement, lanes, out.agreement);
    std::copy_n(ordered, lanes, out.ordered);
    std::copy_n(distinct, lanes, out.distinct);
}

// One group: its cells in the order of gold, and what people say of its pairs.
struct Group {
    std::vector<std::size_t> cells;
    std::vector<double> gold;
    std::vector<double> people;  // signs of pairs (i < j by j), for small groups
    double ordered = 0;
    double distinct = 0;
};

std::vector<Group> groups_of(const Groups& groups, const double* gold) {
    std::vector<Group> made(groups.count);
    for (std::size_t g = 0; g < groups.count; ++g) {
        Group& group = made[g];
        for (std::size_t w = 0; w < groups.width; ++w) {
            const std::int64_t place = groups.places[g * groups.width + w];
            if (place >= 0) group.cells.push_back(static_cast<std::size_t>(place));
        }
        std::stable_sort(group.cells.begin(), group.cells.end(),
                         [&](std::size_t a, std::size_t b) { return gold[a] < gold[b]; });
        const std::size_t size = group.cells.size();
        double equal = 0;
        for (std::size_t i = 0; i < size; ++i) {
            group.gold.push_back(gold[group.cells[i]]);
            const bool is_new = i == 0 || group.gold[i] != group.gold[i - 1];
            equal = is_new ? 0 : equal + 1;
            group.distinct += is_new ? 1 : 0;
            group.ordered += static_cast<double>(i) - equal;
        }
        if (size > small_group) continue;
        for (std::size_t j = 0; j < size; ++j)
            for (std::size_t i = 0; i < j; ++i)
                group.people.push_back(group.gold[i] < group.gold[j] ? -1.0 : 0.0);
    }
    return made;
}

double value_of(const Group& group, Agreement kind, double agreement, double ordered, double distinct) {
    const auto n = static_cast<double>(group.cells.size());
    if (kind == Agreement::accuracy) return agreement / (n * (n - 1) / 2);
    if (kind == Agreement::tau_b) {
        const double below = std::sqrt(ordered * group.ordered);
        return below > 0 ? agreement / below : no_number;
    }
    const double classes = std::min(distinct, group.distinct);
    return classes > 1 ? 2 * classes * agreement / (n * n * (classes - 1)) : no_number;
}

// Groups too large for all their pairs: draw by draw, by sorting.
class LargeGroup {
  public:
    double operator()(const Group& group, Agreement kind, const double* scores, std::size_t lane) {
        const std::size_t size = group.cells.size();
        list_.resize(size);
        for (std::size_t i = 0; i < size; ++i) list_[i] = scores[i * lanes + lane];
        double row[3];
        concordance(Lists{list_.data(), 1, size}, group.gold.data(), 1, row);
        if (kind == Agreement::accuracy) {
            // Said the same: ordered alike, or tied by both. Pairs ordered by both are alike or the other
            // way.
            const double all = static_cast<double>(size) * static_cast<double>(size - 1) / 2;
            const double tied = tied_by_both(group);
            const double both = row[1] + row[2] - all + tied;
            return ((both + row[0]) / 2 + tied) / all;
        }
        double distinct = 0;
        if (kind == Agreement::tau_c) {
            std::sort(list_.begin(), list_.end());
            distinct = static_cast<double>(std::unique(list_.begin(), list_.end()) - list_.begin());
        }
        return value_of(group, kind, row[0], row[1], distinct);
    }

  private:
    double tied_by_both(const Group& group) {
        double tied = 0;
        for (std::size_t begin = 0, end; begin < list_.size(); begin = end) {
            end = begin + 1;
            while (end < list_.size() && group.gold[end] == group.gold[begin]) ++end;
            equal_.assign(list_.begin() + static_cast<std::ptrdiff_t>(begin),
                          list_.begin() + static_cast<std::ptrdiff_t>(end));
            std::sort(equal_.begin(), equal_.end());
            double run = 0;
            for (std::size_t i = 1; i < equal_.size(); ++i) {
                run = equal_[i] == equal_[i - 1] ? run + 1 : 0;
                tied += run;
            }
        }
        return tied;
    }

    std::vector<double> list_, equal_;
};

// The scores of a group's cells in some draws, cells x lanes: those of one metric, swapped ones of the other.
void take_scores(const Swaps& swaps, const Group& group, std::size_t begin, std::size_t used, bool turned,
                 std::vector<double>& scores) {
    scores.resize(group.cells.size() * lanes);
    for (std::size_t i = 0; i < group.cells.size(); ++i) {
        const std::size_t cell = group.cells[i];
        const double sides[2] = {turned ? swaps.second[cell] : swaps.first[cell],
                                 turned ? swaps.first[cell] : swaps.second[cell]};
        for (std::size_t l = 0; l < lanes; ++l) {
            const std::size_t draw = begin + std::min(l, used - 1);
            scores[i * lanes + l] = sides[swaps.coins[draw * swaps.cells + cell]];
        }
    }
}

// Pairs of systems that lead by as much as they do, or more, in how many trials.
ADJUDGE_WIDE std::size_t leads(const double* a, const double* b, std::size_t trials, double needed) {
    double count[lanes] = {};
    std::size_t t = 0;
    for (; t + lanes <= trials; t += lanes)
        for (std::size_t l = 0; l < lanes; ++l) count[l] += a[t + l] - b[t + l] >= needed ? 1.0 : 0.0;
    for (; t < trials; ++t) count[0] += a[t] - b[t] >= needed ? 1.0 : 0.0;
    return static_cast<std::size_t>(std::accumulate(count, count + lanes, 0.0));
}

// The soft pairwise accuracy of one table, of whose signed sums all systems x trials are given.
class SoftAccuracy {
  public:
    SoftAccuracy(std::size_t systems, std::size_t items, const double* gold, std::size_t trials)
        : systems_(systems), items_(items), gold_(gold), trials_(trials), sums_(systems), slack_(systems) {}

    // `table` is items x systems.
    double operator()(const double* table, const double* signed_sums) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        std::fill(slack_.begin(), slack_.end(), 0.0);
        for (std::size_t i = 0; i < items_; ++i) {
            for (std::size_t s = 0; s < systems_; ++s) {
                sums_[s] += table[i * systems_ + s];
                slack_[s] += rounding * std::fabs(table[i * systems_ + s]);
            }
        }
        double distance = 0;
        const double* p = gold_;
        for (std::size_t a = 0; a < systems_; ++a) {
            for (std::size_t b = a + 1; b < systems_; ++b) {
                const double needed = sums_[a] - sums_[b] - slack_[a] - slack_[b];
                const std::size_t far =
                    leads(signed_sums + a * trials_, signed_sums + b * trials_, trials_, needed);
                distance += std::fabs(*p++ - static_cast<double>(far) / static_cast<double>(trials_));
            }
        }
        return 1.0 - distance / (static_cast<double>(systems_) * static_cast<double>(systems_ - 1) / 2);
    }

  private:
    std::size_t systems_, items_;
    const double* gold_;
    std::size_t trials_;
    std::vector<double> sums_, slack_;
};

}  // namespace

void swapped_agreement(const Swaps& swaps, const double* gold, const Groups& groups, Agreement kind,
                       unsigned threads, double* out) {
    const std::vector<Group> all = groups_of(groups, gold);
    const std::size_t blocks = (swaps.draws + lanes - 1) / lanes;
    for_each_block<1>(blocks, threads, [&] {
        return [&, large = LargeGroup(), scores = std::vector<double>()](std::size_t block) mutable {
            const std::size_t begin = block * lanes, used = std::min(lanes, swaps.draws - begin);
            for (const bool turned : {false, true}) {
                double total[lanes] = {}, defined[lanes] = {};
                for (const Group& group : all) {
                    take_scores(swaps, group, begin, used, turned, scores);
                    const bool is_small = group.cells.size() <= small_group;
                    Verdicts pairs{};
                    if (is_small)
                        count_pairs(scores.data(), group.cells.size(), group.people.data(),
                                    kind == Agreement::accuracy, pairs);
                    for (std::size_t l = 0; l < used; ++l) {
                        const double value = is_small ? value_of(group, kind, pairs.agreement[l],
                                                                 pairs.ordered[l], pairs.distinct[l])
                                                      : large(group, kind, scores.data(), l);
                        if (std::isnan(value)) continue;
                        total[l] += value;
                        defined[l] += 1;
                    }
                }
                for (std::size_t l = 0; l < used; ++l)
                    out[2 * (begin + l) + turned] = defined[l] > 0 ? total[l] / defined[l] : no_number;
            }
        };
    });
}

void swapped_soft_accuracy(const Swaps& swaps, std::size_t systems, const double* gold, std::size_t trials,
                           std::uint64_t seed, unsigned threads, double* out) {
    const std::size_t items = swaps.cells / systems;
    const auto by_item = [&](auto score) {
        std::vector<double> table(swaps.cells);
        for (std::size_t s = 0; s < systems; ++s)
            for (std::size_t i = 0; i < items; ++i) table[i * systems + s] = score(s * items + i);
        return table;
    };
    std::vector<double> together(systems * trials);  // of both metrics, which no swap changes
    const std::vector<double> added =
        by_item([&](std::size_t cell) { return swaps.first[cell] + swaps.second[cell]; });
    SignedSums(items, trials, seed)(added.data(), systems, together.data());
    for_each_block<1>(swaps.draws, threads, [&] {
        return [&, accuracy = SoftAccuracy(systems, items, gold, trials),
                signs = SignedSums(items, trials, seed),
                sums = std::vector<double>(systems * trials)](std::size_t draw) mutable {
            const std::uint8_t* coins = swaps.coins + draw * swaps.cells;
            // Nothing foretells a coin: a place looked up costs less than a branch.
            const double* const sides[2] = {swaps.first, swaps.second};
            std::vector<double> table = by_item([&](std::size_t cell) { return sides[coins[cell]][cell]; });
            signs(table.data(), systems, sums.data());
            out[2 * draw] = accuracy(table.data(), sums.data());
            for (std::size_t i = 0; i < table.size(); ++i) table[i] = added[i] - table[i];
            for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = together[i] - sums[i];
            out[2 * draw + 1] = accuracy(table.data(), sums.data());
        };
    });
}

}  // namespace adjudge
