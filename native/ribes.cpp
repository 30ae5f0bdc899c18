#include "ribes.hpp"

#include <cmath>

#include "contexts.hpp"
#include "parallel.hpp"
#include "words.hpp"

namespace adjudge {
namespace {

// Pairs of a sequence of places that stand in ascending order, by a Fenwick tree.
class AscendingPairs {
  public:
    std::int64_t count(const Ids& places, std::size_t limit) {
        tree_.assign(limit + 1, 0);
        std::int64_t pairs = 0;
        for (const std::int32_t place : places) {
            for (auto i = static_cast<std::size_t>(place); i > 0; i &= i - 1) pairs += tree_[i];
            for (auto i = static_cast<std::size_t>(place) + 1; i <= limit; i += i & (~i + 1)) ++tree_[i];
        }
        return pairs;
    }

  private:
    std::vector<std::int32_t> tree_;
};

class RibesWorker {
  public:
    RibesWorker(Lines hypotheses, const References& references, Tokenizer tokenizer, double alpha,
                double beta, double* rows)
        : words_(hypotheses, references, tokenizer), alpha_(alpha), beta_(beta), rows_(rows) {}

    void operator()(std::size_t segment) {
        words_.read(segment);
        double best = 0;
        for (const Ids& reference : words_.references())
            best = std::max(best, score(words_.hypothesis(), reference));
        rows_[segment] = best;
    }

  private:
    double score(const Ids& hypothesis, const Ids& reference) {
        // RIBES reads an empty line as one empty word.
        if (hypothesis.empty() || reference.empty()) return hypothesis.size() == reference.size() ? 1 : 0;
        align(hypothesis, reference);
        const auto length = static_cast<double>(hypothesis.size());
        const auto matched = static_cast<double>(places_.size());
        double order = 0;
        if (places_.size() == 1 && reference.size() == 1)
            order = 1;
        else if (places_.size() < 2)
            return 0;
        else
            order =
                static_cast<double>(pairs_.count(places_, reference.size())) / (matched * (matched - 1) / 2);
        const double brevity = std::min(1.0, std::exp(1 - static_cast<double>(reference.size()) / length));
        return order * std::pow(matched / length, alpha_) * std::pow(brevity, beta_);
    }

    // Where the hypothesis's words stand in the reference: at once where a word is the only one of its kind
    // on both sides, else by the shortest context to the left or the right that is (left before right).
    void align(const Ids& hypothesis, const Ids& reference) {
        const auto symbols = static_cast<std::size_t>(words_.symbols());
        own_.assign(symbols, 0);
        theirs_.assign(symbols, 0);
        place_.resize(symbols);
        for (const std::int32_t id : hypothesis) ++own_[static_cast<std::size_t>(id)];
        for (std::size_t j = 0; j < reference.size(); ++j) {
            if (reference[j] < 0) continue;
            ++theirs_[static_cast<std::size_t>(reference[j])];
            place_[static_cast<std::size_t>(reference[j])] = static_cast<std::int32_t>(j);
        }
        const bool simple = is_simple(hypothesis.size() + reference.size());
        const std::vector<Contexts::Context>*left = nullptr, *right = nullptr;
        places_.clear();
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            const auto id = static_cast<std::size_t>(hypothesis[i]);
            if (theirs_[id] == 0) continue;
            if (theirs_[id] == 1 && own_[id] == 1) {
                places_.push_back(place_[id]);
                continue;
            }
            if (!simple && left == nullptr) {
                left = &backward_.find(hypothesis, reference, true);
                right = &forward_.find(hypothesis, reference, false);
            }
            const auto before = simple ? Contexts::look(hypothesis, reference, i, true) : (*left)[i];
            const auto after = simple ? Contexts::look(hypothesis, reference, i, false) : (*right)[i];
            if (before.length > 0 && (after.length == 0 || before.length <= after.length))
                places_.push_back(before.place);
            else if (after.length > 0)
                places_.push_back(after.place);
        }
    }

    // Whether few enough words are equal for comparing every pair of them.
    bool is_simple(std::size_t length) const {
        std::size_t pairs = 0;
        for (std::size_t s = 0; s < own_.size(); ++s) pairs += own_[s] * (own_[s] + theirs_[s]);
        return length <= 256 && pairs <= 4 * length;
    }

    SegmentWords words_;
    double alpha_, beta_;
    double* rows_;
    std::vector<std::size_t> own_, theirs_;
    Ids place_, places_;
    Contexts backward_, forward_;
    AscendingPairs pairs_;
};

}  // namespace

void ribes_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, double alpha,
                double beta, unsigned threads, double* rows) {
    for_each_segment(hypotheses.size(), threads,
                     [&] { return RibesWorker(hypotheses, references, tokenizer, alpha, beta, rows); });
}

}  // namespace adjudge
