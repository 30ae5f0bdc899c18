// Och's exact line search (2003) on lists of hypotheses: along a line of weights each list's best hypothesis
// changes at a few places only, and between them every sum of rows is constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace adjudge {

// Where the best hypotheses change along lines, and the sums of their rows between those places.
struct LinePieces {
    std::vector<double> places;      // rising within a line; none where nothing ever changes
    std::vector<std::int64_t> ends;  // of each line among the places
    std::vector<double> sums;        // columns for each piece, of which a line has one more than places
};

class FeatureLists {
  public:
    // `features` and `rows` have a line a hypothesis; the lists begin at `begins`, which ends with their
    // number. No list is empty.
    FeatureLists(std::vector<double> features, std::size_t width, std::vector<double> rows,
                 std::size_t columns, std::vector<std::size_t> begins);

    std::size_t size() const { return begins_.size() - 1; }
    std::size_t width() const { return width_; }
    std::size_t columns() const { return columns_; }

    // The best hypothesis of each list, of equals the first, counted from the first one of all.
    void choose(std::span<const double> weights, std::int64_t* choices) const;

    // All pieces of the lines weights + γ · direction, the directions one behind the other.
    LinePieces pieces(std::span<const double> weights, std::span<const double> directions) const;

  private:
    void add_line(std::span<const double> offsets, std::span<const double> direction,
                  LinePieces& pieces) const;
    double dot(std::size_t hypothesis, std::span<const double> weights) const;

    std::vector<double> features_, rows_;
    std::size_t width_, columns_;
    std::vector<std::size_t> begins_;
};

}  // namespace adjudge
