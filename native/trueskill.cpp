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

// One run: the skills so far, and what choosing the next match needs.
class Run {
  public:
    Run(const Outcomes& outcomes, const TrueSkill& model, std::size_t number)
        : model_(model),
          systems_(outcomes.systems),
          wins_(outcomes.wins + number * systems_ * systems_),
          ties_(outcomes.ties + number * systems_ * systems_),
          skills_(systems_, Skill{model.mean, model.sigma * model.sigma}),
          rise_(systems_, std::exp(clamped(model.mean))),
          fall_(systems_, std::exp(-clamped(model.mean))),
          chances_(systems_),
          totals_(systems_ * systems_) {
        for (std::size_t a = 0; a < systems_; ++a) {
            bool compared = false;
            for (std::size_t b = 0; b < systems_; ++b) {
                double& total = totals_[a * systems_ + b];
                total = wins_[a * systems_ + b] + ties_[a * systems_ + b] + wins_[b * systems_ + a];
                compared = compared || total > 0;
            }
            if (compared) present_.push_back(a);
        }
    }

    void play_one(Random& random) {
        const std::size_t a = least_known();
        const std::size_t b = opponent(a, random);
        const double total = totals_[a * systems_ + b];
        const auto drawn = static_cast<double>(random.below(static_cast<std::uint32_t>(total)));
        const double won = wins_[a * systems_ + b];
        if (drawn < won) {
            play(model_, false, skills_[a], skills_[b]);
        } else if (drawn < won + ties_[a * systems_ + b]) {
            play(model_, true, skills_[a], skills_[b]);
        } else {
            play(model_, false, skills_[b], skills_[a]);
        }
        for (const std::size_t system : {a, b}) {
            rise_[system] = std::exp(clamped(skills_[system].mean));
            fall_[system] = 1 / rise_[system];
        }
    }

    bool empty() const { return present_.empty(); }

    void write(double* means) const {
        std::fill(means, means + systems_, std::numeric_limits<double>::quiet_NaN());
        for (const std::size_t system : present_) means[system] = skills_[system].mean;
    }

  private:
    // So that products of two exponentials stay finite; those that stand so far apart never meet anyway.
    static double clamped(double mean) { return std::clamp(mean, -350.0, 350.0); }

    std::size_t least_known() const {
        std::size_t found = present_.front();
        for (const std::size_t system : present_) {
            if (skills_[system].variance > skills_[found].variance) found = system;
        }
        return found;
    }

    std::size_t opponent(std::size_t a, Random& random) {
        double sum = 0;
        std::size_t last = a;
        for (const std::size_t b : present_) {
            if (totals_[a * systems_ + b] > 0) {
                // exp(-|difference|), of which only two change in a match
                sum += std::min(rise_[a] * fall_[b], fall_[a] * rise_[b]);
                last = b;
            }
            chances_[b] = sum;
        }
        const double drawn = random.uniform() * sum;
        for (const std::size_t b : present_) {
            if (drawn < chances_[b]) return b;
        }
        return last;  // the chances are too small for numbers
    }

    const TrueSkill& model_;
    std::size_t systems_;
    const double* wins_;
    const double* ties_;
    std::vector<Skill> skills_;
    std::vector<double> rise_, fall_, chances_, totals_;
    std::vector<std::size_t> present_;
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
            run.write(means + number * outcomes.systems);
        };
    });
}

}  // namespace adjudge
