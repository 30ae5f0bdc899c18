// How long a stretch of words has to be until it stands in one place only, for every place at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "matching.hpp"

namespace adjudge {

// From a suffix array over reference and hypothesis (by prefix doubling: n log² n whatever the words repeat).
class Contexts {
  public:
    struct Context {
        std::int32_t length = 0;  // of the shortest stretch unique in both texts; 0 where there is none
        std::int32_t place = 0;   // in the reference, of the word in question
    };

    // For each word of the hypothesis the shortest stretch of two words or more that starts there (with
    // `backward`: that ends there) and occurs once in the hypothesis and once in the reference.
    const std::vector<Context>& find(const Ids& hypothesis, const Ids& reference, bool backward) {
        join(hypothesis, reference, backward);
        sort();
        measure();
        offset_ = static_cast<std::int32_t>(reference.size()) + 1;
        seen_.assign(hypothesis.size(), Seen{});
        const auto size = static_cast<std::int32_t>(text_.size());
        Sweep down;
        for (std::int32_t r = 0; r < size; ++r) visit(down, r, common_[static_cast<std::size_t>(r)]);
        Sweep up;
        for (std::int32_t r = size - 1; r >= 0; --r)
            visit(up, r, r + 1 < size ? common_[static_cast<std::size_t>(r + 1)] : 0);

        result_.assign(hypothesis.size(), Context{});
        const auto last = static_cast<std::int32_t>(reference.size()) - 1;
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            Context context = shortest(seen_[i]);
            if (backward) context.place = last - context.place;
            result_[backward ? seen_.size() - 1 - i : i] = context;
        }
        return result_;
    }

    // The same for one word, by comparing it with every place: quick where the word is rare and the texts
    // short.
    static Context look(const Ids& hypothesis, const Ids& reference, std::size_t i, bool backward) {
        Seen seen;
        for (std::size_t j = 0; j < reference.size(); ++j) {
            if (reference[j] != hypothesis[i]) continue;
            const std::int32_t common = stretch(hypothesis, i, reference, j, backward);
            if (common > seen.first) {
                seen.second = seen.first;
                seen.first = common;
                seen.place = static_cast<std::int32_t>(j);
            } else {
                seen.second = std::max(seen.second, common);
            }
        }
        for (std::size_t j = 0; j < hypothesis.size(); ++j)
            if (j != i && hypothesis[j] == hypothesis[i])
                seen.own = std::max(seen.own, stretch(hypothesis, i, hypothesis, j, backward));
        return shortest(seen);
    }

  private:
    // The longest stretches from one place of the hypothesis that also start elsewhere.
    struct Seen {
        std::int32_t first = 0, second = 0, place = 0;  // in the reference
        std::int32_t own = 0;                           // in the hypothesis
    };

    static Context shortest(const Seen& seen) {
        const std::int32_t length = std::max({2, seen.second + 1, seen.own + 1});
        return length <= seen.first ? Context{length, seen.place} : Context{};
    }

    // Words in common from places i and j on, which hold the same word.
    static std::int32_t stretch(const Ids& a, std::size_t i, const Ids& b, std::size_t j, bool backward) {
        std::size_t common = 1;
        const std::size_t limit = backward ? std::min(i, j) + 1 : std::min(a.size() - i, b.size() - j);
        while (common < limit && (backward ? a[i - common] == b[j - common] : a[i + common] == b[j + common]))
            ++common;
        return static_cast<std::int32_t>(common);
    }

    // What lies behind while going through the sorted suffixes: words shared with the two last suffixes of
    // the reference and the last one of the hypothesis.
    struct Sweep {
        std::int32_t first = 0, second = 0, place = 0, own = 0;
    };

    void join(const Ids& hypothesis, const Ids& reference, bool backward) {
        text_.clear();
        if (backward) {
            text_.insert(text_.end(), reference.rbegin(), reference.rend());
            text_.push_back(border);
            text_.insert(text_.end(), hypothesis.rbegin(), hypothesis.rend());
        } else {
            text_.insert(text_.end(), reference.begin(), reference.end());
            text_.push_back(border);
            text_.insert(text_.end(), hypothesis.begin(), hypothesis.end());
        }
    }

    void sort() {
        const std::size_t size = text_.size();
        rank_.resize(size);
        keys_.resize(size);
        for (std::size_t i = 0; i < size; ++i) rank_[i] = text_[i] - border + 1;  // 0 is the end
        for (std::size_t step = 1;; step *= 2) {
            for (std::size_t i = 0; i < size; ++i) {
                const std::int32_t next = i + step < size ? rank_[i + step] : 0;
                keys_[i] = {static_cast<std::uint64_t>(rank_[i]) << 32 | static_cast<std::uint32_t>(next),
                            static_cast<std::int32_t>(i)};
            }
            std::sort(keys_.begin(), keys_.end(),
                      [](const Key& a, const Key& b) { return a.value < b.value; });
            std::int32_t rank = 0;
            for (std::size_t k = 0; k < size; ++k) {
                if (k == 0 || keys_[k].value != keys_[k - 1].value) ++rank;
                rank_[static_cast<std::size_t>(keys_[k].place)] = rank;
            }
            if (static_cast<std::size_t>(rank) == size) return;
        }
    }

    // Words in common with the suffix one rank before (Kasai et al. 2001).
    void measure() {
        const std::size_t size = text_.size();
        common_.assign(size, 0);
        std::size_t shared = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const auto r = static_cast<std::size_t>(rank_[i] - 1);
            if (r == 0) {
                shared = 0;
                continue;
            }
            const auto j = static_cast<std::size_t>(keys_[r - 1].place);
            while (i + shared < size && j + shared < size && text_[i + shared] == text_[j + shared]) ++shared;
            common_[r] = static_cast<std::int32_t>(shared);
            if (shared > 0) --shared;
        }
    }

    void visit(Sweep& sweep, std::int32_t rank, std::int32_t common) {
        sweep.first = std::min(sweep.first, common);
        sweep.second = std::min(sweep.second, common);
        sweep.own = std::min(sweep.own, common);
        const std::int32_t place = keys_[static_cast<std::size_t>(rank)].place;
        if (place >= offset_) {
            Seen& seen = seen_[static_cast<std::size_t>(place - offset_)];
            seen.own = std::max(seen.own, sweep.own);
            if (sweep.first > seen.first) {
                seen.second = std::max(seen.first, sweep.second);
                seen.first = sweep.first;
                seen.place = sweep.place;
            } else {
                seen.second = std::max(seen.second, sweep.first);
            }
            sweep.own = unbounded;
        } else if (place < offset_ - 1) {
            sweep.second = sweep.first;
            sweep.first = unbounded;
            sweep.place = place;
        }
    }

    static constexpr std::int32_t border =
        -2;  // between the texts; −1 are reference words that match nothing
    static constexpr std::int32_t unbounded = std::numeric_limits<std::int32_t>::max();
    struct Key {
        std::uint64_t value;
        std::int32_t place;
    };
    std::int32_t offset_ = 0;
    Ids text_, rank_, common_;
    std::vector<Key> keys_;
    std::vector<Seen> seen_;
    std::vector<Context> result_;
};

}  // namespace adjudge
