// What METEOR's search keeps of a path: how good it is, and which words it has taken.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "meteor_candidates.hpp"

namespace adjudge {

constexpr std::size_t meteor_beam_size = 40;

// How good a path is, the best first: most words covered, then fewest chunks, then least distance; between
// equals it decides from which path of the beam it comes, and by which candidate. Scores add up.
struct MeteorScore {
    std::int64_t uncovered = 0, chunks = 0, distance = 0, path = 0, candidate = 0;

    static MeteorScore of(std::int64_t covered, std::int64_t chunks, std::int64_t distance) {
        return {-covered, chunks, distance};
    }
    static MeteorScore from(std::size_t path, std::size_t candidate) {
        return {0, 0, 0, static_cast<std::int64_t>(path), static_cast<std::int64_t>(candidate)};
    }
    std::size_t where() const { return static_cast<std::size_t>(path); }
    std::size_t by() const { return static_cast<std::size_t>(candidate); }
    MeteorScore anywhere() const { return {uncovered, chunks, distance}; }  // wherever it comes from

    friend MeteorScore operator+(const MeteorScore& a, const MeteorScore& b) {
        return {a.uncovered + b.uncovered, a.chunks + b.chunks, a.distance + b.distance, a.path + b.path,
                a.candidate + b.candidate};
    }
    friend MeteorScore operator*(const MeteorScore& score, bool one) { return one ? score : MeteorScore{}; }
    static MeteorScore either(bool first, const MeteorScore& a, const MeteorScore& b) {
        return first ? a : b;
    }
    static MeteorScore worst() { return {std::numeric_limits<std::int64_t>::max()}; }
    auto operator<=>(const MeteorScore&) const = default;
};

// The same in one number, for segments that it has room for.
struct PackedMeteorScore {
    std::uint64_t bits = 0;

    // Each word can add one chunk and be covered once.
    static bool has_room(std::size_t words, std::int64_t distances, std::size_t candidates) {
        return words < 1u << 11 && distances < 1 << 25 && candidates < 1u << 10;
    }

    static PackedMeteorScore of(std::int64_t covered, std::int64_t chunks, std::int64_t distance) {
        return {(static_cast<std::uint64_t>(-covered) << 52) + (static_cast<std::uint64_t>(chunks) << 41) +
                (static_cast<std::uint64_t>(distance) << 16)};
    }
    static PackedMeteorScore from(std::size_t path, std::size_t candidate) {
        return {path << 10 | candidate};
    }
    std::size_t where() const { return bits >> 10 & 0x3f; }
    std::size_t by() const { return bits & 0x3ff; }
    PackedMeteorScore anywhere() const { return {bits & ~std::uint64_t{0xffff}}; }

    friend PackedMeteorScore operator+(PackedMeteorScore a, PackedMeteorScore b) { return {a.bits + b.bits}; }
    friend PackedMeteorScore operator*(PackedMeteorScore score, bool one) {
        return {score.bits & -std::uint64_t{one}};
    }
    static PackedMeteorScore either(bool first, PackedMeteorScore a, PackedMeteorScore b) {
        return {b.bits ^ ((a.bits ^ b.bits) & -std::uint64_t{first})};
    }
    static PackedMeteorScore worst() { return {~(std::uint64_t{1} << 63)}; }
    friend bool operator==(PackedMeteorScore a, PackedMeteorScore b) = default;
    // Covered words are below zero.
    friend auto operator<=>(PackedMeteorScore a, PackedMeteorScore b) {
        return static_cast<std::int64_t>(a.bits) <=> static_cast<std::int64_t>(b.bits);
    }
};

// Which words of the hypothesis a path has taken, where no more than 64 are contested.
class FewMeteorWords {
  public:
    using Set = std::uint64_t;
    using Words = std::uint64_t;

    void begin(const MeteorCandidates& candidates) { candidates_ = &candidates; }
    Words words(std::size_t candidate) const { return candidates_->wanted(candidate)[0]; }
    static bool meet(Set set, Words words) { return set & words; }
    static Set with(Set set, Words words) { return set | words; }

    template <class Path, class Step>
    void settle(std::span<const Path>, std::span<Path>, const Step*) {}

  private:
    const MeteorCandidates* candidates_ = nullptr;
};

// The same for 128.
class SomeMeteorWords {
  public:
    using Set = MeteorCandidates::Bits;
    using Words = MeteorCandidates::Bits;

    void begin(const MeteorCandidates& candidates) { candidates_ = &candidates; }
    const Words& words(std::size_t candidate) const { return candidates_->wanted(candidate); }
    static bool meet(const Set& a, const Words& b) { return (a[0] & b[0]) | (a[1] & b[1]); }
    static Set with(const Set& a, const Words& b) { return {a[0] | b[0], a[1] | b[1]}; }

    template <class Path, class Step>
    void settle(std::span<const Path>, std::span<Path>, const Step*) {}

  private:
    const MeteorCandidates* candidates_ = nullptr;
};

// The same for any number: sets lie in slots, which paths share until they take another word.
class ManyMeteorWords {
  public:
    using Set = std::int32_t;
    using Words = MeteorMatch;

    void begin(const MeteorCandidates& candidates) {
        candidates_ = &candidates;
        width_ = (candidates.hypothesis_size() + 63) / 64;
        bits_.assign(2 * meteor_beam_size * width_, 0);
        users_.assign(2 * meteor_beam_size, 0);
        free_.clear();
        for (std::size_t slot = 2 * meteor_beam_size; slot-- > 1;) free_.push_back(static_cast<Set>(slot));
    }

    const MeteorMatch& words(std::size_t candidate) const { return (*candidates_)[candidate]; }

    bool meet(Set set, const MeteorMatch& match) const {
        const std::uint64_t* bits = bits_.data() + width_ * static_cast<std::size_t>(set);
        for (std::int32_t i = match.hypothesis; i < match.hypothesis + match.hypothesis_length; ++i)
            if (bits[i / 64] >> (i % 64) & 1) return true;
        return false;
    }

    static Set with(Set set, const MeteorMatch&) { return set; }  // until the paths settle

    // Paths that took words get a slot of their own.
    template <class Path, class Step>
    void settle(std::span<const Path> before, std::span<Path> paths, const Step* step) {
        for (const Path& path : before) users(path.taken) = 0;
        for (const Path& path : paths) ++users(path.taken);
        for (const Path& path : before)
            if (users(path.taken) == 0) {
                free_.push_back(path.taken);
                users(path.taken) = -1;  // paths may share a slot; it is given back once
            }
        for (Path& path : paths) {
            const std::int32_t taken = step++->match;
            if (taken < 0) continue;
            if (users(path.taken) > 1) {
                --users(path.taken);
                const Set slot = free_.back();
                free_.pop_back();
                std::copy_n(row(path.taken), width_, row(slot));
                users(slot) = 1;
                path.taken = slot;
            }
            const MeteorMatch& match = words(static_cast<std::size_t>(taken));
            for (std::int32_t i = match.hypothesis; i < match.hypothesis + match.hypothesis_length; ++i)
                row(path.taken)[i / 64] |= std::uint64_t{1} << (i % 64);
        }
    }

  private:
    std::int32_t& users(Set slot) { return users_[static_cast<std::size_t>(slot)]; }
    std::uint64_t* row(Set slot) { return bits_.data() + width_ * static_cast<std::size_t>(slot); }

    const MeteorCandidates* candidates_ = nullptr;
    std::size_t width_ = 0;  // 64-bit words a slot
    std::vector<std::uint64_t> bits_;
    std::vector<std::int32_t> users_;
    std::vector<Set> free_;
};

}  // namespace adjudge
