// METEOR's scores by many sets of parameters, from rows that lie ready: what a search for parameters looks
// at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "meteor.hpp"

namespace adjudge {

// Two places within a block, the one that people found better first.
struct MeteorPair {
    std::uint32_t better, worse;
};

// Rows of translations, a row a reference, in blocks. A translation's score is that of its best reference.
// Where `joined`, the translations of a block are what one system made: their best rows are added up, and the
// block has one score.
class MeteorGrid {
  public:
    using Points = std::span<const MeteorParameters>;

    // `rows` has `references` rows a translation; `cuts` says where blocks begin and, at its end, where the
    // last ends.
    MeteorGrid(const double* rows, std::size_t references, std::span<const std::size_t> cuts, bool joined);

    // How many scores there are.
    std::size_t size() const { return joined_ ? blocks_.size() : translations_; }
    std::size_t blocks() const { return blocks_.size(); }
    // How many scores a block has.
    std::size_t length(std::size_t block) const { return joined_ ? 1 : blocks_[block].count; }

    // A list of scores a point.
    void scores(Points points, unsigned threads, double* out) const;

    // For each point and group: sums of the scores, of their squares, and of their products with the target.
    // `group` is that of each block.
    void moments(Points points, std::span<const double> target, std::span<const std::size_t> group,
                 std::size_t groups, unsigned threads, double* out) const;

    // For each point and group: how many pairs have scores in the order that people found. The pairs of block
    // b are those from begins[b] to begins[b + 1].
    void concordant(Points points, std::span<const MeteorPair> pairs, std::span<const std::size_t> begins,
                    std::span<const std::size_t> group, std::size_t groups, unsigned threads,
                    double* out) const;

  private:
    struct Block {
        std::size_t begin;  // in columns, where blocks are filled up with empty rows
        std::size_t count;
        std::size_t first;  // of its scores
    };
    struct Order;
    class Worker;

    // Calls make_consumer() once a thread, and its result with (point, block, scores) for all of them.
    template <class MakeConsumer>
    void walk(Points points, unsigned threads, MakeConsumer make_consumer) const;

    const double* column(std::size_t reference, std::size_t which) const {
        return columns_.data() + (reference * meteor_columns + which) * padded_;
    }

    bool joined_;
    std::size_t references_, translations_, padded_ = 0, longest_ = 0;
    std::vector<Block> blocks_;
    std::vector<double> columns_;  // references × columns of a row × translations
};

// The row of each translation with the reference that METEOR chooses by the parameters, of equals the first.
void meteor_best(const double* rows, std::size_t count, std::size_t references,
                 const MeteorParameters& parameters, double* best);

}  // namespace adjudge
