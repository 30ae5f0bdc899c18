#include "meteor_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "parallel.hpp"
#include "wide.hpp"

namespace adjudge {
namespace {

// Blocks are filled up to a multiple of it, and sums are made in so many parts: then they are the same,
// whatever registers a machine has.
constexpr std::size_t lanes = 8;

// Loops over a block, each simple enough for a compiler to do several translations at once.

ADJUDGE_WIDE void clear(double* to, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] = 0;
}

ADJUDGE_WIDE void add_weighed(double* to, const double* words, double weight, double part, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] += meteor_weighed(words[i], weight, part);
}

ADJUDGE_WIDE void total(double* to, const double* words, const double* function, double delta,
                        std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] = meteor_words(words[i], function[i], delta);
}

ADJUDGE_WIDE void divide(double* to, const double* above, const double* below, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] = meteor_ratio(above[i], below[i]);
}

ADJUDGE_WIDE void average(double* to, const double* precision, const double* recall, double alpha,
                          std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] = meteor_mean(precision[i], recall[i], alpha);
}

ADJUDGE_WIDE void penalised(double* to, const double* mean, const double* power, double gamma,
                            std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] = meteor_penalised(mean[i], power[i], gamma);
}

ADJUDGE_WIDE void penalised_or_better(double* to, const double* mean, const double* power, double gamma,
                                      std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const double score = meteor_penalised(mean[i], power[i], gamma);
        to[i] = score > to[i] ? score : to[i];
    }
}

ADJUDGE_WIDE void add_moments(const double* scores, const double* target, std::size_t n, double* sums) {
    double plain[lanes] = {}, squares[lanes] = {}, products[lanes] = {};
    for (std::size_t i = 0; i < n; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) {
            const double score = scores[i + k];
            plain[k] += score;
            squares[k] += score * score;
            products[k] += score * target[i + k];
        }
    for (std::size_t k = 0; k < lanes; ++k) {
        sums[0] += plain[k];
        sums[1] += squares[k];
        sums[2] += products[k];
    }
}

std::size_t concordant_pairs(const double* scores, std::span<const MeteorPair> pairs) {
    std::size_t found = 0;
    for (const MeteorPair pair : pairs) found += scores[pair.better] > scores[pair.worse];
    return found;
}

// What a system's score is made of, added up over its segments.
struct Sums {
    double hypothesis = 0, hypothesis_words = 0, reference = 0, reference_words = 0, chunks = 0, matches = 0;

    double score(const MeteorParameters& p) const {
        const double precision = meteor_ratio(hypothesis, hypothesis_words);
        const double recall = meteor_ratio(reference, reference_words);
        const double power = std::pow(meteor_fragmentation(chunks, matches, 0), p.beta);
        return meteor_penalised(meteor_mean(precision, recall, p.alpha), power, p.gamma);
    }
};

}  // namespace

