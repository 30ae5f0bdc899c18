#include "ter_distance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace adjudge {
namespace {

constexpr int unreached = std::numeric_limits<int>::max() / 2;
constexpr std::uint64_t all = ~std::uint64_t{0};

// Of equally cheap moves the first in this order is taken; both programs agree on that.
enum Move : std::uint8_t { keep_or_substitute, drop, add };

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::uint64_t low_bits(int count) {
    return count >= 64 ? all : count <= 0 ? 0 : (std::uint64_t{1} << count) - 1;
}

int rise(std::uint64_t rises, std::uint64_t falls, std::uint64_t columns) {
    return std::popcount(rises & columns) - std::popcount(falls & columns);
}

// One row from the one above; the column left of the first bit is one dearer than in the row above.
// Returns the columns that cost no more than the diagonal above them.
inline std::uint64_t advance(std::uint64_t& rises, std::uint64_t& falls, std::uint64_t matches) {
    const std::uint64_t x = matches | falls;
    const std::uint64_t diagonal = (((x & rises) + rises) ^ rises) | x;
    const std::uint64_t up = (falls | ~(diagonal | rises)) << 1 | 1;
    const std::uint64_t down = (diagonal & rises) << 1;
    rises = down | ~(diagonal | up);
    falls = up & diagonal;
    return diagonal;
}

// Follows the cheapest path back; move_at(i, j) says how cell (i, j) was reached, for i, j > 0.
template <class MoveAt>
void trace(const Words& words, const Words& reference, Alignment& alignment, MoveAt move_at) {
    int i = static_cast<int>(words.size()), j = static_cast<int>(reference.size());
    alignment.reset(i, j);
    while (i > 0 || j > 0) {
        const Move move = i == 0 ? add : j == 0 ? drop : move_at(i, j);
        if (move != drop) alignment.hypothesis_of[at(j - 1)] = i - 1;
        if (move == keep_or_substitute && words[at(i - 1)] == reference[at(j - 1)])
            alignment.hypothesis_wrong[at(i - 1)] = alignment.reference_wrong[at(j - 1)] = 0;
        if (move != add) --i;
        if (move != drop) --j;
    }
}

}  // namespace

void ReferenceIndex::assign(const Words& words, std::int32_t vocabulary) {
    words_ = words;
    vocabulary_ = vocabulary;
    starts_.assign(at(vocabulary) + 2, 0);
    for (const std::int32_t w : words) ++starts_[at(w) + 2];
    for (std::size_t w = 2; w < starts_.size(); ++w) starts_[w] += starts_[w - 1];
    positions_.resize(words.size());
    for (std::size_t p = 0; p < words.size(); ++p)
        positions_[at(starts_[at(words[p]) + 1]++)] = static_cast<std::int32_t>(p);
    whole_.assign(at(vocabulary), 0);
    for (std::size_t p = 0; p < std::min<std::size_t>(words.size(), 64); ++p)
        whole_[at(words[p])] |= std::uint64_t{1} << p;
    blocks_ = 0;
    if (words.size() <= matrix_limit) {
        blocks_ = words.size() / 64 + 2;  // a window may begin in the last block
        matrix_.assign(at(vocabulary) * blocks_, 0);
        nothing_.assign(blocks_, 0);
        for (std::size_t p = 0; p < words.size(); ++p)
            matrix_[at(words[p]) * blocks_ + p / 64] |= std::uint64_t{1} << p % 64;
    }
}

std::uint64_t ReferenceIndex::window(std::int32_t word, int from) const {
    if (word < 0) return 0;
    if (blocks_ > 0) {
        const std::uint64_t* row = &matrix_[at(word) * blocks_ + at(from) / 64];
        const int offset = from % 64;
        return offset == 0 ? row[0] : row[0] >> offset | row[1] << (64 - offset);
    }
    const auto places = positions(word);
    std::uint64_t bits = 0;
    for (auto p = std::lower_bound(places.begin(), places.end(), from); p != places.end() && *p < from + 64;
         ++p)
        bits |= std::uint64_t{1} << (*p - from);
    return bits;
}

