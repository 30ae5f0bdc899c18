// Edit distances for TER's search: of a hypothesis, and of the same hypothesis with two neighbouring spans
// swapped.
//
// Rows of the matrix belong to hypothesis words, columns to reference words. A swap leaves all rows before it
// as they are, so each distance keeps the rows of the present hypothesis and starts behind the last one that
// still holds.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace adjudge {

using Words = std::vector<std::int32_t>;  // numbers of the reference's words; −1 = not in the reference

// The words [begin, middle) and [middle, end) change places: what every shift comes down to.
struct Swap {
    int begin, middle, end;
    bool leftward = false;  // whether it is the second span that was meant to move
};

// What the shift search wants to know of the cheapest path.
struct Alignment {
    int edits = 0;
    Words hypothesis_of;  // for each reference word the hypothesis word beside it, or the one before the gap
    std::vector<std::uint8_t> hypothesis_wrong, reference_wrong;

    void reset(int hypothesis, int reference) {
        hypothesis_of.assign(static_cast<std::size_t>(reference), -1);
        hypothesis_wrong.assign(static_cast<std::size_t>(hypothesis), 1);
        reference_wrong.assign(static_cast<std::size_t>(reference), 1);
    }
};

// A reference and where its words stand in it.
class ReferenceIndex {
  public:
    void assign(const Words& words, std::int32_t vocabulary);

    int length() const { return static_cast<int>(words_.size()); }
    const Words& words() const { return words_; }
    std::int32_t vocabulary() const { return vocabulary_; }
    std::span<const std::int32_t> positions(std::int32_t word) const {
        const auto w = static_cast<std::size_t>(word);
        return std::span(positions_)
            .subspan(static_cast<std::size_t>(starts_[w]),
                     static_cast<std::size_t>(starts_[w + 1] - starts_[w]));
    }
    // Bit k is set where reference word from + k is `word`. Only the first 64 in `whole`.
    std::uint64_t whole(std::int32_t word) const {
        return word < 0 ? 0 : whole_[static_cast<std::size_t>(word)];
    }
    std::uint64_t window(std::int32_t word, int from) const;
    // All of them, 64 a block; null where the reference is too long for that (`blocks` is 0 then).
    const std::uint64_t* row(std::int32_t word) const {
        return word < 0 ? nothing_.data() : &matrix_[static_cast<std::size_t>(word) * blocks_];
    }
    std::size_t blocks() const { return blocks_; }

  private:
    // Bit matrices for references up to this many words; beyond, windows are read from the positions, which
    // keeps memory linear.
    static constexpr int matrix_limit = 4096;

    Words words_;
    std::int32_t vocabulary_ = 0;
    std::vector<std::int32_t> starts_, positions_;
    std::vector<std::uint64_t> whole_, matrix_, nothing_;
    std::size_t blocks_ = 0;
};

// sacreBLEU's beam: in row i only the columns [low, high) near the diagonal of the rectangle count.
class Beam {
  public:
    static constexpr int half_width = 25;

    void assign(int hypothesis, int reference);

    int low(int row) const { return low_[static_cast<std::size_t>(row)]; }
    int high(int row) const { return high_[static_cast<std::size_t>(row)]; }
    // Widened beams (a reference over 50 times as long as the hypothesis) do not fit a machine word.
    bool fits_word() const { return fits_word_; }
    // A distance over the whole matrix up to this is the beam's distance too, and so is the path: every cell
    // on a path that cheap lies in the beam, since |j − i| + |(m − j) − (n − i)| cannot exceed its cost.
    int exact_up_to() const { return exact_up_to_; }

  private:
    std::vector<int> low_, high_;
    bool fits_word_ = true;
    int exact_up_to_ = 0;
};

// Whole matrix, references up to 64 words, a row in a few instructions (Myers 1999, as Hyyrö 2003 writes it).
class BitDistance {
  public:
    static constexpr int longest = 64;

    int begin(const ReferenceIndex& reference, const Words& words);
    void align(Alignment& alignment) const;
    int swapped(const Swap& swap) const;

  private:
    struct Row {
        std::uint64_t rises, falls;  // columns whose value is one above, one below the column to the left
    };
    int value(const Row& row) const;

    const ReferenceIndex* reference_ = nullptr;
    const Words* words_ = nullptr;
    std::vector<Row> rows_;
    std::vector<std::uint64_t> matches_;  // for each hypothesis word the reference positions that equal it
    std::vector<std::uint64_t>
        diagonals_;  // columns that cost as much as the one to the left in the row above
    int edits_ = 0;
};

// Whole matrix, references of several machine words: a bound below what a beam finds.
class BlockDistance {
  public:
    int begin(const ReferenceIndex& reference, const Words& words);
    int swapped(const Swap& swap);

  private:
    struct Block {
        std::uint64_t rises, falls;
        bool operator==(const Block&) const = default;
    };
    void advance(Block* row, std::int32_t word) const;
    int value(const Block* row) const;

    const ReferenceIndex* reference_ = nullptr;
    const Words* words_ = nullptr;
    std::size_t blocks_ = 0;
    std::vector<Block> rows_, row_;
    int edits_ = 0;
};

// The beam a machine word wide, moving along the diagonal; for any length.
class BandDistance {
  public:
    int begin(const ReferenceIndex& reference, const Words& words, const Beam& beam);
    int swapped(const Swap& swap) const;

  private:
    struct Step {        // how a row's window follows from the one before it
        int from;        // first reference position of the window
        unsigned moved;  // columns the window left behind
        bool shut;       // the column left of the window was outside in the row above, too
        std::uint64_t unknown, keep;
    };
    struct Row {
        std::uint64_t rises, falls;
        int left;  // value of the column left of the window
    };
    Row next(const Row& above, const Step& step, std::int32_t word) const;
    int value(const Row& row) const;

    const ReferenceIndex* reference_ = nullptr;
    const Words* words_ = nullptr;
    std::vector<Step> steps_;
    std::vector<Row> rows_;
    int last_from_ = 0;
};

// The beam cell by cell: paths where the beam matters, and beams wider than a machine word.
class CellDistance {
  public:
    int begin(const ReferenceIndex& reference, const Words& words, const Beam& beam);
    void align(const ReferenceIndex& reference, const Words& words, Alignment& alignment) const;

  private:
    const Beam* beam_ = nullptr;
    std::vector<std::uint8_t> moves_;
    std::vector<std::size_t> starts_;
    std::vector<int> above_, row_;
    int edits_ = 0;
};

// tercom's own beam: cells more than 20 edits behind the best of their row are left out.
class PrunedDistance {
  public:
    static constexpr int beam = 20;  // and so whole-matrix distances up to 20 are exact

    // Keeps the path only if asked: it takes memory for every cell visited.
    int begin(const ReferenceIndex& reference, const Words& words, bool keep_path);
    void align(const ReferenceIndex& reference, const Words& words, Alignment& alignment) const;

  private:
    struct Range {
        int first, last;
        std::size_t start;
    };
    std::vector<int> now_, next_;
    std::vector<std::uint8_t> now_moves_, next_moves_, moves_;
    std::vector<Range> ranges_;
    int edits_ = 0;
};

}  // namespace adjudge
