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

namespace adjudge {
namespace {

constexpr std::size_t run = 16;  // so few are sorted by insertion before runs are merged

double pairs(std::size_t count) {
    const auto n = static_cast<double>(count);
    return n * (n - 1) / 2;
}

// Pairs of equal neighbours in a sorted list, however many stand together.
double ties(std::span<const double> sorted) {
    double found = 0;
    for (std::size_t begin = 0, end; begin < sorted.size(); begin = end) {
        end = begin + 1;
        while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
        found += pairs(end - begin);
    }
    return found;
}

// Sorts the values and tells how many pairs stood in the wrong order (Knight 1966).
std::uint64_t sort_inversions(std::vector<double>& values, std::vector<double>& room) {
    const std::size_t n = values.size();
    std::uint64_t inversions = 0;
    for (std::size_t begin = 0; begin < n; begin += run) {
        const std::size_t end = std::min(n, begin + run);
        for (std::size_t i = begin + 1; i < end; ++i) {
            const double value = values[i];
            std::size_t at = i;
            for (; at > begin && values[at - 1] > value; --at) values[at] = values[at - 1];
            values[at] = value;
            inversions += i - at;
        }
    }
    room.resize(n);
    for (std::size_t width = run; width < n; width *= 2) {
        for (std::size_t begin = 0; begin < n; begin += 2 * width) {
            const std::size_t middle = std::min(n, begin + width), end = std::min(n, middle + width);
            std::size_t left = begin, right = middle, to = begin;
            while (left < middle && right < end) {
                // Written without a branch: which side is smaller cannot be foretold.
                const bool wrong = values[right] < values[left];
                inversions += wrong ? middle - left : 0;
                room[to++] = wrong ? values[right] : values[left];
                right += wrong;
                left += !wrong;
            }
            std::copy(values.begin() + static_cast<std::ptrdiff_t>(left),
                      values.begin() + static_cast<std::ptrdiff_t>(middle),
                      room.begin() + static_cast<std::ptrdiff_t>(to));
            to += middle - left;
            std::copy(values.begin() + static_cast<std::ptrdiff_t>(right),
                      values.begin() + static_cast<std::ptrdiff_t>(end),
                      room.begin() + static_cast<std::ptrdiff_t>(to));
        }
        values.swap(room);
    }
    return inversions;
}

struct Entry {
    std::uint64_t key;
    std::uint32_t place;
};

// Sorts by one digit after the other, which for doubles takes a fraction of the time that comparing does.
class RadixSorter {
  public:
    std::span<const Entry> sorted(std::span<const double> values) {
        entries_.resize(values.size());
        room_.resize(values.size());
        for (auto& counts : counts_) counts.fill(0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::uint64_t key = ordered(values[i]);
            entries_[i] = {key, static_cast<std::uint32_t>(i)};
            for (unsigned d = 0; d < digits; ++d) ++counts_[d][digit(key, d)];
        }
        for (unsigned d = 0; d < digits; ++d) {
            auto& counts = counts_[d];
            // Exponents are often the same for all.
            if (!values.empty() && counts[digit(entries_.front().key, d)] == values.size()) continue;
            std::uint32_t at = 0;
            for (std::uint32_t& count : counts) at += std::exchange(count, at);
            for (const Entry& entry : entries_) room_[counts[digit(entry.key, d)]++] = entry;
            entries_.swap(room_);
        }
        return entries_;
    }

  private:
    static constexpr unsigned bits = 11, digits = 6;

    static std::uint64_t digit(std::uint64_t key, unsigned d) { return key >> d * bits & ((1u << bits) - 1); }

    // Bits that stand in the order of the numbers; adding 0 makes +0 of -0.
    static std::uint64_t ordered(double value) {
        const auto pattern = std::bit_cast<std::uint64_t>(value + 0.0);
        constexpr std::uint64_t sign = std::uint64_t{1} << 63;
        return pattern & sign ? ~pattern : pattern | sign;
    }

    std::vector<Entry> entries_, room_;
    std::array<std::array<std::uint32_t, 1u << bits>, digits> counts_;
};

}  // namespace

void concordance(Lists lists, const double* target, unsigned threads, double* rows) {
    const std::size_t n = lists.length;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return target[a] < target[b]; });
    std::vector<std::size_t> groups;  // where a new value of the target begins
    for (std::size_t i = 0; i < n; ++i)
        if (i == 0 || target[order[i]] != target[order[i - 1]]) groups.push_back(i);
    groups.push_back(n);
    double target_ties = 0;
    for (std::size_t g = 0; g + 1 < groups.size(); ++g) target_ties += pairs(groups[g + 1] - groups[g]);

    for_each_block<1>(lists.count, threads, [&] {
        return [&, values = std::vector<double>(), room = std::vector<double>()](std::size_t list) mutable {
            const double* scores = lists.values + list * n;
            values.resize(n);
            for (std::size_t i = 0; i < n; ++i) values[i] = scores[order[i]];
            // What the target ties must not count as an inversion, so it is put in order first.
            double both = 0;
            for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
                if (groups[g + 1] - groups[g] < 2) continue;
                const std::span group(values.data() + groups[g], groups[g + 1] - groups[g]);
                std::sort(group.begin(), group.end());
                both += ties(group);
            }
            const auto discordant = static_cast<double>(sort_inversions(values, room));
            const double list_ties = ties(values);
            double* row = rows + 3 * list;
            row[0] = pairs(n) - target_ties - list_ties + both - 2 * discordant;
            row[1] = pairs(n) - list_ties;
            row[2] = pairs(n) - target_ties;
        };
    });
}

void average_ranks(Lists lists, unsigned threads, double* ranks) {
    const std::size_t n = lists.length;
    for_each_block<1>(lists.count, threads, [&] {
        return [&, sorter = RadixSorter()](std::size_t list) mutable {
            const std::span<const Entry> sorted = sorter.sorted({lists.values + list * n, n});
            double* out = ranks + list * n;
            for (std::size_t begin = 0, end; begin < n; begin = end) {
                end = begin + 1;
                while (end < n && sorted[end].key == sorted[begin].key) ++end;
                const double rank = static_cast<double>(begin + 1 + end) / 2;
                for (std::size_t i = begin; i < end; ++i) out[sorted[i].place] = rank;
            }
        };
    });
}

}  // namespace adjudge
