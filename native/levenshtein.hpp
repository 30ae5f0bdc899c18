// Word edit distances, 64 cells of the table at a time, in linear memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "matching.hpp"

namespace adjudge {

using Sequence = std::span<const std::int32_t>;

// Levenshtein's distance after Myers (1999) in the form of Hyyrö (2003). The table is cut into stripes of 64
// rows; a stripe runs over the whole text before the next one starts, so only its own masks and one step per
// column are kept.
class Levenshtein {
  public:
    // Symbols are below `symbols`; a negative one equals nothing on the other side.
    std::int64_t distance(Sequence a, Sequence b, std::int32_t symbols) {
        std::size_t same = 0;
        while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
        a = a.subspan(same);
        b = b.subspan(same);
        same = 0;
        while (same < a.size() && same < b.size() && a[a.size() - 1 - same] == b[b.size() - 1 - same]) ++same;
        a = a.first(a.size() - same);
        b = b.first(b.size() - same);
        if (stripes(a) * b.size() > stripes(b) * a.size()) std::swap(a, b);
        if (a.empty()) return static_cast<std::int64_t>(b.size());
        masks_.resize(static_cast<std::size_t>(symbols) + 1, 0);  // the last one stays 0: equal to nothing
        none_ = static_cast<std::size_t>(symbols);
        return a.size() <= 64 ? one_stripe(a, b) : many_stripes(a, b);
    }

  private:
    static std::size_t stripes(Sequence s) { return (s.size() + 63) / 64; }

    std::size_t slot(std::int32_t symbol) const {
        return symbol < 0 ? none_ : static_cast<std::size_t>(symbol);
    }

    void mark(Sequence stripe) {
        for (std::size_t i = 0; i < stripe.size(); ++i)
            if (stripe[i] >= 0) masks_[static_cast<std::size_t>(stripe[i])] |= std::uint64_t{1} << i;
    }

    void unmark(Sequence stripe) {
        for (const std::int32_t symbol : stripe)
            if (symbol >= 0) masks_[static_cast<std::size_t>(symbol)] = 0;
    }

    std::int64_t one_stripe(Sequence a, Sequence b) {
        mark(a);
        const std::size_t last = a.size() - 1;
        std::uint64_t up = ~std::uint64_t{0}, down = 0;  // vertical steps of +1 and −1
        auto score = static_cast<std::int64_t>(a.size());
        for (const std::int32_t symbol : b) {
            const std::uint64_t equal = masks_[slot(symbol)];
            const std::uint64_t zero = (((equal & up) + up) ^ up) | equal | down;
            std::uint64_t right_up = down | ~(zero | up);
            const std::uint64_t right_down = up & zero;
            score += static_cast<std::int64_t>(right_up >> last & 1) -
                     static_cast<std::int64_t>(right_down >> last & 1);
            right_up = right_up << 1 | 1;
            up = right_down << 1 | ~(zero | right_up);
            down = zero & right_up;
        }
        unmark(a);
        return score;
    }

    std::int64_t many_stripes(Sequence a, Sequence b) {
        // Horizontal step at the lower edge of the stripe above, a column each: +1 in the first row of all.
        steps_.assign(b.size(), 1);
        auto score = static_cast<std::int64_t>(a.size());
        while (!a.empty()) {
            const Sequence stripe = a.first(std::min<std::size_t>(64, a.size()));
            a = a.subspan(stripe.size());
            mark(stripe);
            const std::size_t last = stripe.size() - 1;
            std::uint64_t up = ~std::uint64_t{0}, down = 0;
            for (std::size_t j = 0; j < b.size(); ++j) {
                const std::uint64_t above_up = steps_[j] > 0, above_down = steps_[j] < 0;
                const std::uint64_t equal = masks_[slot(b[j])] | above_down;
                const std::uint64_t zero = (((equal & up) + up) ^ up) | equal | down;
                std::uint64_t right_up = down | ~(zero | up);
                std::uint64_t right_down = up & zero;
                steps_[j] = static_cast<std::int8_t>(static_cast<int>(right_up >> last & 1) -
                                                     static_cast<int>(right_down >> last & 1));
                right_up = right_up << 1 | above_up;
                right_down = right_down << 1 | above_down;
                up = right_down | ~(zero | right_up);
                down = zero & right_up;
            }
            unmark(stripe);
        }
        for (const std::int8_t step : steps_) score += step;
        return score;
    }

