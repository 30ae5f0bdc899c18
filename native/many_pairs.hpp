// Randomisation of very many pairs of systems: signs in bulk, and which trials need a closer look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "resampling.hpp"

namespace adjudge {

inline constexpr std::size_t signs_of_block = 1024;

// Every row times a random sign, added up, for the 1,024 trials of a block: out[column * 1024 + trial], the
// systems one behind the other. Each unit draws a sign and ten bits; in trial t its sign is turned where an
// odd number of its bits are also in t. So all trials of a block are had by one Walsh-Hadamard transform of
// 1,024 sums. In every trial all signs are equally likely and independent, any two trials of a block are
// independent, and so are all blocks.
//
// Where systems have several runs, a unit has that many rows and signs, and which run gets which of its
// signs is drawn for every system, unit and block: so runs of two systems are paired at random. That pairing
// stays the same within a block, whose trials are independent given it.
//
// Floats are for whole numbers whose sums are exact in 24 bits: half of the memory is read, the results are
// equal.
template <class Number>
struct SignedRows {
    const Number* rows;
    std::size_t columns;
};

template <class Number>
void signed_sums(const std::vector<SignedRows<Number>>& systems, std::size_t units, std::size_t runs,
                 std::uint64_t seed, std::uint64_t block, unsigned threads, double* out);

// The same for many tables, one behind the other, of as many units with one run: signs are drawn once.
class SignedSums {
  public:
    SignedSums(std::size_t units, std::size_t trials, std::uint64_t seed);

    // `rows` is units x columns, out columns x trials.
    void operator()(const double* rows, std::size_t columns, double* out);

  private:
    std::size_t trials_;
    std::vector<std::vector<std::uint32_t>> codes_;  // by block
    std::vector<double> sums_;
};

// The rows of a test set: of each system, `runs` for every unit.
template <class Number>
struct SignedSet {
    std::vector<SignedRows<Number>> systems;
    std::size_t units;
    std::size_t runs;
    std::uint64_t seed;
};

// Where the size of an estimated difference is below `near`, a trial is surely not as far as what was seen;
// beyond `far` it surely is.
struct Limits {
    double near;
    double far;
};

// A pair of systems whose trials are judged by sums of second - first: by their projection, which is the same
// for all pairs, and where that leaves a trial open by the pair's own slope.
struct SlopedPair {
    std::size_t first;
    std::size_t second;
    Limits roughly;
    Limits closely;
};

// Blocks of trials, of `count` trials in all.
struct Trials {
    std::uint64_t first;
    std::size_t blocks;
    std::size_t count;
};

struct ScreenedBlock {
    std::vector<std::uint32_t> far;                             // by pair: how many trials are surely as far
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open;  // pair and trial where it is not sure
    std::vector<double> differences;                            // of these, all sums of second - first
};

// The systems stand in the same order in all sets; a system's columns are those of all sets, one behind the
// other. `slopes` has as many numbers a pair, `weights` as many for the projection. Its sums take one
// transform a system; all others are added up only for systems with trials that it leaves open. One-sided,
// only what lies far up counts as far.
template <class Number>
std::vector<ScreenedBlock> screened_blocks(const std::vector<SignedSet<Number>>& sets,
                                           const std::vector<SlopedPair>& pairs, const double* slopes,
                                           const double* weights, const Trials& trials, bool one_sided,
                                           unsigned threads);

}  // namespace adjudge
