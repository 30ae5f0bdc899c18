// How many n-grams each text of a list shares with each other one, order by order: exact, for all pairs at
// once.
//
// Two texts share min(a, b) of an n-gram that they have a and b times: as many as there are count levels k
// with a ≥ k and b ≥ k. Each n-gram and level is therefore a set of texts; equal sets are merged, and a set
// that stands for w of them is put into the bits of w. What two texts share is then the bits that both have,
// counted word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "matching.hpp"

namespace adjudge {

class SharedNgrams {
  public:
    // Symbols are numbers from 0 up that mean the same in all texts.
    SharedNgrams(std::span<const Ids> texts, int max_order);

    // Shared n-grams of text `i` and each text j, order n at out[j · stride + n · step].
    void write(std::size_t i, double* out, std::size_t stride, std::size_t step) const;

    std::size_t length(std::size_t i) const { return lengths_[i]; }
    std::size_t size() const { return lengths_.size(); }
    int max_order() const { return static_cast<int>(orders_.size()); }

  private:
    // One bit for each set of texts, a row a text; `shift` is the bit of the sets' weights.
    struct Plane {
        unsigned shift;
        std::size_t width;  // of a row, in words
        std::vector<std::uint64_t> bits;
    };
    using Planes = std::vector<Plane>;
    class Builder;

    std::vector<std::size_t> lengths_;
    std::vector<Planes> orders_;
};

}  // namespace adjudge
