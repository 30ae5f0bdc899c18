#include "overlap.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "parallel.hpp"
#include "words.hpp"

namespace adjudge {
namespace {

// The words two texts have in common, each used once.
class Bag {
  public:
    std::int64_t matches(const Ids& hypothesis, const Ids& reference, std::int32_t symbols) {
        counts_.assign(static_cast<std::size_t>(symbols), 0);
        for (const std::int32_t id : hypothesis) ++counts_[static_cast<std::size_t>(id)];
        std::int64_t common = 0;
        for (const std::int32_t id : reference)
            if (id >= 0 && counts_[static_cast<std::size_t>(id)] > 0) {
                --counts_[static_cast<std::size_t>(id)];
                ++common;
            }
        return common;
    }

  private:
    std::vector<std::int32_t> counts_;
};

// Matches the longest run of equal words first, then the longest of what is left, and so on; of runs equally
// long the one that starts first in the hypothesis, then in the reference. Time is the number of equal pairs
// of words times the number of different run lengths, so there is a limit to it; memory is linear.
class RunMatching {
  public:
    // (Σ run^exponent)^(1/exponent) over the runs, in units of the longest so that no power overflows.
    double size(const Ids& hypothesis, const Ids& reference, std::int32_t symbols, double exponent) {
        index(reference, symbols);
        pairs_ = 0;
        for (const std::int32_t id : hypothesis) {
            const auto s = static_cast<std::size_t>(id);
            pairs_ += begin_[s + 1] - begin_[s];
        }
        steps_ = 0;
        hypothesis_free_.assign(hypothesis.size(), 1);
        reference_free_.assign(reference.size(), 1);
        above_.assign(reference.size() + 1, 0);
        here_.assign(reference.size() + 1, 0);
        std::size_t longest = scan(hypothesis, 0, nullptr);
        const auto unit = static_cast<double>(std::max<std::size_t>(1, longest));
        double total = 0;
        while (longest > 1) {
            std::size_t taken = 0;
            scan(hypothesis, longest, &taken);
            total += static_cast<double>(taken) * std::pow(static_cast<double>(longest) / unit, exponent);
            longest = scan(hypothesis, 0, nullptr);
        }
        total += static_cast<double>(singles(hypothesis, reference, symbols)) * std::pow(1 / unit, exponent);
        return unit * std::pow(total, 1 / exponent);
    }

  private:
    // Where each symbol stands in the reference.
    void index(const Ids& reference, std::int32_t symbols) {
        begin_.assign(static_cast<std::size_t>(symbols) + 2, 0);
        for (const std::int32_t id : reference)
            if (id >= 0) ++begin_[static_cast<std::size_t>(id) + 2];
        for (std::size_t s = 2; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
        places_.resize(begin_.back());
        for (std::size_t j = 0; j < reference.size(); ++j)
            if (reference[j] >= 0) places_[begin_[static_cast<std::size_t>(reference[j]) + 1]++] = j;
    }

    // Goes through all runs of free words. With `wanted` 0 says how long the longest is; else takes those of
    // that length (nothing longer being left) and counts them in `taken`.
    std::size_t scan(const Ids& hypothesis, std::size_t wanted, std::size_t* taken) {
        steps_ += pairs_;
        if (steps_ > most_steps)
            throw std::invalid_argument("a segment of " + std::to_string(hypothesis.size()) +
                                        " words repeats words too often for matching its runs; an exponent of"
                                        " 1 takes any segment");
        std::size_t longest = 0;
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            const auto id = static_cast<std::size_t>(hypothesis[i]);
            bool broken = !hypothesis_free_[i];
            for (std::size_t k = begin_[id]; !broken && k < begin_[id + 1]; ++k) {
                const std::size_t j = places_[k];
                if (!reference_free_[j]) continue;
                const std::size_t run = above_[j] + 1;  // above_[j] is the run that ends just before (i, j)
                here_[j + 1] = run;
                longest = std::max(longest, run);
                if (run == wanted) {
                    std::fill_n(hypothesis_free_.begin() + static_cast<std::ptrdiff_t>(i + 1 - run), run, 0);
                    std::fill_n(reference_free_.begin() + static_cast<std::ptrdiff_t>(j + 1 - run), run, 0);
                    ++*taken;
                    broken = true;
                }
            }
            // The line above is done with; where a run was taken, none goes on through this word.
            if (i > 0) clear(above_, hypothesis[i - 1]);
            if (broken) clear(here_, hypothesis[i]);
            above_.swap(here_);
        }
        if (!hypothesis.empty()) clear(above_, hypothesis.back());
        return longest;
    }