    std::vector<std::uint64_t> masks_;
    std::vector<std::int8_t> steps_;
    std::size_t none_ = 0;
};

// CDER (Leusch, Ueffing and Ney 2006): edit distance in which the hypothesis may be left for any other place
// of it at the cost of one edit. Such a jump makes every cell of a row the row's minimum or one more, so a
// row is its minimum and a set of bits: those at the minimum.
class JumpDistance {
  public:
    std::int64_t distance(Sequence hypothesis, Sequence reference, std::int32_t symbols) {
        prepare(hypothesis, symbols);
        lowest_.assign(words_, 0);
        lowest_[0] = 1;  // the first row is 0, 1, 1, …
        std::int64_t minimum = 0;
        for (const std::int32_t symbol : reference) {
            const std::uint64_t* equal = show(symbol);
            if (!follow(equal)) {
                ++minimum;
                spread(equal);
            }
            hide(symbol);
        }
        const std::size_t end = hypothesis.size();
        return minimum + ((lowest_[end / 64] >> end % 64 & 1) == 0);
    }

  private:
    // Where the symbols stand in the hypothesis, by place + 1. Frequent ones get a row of bits: there are at
    // most 64 of those, for they hold more than a 64th of the places each, so all rows together stay linear.
    void prepare(Sequence hypothesis, std::int32_t symbols) {
        const auto count = static_cast<std::size_t>(symbols);
        words_ = hypothesis.size() / 64 + 1;
        next_.resize(words_);
        scratch_.assign(words_, 0);
        begin_.assign(count + 2, 0);
        for (const std::int32_t symbol : hypothesis) ++begin_[static_cast<std::size_t>(symbol) + 2];
        for (std::size_t s = 2; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
        places_.resize(hypothesis.size());
        for (std::size_t i = 0; i < hypothesis.size(); ++i)
            places_[begin_[static_cast<std::size_t>(hypothesis[i]) + 1]++] = i + 1;
        rows_.clear();
        row_of_.assign(count, none);
        for (std::size_t s = 0; s < count; ++s) {
            if ((begin_[s + 1] - begin_[s]) * 64 < hypothesis.size()) continue;
            row_of_[s] = rows_.size();
            rows_.resize(rows_.size() + words_, 0);
            for (std::size_t k = begin_[s]; k < begin_[s + 1]; ++k)
                rows_[row_of_[s] + places_[k] / 64] |= std::uint64_t{1} << places_[k] % 64;
        }
    }

    const std::uint64_t* show(std::int32_t symbol) {
        if (symbol < 0) return scratch_.data();
        const auto s = static_cast<std::size_t>(symbol);
        if (row_of_[s] != none) return rows_.data() + row_of_[s];
        for (std::size_t k = begin_[s]; k < begin_[s + 1]; ++k)
            scratch_[places_[k] / 64] |= std::uint64_t{1} << places_[k] % 64;
        return scratch_.data();
    }

    void hide(std::int32_t symbol) {
        if (symbol < 0 || row_of_[static_cast<std::size_t>(symbol)] != none) return;
        const auto s = static_cast<std::size_t>(symbol);
        for (std::size_t k = begin_[s]; k < begin_[s + 1]; ++k) scratch_[places_[k] / 64] = 0;
    }

    // Equal words right after a cell at the minimum keep it; if there are none, nothing changes here.
    bool follow(const std::uint64_t* equal) {
        std::uint64_t carry = 0, any = 0;
        for (std::size_t w = 0; w < words_; ++w) {
            next_[w] = (lowest_[w] << 1 | carry) & equal[w];
            carry = lowest_[w] >> 63;
            any |= next_[w];
        }
        if (any == 0) return false;
        lowest_.swap(next_);
        return true;
    }

    // Nothing is free: insertions and substitutions from the minimum and equal words from elsewhere cost it
    // + 1.
    void spread(const std::uint64_t* equal) {
        std::uint64_t carry = 0;
        for (std::size_t w = 0; w < words_; ++w) {
            const std::uint64_t low = lowest_[w];
            lowest_[w] = low | (low << 1 | carry) | equal[w];
            carry = low >> 63;
        }
    }

    static constexpr std::size_t none = ~std::size_t{0};
    std::size_t words_ = 0;
    std::vector<std::uint64_t> lowest_, next_, scratch_, rows_;
    std::vector<std::size_t> begin_, places_, row_of_;
};

}  // namespace adjudge
