// How much of a test set stands in a text of any size, which is read block by block and not kept.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

// Of each segment: whether a line equals it, whether one does but for case, spaces and punctuation, and which
// of its words lie in an n-gram that some line has.
class TrainingOverlap {
  public:
    // Segments as they stand, and lower-cased.
    TrainingOverlap(Lines raw, Lines lowered, Tokenizer tokenizer, std::size_t n);

    void read(Lines raw, Lines lowered, unsigned threads);

    std::size_t size() const { return segments_.size(); }
    std::size_t lines() const { return lines_; }
    // Per segment: exact, alike, words, words covered.
    void rows(double* rows) const;

  private:
    struct Segment {
        std::string text;
        std::vector<bool> covered;
        bool exact = false, alike = false;
    };
    struct Place {
        std::uint32_t segment, word;
    };
    struct Hits {
        std::vector<std::uint32_t> exact, alike;
        std::vector<Place> ngrams;
    };

    class Reader;

    bool maybe(std::uint64_t hash) const { return filter_[hash >> shift >> 6] >> (hash >> shift & 63) & 1; }
    void mark(std::uint64_t hash) { filter_[hash >> shift >> 6] |= std::uint64_t{1} << (hash >> shift & 63); }

    static constexpr int shift = 64 - 26;  // a filter of 2^26 bits: most lines of most texts go no further

    Tokenizer tokenizer_;
    std::size_t n_, lines_ = 0;
    std::vector<Segment> segments_;
    std::vector<std::uint64_t> filter_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> exact_, alike_;
    std::unordered_multimap<std::uint64_t, Place> ngrams_;
};

}  // namespace adjudge
