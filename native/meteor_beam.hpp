// METEOR's search: along the reference, with the forty best beginnings of an alignment at every word.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "meteor_candidates.hpp"

namespace adjudge {

constexpr std::size_t meteor_beam_size = 40;

// How good a path is, the best first: most words covered, then fewest chunks, then least distance; between
// equals it decides from which path of the beam it comes, and by which candidate.
struct MeteorScore {
    std::int64_t covered = 0, chunks = 0, distance = 0;  // the first one below zero, so that less is better
    std::uint32_t path = 0, candidate = 0;

    void cover(std::int64_t words) { covered -= words; }
    void close(bool one) { chunks += one; }
    void move(std::int64_t words) { distance += words; }
    void come_from(std::size_t from, std::size_t by) {
        path = static_cast<std::uint32_t>(from);
        candidate = static_cast<std::uint32_t>(by);
    }
    void settle() { path = candidate = 0; }
    std::size_t from() const { return path; }
    std::size_t by() const { return candidate; }
    auto operator<=>(const MeteorScore&) const = default;
};

// The same in one number, for segments that it has room for.
class PackedMeteorScore {
  public:
    // Each word can add one chunk and be covered once.
    static bool has_room(std::size_t words, std::int64_t distances, std::size_t candidates) {
        return words < 1u << 11 && distances < 1 << 25 && candidates < 1u << 10;
    }

    void cover(std::int64_t words) { bits_ -= static_cast<std::uint64_t>(words) << 52; }
    void close(bool one) { bits_ += static_cast<std::uint64_t>(one) << 41; }
    void move(std::int64_t words) { bits_ += static_cast<std::uint64_t>(words) << 16; }
    void come_from(std::size_t path, std::size_t candidate) { bits_ |= path << 10 | candidate; }
    void settle() { bits_ &= ~std::uint64_t{0xffff}; }
    std::size_t from() const { return bits_ >> 10 & 0x3f; }
    std::size_t by() const { return bits_ & 0x3ff; }
    auto operator<=>(const PackedMeteorScore&) const = default;

  private:
    std::uint64_t bits_ = std::uint64_t{0xfff} << 52;
};

// Which words of the hypothesis a path has taken, where no more than 64 are wanted by several candidates.
class FewMeteorWords {
  public:
    using Set = std::uint64_t;

    void begin(const MeteorCandidates& candidates) { candidates_ = &candidates; }
    std::uint64_t words(std::size_t candidate) const { return candidates_->contested(candidate); }
    static bool meet(Set set, std::uint64_t words) { return set & words; }

    template <class Path>
    void settle(const Path*, const Path*, Path* path, Path* end) {
        for (; path != end; ++path)
            if (path->match >= 0) path->taken |= words(static_cast<std::size_t>(path->match));
    }

  private:
    const MeteorCandidates* candidates_ = nullptr;
};

// The same for any number: sets lie in slots, which paths share until they take another word.
class ManyMeteorWords {
  public:
    using Set = std::int32_t;

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