void Beam::assign(int hypothesis, int reference) {
    low_.assign(at(hypothesis) + 1, 0);
    high_.assign(at(hypothesis) + 1, reference + 1);
    const double ratio = hypothesis > 0 ? static_cast<double>(reference) / hypothesis : 1.0;
    fits_word_ = ratio / 2 <= half_width;
    const int width = fits_word_ ? half_width : static_cast<int>(std::ceil(ratio / 2 + half_width));
    const int gap = reference - hypothesis;
    int spare = std::numeric_limits<int>::max() / 4;
    for (int i = 1; i <= hypothesis; ++i) {
        const int diagonal = static_cast<int>(std::floor(i * ratio));
        low_[at(i)] = std::max(0, diagonal - width);
        if (i < hypothesis) high_[at(i)] = std::min(reference + 1, diagonal + width);
        if (low_[at(i)] > 0) spare = std::min(spare, i + std::min(0, gap) - low_[at(i)]);
        if (high_[at(i)] <= reference) spare = std::min(spare, high_[at(i)] - 1 - i - std::max(0, gap));
    }
    exact_up_to_ = spare < 0 ? -1 : std::abs(gap) + 2 * spare + 1;
}

int BitDistance::value(const Row& row) const {
    return static_cast<int>(words_->size()) + rise(row.rises, row.falls, low_bits(reference_->length()));
}

int BitDistance::begin(const ReferenceIndex& reference, const Words& words) {
    reference_ = &reference;
    words_ = &words;
    rows_.resize(words.size() + 1);
    matches_.resize(words.size());
    diagonals_.resize(words.size() + 1);
    Row row{all, 0};
    rows_[0] = row;
    for (std::size_t i = 0; i < words.size(); ++i) {
        matches_[i] = reference.whole(words[i]);
        diagonals_[i + 1] = advance(row.rises, row.falls, matches_[i]);
        rows_[i + 1] = row;
    }
    return edits_ = value(row);
}

void BitDistance::align(Alignment& alignment) const {
    trace(*words_, reference_->words(), alignment, [&](int i, int j) {
        const std::uint64_t column = std::uint64_t{1} << (j - 1);
        const std::uint64_t diagonal = diagonals_[at(i)];
        if ((matches_[at(i - 1)] & column) != 0 || (diagonal & column) == 0) return keep_or_substitute;
        const Row& above = rows_[at(i - 1)];
        const std::uint64_t dearer = above.falls | ~(diagonal | above.rises);
        return (dearer & column) != 0 ? drop : add;
    });
    alignment.edits = edits_;
}

int BitDistance::swapped(const Swap& swap) const {
    Row row = rows_[at(swap.begin)];
    for (int i = swap.middle; i < swap.end; ++i) advance(row.rises, row.falls, matches_[at(i)]);
    for (int i = swap.begin; i < swap.middle; ++i) advance(row.rises, row.falls, matches_[at(i)]);
    const int size = static_cast<int>(words_->size());
    for (int i = swap.end; i < size; ++i) {
        // The same row as before the swap has the same rows below it.
        const Row& before = rows_[at(i)];
        if (row.rises == before.rises && row.falls == before.falls) return edits_;
        advance(row.rises, row.falls, matches_[at(i)]);
    }
    return value(row);
}

void BlockDistance::advance(Block* row, std::int32_t word) const {
    const std::uint64_t* matches = reference_->row(word);
    std::uint64_t up_in = 1, down_in = 0;
    for (std::size_t b = 0; b < blocks_; ++b) {
        auto& [rises, falls] = row[b];
        const std::uint64_t equal = matches[b] | down_in;
        const std::uint64_t vertical = matches[b] | falls;
        const std::uint64_t horizontal = (((equal & rises) + rises) ^ rises) | equal;
        const std::uint64_t up = falls | ~(horizontal | rises);
        const std::uint64_t down = rises & horizontal;
        const std::uint64_t up_shifted = up << 1 | up_in;
        rises = (down << 1 | down_in) | ~(vertical | up_shifted);
        falls = up_shifted & vertical;
        up_in = up >> 63;
        down_in = down >> 63;
    }
}

int BlockDistance::value(const Block* row) const {
    int sum = static_cast<int>(words_->size());
    for (std::size_t b = 0; b < blocks_; ++b)
        sum += rise(row[b].rises, row[b].falls, low_bits(reference_->length() - static_cast<int>(b) * 64));
    return sum;
}