// Points in an order in which those that count matches in the same way, and of these those that weigh
// precision and recall in the same way, stand together: most of the work is then done once for many of them.
struct MeteorGrid::Order {
    explicit Order(Points points) : points(points), places(points.size()), power(points.size()) {
        std::iota(places.begin(), places.end(), std::size_t{0});
        const auto key = [&](std::size_t i) {
            return std::tuple(points[i].delta, points[i].weights, points[i].alpha, points[i].beta);
        };
        std::stable_sort(places.begin(), places.end(),
                         [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
        for (std::size_t i = 0; i < places.size(); ++i)
            if (i == 0 || !same_way(places[i], places[i - 1])) ways.push_back(i);
        ways.push_back(places.size());
        for (std::size_t i = 0; i < points.size(); ++i) betas.push_back(points[i].beta);
        std::sort(betas.begin(), betas.end());
        betas.erase(std::unique(betas.begin(), betas.end()), betas.end());
        for (std::size_t i = 0; i < points.size(); ++i)
            power[i] = static_cast<std::size_t>(std::lower_bound(betas.begin(), betas.end(), points[i].beta) -
                                                betas.begin());
    }

    bool same_way(std::size_t a, std::size_t b) const {
        return points[a].delta == points[b].delta && points[a].weights == points[b].weights;
    }

    Points points;
    std::vector<std::size_t> places;
    std::vector<std::size_t> ways;   // where one begins, among places
    std::vector<std::size_t> power;  // of a point, among betas
    std::vector<double> betas;
};

class MeteorGrid::Worker {
  public:
    Worker(const MeteorGrid& grid, const Order& order, const std::vector<double>& powers)
        : grid_(grid), order_(order), powers_(powers), scores_(grid.longest_) {
        for (auto* lists : {&matched_, &words_})
            for (auto& list : *lists) list.resize(grid.references_ * grid.longest_);
        for (auto* list : {&precision_, &recall_, &mean_}) list->resize(grid.references_ * grid.longest_);
        chosen_.resize(grid.longest_);
    }

    // All points that count in one way, over all blocks.
    template <class Consume>
    void operator()(std::size_t way, Consume& consume) {
        const std::size_t begin = order_.ways[way], end = order_.ways[way + 1];
        for (std::size_t b = 0; b < grid_.blocks_.size(); ++b) {
            block_ = &grid_.blocks_[b];
            length_ = (block_->count + lanes - 1) / lanes * lanes;
            count(order_.points[order_.places[begin]]);
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t place = order_.places[i];
                const MeteorParameters& point = order_.points[place];
                if (i == begin || point.alpha != order_.points[order_.places[i - 1]].alpha)
                    weigh(point.alpha);
                if (grid_.joined_)
                    scores_[0] = joined(point, order_.power[place]);
                else
                    score(point.gamma, order_.power[place]);
                consume(place, b, scores_.data());
            }
        }
    }

  private:
    // Precision and recall by each reference.
    void count(const MeteorParameters& way) {
        for (std::size_t r = 0; r < grid_.references_; ++r) {
            share(r, meteor_hypothesis, way, matched_[0], words_[0], precision_);
            share(r, meteor_reference, way, matched_[1], words_[1], recall_);
        }
    }

    // Of all words of a side, how many are matched.
    void share(std::size_t r, const MeteorSide& side, const MeteorParameters& way,
               std::vector<double>& matched, std::vector<double>& words, std::vector<double>& shares) {
        clear(at(matched, r), length_);
        const auto add = [&](std::size_t which, double part) {
            for (std::size_t m = 0; m < meteor_matchers; ++m)
                if (way.weights[m] > 0)
                    add_weighed(at(matched, r), column(r, meteor_column::matched(m, which)), way.weights[m],
                                part, length_);
        };
        add(side.content, way.delta);
        add(side.function, 1 - way.delta);
        total(at(words, r), column(r, side.words), column(r, side.function_words), way.delta, length_);
        divide(at(shares, r), at(matched, r), at(words, r), length_);
    }

    void weigh(double alpha) {
        for (std::size_t r = 0; r < grid_.references_; ++r)
            average(at(mean_, r), at(precision_, r), at(recall_, r), alpha, length_);
    }

    // Of each translation, by its best reference.
    void score(double gamma, std::size_t power) {
        penalised(scores_.data(), at(mean_, 0), powers(power, 0), gamma, length_);
        for (std::size_t r = 1; r < grid_.references_; ++r)
            penalised_or_better(scores_.data(), at(mean_, r), powers(power, r), gamma, length_);
    }

    double joined(const MeteorParameters& point, std::size_t power) {
        std::fill(chosen_.begin(), chosen_.end(), 0u);
        score(point.gamma, power);
        for (std::size_t r = grid_.references_; r-- > 0;) {
            const double *mean = at(mean_, r), *power_of = powers(power, r);
            for (std::size_t i = 0; i < block_->count; ++i)
                if (meteor_penalised(mean[i], power_of[i], point.gamma) == scores_[i])
                    chosen_[i] = static_cast<std::uint32_t>(r);
        }
        Sums sums;
        for (std::size_t i = 0; i < block_->count; ++i) {
            const std::size_t r = chosen_[i], here = r * grid_.longest_ + i;
            sums.hypothesis += matched_[0][here];
            sums.reference += matched_[1][here];
            sums.hypothesis_words += words_[0][here];
            sums.reference_words += words_[1][here];
            sums.chunks += column(r, meteor_column::chunks)[i];
            sums.matches += meteor_matches(column(r, meteor_column::hypothesis_matched)[i],
                                           column(r, meteor_column::reference_matched)[i]);
        }
        return sums.score(point);
    }

    double* at(std::vector<double>& list, std::size_t reference) const {
        return list.data() + reference * grid_.longest_;
    }
    const double* column(std::size_t reference, std::size_t which) const {
        return grid_.column(reference, which) + block_->begin;
    }
    const double* powers(std::size_t power, std::size_t reference) const {
        return powers_.data() + (power * grid_.references_ + reference) * grid_.padded_ + block_->begin;
    }

    const MeteorGrid& grid_;
    const Order& order_;
    const std::vector<double>& powers_;
    const Block* block_ = nullptr;
    std::size_t length_ = 0;
    std::array<std::vector<double>, 2> matched_, words_;  // of hypothesis and reference
    std::vector<double> precision_, recall_, mean_, scores_;
    std::vector<std::uint32_t> chosen_;
};

MeteorGrid::MeteorGrid(const double* rows, std::size_t references, std::span<const std::size_t> cuts,
                       bool joined)
    : joined_(joined), references_(references), translations_(cuts.back()) {
    for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
        const std::size_t count = cuts[b + 1] - cuts[b];
        blocks_.push_back({padded_, count, joined ? b : cuts[b]});
        padded_ += (count + lanes - 1) / lanes * lanes;
        longest_ = std::max(longest_, (count + lanes - 1) / lanes * lanes);
    }
    columns_.resize(references * meteor_columns * padded_);
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        for (std::size_t i = 0; i < blocks_[b].count; ++i)
            for (std::size_t r = 0; r < references; ++r)
                for (std::size_t c = 0; c < meteor_columns; ++c)
                    columns_[(r * meteor_columns + c) * padded_ + blocks_[b].begin + i] =
                        rows[((cuts[b] + i) * references + r) * meteor_columns + c];
}

