// Clipped n-gram matches of one hypothesis with its references, order by order.
//
// An n-gram can only match where its two (n−1)-grams matched, so each order builds on the classes of the one
// below: a shared (n−1)-gram is known by a small number, and an n-gram by that number with the number of its
// last symbol. Both are small, so a directly addressed table finds it. Whether a position is still alive is
// as good as random to a processor; the loops therefore compute with class 0 (dead) instead of branching on
// it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace adjudge {

using Ids = std::vector<std::int32_t>;  // symbols of one text; −1 = does not occur in the hypothesis

class Matcher {
  public:
    using Class = std::uint32_t;  // 0 = not shared; 1..classes_ = an n-gram of the hypothesis

    // Writes for each order 1..max_order the matches clipped by the largest count in any one reference.
    // `symbols` is how many different symbols the hypothesis has (ids 0..symbols−1).
    void match(const Ids& hypothesis, std::span<const Ids> references, std::int32_t symbols, int max_order,
               std::int64_t* matches) {
        match(hypothesis, references, symbols, max_order, matches,
              [](int, const auto&, const auto&, const auto&) {});
    }

    // The same, calling visit(order, classes, own, best) for each order that has matches: the class of the
    // n-gram that starts at each place of the hypothesis, and by class how often the hypothesis and the
    // reference that has it most often have it (0 = matches nothing).
    template <class Visit>
    void match(const Ids& hypothesis, std::span<const Ids> references, std::int32_t symbols, int max_order,
               std::int64_t* matches, Visit visit) {
        std::fill_n(matches, max_order, 0);
        if (max_order == 0 || symbols == 0 || references.empty()) return;
        if (references_.size() < references.size()) references_.resize(references.size());
        first_order(hypothesis, references, static_cast<Class>(symbols));
        for (int order = 1;; ++order) {
            matches[order - 1] = matched();
            if (matches[order - 1] == 0) return;
            const auto last = static_cast<std::size_t>(order);
            visit(order, std::span<const Class>(hypothesis_).first(hypothesis.size() + 1 - last), own_,
                  best_);
            if (order == max_order || hypothesis.size() <= last) return;
            const std::uint64_t keys =
                (static_cast<std::uint64_t>(classes_) + 1) * static_cast<std::uint64_t>(symbols);
            const auto width = static_cast<std::uint64_t>(symbols);
            if (keys <= direct_limit)
                next_order(direct_for(keys), hypothesis, references, width, last);
            else
                next_order(hashed_for(hypothesis.size()), hypothesis, references, width, last);
        }
    }

  private:
    void first_order(const Ids& hypothesis, std::span<const Ids> references, Class symbols) {
        classes_ = symbols;
        hypothesis_.resize(hypothesis.size());
        own_.assign(symbols + 1, 0);
        for (std::size_t i = 0; i < hypothesis.size(); ++i)
            ++own_[hypothesis_[i] = static_cast<Class>(hypothesis[i] + 1)];
        count_references(references.size(), [&](std::size_t r, std::vector<Class>& counts) {
            references_[r].resize(references[r].size());
            for (std::size_t i = 0; i < references[r].size(); ++i)
                ++counts[references_[r][i] = static_cast<Class>(references[r][i] + 1)];
        });
    }

    template <class Table>
    void next_order(Table table, const Ids& hypothesis, std::span<const Ids> references,
                    std::uint64_t symbols, std::size_t last) {
        const std::size_t length = hypothesis.size() - last;
        own_.assign(length + 1, 0);
        if (touched_.size() <= length) touched_.resize(length + 1);
        Class classes = 0;
        Class* const chain = hypothesis_.data();
        Class* const own = own_.data();
        const Class* const best = best_.data();
        std::uint64_t* const touched = touched_.data();
        for (std::size_t i = 0; i < length; ++i) {
            const Class prefix = chain[i];
            const bool alive = (best[prefix] != 0) & (best[chain[i + 1]] != 0);
            const std::uint64_t key =
                alive ? prefix * symbols + static_cast<std::uint64_t>(hypothesis[i + last]) : 0;
            Class& slot = table.at(key);
            const Class found = slot;
            const bool fresh = alive & (found == 0);
            touched[classes] = key;
            classes += fresh;
            const Class now = fresh ? classes : found;
            chain[i] = slot = now;
            ++own[now];
        }
        classes_ = classes;
        count_references(references.size(), [&](std::size_t r, std::vector<Class>& counts) {
            Class* const theirs = references_[r].data();
            Class* const count = counts.data();
            const std::int32_t* const ids = references[r].data();
            const std::size_t size = references[r].size() > last ? references[r].size() - last : 0;
            for (std::size_t i = 0; i < size; ++i) {
                const Class prefix = theirs[i];
                const bool alive = (prefix != 0) & (theirs[i + 1] != 0);
                const std::uint64_t key =
                    alive ? prefix * symbols + static_cast<std::uint64_t>(ids[i + last]) : 0;
                const Class now = table.at(key);
                theirs[i] = now;
                ++count[now];
            }
        });
        table.clear(std::span(touched_).first(classes));
    }

    // Lets `count` fill the classes of each reference and keeps the largest count of each in best_.
    template <class Count>
    void count_references(std::size_t references, Count count) {
        best_.assign(classes_ + 1, 0);
        count(0, best_);
        for (std::size_t r = 1; r < references; ++r) {
            theirs_.assign(classes_ + 1, 0);
            count(r, theirs_);
            for (std::size_t c = 0; c < best_.size(); ++c) best_[c] = std::max(best_[c], theirs_[c]);
        }
        best_[0] = 0;
    }

    std::int64_t matched() const {
        std::int64_t total = 0;
        for (std::size_t c = 1; c <= classes_; ++c) total += std::min(own_[c], best_[c]);
        return total;
    }

    // Key 0 is the one that dead positions ask for; it is never given a class.
    struct Direct {
        Class* slots;
        Class& at(std::uint64_t key) { return slots[key]; }
        void clear(std::span<const std::uint64_t> keys) {
            for (const std::uint64_t key : keys) slots[key] = 0;
        }
    };

    struct Entry {
        std::uint64_t key = 0;
        Class value = 0;
    };

    struct Hashed {
        std::vector<Entry>& entries;
        Class& at(std::uint64_t key) {
            const std::size_t mask = entries.size() - 1;
            for (std::size_t i = (key * 0x9e3779b97f4a7c15u) >> 20;; ++i) {
                Entry& entry = entries[i & mask];
                if (entry.value == 0) entry.key = key;
                if (entry.key == key) return entry.value;
            }
        }
        void clear(std::span<const std::uint64_t>) {}
    };

    Direct direct_for(std::uint64_t keys) {
        if (direct_.size() < keys) direct_.resize(std::bit_ceil(keys), 0);
        return Direct{direct_.data()};
    }

    Hashed hashed_for(std::size_t entries) {
        hashed_.assign(std::bit_ceil(entries * 2 + 16), Entry{});
        return Hashed{hashed_};
    }

    static constexpr std::uint64_t direct_limit = 1u << 16;  // 256 kB: stays in the second-level cache

    Class classes_ = 0;
    std::vector<Class> hypothesis_;
    std::vector<std::vector<Class>> references_;
    std::vector<Class> own_, best_, theirs_;
    std::vector<Class> direct_;
    std::vector<std::uint64_t> touched_;
    std::vector<Entry> hashed_;
};

}  // namespace adjudge