int BlockDistance::begin(const ReferenceIndex& reference, const Words& words) {
    reference_ = &reference;
    words_ = &words;
    blocks_ = (at(reference.length()) + 63) / 64;
    rows_.resize((words.size() + 1) * blocks_);
    std::fill_n(rows_.begin(), blocks_, Block{all, 0});
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::copy_n(&rows_[i * blocks_], blocks_, &rows_[(i + 1) * blocks_]);
        advance(&rows_[(i + 1) * blocks_], words[i]);
    }
    return edits_ = value(&rows_[words.size() * blocks_]);
}

int BlockDistance::swapped(const Swap& swap) {
    row_.assign(&rows_[at(swap.begin) * blocks_], &rows_[at(swap.begin) * blocks_] + blocks_);
    for (int i = swap.middle; i < swap.end; ++i) advance(row_.data(), (*words_)[at(i)]);
    for (int i = swap.begin; i < swap.middle; ++i) advance(row_.data(), (*words_)[at(i)]);
    const int size = static_cast<int>(words_->size());
    for (int i = swap.end; i < size; ++i) {
        if (std::equal(row_.begin(), row_.end(), &rows_[at(i) * blocks_])) return edits_;
        advance(row_.data(), (*words_)[at(i)]);
    }
    return value(row_.data());
}

// What a column outside the beam would cost never matters as long as it is no cheaper than it could be
// reached through the beam: beyond the end of the row above each column is taken to cost one more than its
// neighbour and to match nothing; left of the window it is taken to be one dearer than the first column
// inside.
BandDistance::Row BandDistance::next(const Row& above, const Step& step, std::int32_t word) const {
    Row row = above;
    if (step.shut) {
        row.left += rise(row.rises, row.falls, 1) + 1;
        row.rises &= ~std::uint64_t{1};
        row.falls |= 1;
    } else if (step.moved == 1) {
        row.left += static_cast<int>(row.rises & 1) - static_cast<int>(row.falls & 1);
        row.rises >>= 1;
        row.falls >>= 1;
    } else if (step.moved > 1) {
        row.left += rise(row.rises, row.falls, low_bits(static_cast<int>(step.moved)));
        row.rises >>= step.moved;
        row.falls >>= step.moved;
    }
    row.rises |= step.unknown;
    row.falls &= ~step.unknown;
    row.left += 1;
    advance(row.rises, row.falls, reference_->window(word, step.from) & step.keep);
    return row;
}

int BandDistance::value(const Row& row) const {
    return row.left + rise(row.rises, row.falls, low_bits(reference_->length() - last_from_));
}

int BandDistance::begin(const ReferenceIndex& reference, const Words& words, const Beam& beam) {
    reference_ = &reference;
    words_ = &words;
    const int size = static_cast<int>(words.size());
    steps_.resize(words.size() + 1);
    rows_.resize(words.size() + 1);
    rows_[0] = {all, 0, 0};
    int from = 0;
    for (int i = 1; i <= size; ++i) {
        // Bit 0 is column 1 while column 0 is in the beam, then the first column of the beam.
        const int next_from = std::max(beam.low(i), 1) - 1;
        Step& step = steps_[at(i)];
        step.from = next_from;
        step.moved = static_cast<unsigned>(next_from - from);
        step.shut = i > 1 && beam.low(i) > 0 && beam.low(i) == beam.low(i - 1);
        // Row 0 is known in all columns, and each costs one more than its neighbour.
        step.unknown = i == 1 ? all : ~low_bits(beam.high(i - 1) - 1 - next_from);
        step.keep = i == 1 ? all : low_bits(beam.high(i - 1) - next_from);
        rows_[at(i)] = next(rows_[at(i - 1)], step, words[at(i - 1)]);
        from = next_from;
    }
    last_from_ = from;
    return value(rows_[at(size)]);
}

int BandDistance::swapped(const Swap& swap) const {
    Row row = rows_[at(swap.begin)];
    int i = swap.begin;
    for (int k = swap.middle; k < swap.end; ++k, ++i) row = next(row, steps_[at(i + 1)], (*words_)[at(k)]);
    for (int k = swap.begin; k < swap.middle; ++k, ++i) row = next(row, steps_[at(i + 1)], (*words_)[at(k)]);
    const int size = static_cast<int>(words_->size());
    for (; i < size; ++i) {
        const Row& before = rows_[at(i)];
        if (row.rises == before.rises && row.falls == before.falls)
            return value(rows_[at(size)]) + row.left - before.left;
        row = next(row, steps_[at(i + 1)], (*words_)[at(i)]);
    }
    return value(row);
}

