#include "trueskill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "parallel.hpp"
#include "random.hpp"

namespace adjudge {
namespace {

double density(double x) {
    constexpr double scale = 0.3989422804014326779;  // 1 / sqrt(2 pi)
    return scale * std::exp(-0.5 * x * x);
}

double below(double x) { return 0.5 * std::erfc(-x * (1 / std::numbers::sqrt2)); }

// How far the mean moves and by which share the variance shrinks, both in units of the match.
struct Change {
    double mean;
    double variance;
};

Change after_win(double difference, double margin) {
    const double x = difference - margin;
    const double share = below(x);
    const double v = share > 0 ? density(x) / share : -x;
    return {v, v * (v + x)};
}

Change after_draw(double difference, double margin) {
    const double apart = std::abs(difference);
    const double a = margin - apart;
    const double b = -margin - apart;
    const double share = below(a) - below(b);
    if (!(share > 0)) return {difference < 0 ? -a : a, 1};
    const double pa = density(a);
    const double pb = density(b);
    const double v = (pb - pa) / share;
    return {difference < 0 ? -v : v, v * v + (a * pa - b * pb) / share};
}

// One run: the skills so far, and what choosing the next match needs. Only systems that were compared with
// another one in this run's table take part, numbered anew.
class Run {
  public:
    Run(const Outcomes& outcomes, const TrueSkill& model, std::size_t number)
        : model_(model), present_(compared(outcomes, number)), size_(present_.size()) {
        const std::size_t systems = outcomes.systems;
        const double* wins = outcomes.wins + number * systems * systems;
        const double* ties = outcomes.ties + number * systems * systems;
        for (const std::size_t a : present_) {
            for (const std::size_t b : present_) {
                wins_.push_back(wins[a * systems + b]);
                undecided_.push_back(wins_.back() + ties[a * systems + b]);
                totals_.push_back(undecided_.back() + wins[b * systems + a]);
                met_.push_back(totals_.back() > 0 ? 1 : 0);
            }
        }
        means_.assign(size_, model.mean);
        variances_.assign(size_, model.sigma * model.sigma);
        rise_.assign(size_, std::exp(clamped(model.mean)));
        fall_.assign(size_, std::exp(-clamped(model.mean)));
        chances_.resize(size_);
    }

    bool empty() const { return size_ == 0; }

    void play_one(Random& random) {
        const std::size_t a = least_known();
        const std::size_t b = opponent(a, random);
        const std::size_t cell = a * size_ + b;
        const auto drawn = static_cast<double>(random.below(static_cast<std::uint32_t>(totals_[cell])));
        Skill first{means_[a], variances_[a]};
        Skill second{means_[b], variances_[b]};
        if (drawn < undecided_[cell]) {
            play(model_, drawn >= wins_[cell], first, second);
        } else {
            play(model_, false, second, first);
        }
        keep(a, first);
        keep(b, second);
    }

    void write(double* means, std::size_t systems) const {
        std::fill(means, means + systems, std::numeric_limits<double>::quiet_NaN());
        for (std::size_t i = 0; i < size_; ++i) means[present_[i]] = means_[i];
    }

  private:
    // So that products of two exponentials stay finite; those that stand so far apart never meet anyway.
    static double clamped(double mean) { return std::clamp(mean, -350.0, 350.0); }

    static std::vector<std::size_t> compared(const Outcomes& outcomes, std::size_t number) {
        const std::size_t systems = outcomes.systems;
        const double* wins = outcomes.wins + number * systems * systems;
        const double* ties = outcomes.ties + number * systems * systems;
        std::vector<std::size_t> found;
        for (std::size_t a = 0; a < systems; ++a) {
            double total = 0;
            for (std::size_t b = 0; b < systems; ++b)
                total += wins[a * systems + b] + wins[b * systems + a] + ties[a * systems + b];
            if (total > 0) found.push_back(a);
        }
        return found;
    }

    void keep(std::size_t system, const Skill& skill) {
        means_[system] = skill.mean;
        variances_[system] = skill.variance;
        rise_[system] = std::exp(clamped(skill.mean));
        fall_[system] = 1 / rise_[system];
    }

    std::size_t least_known() const {
        std::size_t found = 0;
        double most = variances_[0];
        for (std::size_t i = 1; i < size_; ++i) {
            const bool more = variances_[i] > most;
            most = more ? variances_[i] : most;
            found = more ? i : found;
        }
        return found;
    }

    std::size_t opponent(std::size_t a, Random& random) {
        const double* met = &met_[a * size_];
        for (std::size_t b = 0; b < size_; ++b) {
            // exp(-|difference|), without taking an exponential for each
            chances_[b] = std::min(rise_[a] * fall_[b], fall_[a] * rise_[b]) * met[b];
        }
        double sum = 0;
        for (std::size_t b = 0; b < size_; ++b) chances_[b] = sum += chances_[b];
        const double drawn = random.uniform() * sum;
        std::size_t passed = 0;
        for (std::size_t b = 0; b < size_; ++b) passed += chances_[b] <= drawn;
        if (passed < size_) return passed;
        // All chances are too small for numbers: the last one that can be met.
        while (met[--passed] == 0) {
        }
        return passed;
    }

    const TrueSkill& model_;
    std::vector<std::size_t> present_;
    std::size_t size_;
    std::vector<double> wins_, undecided_, totals_, met_;  // one table each
    std::vector<double> means_, variances_, rise_, fall_, chances_;
};

}  // namespace

void play(const TrueSkill& model, bool draw, Skill& first, Skill& second) {
    const double gain = model.tau * model.tau;
    const double p = first.variance + gain;
    const double q = second.variance + gain;
    const double spread = p + q + 2 * model.beta * model.beta;
    const double c = std::sqrt(spread);
    const double difference = (first.mean - second.mean) / c;
    const Change change =
        draw ? after_draw(difference, model.margin / c) : after_win(difference, model.margin / c);
    first.mean += p / c * change.mean;
    second.mean -= q / c * change.mean;
    first.variance = p * (1 - p / spread * change.variance);
    second.variance = q * (1 - q / spread * change.variance);
}

void trueskill_runs(const Outcomes& outcomes, const TrueSkill& model, std::size_t matches, std::uint64_t seed,
                    std::uint64_t first, std::size_t count, unsigned threads, double* means) {
    for_each_block<1>(count, threads, [&] {
        return [&](std::size_t number) {
            Run run(outcomes, model, number);
            Random random(seed, first + number);
            for (std::size_t i = 0; i < matches && !run.empty(); ++i) run.play_one(random);
            run.write(means + number * outcomes.systems, outcomes.systems);
        };
    });
}

}  // namespace adjudge
