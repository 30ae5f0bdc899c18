#include "shared_ngrams.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "pair_table.hpp"
#include "wide.hpp"

namespace adjudge {
namespace {

using Word = std::uint64_t;

// Bits that row `own` has in common with each of `count` rows.
ADJUDGE_WIDE void add_shared(const Word* own, const Word* rows, std::size_t width, std::size_t count,
                             unsigned shift, std::uint32_t* totals) {
    for (std::size_t j = 0; j < count; ++j) {
        const Word* const other = rows + j * width;
        std::uint64_t bits = 0;
        for (std::size_t w = 0; w < width; ++w)
            bits += static_cast<std::uint64_t>(std::popcount(own[w] & other[w]));
        totals[j] += static_cast<std::uint32_t>(bits << shift);
    }
}

}  // namespace

class SharedNgrams::Builder {
  public:
    Builder(std::span<const Ids> texts, int max_order) : texts_(texts), words_((texts.size() + 63) / 64) {
        chains_.resize(texts.size());
        for (std::size_t t = 0; t < texts.size(); ++t) chains_[t].assign(texts[t].size(), -1);
        for (int order = 1; order <= max_order; ++order) {
            gather(static_cast<std::size_t>(order));
            orders_.push_back(merged());
        }
    }

    std::vector<Planes> take() { return std::move(orders_); }

  private:
    static constexpr std::int64_t dead = -2;  // an n-gram that only one text has, or an end
    static constexpr std::int32_t none = -1;

    // The level that an n-gram has reached in the text that is read.
    struct Cursor {
        std::int32_t text = none, set = none;
    };

    // The set of texts of each n-gram and count level. An n-gram that several texts have consists of two
    // shorter ones that several have.
    void gather(std::size_t order) {
        table_.clear();
        first_.clear();
        next_.clear();
        sets_.clear();
        cursors_.clear();
        for (std::size_t t = 0; t < texts_.size(); ++t) {
            std::vector<std::int64_t>& chain = chains_[t];
            for (std::size_t i = 0; i < chain.size(); ++i) {
                const std::size_t last = i + order - 1;
                const bool alive = last < chain.size() && chain[i] != dead && chain[i + (order > 1)] != dead;
                if (!alive) {
                    chain[i] = dead;
                    continue;
                }
                bool is_new = false;
                const std::int64_t ngram = table_.add(chain[i], texts_[t][last], is_new);
                if (is_new) {
                    first_.push_back(fresh_set());
                    cursors_.push_back({});
                }
                count(t, static_cast<std::size_t>(ngram));
                chain[i] = ngram;
            }
        }
        forget_single();
    }

    // One more of an n-gram in text `t`: it reaches the next level.
    void count(std::size_t t, std::size_t ngram) {
        Cursor& cursor = cursors_[ngram];
        if (cursor.text != static_cast<std::int32_t>(t)) {
            cursor = {static_cast<std::int32_t>(t), first_[ngram]};
        } else {
            const auto at = static_cast<std::size_t>(cursor.set);
            if (next_[at] == none) {
                const std::int32_t fresh = fresh_set();
                next_[at] = fresh;
            }
            cursor.set = next_[at];
        }
        sets_[static_cast<std::size_t>(cursor.set) * words_ + t / 64] |= Word{1} << t % 64;
    }

    std::int32_t fresh_set() {
        next_.push_back(none);
        sets_.resize(sets_.size() + words_);
        return static_cast<std::int32_t>(next_.size() - 1);
    }

    bool is_shared(std::size_t set) const {
        int texts = 0;
        for (std::size_t w = 0; w < words_; ++w) texts += std::popcount(sets_[set * words_ + w]);
        return texts > 1;
    }

    void forget_single() {
        std::vector<char> shared(first_.size());
        for (std::size_t ngram = 0; ngram < shared.size(); ++ngram)
            shared[ngram] = is_shared(static_cast<std::size_t>(first_[ngram]));
        for (std::vector<std::int64_t>& chain : chains_)
            for (std::int64_t& ngram : chain)
                if (ngram >= 0 && !shared[static_cast<std::size_t>(ngram)]) ngram = dead;
    }

    // Equal sets once, each in the planes of the bits of how many they were.
    Planes merged() {
        std::vector<std::uint32_t> order;
        for (std::size_t set = 0; set < next_.size(); ++set)
            if (is_shared(set)) order.push_back(static_cast<std::uint32_t>(set));
        const auto compare = [this](std::uint32_t a, std::uint32_t b) {
            return std::memcmp(&sets_[a * words_], &sets_[b * words_], words_ * sizeof(Word));
        };
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return compare(a, b) < 0; });
        std::vector<std::vector<std::uint32_t>> by_bit;
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin + 1;
            while (end < order.size() && compare(order[begin], order[end]) == 0) ++end;
            for (std::size_t bit = 0, weight = end - begin; weight >> bit; ++bit) {
                if (by_bit.size() <= bit) by_bit.resize(bit + 1);
                if (weight >> bit & 1) by_bit[bit].push_back(order[begin]);
            }
            begin = end;
        }
        Planes planes;
        for (std::size_t bit = 0; bit < by_bit.size(); ++bit)
            if (!by_bit[bit].empty()) planes.push_back(plane(static_cast<unsigned>(bit), by_bit[bit]));
        return planes;
    }

    // Sets with a bit a text, turned into rows with a bit a set.
    Plane plane(unsigned shift, std::span<const std::uint32_t> sets) const {
        Plane result{shift, (sets.size() + 63) / 64, {}};
        result.bits.resize(result.width * texts_.size());
        for (std::size_t column = 0; column < sets.size(); ++column)
            for (std::size_t w = 0; w < words_; ++w)
                for (Word left = sets_[sets[column] * words_ + w]; left; left &= left - 1) {
                    const std::size_t t = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
                    result.bits[t * result.width + column / 64] |= Word{1} << column % 64;
                }
        return result;
    }

    std::span<const Ids> texts_;
    std::size_t words_;                              // of a set
    std::vector<std::vector<std::int64_t>> chains_;  // the n-gram that starts at each place of a text
    PairTable table_;
    std::vector<std::int32_t> first_, next_;  // an n-gram's set of level 1, a set's next level
    std::vector<Cursor> cursors_;
    std::vector<Word> sets_;
    std::vector<Planes> orders_;
};

SharedNgrams::SharedNgrams(std::span<const Ids> texts, int max_order) {
    for (const Ids& text : texts) lengths_.push_back(text.size());
    orders_ = Builder(texts, max_order).take();
}

void SharedNgrams::write(std::size_t i, double* out, std::size_t stride, std::size_t step) const {
    std::vector<std::uint32_t> totals(size());
    for (std::size_t n = 0; n < orders_.size(); ++n) {
        std::fill(totals.begin(), totals.end(), 0u);
        for (const Plane& plane : orders_[n])
            add_shared(plane.bits.data() + i * plane.width, plane.bits.data(), plane.width, size(),
                       plane.shift, totals.data());
        // A text shares all it has with itself, also what no other has.
        totals[i] = static_cast<std::uint32_t>(lengths_[i] > n ? lengths_[i] - n : 0);
        for (std::size_t j = 0; j < size(); ++j) out[j * stride + n * step] = totals[j];
    }
}

}  // namespace adjudge