int CellDistance::begin(const ReferenceIndex& reference, const Words& words, const Beam& beam) {
    beam_ = &beam;
    const int n = static_cast<int>(words.size()), m = reference.length();
    moves_.clear();
    starts_.assign(words.size() + 1, 0);
    above_.resize(at(m) + 1);
    row_.assign(at(m) + 1, unreached);
    for (int j = 0; j <= m; ++j) above_[at(j)] = j;
    for (int i = 1; i <= n; ++i) {
        const int low = beam.low(i), high = beam.high(i);
        const int above_low = i == 1 ? 0 : beam.low(i - 1), above_high = i == 1 ? m + 1 : beam.high(i - 1);
        starts_[at(i)] = moves_.size();
        const auto above = [&](int j) {
            return j >= above_low && j < above_high ? above_[at(j)] : unreached;
        };
        for (int j = low; j < high; ++j) {
            int best = unreached;
            Move move = keep_or_substitute;
            if (j > 0) best = above(j - 1) + (words[at(i - 1)] != reference.words()[at(j - 1)]);
            if (above(j) + 1 < best) best = above(j) + 1, move = drop;
            if (j > low && row_[at(j - 1)] + 1 < best) best = row_[at(j - 1)] + 1, move = add;
            row_[at(j)] = best;
            moves_.push_back(move);
        }
        above_.swap(row_);
    }
    return edits_ = above_[at(m)];
}

void CellDistance::align(const ReferenceIndex& reference, const Words& words, Alignment& alignment) const {
    trace(words, reference.words(), alignment,
          [&](int i, int j) { return static_cast<Move>(moves_[starts_[at(i)] + at(j - beam_->low(i))]); });
    alignment.edits = edits_;
}

int PrunedDistance::begin(const ReferenceIndex& reference, const Words& words, bool keep_path) {
    const int n = static_cast<int>(words.size()), m = reference.length();
    now_.assign(at(m) + 2, unreached);
    next_.assign(at(m) + 2, unreached);
    now_moves_.assign(at(m) + 2, keep_or_substitute);
    next_moves_.assign(at(m) + 2, keep_or_substitute);
    moves_.clear();
    ranges_.clear();
    now_[0] = 0;
    int best = unreached;  // least cost of a word kept or substituted that leads into the row
    int first = 0, last = 0;
    for (int i = 0; i <= n; ++i) {
        const int limit = i < n ? best + beam : unreached;
        int next_first = -1, next_last = -1;
        best = unreached;
        int j = first;
        for (; j <= m && j <= last; ++j) {
            const int cost = now_[at(j)];
            if (cost >= unreached || cost > limit) continue;
            if (next_first < 0) next_first = j;
            next_last = j + 1;
            if (i < n) {
                if (j < m) {
                    const bool same = words[at(i)] == reference.words()[at(j)];
                    const int diagonal = cost + !same;
                    const bool better = diagonal < next_[at(j + 1)];
                    if (better) next_[at(j + 1)] = diagonal, next_moves_[at(j + 1)] = keep_or_substitute;
                    if (same || better) best = std::min(best, diagonal);
                }
                if (cost + 1 < next_[at(j)]) next_[at(j)] = cost + 1, next_moves_[at(j)] = drop;
            }
            if (j < m && cost + 1 < now_[at(j + 1)]) {
                now_[at(j + 1)] = cost + 1;
                now_moves_[at(j + 1)] = add;
                last = std::max(last, j + 1);
            }
        }
        if (keep_path) {
            ranges_.push_back({first, j, moves_.size()});
            moves_.insert(moves_.end(), now_moves_.begin() + first, now_moves_.begin() + j);
        }
        if (i == n) break;
        std::fill(now_.begin() + first, now_.begin() + std::min(m, last) + 1, unreached);
        now_.swap(next_);
        now_moves_.swap(next_moves_);
        first = std::max(0, next_first);
        last = next_last;
    }
    return edits_ = now_[at(m)];
}

void PrunedDistance::align(const ReferenceIndex& reference, const Words& words, Alignment& alignment) const {
    trace(words, reference.words(), alignment, [&](int i, int j) {
        const Range& range = ranges_[at(i)];
        return static_cast<Move>(moves_[range.start + at(j - range.first)]);
    });
    alignment.edits = edits_;
}

}  // namespace adjudge