template <class MakeConsumer>
void MeteorGrid::walk(Points points, unsigned threads, MakeConsumer make_consumer) const {
    const Order order(points);
    std::vector<double> powers(order.betas.size() * references_ * padded_);
    for_each_block<1>(order.betas.size() * references_, threads, [&] {
        return [&](std::size_t which) {
            const std::size_t r = which % references_;
            const double* chunks = column(r, meteor_column::chunks);
            const double* hypothesis = column(r, meteor_column::hypothesis_matched);
            const double* reference = column(r, meteor_column::reference_matched);
            for (std::size_t i = 0; i < padded_; ++i)
                powers[which * padded_ + i] =
                    std::pow(meteor_fragmentation(chunks[i], meteor_matches(hypothesis[i], reference[i]), 0),
                             order.betas[which / references_]);
        };
    });
    for_each_block<1>(order.ways.size() - 1, threads, [&] {
        return [worker = Worker(*this, order, powers), consume = make_consumer()](std::size_t way) mutable {
            worker(way, consume);
        };
    });
}

void MeteorGrid::scores(Points points, unsigned threads, double* out) const {
    walk(points, threads, [&] {
        return [&](std::size_t point, std::size_t block, const double* scores) {
            std::copy_n(scores, length(block), out + point * size() + blocks_[block].first);
        };
    });
}

void MeteorGrid::moments(Points points, std::span<const double> target, std::span<const std::size_t> group,
                         std::size_t groups, unsigned threads, double* out) const {
    std::vector<double> wide;  // filled up as the blocks are
    std::vector<std::size_t> begins;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        begins.push_back(wide.size());
        const double* ours = target.data() + blocks_[b].first;
        wide.insert(wide.end(), ours, ours + length(b));
        wide.resize((wide.size() + lanes - 1) / lanes * lanes);
    }
    std::fill_n(out, points.size() * groups * 3, 0.0);
    walk(points, threads, [&] {
        return [&, room = std::array<double, lanes>{}](std::size_t point, std::size_t block,
                                                       const double* scores) mutable {
            if (joined_) {
                room[0] = scores[0];
                scores = room.data();
            }
            add_moments(scores, wide.data() + begins[block], (length(block) + lanes - 1) / lanes * lanes,
                        out + (point * groups + group[block]) * 3);
        };
    });
}

void MeteorGrid::concordant(Points points, std::span<const MeteorPair> pairs,
                            std::span<const std::size_t> begins, std::span<const std::size_t> group,
                            std::size_t groups, unsigned threads, double* out) const {
    std::fill_n(out, points.size() * groups, 0.0);
    walk(points, threads, [&] {
        return [&](std::size_t point, std::size_t block, const double* scores) {
            const auto ours = pairs.subspan(begins[block], begins[block + 1] - begins[block]);
            out[point * groups + group[block]] += static_cast<double>(concordant_pairs(scores, ours));
        };
    });
}

void meteor_best(const double* rows, std::size_t count, std::size_t references,
                 const MeteorParameters& parameters, double* best) {
    for (std::size_t i = 0; i < count; ++i) {
        double score = -1;
        for (std::size_t r = 0; r < references; ++r) {
            MeteorRow row;
            std::copy_n(rows + (i * references + r) * meteor_columns, meteor_columns, row.begin());
            const double ours = meteor_score(row, parameters);
            if (ours <= score) continue;
            score = ours;
            std::copy(row.begin(), row.end(), best + i * meteor_columns);
        }
    }
}

}  // namespace adjudge
