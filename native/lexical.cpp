#include "lexical.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "hmm_sentence.hpp"
#include "parallel.hpp"

namespace adjudge {
namespace {

using Place = std::uint32_t;
constexpr Place absent = static_cast<Place>(-1);

// Where the target words of a sentence stand in the rows of its source words, and of no word behind them.
class PlaceFinder {
  public:
    explicit PlaceFinder(const LexicalTable& table) : table_(table) {}

    void find(std::span<const std::int32_t> source, std::span<const std::int32_t> target, Place* places) {
        order_.resize(target.size());
        std::iota(order_.begin(), order_.end(), 0u);
        std::sort(order_.begin(), order_.end(), [&](auto a, auto b) { return target[a] < target[b]; });
        std::fill_n(places, (source.size() + 1) * target.size(), absent);
        for (std::size_t i = 0; i <= source.size(); ++i) {
            const std::size_t row =
                i < source.size() ? static_cast<std::size_t>(source[i]) : table_.rows() - 1;
            if (i == source.size() || source[i] >= 0) find_in(row, target, places + i * target.size());
        }
    }

  private:
    void find_in(std::size_t row, std::span<const std::int32_t> target, Place* places) const {
        const auto begin = table_.targets.begin();
        auto at = begin + static_cast<std::ptrdiff_t>(table_.begins[row]);
        const auto end = begin + static_cast<std::ptrdiff_t>(table_.begins[row + 1]);
        for (const unsigned j : order_) {  // rising, so that each search starts where the last one ended
            at = std::lower_bound(at, end, target[j]);
            if (at == end) return;
            if (*at == target[j]) places[j] = static_cast<Place>(at - begin);
        }
    }

    const LexicalTable& table_;
    std::vector<unsigned> order_;
};

// The probabilities of a sentence's target words given each source word, and given none.
class Cells {
  public:
    explicit Cells(const LexicalTable& table) : table_(table), finder_(table) {}

    void read(std::span<const std::int32_t> source, std::span<const std::int32_t> target) {
        width_ = target.size();
        const std::size_t count = (source.size() + 1) * width_;
        places_.resize(count);
        finder_.find(source, target, places_.data());
        probabilities_.resize(count);
        for (std::size_t k = 0; k < count; ++k)
            probabilities_[k] =
                places_[k] == absent ? unseen : std::max<double>(table_.probabilities[places_[k]], unseen);
    }

    double probability(std::size_t i, std::size_t j) const { return probabilities_[i * width_ + j]; }

  private:
    const LexicalTable& table_;
    PlaceFinder finder_;
    std::size_t width_ = 0;
    std::vector<Place> places_;
    std::vector<double> probabilities_;
};

}  // namespace

IdSentences::IdSentences(std::span<const std::int32_t> words, std::span<const std::int64_t> sizes)
    : ids(words), begins(sizes.size() + 1, 0) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 0) throw std::invalid_argument("a sentence cannot have fewer than no words");
        begins[i + 1] = begins[i] + static_cast<std::size_t>(sizes[i]);
    }
    if (begins.back() != words.size()) throw std::invalid_argument("sizes do not add up to the words");
}

void LexicalModel::score(const IdSentences& source, const IdSentences& target, unsigned threads,
                         double* out) const {
    for_each_segment(source.size(), threads, [&] {
        return [&, cells = Cells(table_), hmm = HmmSentence(jumps_)](std::size_t s) mutable {
            const auto from = source[s], to = target[s];
            cells.read(from, to);
            const std::size_t words = from.size();
            hmm.read(words, to.size(), [&](std::size_t i, std::size_t j) { return cells.probability(i, j); });
            for (std::size_t j = 0; j < to.size(); ++j) {
                double total = 0, best = 0, posterior = 0;
                std::ptrdiff_t place = -1;
                for (std::size_t i = 0; i <= words; ++i) {
                    total += cells.probability(i, j);
                    if (i == words) break;
                    best = std::max(best, cells.probability(i, j));
                    if (hmm.posterior(i, j) > posterior) {
                        posterior = hmm.posterior(i, j);
                        place = static_cast<std::ptrdiff_t>(i);
                    }
                }
                if (hmm.posterior(words, j) > posterior) place = -1;
                double* row = out + (target.begins[s] + j) * columns;
                row[0] = std::log(total / static_cast<double>(words + 1));
                row[1] = best;
                row[2] = hmm.log_predictive(j);
                row[3] = posterior;
                row[4] = static_cast<double>(place);
            }
        };
    });
}

}  // namespace adjudge
