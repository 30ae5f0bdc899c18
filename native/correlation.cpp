#include "correlation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "wide.hpp"

namespace adjudge {
namespace {

double pairs(std::size_t count) {
    const auto n = static_cast<double>(count);
    return n * (n - 1) / 2;
}

// Numbers in their order, found digit by digit: for doubles that takes a fraction of the time that comparing
// does.
class Sorter {
  public:
    // Places of the numbers, those of the least first; where equal ones begin is asked of `starts`.
    std::span<const std::uint32_t> places(std::span<const double> values) {
        const std::size_t n = values.size();
        keys_.resize(n);
        entries_.resize(n);
        room_.resize(n);
        places_.resize(n);
        if (n == 0) return places_;
        std::uint64_t least = ~std::uint64_t{0}, most = 0;
        for (std::size_t i = 0; i < n; ++i) {
            keys_[i] = ordered(values[i]);
            least = std::min(least, keys_[i]);
            most = std::max(most, keys_[i]);
        }
        // As many leading bits as go into half an entry; what is equal by these is seldom more than equal.
        const int width = std::bit_width(most - least);
        const int shift = std::max(0, width - 32);
        for (auto& counts : counts_) counts.fill(0);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint64_t leading = (keys_[i] - least) >> shift;
            entries_[i] = leading << 32 | i;
            for (unsigned d = 0; d < digits; ++d) ++counts_[d][leading >> d * bits & mask];
        }
        for (unsigned d = 0; d < digits; ++d) {
            auto& counts = counts_[d];
            const unsigned at_bit = 32 + d * bits;
            if (counts[entries_.front() >> at_bit & mask] == n) continue;  // the same for all
            std::uint32_t at = 0;
            for (std::uint32_t& count : counts) at += std::exchange(count, at);
            for (const std::uint64_t entry : entries_) room_[counts[entry >> at_bit & mask]++] = entry;
            entries_.swap(room_);
        }
        for (std::size_t i = 0; i < n; ++i) places_[i] = static_cast<std::uint32_t>(entries_[i]);
        if (shift > 0) settle();
        return places_;
    }

    // Whether the number at this place of the order is greater than the one before.
    bool starts(std::size_t at) const {
        return at == 0 || entries_[at] >> 32 != entries_[at - 1] >> 32 ||
               keys_[places_[at]] != keys_[places_[at - 1]];
    }

  private:
    static constexpr unsigned bits = 11, digits = 3;
    static constexpr std::uint64_t mask = (1u << bits) - 1;

    // Puts in order what has the same leading bits.
    void settle() {
        const auto before = [this](std::uint32_t a, std::uint32_t b) { return keys_[a] < keys_[b]; };
        const std::size_t n = places_.size();
        for (std::size_t begin = 0, end; begin < n; begin = end) {
            end = begin + 1;
            while (end < n && entries_[end] >> 32 == entries_[begin] >> 32) ++end;
            if (end - begin < 2) continue;
            const auto first = places_.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto last = places_.begin() + static_cast<std::ptrdiff_t>(end);
            if (!std::is_sorted(first, last, before)) std::sort(first, last, before);
        }
    }

    // Bits that stand in the order of the numbers; adding 0 makes +0 of -0.
    static std::uint64_t ordered(double value) {
        const auto pattern = std::bit_cast<std::uint64_t>(value + 0.0);
        constexpr std::uint64_t sign = std::uint64_t{1} << 63;
        return pattern & sign ? ~pattern : pattern | sign;
    }

    std::vector<std::uint64_t> keys_, entries_, room_;  // an entry: leading bits, then the place
    std::vector<std::uint32_t> places_;
    std::array<std::array<std::uint32_t, 1u << bits>, digits> counts_;
};

// Some of the numbers below a bound, and how many of them lie below any other: a bit each, with counts of
// what lies before a word within its group of words, and before a group. An addition touches every later
// count, which is a matter of a few wide registers and cannot be mispredicted as the steps through a tree
// are.
class Marked {
  public:
    void clear(std::size_t bound) {
        groups_.assign(bound / group_bits + 1, Group{});
        before_.assign(groups_.size(), 0);
    }

    void add(std::uint32_t number) {
        const std::uint32_t group = number / group_bits;
        const auto word = static_cast<std::uint16_t>(number % group_bits / 64);
        Group& mine = groups_[group];
        mine.words[word] |= std::uint64_t{1} << number % 64;
        for (std::uint16_t w = 0; w < group_words; ++w) mine.before[w] += w > word;
        for (std::uint32_t g = 0, count = static_cast<std::uint32_t>(before_.size()); g < count; ++g)
            before_[g] += g > group;
    }

    std::uint32_t below(std::uint32_t number) const {
        const Group& mine = groups_[number / group_bits];
        const std::uint32_t word = number % group_bits / 64;
        const std::uint64_t lower = (std::uint64_t{1} << number % 64) - 1;
        return before_[number / group_bits] + mine.before[word] +
               static_cast<std::uint32_t>(std::popcount(mine.words[word] & lower));
    }

