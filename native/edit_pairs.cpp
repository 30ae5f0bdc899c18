#include "edit_pairs.hpp"

#include <cstddef>
#include <limits>

namespace adjudge {
namespace {

constexpr std::size_t small = std::size_t{1} << 18;  // cells that are kept whole

bool equal(std::int32_t a, std::int32_t b) { return a >= 0 && a == b; }

class Aligner {
  public:
    explicit Aligner(WordPairs& pairs) : pairs_(pairs) {}

    void align(Sequence a, Sequence b, std::size_t a_start, std::size_t b_start) {
        while (!a.empty() && !b.empty() && equal(a.front(), b.front())) {
            add(a_start++, b_start++);
            a = a.subspan(1);
            b = b.subspan(1);
        }
        if (a.empty() || b.empty()) return;
        if (a.size() == 1 || a.size() * b.size() <= small) return whole(a, b, a_start, b_start);
        const std::size_t middle = a.size() / 2;
        const std::size_t cut = best_cut(a, b, middle);
        align(a.first(middle), b.first(cut), a_start, b_start);
        align(a.subspan(middle), b.subspan(cut), a_start + middle, b_start + cut);
    }

  private:
    void add(std::size_t i, std::size_t j) { pairs_.emplace_back(static_cast<int>(i), static_cast<int>(j)); }

    // Where b is best parted if a is parted at `middle`.
    std::size_t best_cut(Sequence a, Sequence b, std::size_t middle) {
        last_row(a.first(middle), b, false, above_);
        std::swap(above_, head_);
        last_row(a.subspan(middle), b, true, above_);
        std::size_t cut = 0;
        int least = std::numeric_limits<int>::max();
        for (std::size_t j = 0; j <= b.size(); ++j)
            if (const int cost = head_[j] + above_[b.size() - j]; cost < least) {
                least = cost;
                cut = j;
            }
        return cut;
    }

    // Distances of a to all beginnings of b, or to all ends where both are read backwards.
    static void last_row(Sequence a, Sequence b, bool backwards, std::vector<int>& row) {
        row.resize(b.size() + 1);
        for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
        for (std::size_t i = 0; i < a.size(); ++i) {
            const std::int32_t word = backwards ? a[a.size() - 1 - i] : a[i];
            int diagonal = row[0]++;
            for (std::size_t j = 0; j < b.size(); ++j) {
                const std::int32_t other = backwards ? b[b.size() - 1 - j] : b[j];
                const int changed = diagonal + !equal(word, other);
                diagonal = row[j + 1];
                row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
            }
        }
    }

    void whole(Sequence a, Sequence b, std::size_t a_start, std::size_t b_start) {
        const std::size_t width = b.size() + 1;
        cells_.resize((a.size() + 1) * width);
        for (std::size_t j = 0; j < width; ++j) cells_[j] = static_cast<int>(j);
        for (std::size_t i = 1; i <= a.size(); ++i) {
            int* row = &cells_[i * width];
            const int* above = row - width;
            row[0] = static_cast<int>(i);
            for (std::size_t j = 1; j < width; ++j)
                row[j] = std::min({above[j - 1] + !equal(a[i - 1], b[j - 1]), row[j - 1] + 1, above[j] + 1});
        }
        const std::size_t first = pairs_.size();
        for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
            const int here = cells_[i * width + j];
            if (here == cells_[(i - 1) * width + j - 1] + !equal(a[i - 1], b[j - 1])) {
                add(a_start + --i, b_start + --j);
            } else if (here == cells_[(i - 1) * width + j] + 1) {
                --i;
            } else {
                --j;
            }
        }
        std::reverse(pairs_.begin() + static_cast<std::ptrdiff_t>(first), pairs_.end());
    }

    WordPairs& pairs_;
    std::vector<int> cells_, above_, head_;
};

}  // namespace

WordPairs edit_pairs(Sequence hypothesis, Sequence reference) {
    WordPairs pairs;
    Aligner(pairs).align(hypothesis, reference, 0, 0);
    return pairs;
}

}  // namespace adjudge