    void clear(std::vector<std::size_t>& line, std::int32_t id) {
        const auto s = static_cast<std::size_t>(id);
        for (std::size_t k = begin_[s]; k < begin_[s + 1]; ++k) line[places_[k] + 1] = 0;
    }

    std::int64_t singles(const Ids& hypothesis, const Ids& reference, std::int32_t symbols) {
        counts_.assign(static_cast<std::size_t>(symbols), 0);
        for (std::size_t i = 0; i < hypothesis.size(); ++i)
            if (hypothesis_free_[i]) ++counts_[static_cast<std::size_t>(hypothesis[i])];
        std::int64_t common = 0;
        for (std::size_t j = 0; j < reference.size(); ++j)
            if (reference_free_[j] && reference[j] >= 0 &&
                counts_[static_cast<std::size_t>(reference[j])] > 0) {
                --counts_[static_cast<std::size_t>(reference[j])];
                ++common;
            }
        return common;
    }

    static constexpr std::uint64_t most_steps = std::uint64_t{1} << 31;  // some seconds
    std::uint64_t pairs_ = 0, steps_ = 0;
    std::vector<std::size_t> begin_, places_, above_, here_;
    std::vector<char> hypothesis_free_, reference_free_;
    std::vector<std::int32_t> counts_;
};

class OverlapWorker {
  public:
    OverlapWorker(Lines hypotheses, const References& references, Tokenizer tokenizer, Choice choice,
                  double exponent, double* rows)
        : words_(hypotheses, references, tokenizer), choice_(choice), exponent_(exponent), rows_(rows) {}

    void operator()(std::size_t segment) {
        words_.read(segment);
        const Ids& hypothesis = words_.hypothesis();
        const auto length = static_cast<double>(hypothesis.size());
        double* row = rows_ + 3 * segment;
        bool first = true;
        for (const Ids& reference : words_.references()) {
            const auto size = static_cast<double>(reference.size());
            const double match = this->match(hypothesis, reference);
            if (first || better(match, length, size, row)) {
                row[0] = match;
                row[1] = length;
                row[2] = size;
            }
            first = false;
        }
    }

  private:
    double match(const Ids& hypothesis, const Ids& reference) {
        if (exponent_ == 1) return static_cast<double>(bag_.matches(hypothesis, reference, words_.symbols()));
        return runs_.size(hypothesis, reference, words_.symbols(), exponent_);
    }

    bool better(double match, double length, double size, const double* row) const {
        if (choice_ == Choice::best_f) return match * (length + row[2]) > row[0] * (length + size);
        const double errors = std::max(length, size) - match, before = std::max(length, row[2]) - row[0];
        return errors < before || (errors == before && size > row[2]);
    }

    SegmentWords words_;
    Choice choice_;
    double exponent_;
    double* rows_;
    Bag bag_;
    RunMatching runs_;
};

}  // namespace

void overlap_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, Choice choice,
                  double exponent, unsigned threads, double* rows) {
    for_each_segment(hypotheses.size(), threads, [&] {
        return OverlapWorker(hypotheses, references, tokenizer, choice, exponent, rows);
    });
}

}  // namespace adjudge