  private:
    static constexpr std::uint32_t group_words = 32, group_bits = 64 * group_words;

    struct Group {
        std::array<std::uint64_t, group_words> words;
        std::array<std::uint16_t, group_words> before;
    };

    std::vector<Group> groups_;
    std::vector<std::uint32_t> before_;
};

// Of items in groups, each of which stands at a place of its own and whose equals end somewhere: how many
// pairs of different groups have the earlier item at or beyond the end of the later one's equals.
ADJUDGE_WIDE double inversions(std::span<const std::size_t> groups, const std::uint32_t* place,
                               const std::uint32_t* end, Marked& marked) {
    double found = 0;
    for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
        std::size_t below = 0;
        for (std::size_t i = groups[g]; i < groups[g + 1]; ++i) below += marked.below(end[i]);
        for (std::size_t i = groups[g]; i < groups[g + 1]; ++i) marked.add(place[i]);
        found += static_cast<double>(groups[g] * (groups[g + 1] - groups[g]) - below);
    }
    return found;
}

// What the target orders, and what it ties; the same for all lists.
struct Target {
    Target(const double* values, std::size_t n) : order(n) {
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (!std::is_sorted(values, values + n))
            std::sort(order.begin(), order.end(),
                      [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
        for (std::size_t i = 0; i < n; ++i)
            if (i == 0 || values[order[i]] != values[order[i - 1]]) groups.push_back(i);
        groups.push_back(n);
        for (std::size_t g = 0; g + 1 < groups.size(); ++g) ties += pairs(groups[g + 1] - groups[g]);
    }

    std::vector<std::size_t> order;
    std::vector<std::size_t> groups;  // where a new value begins, within the order
    double ties = 0;
};

// Takes the items in the order of the target and asks of each how many before it have a greater number in the
// list.
class Concordance {
  public:
    explicit Concordance(const Target& target) : target_(target) {}

    void operator()(const double* list, double* row) {
        const std::size_t n = target_.order.size();
        values_.resize(n);
        place_.resize(n);
        end_.resize(n);
        for (std::size_t i = 0; i < n; ++i) values_[i] = list[target_.order[i]];
        const std::span<const std::uint32_t> places = sorter_.places(values_);
        double ties = 0;
        for (std::size_t begin = 0, end; begin < n; begin = end) {
            end = begin + 1;
            while (end < n && !sorter_.starts(end)) ++end;
            ties += pairs(end - begin);
            for (std::size_t i = begin; i < end; ++i) {
                place_[places[i]] = static_cast<std::uint32_t>(i);
                end_[places[i]] = static_cast<std::uint32_t>(end);
            }
        }
        marked_.clear(n + 1);
        const double discordant = inversions(target_.groups, place_.data(), end_.data(), marked_);
        row[0] = pairs(n) - target_.ties - ties + tied_by_both() - 2 * discordant;
        row[1] = pairs(n) - ties;
        row[2] = pairs(n) - target_.ties;
    }

  private:
    double tied_by_both() {
        equal_.assign(values_.size() + 1, 0);
        double found = 0;
        for (std::size_t g = 0; g + 1 < target_.groups.size(); ++g) {
            const std::size_t begin = target_.groups[g], end = target_.groups[g + 1];
            if (end - begin < 2) continue;
            for (std::size_t i = begin; i < end; ++i) found += equal_[end_[i]]++;
            for (std::size_t i = begin; i < end; ++i) equal_[end_[i]] = 0;
        }
        return found;
    }

    const Target& target_;
    Sorter sorter_;
    Marked marked_;
    std::vector<double> values_;              // in the order of the target
    std::vector<std::uint32_t> place_, end_;  // where an item stands among them, and where its equals end
    std::vector<std::uint32_t> equal_;
};

}  // namespace

void concordance(Lists lists, const double* target, unsigned threads, double* rows) {
    const Target aim(target, lists.length);
    for_each_block<1>(lists.count, threads, [&] {
        return [&, count = Concordance(aim)](std::size_t list) mutable {
            count(lists.values + list * lists.length, rows + 3 * list);
        };
    });
}

void average_ranks(Lists lists, unsigned threads, double* ranks) {
    const std::size_t n = lists.length;
    for_each_block<1>(lists.count, threads, [&] {
        return [&, sorter = Sorter()](std::size_t list) mutable {
            const std::span<const std::uint32_t> places = sorter.places({lists.values + list * n, n});
            double* out = ranks + list * n;
            for (std::size_t begin = 0, end; begin < n; begin = end) {
                end = begin + 1;
                while (end < n && !sorter.starts(end)) ++end;
                const double rank = static_cast<double>(begin + 1 + end) / 2;
                for (std::size_t i = begin; i < end; ++i) out[places[i]] = rank;
            }
        };
    });
}

}  // namespace adjudge