    // Paths that took a word get a slot of their own.
    template <class Path>
    void settle(const Path* before, const Path* before_end, Path* path, Path* end) {
        for (const Path* p = before; p != before_end; ++p) users(p->taken) = 0;
        for (const Path* p = path; p != end; ++p) ++users(p->taken);
        for (const Path* p = before; p != before_end; ++p)
            if (users(p->taken) == 0) {
                free_.push_back(p->taken);
                users(p->taken) = -1;  // paths may share a slot; it is given back once
            }
        for (; path != end; ++path) {
            if (path->match < 0) continue;
            if (users(path->taken) > 1) {
                --users(path->taken);
                const Set slot = free_.back();
                free_.pop_back();
                std::copy_n(row(path->taken), width_, row(slot));
                users(slot) = 1;
                path->taken = slot;
            }
            const MeteorMatch& match = words(static_cast<std::size_t>(path->match));
            for (std::int32_t i = match.hypothesis; i < match.hypothesis + match.hypothesis_length; ++i)
                row(path->taken)[i / 64] |= std::uint64_t{1} << (i % 64);
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

// The search itself. Only open positions multiply paths; what lies between two of them does the same to all
// paths as soon as they have passed its first position.
template <class Score, class Taken>
class MeteorBeam {
  public:
    // Calls choose(candidate) for each candidate of the best path at an open position.
    template <class Choose>
    void search(const MeteorCandidates& candidates, Choose choose) {
        const std::span<const std::int32_t> open = candidates.open();
        if (open.empty()) return;
        candidates_ = &candidates;
        taken_.begin(candidates);
        trail_.clear();
        beam_[0] = Path{};
        count_ = 1;
        reach_ = 0;
        std::int32_t at = 0;
        for (const std::int32_t position : open) {
            pass(at, position);
            if (position == open.back() && finish(position, choose)) return;
            branch(position);
            at = position + 1;
        }
        pass(at, static_cast<std::int32_t>(candidates.reference_size()));
        for (std::size_t i = 0; i < count_; ++i) beam_[i].score.close(beam_[i].end >= 0);
        const auto better = [](const Path& a, const Path& b) { return a.score < b.score; };
        follow(std::min_element(beam_.begin(), beam_.begin() + count_, better)->trail, choose);
    }

  private:
    struct Path {
        Score score{};
        typename Taken::Set taken{};  // words of the hypothesis
        std::int32_t next = 0;        // the first reference position it has not decided on
        std::int32_t end = -1;        // where its last match ends in the hypothesis, -1 for no open chunk
        std::int32_t trail = -1;      // its last choice, -1 for none
        std::int32_t match = -1;      // the candidate it came by, -1 for none
    };
    struct Step {
        std::int32_t before, match;
    };

    // The best children so far, in their order.
    struct Kept {
        std::array<Score, meteor_beam_size> scores;
        std::size_t count = 0;

        bool is_hopeless(const Score& score) const {
            return count == meteor_beam_size && !(score < scores.back());
        }
        void operator()(const Score& score, std::size_t) {
            if (is_hopeless(score)) return;
            std::size_t at = count == meteor_beam_size ? count - 1 : count++;
            for (; at > 0 && score < scores[at - 1]; --at) scores[at] = scores[at - 1];
            scores[at] = score;
        }
    };

    // The child that ends best: with what it costs to close its chunk, of equals the one the beam has first.
    struct Last {
        std::vector<Score>& all;
        std::span<const std::uint8_t> closes;  // whether a candidate's chunk ends with it
        Score end{}, child{};

        static bool is_hopeless(const Score&) { return false; }
        void operator()(const Score& score, std::size_t by) {
            Score closed = score;
            closed.settle();
            closed.close(closes[by]);
            if (all.empty() || closed < end || (closed == end && score < child)) {
                end = closed;
                child = score;
            }
            all.push_back(score);
        }
    };

    const MeteorMatch& match(std::size_t candidate) const { return (*candidates_)[candidate]; }
    std::size_t begin(std::int32_t position) const {
        return candidates_->begin(static_cast<std::size_t>(position));
    }
    // Where the match that is fixed at a position begins in the hypothesis, -1 if there is none.
    std::int32_t fixed(std::int32_t position) const {
        return candidates_->is_fixed(static_cast<std::size_t>(position)) ? match(begin(position)).hypothesis
                                                                         : -1;
    }

    // Positions from `at` to before `to`, none of which is open.
    void pass(std::int32_t at, std::int32_t to) {
        for (; at < to && at < reach_; ++at) {  // some path is inside a phrase
            for (std::size_t i = 0; i < count_; ++i) {
                if (at < beam_[i].next) continue;
                beam_[i].score.close(beam_[i].end >= 0);
                beam_[i].end = -1;
            }
            sort();
        }
        if (at >= to) return;
        const std::int32_t wanted = fixed(at), end = end_before(to, at);
        for (std::size_t i = 0; i < count_; ++i) {
            beam_[i].score.close(beam_[i].end >= 0 && beam_[i].end != wanted);
            beam_[i].end = end;
        }
        sort();
    }

    // Where the match that reaches up to a position ends in the hypothesis, -1 if there is none.
    std::int32_t end_before(std::int32_t to, std::int32_t from) const {
        std::int32_t end = -1;
        for (std::int32_t at = from; at < to;) {
            end = -1;
            if (fixed(at++) < 0) continue;
            const MeteorMatch& there = match(begin(at - 1));
            end = there.hypothesis + there.hypothesis_length;
            at += there.reference_length - 1;
        }
        return end;
    }

    // Nearly sorted already, and equal paths must stay in their order.
    void sort() {
        for (std::size_t i = 1; i < count_; ++i) {
            if (!(beam_[i].score < beam_[i - 1].score)) continue;
            const Path path = beam_[i];
            std::size_t to = i;
            for (; to > 0 && path.score < beam_[to - 1].score; --to) beam_[to] = beam_[to - 1];
            beam_[to] = path;
        }
    }

    // Shows each child of the beam: one for every candidate whose words are free, and one that leaves the
    // position out.
    template <class Visit>
    void children(std::int32_t position, Visit& visit) {
        const std::size_t first = begin(position), skip = begin(position + 1) - first;
        const bool some_inside = position < reach_;
        gains_.assign(skip, 0);
        for (std::size_t c = skip, most = 0; c-- > 0;)
            gains_[c] = most = std::max(most, static_cast<std::size_t>(gain(match(first + c))));
        std::fill_n(burdens_.begin(), count_, 0);
        for (std::size_t c = 0; c < skip; ++c) {
            const MeteorMatch& by = match(first + c);
            const auto& words = taken_.words(first + c);
            const std::int64_t covered = gain(by), distance = std::abs(by.reference - by.hypothesis);
            for (std::size_t i = 0; i < count_; ++i) {
                const Path& path = beam_[i];
                Score child = path.score;
                // Neither this candidate nor a later one makes the path, or one behind it, good enough.
                if (child.cover(static_cast<std::int64_t>(gains_[c])); visit.is_hopeless(child)) break;
                if (some_inside && position < path.next) continue;
                if (taken_.meet(path.taken, words)) continue;
                child = path.score;
                child.cover(covered);
                child.move(burdens_[i]);
                child.close(path.end >= 0 && path.end != by.hypothesis);
                child.come_from(i, c);
                visit(child, c);
                // METEOR adds the distance to the path it branches from, so it burdens later candidates and
                // the skip.
                burdens_[i] += distance;
            }
        }
        for (std::size_t i = 0; i < count_; ++i) {
            const Path& path = beam_[i];
            Score child = path.score;
            if (visit.is_hopeless(child)) break;
            if (!some_inside || position >= path.next) {
                child.move(burdens_[i]);
                child.close(path.end >= 0);
            }
            child.come_from(i, skip);
            visit(child, skip);
        }
    }

    // METEOR counts covered words in integers, and a word that is not matched exactly counts one half: a
    // single one adds nothing.
    static std::int64_t gain(const MeteorMatch& match) {
        if (match.matcher == exact_match) return match.reference_length + match.hypothesis_length;
        return match.reference_length / 2 + match.hypothesis_length / 2;
    }

    // Makes the best children the beam.
    void branch(std::int32_t position) {
        Kept kept;
        children(position, kept);
        const std::size_t first = begin(position), skip = begin(position + 1) - first;
        for (std::size_t i = 0; i < kept.count; ++i) {
            const Path& parent = beam_[kept.scores[i].from()];
            const std::size_t by = kept.scores[i].by();
            Path& child = next_[i] = parent;
            child.score = kept.scores[i];
            child.score.settle();
            child.match = -1;
            if (by < skip) {
                const MeteorMatch& taken = match(first + by);
                child.match = static_cast<std::int32_t>(first + by);
                child.next = position + taken.reference_length;
                child.end = taken.hypothesis + taken.hypothesis_length;
                child.trail = static_cast<std::int32_t>(trail_.size());
                trail_.push_back({parent.trail, child.match});
                reach_ = std::max(reach_, child.next);
            } else if (position >= parent.next) {
                child.end = -1;
            }
        }
        taken_.settle(beam_.data(), beam_.data() + count_, next_.data(), next_.data() + kept.count);
        beam_.swap(next_);
        count_ = kept.count;
    }

    // At the last open position the best child is all that is wanted. False where that is not so simple: a
    // phrase reaches beyond it, or the best one is not among those that a beam would keep.
    template <class Choose>
    bool finish(std::int32_t position, Choose choose) {
        const std::size_t first = begin(position), skip = begin(position + 1) - first;
        if (position < reach_) return false;
        for (std::size_t c = 0; c < skip; ++c)
            if (match(first + c).reference_length > 1) return false;
        const bool more = position + 1 < static_cast<std::int32_t>(candidates_->reference_size());
        const std::int32_t wanted = more ? fixed(position + 1) : -1;
        closes_.assign(skip + 1, 0);
        for (std::size_t c = 0; c < skip; ++c)
            closes_[c] = match(first + c).hypothesis + match(first + c).hypothesis_length != wanted;
        all_.clear();
        Last last{all_, closes_};
        children(position, last);
        std::size_t rank = 0;
        for (const Score& child : all_) rank += child < last.child;
        if (rank >= meteor_beam_size) return false;
        const std::size_t by = last.child.by();
        if (by < skip) choose(first + by);
        follow(beam_[last.child.from()].trail, choose);
        return true;
    }

    template <class Choose>
    void follow(std::int32_t step, Choose choose) const {
        for (; step >= 0; step = trail_[static_cast<std::size_t>(step)].before)
            choose(static_cast<std::size_t>(trail_[static_cast<std::size_t>(step)].match));
    }

    const MeteorCandidates* candidates_ = nullptr;
    Taken taken_;
    std::array<Path, meteor_beam_size> beam_, next_;
    std::size_t count_ = 0;
    std::int32_t reach_ = 0;  // no path has decided on a position from here on
    std::array<std::int64_t, meteor_beam_size> burdens_;
    std::vector<std::size_t> gains_;
    std::vector<std::uint8_t> closes_;
    std::vector<Score> all_;
    std::vector<Step> trail_;
};

}  // namespace adjudge
