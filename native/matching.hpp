// Clipped n-gram matches of one hypothesis with its references, order by order.
//
// An n-gram can only match where its two (n−1)-grams matched, so each order looks only at the positions that
// survived the one below, and a surviving (n−1)-gram is known by a small number. The key of an n-gram is that
// number with the number of its last symbol; both are small, so a directly addressed table finds it.
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
    // Writes for each order 1..max_order the matches clipped by the largest count in any one reference.
    // `symbols` is how many different symbols the hypothesis has (ids 0..symbols−1).
    void match(const Ids& hypothesis, std::span<const Ids> references, std::int32_t symbols, int max_order,
               std::int64_t* matches) {
        match(hypothesis, references, symbols, max_order, matches,
              [](int, const auto&, const auto&, const auto&) {});
    }

    // The same, calling visit(order, classes, own, best) for each order that has matches: the class of the
    // n-gram that starts at each place of the hypothesis (−1 = matches nothing), and by class how often the
    // hypothesis and the reference that has it most often have it.
    template <class Visit>
    void match(const Ids& hypothesis, std::span<const Ids> references, std::int32_t symbols, int max_order,
               std::int64_t* matches, Visit visit) {
        std::fill_n(matches, max_order, 0);
        hypothesis_.assign(hypothesis.begin(), hypothesis.end());
        if (references_.size() < references.size()) references_.resize(references.size());
        for (std::size_t r = 0; r < references.size(); ++r)
            references_[r].assign(references[r].begin(), references[r].end());
        std::int32_t classes = symbols;
        for (int order = 1; order <= max_order; ++order) {
            if (order > 1) classes = extend(hypothesis, references, symbols, order, classes);
            if (classes == 0) return;
            matches[order - 1] = count(references.size(), classes);
            if (matches[order - 1] == 0) return;
            visit(order, hypothesis_, own_, best_);
        }
    }

  private:
    // Counts the classes on all sides and kills the hypothesis positions that no reference shares.
    std::int64_t count(std::size_t references, std::int32_t classes) {
        const auto size = static_cast<std::size_t>(classes);
        own_.assign(size, 0);
        best_.assign(size, 0);
        for (const std::int32_t c : hypothesis_)
            if (c >= 0) ++own_[static_cast<std::size_t>(c)];
        if (references == 1) {
            for (const std::int32_t c : references_[0])
                if (c >= 0) ++best_[static_cast<std::size_t>(c)];
        } else {
            for (std::size_t r = 0; r < references; ++r) {
                theirs_.assign(size, 0);
                for (const std::int32_t c : references_[r])
                    if (c >= 0) ++theirs_[static_cast<std::size_t>(c)];
                for (std::size_t c = 0; c < size; ++c) best_[c] = std::max(best_[c], theirs_[c]);
            }
        }
        std::int64_t total = 0;
        for (std::size_t c = 0; c < size; ++c) total += std::min(own_[c], best_[c]);
        for (std::int32_t& c : hypothesis_)
            if (c >= 0 && best_[static_cast<std::size_t>(c)] == 0) c = -1;
        return total;
    }

    // Turns classes of (order−1)-grams into classes of order-grams and says how many there are.
    std::int32_t extend(const Ids& hypothesis, std::span<const Ids> references, std::int32_t symbols,
                        int order, std::int32_t classes) {
        const std::uint64_t keys = static_cast<std::uint64_t>(classes) * static_cast<std::uint64_t>(symbols);
        return keys <= direct_limit
                   ? extend_with(direct_for(keys), hypothesis, references, symbols, order)
                   : extend_with(hashed_for(hypothesis_.size()), hypothesis, references, symbols, order);
    }

    template <class Table>
    std::int32_t extend_with(Table table, const Ids& hypothesis, std::span<const Ids> references,
                             std::int32_t symbols, int order) {
        const auto last = static_cast<std::size_t>(order - 1);
        std::int32_t classes = 0;
        const std::size_t length = hypothesis_.empty() ? 0 : hypothesis_.size() - 1;
        for (std::size_t i = 0; i < length; ++i) {
            if (hypothesis_[i] < 0) continue;
            if (hypothesis_[i + 1] < 0) {
                hypothesis_[i] = -1;
                continue;
            }
            std::int32_t& slot = table.add(key(hypothesis_[i], symbols, hypothesis[i + last]));
            if (slot == 0) slot = ++classes;
            hypothesis_[i] = slot - 1;
        }
        hypothesis_.resize(length);
        for (std::size_t r = 0; r < references.size(); ++r) {
            Ids& ref = references_[r];
            const std::size_t size = ref.empty() ? 0 : ref.size() - 1;
            for (std::size_t i = 0; i < size; ++i) {
                if (ref[i] < 0) continue;
                ref[i] = ref[i + 1] < 0 ? -1 : table.find(key(ref[i], symbols, references[r][i + last])) - 1;
            }
            ref.resize(size);
        }
        table.clear();
        return classes;
    }

    static std::uint64_t key(std::int32_t prefix, std::int32_t symbols, std::int32_t last) {
        return static_cast<std::uint64_t>(prefix) * static_cast<std::uint64_t>(symbols) +
               static_cast<std::uint64_t>(last);
    }

    // Slots hold a class + 1; 0 is empty. Only what was touched is cleared.
    struct Direct {
        Matcher& owner;
        std::int32_t& add(std::uint64_t k) {
            std::int32_t& slot = owner.direct_[k];
            if (slot == 0) owner.touched_.push_back(static_cast<std::uint32_t>(k));
            return slot;
        }
        std::int32_t find(std::uint64_t k) const { return owner.direct_[k]; }
        void clear() {
            for (const std::uint32_t k : owner.touched_) owner.direct_[k] = 0;
            owner.touched_.clear();
        }
    };

    struct Hashed {
        Matcher& owner;
        std::uint64_t mask;
        std::size_t place(std::uint64_t k) const {
            for (std::uint64_t i = (k * 0x9e3779b97f4a7c15u) >> 20;; ++i) {
                const Entry& entry = owner.hashed_[i & mask];
                if (entry.value == 0 || entry.key == k) return i & mask;
            }
        }
        std::int32_t& add(std::uint64_t k) {
            Entry& entry = owner.hashed_[place(k)];
            entry.key = k;
            return entry.value;
        }
        std::int32_t find(std::uint64_t k) const { return owner.hashed_[place(k)].value; }
        void clear() {}
    };

    Direct direct_for(std::uint64_t keys) {
        if (direct_.size() < keys) direct_.resize(std::bit_ceil(keys), 0);
        return Direct{*this};
    }

    Hashed hashed_for(std::size_t entries) {
        const std::size_t wanted = std::bit_ceil(entries * 2 + 16);
        hashed_.assign(wanted, Entry{});
        return Hashed{*this, wanted - 1};
    }

    static constexpr std::uint64_t direct_limit = 1u << 16;  // 256 kB, stays in the second-level cache

    struct Entry {
        std::uint64_t key = 0;
        std::int32_t value = 0;
    };
    Ids hypothesis_;
    std::vector<Ids> references_;
    std::vector<std::int32_t> own_, best_, theirs_;
    std::vector<std::int32_t> direct_;
    std::vector<std::uint32_t> touched_;
    std::vector<Entry> hashed_;
};

}  // namespace adjudge
