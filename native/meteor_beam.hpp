// METEOR's search: along the reference, with the forty best beginnings of an alignment at every word.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "meteor_candidates.hpp"
#include "meteor_paths.hpp"

namespace adjudge {

// Only open positions multiply paths; what lies between two of them does the same to all paths as soon as
// they have passed its first position.
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
        const auto better = [](const Path& a, const Path& b) {
            return a.score + a.closing < b.score + b.closing;
        };
        follow(std::min_element(beam_.begin(), beam_.begin() + static_cast<std::ptrdiff_t>(count_), better)
                   ->trail,
               choose);
    }

  private:
    struct Path {
        Score score{};
        Score closing{};              // what it adds to close the open chunk
        typename Taken::Set taken{};  // words of the hypothesis
        std::int32_t end = -1;        // where its last match ends in the hypothesis, -1 for no open chunk
        std::int32_t next = 0;        // the first reference position it has not decided on
        std::int32_t trail = -1;      // its last step, -1 for none
    };
    struct Step {
        std::int32_t before, match;
    };
    // How a path goes on by a candidate.
    struct Way {
        Score closing;
        typename Taken::Words words;
        std::int32_t end, next, match;
    };

    // The best children so far, in their order.
    class Kept {
      public:
        Kept() = default;
        Kept(const Kept&) = delete;  // it points to itself
        Kept& operator=(const Kept&) = delete;

        void clear() { count_ = 0; }
        std::span<const Score> scores() const { return {best_, count_}; }
        Score limit() const { return count_ < meteor_beam_size ? Score::worst() : best_[count_ - 1]; }

        // Children by one candidate, which are sorted or nearly so.
        void operator()(std::span<Score> children, std::size_t) {
            bool sorted = true;
            for (std::size_t i = 1; i < children.size(); ++i) sorted &= children[i - 1] < children[i];
            if (!sorted) sort(children);
            const Score *a = best_, *b = children.data();
            const Score *const a_end = a + count_, *const b_end = b + children.size();
            Score* to = spare_;
            Score* const end = to + std::min(meteor_beam_size, count_ + children.size());
            while (a != a_end && *a < *b) *to++ = *a++;
            while ((a != a_end) & (b != b_end) & (to != end)) {
                const std::size_t second = *b < *a;  // anybody's guess, so there is no branch on it
                *to++ = Score::either(second, *b, *a);
                a += 1 - second;
                b += second;
            }
            to = std::copy_n(a, std::min(a_end - a, end - to), to);
            std::copy_n(b, end - to, to);
            count_ = static_cast<std::size_t>(end - spare_);
            std::swap(best_, spare_);
        }

      private:
        static void sort(std::span<Score> children) {
            for (std::size_t i = 1; i < children.size(); ++i) {
                const Score score = children[i];
                std::size_t at = i;
                for (; at > 0 && score < children[at - 1]; --at) children[at] = children[at - 1];
                children[at] = score;
            }
        }

        std::array<Score, meteor_beam_size> one_, other_;
        Score *best_ = one_.data(), *spare_ = other_.data();
        std::size_t count_ = 0;
    };

    // The child that ends best: with what it costs to close its chunk, of equals the one the beam has first.
    class Last {
      public:
        // `closed` has what closing the chunk adds, by candidate.
        Last(std::vector<Score>& all, const std::vector<Score>& closed) : all_(all), closed_(closed) {
            all.clear();
        }
        static Score limit() { return Score::worst(); }
        void operator()(std::span<const Score> children, std::size_t by) {
            for (const Score& child : children) {
                const Score end = child.anywhere() + closed_[by];
                if (all_.empty() || end < end_ || (end == end_ && child < best_)) {
                    end_ = end;
                    best_ = child;
                }
                all_.push_back(child);
            }
        }
        const Score& best() const { return best_; }
        // How many children a beam would put before the best one.
        std::ptrdiff_t rank() const {
            return std::count_if(all_.begin(), all_.end(), [&](const Score& s) { return s < best_; });
        }

      private:
        std::vector<Score>& all_;
        const std::vector<Score>& closed_;
        Score end_{}, best_{};
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

    // What closing a chunk adds, if there is one.
    static Score chunk(bool one) { return Score::of(0, 1, 0) * one; }

    // Positions from `at` to before `to`, none of which is open.
    void pass(std::int32_t at, std::int32_t to) {
        for (; at < to && at < reach_; ++at) {  // some path is inside a phrase
            for (std::size_t i = 0; i < count_; ++i) {
                Path& path = beam_[i];
                if (at < path.next) continue;
                path.score = path.score + path.closing;
                path.closing = Score{};
                path.end = -1;
            }
            sort();
        }
        if (at >= to) return;
        const std::int32_t wanted = fixed(at), end = end_before(to, at);
        const Score closing = chunk(end >= 0);
        for (std::size_t i = 0; i < count_; ++i) {
            Path& path = beam_[i];
            path.score = path.score + path.closing * (path.end != wanted);
            path.closing = closing;
            path.end = end;
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

    // Shows the children of the beam, candidate by candidate: one for every path in which its words are free;
    // last those that leave the position out.
    template <class Visit>
    void children(std::int32_t position, Visit& visit) {
        const std::size_t first = begin(position), skip = begin(position + 1) - first;
        std::fill_n(burdens_.begin(), count_, Score{});
        gains_.assign(skip + 1, 0);
        for (std::size_t c = skip; c-- > 0;) gains_[c] = std::max(gain(match(first + c)), gains_[c + 1]);
        for (std::size_t c = 0; c < skip; ++c) {
            if (position < reach_)
                extend<true>(position, c, visit);
            else
                extend<false>(position, c, visit);
        }
        const std::size_t paths = hopeful(visit.limit(), 0);
        for (std::size_t i = 0; i < paths; ++i) {
            const Path& path = beam_[i];
            children_[i] =
                path.score + burdens_[i] + Score::from(i, skip) + path.closing * (position >= path.next);
        }
        visit({children_.data(), paths}, skip);
    }

    // The paths, all at the front, that could yet have a child better than `limit`.
    std::size_t hopeful(const Score& limit, std::int64_t most_covered) const {
        const Score most = Score::of(most_covered, 0, 0);
        std::size_t paths = count_;
        while (paths > 0 && !(beam_[paths - 1].score + most < limit)) --paths;
        return paths;
    }

    // Those that go on with a chunk and those that do not are each in order. Whether the words are free and
    // which of the two it is, is anybody's guess, so there is no branch on it.
    template <bool some_inside, class Visit>
    void extend(std::int32_t position, std::size_t candidate, Visit& visit) {
        const std::size_t number = begin(position) + candidate;
        const MeteorMatch by = match(number);
        const auto words = taken_.words(number);
        const Score burden = Score::of(0, 0, std::abs(by.reference - by.hypothesis));
        Score step = Score::of(gain(by), 0, 0) + Score::from(0, candidate);
        // Neither this candidate nor a later one makes the others good enough.
        const std::size_t paths = hopeful(visit.limit(), gains_[candidate]);
        const Path* const beam = beam_.data();
        Score* const burdens = burdens_.data();
        Score *const breaking = children_.data(), *const going_on = others_.data();
        std::size_t breaks = 0, goes_on = 0;
        for (std::size_t i = 0; i < paths; ++i) {
            const Path& path = beam[i];
            bool is_free = !taken_.meet(path.taken, words);
            if (some_inside) is_free &= position >= path.next;
            const std::size_t free = is_free, on = free & std::size_t{path.end == by.hypothesis};
            const Score child = path.score + step + burdens[i];
            going_on[goes_on] = child;
            goes_on += on;
            breaking[breaks] = child + path.closing;
            breaks += free - on;
            step = step + Score::from(1, 0);
            // METEOR adds the distance to the path it branches from, so it burdens later candidates and the
            // skip.
            burdens[i] = burdens[i] + burden * is_free;
        }
        if (goes_on > 0) visit({going_on, goes_on}, candidate);
        if (breaks > 0) visit({breaking, breaks}, candidate);
    }

    // METEOR counts covered words in integers, and a word that is not matched exactly counts one half: a
    // single one adds nothing.
    static std::int64_t gain(const MeteorMatch& match) {
        if (match.matcher == exact_match) return match.reference_length + match.hypothesis_length;
        return match.reference_length / 2 + match.hypothesis_length / 2;
    }

    // Makes the best children the beam.
    void branch(std::int32_t position) {
        kept_.clear();
        children(position, kept_);
        const std::span<const Score> scores = kept_.scores();
        const std::size_t first = begin(position), skip = begin(position + 1) - first;
        ways_.clear();
        std::int32_t reach = position;
        for (std::size_t c = 0; c < skip; ++c) {
            const MeteorMatch& by = match(first + c);
            ways_.push_back({chunk(true), taken_.words(first + c), by.hypothesis + by.hypothesis_length,
                             position + by.reference_length, static_cast<std::int32_t>(first + c)});
            reach = std::max(reach, ways_.back().next);
        }
        ways_.push_back({{}, {}, -1, position + 1, -1});
        const std::size_t steps = trail_.size();
        trail_.resize(steps + scores.size());
        const Path* const beam = beam_.data();
        const Way* const ways = ways_.data();
        Path* const next = next_.data();
        Step* const trail = trail_.data() + steps;
        for (std::size_t i = 0; i < scores.size(); ++i) {
            const Path& parent = beam[scores[i].where()];
            const Way& way = ways[scores[i].by()];
            trail[i] = {parent.trail, way.match};
            Path& child = next[i];  // field by field, which is quicker than all at once
            child.score = scores[i].anywhere();
            child.closing = way.closing;
            child.taken = Taken::with(parent.taken, way.words);
            child.end = way.end;
            child.next = way.next;
            child.trail = static_cast<std::int32_t>(steps + i);
        }
        if (position < reach_)  // those inside a phrase stay as they are
            for (std::size_t i = 0; i < scores.size(); ++i) {
                const Path& parent = beam[scores[i].where()];
                if (position >= parent.next) continue;
                next[i].closing = parent.closing;
                next[i].end = parent.end;
                next[i].next = parent.next;
            }
        reach_ = std::max(reach_, reach);
        taken_.template settle<Path, Step>({beam, count_}, {next, scores.size()}, trail);
        std::swap(beam_, next_);
        count_ = scores.size();
    }

    // At the last open position the best child is all that is wanted. False where that is not so simple: a
    // phrase reaches beyond it, or the best one is not among those that a beam would keep.
    template <class Choose>
    bool finish(std::int32_t position, Choose choose) {
        const std::size_t first = begin(position), skip = begin(position + 1) - first;
        if (position < reach_) return false;
        const bool more = position + 1 < static_cast<std::int32_t>(candidates_->reference_size());
        const std::int32_t wanted = more ? fixed(position + 1) : -1;
        closed_.assign(skip + 1, Score{});
        for (std::size_t c = 0; c < skip; ++c) {
            const MeteorMatch& by = match(first + c);
            if (by.reference_length > 1) return false;
            closed_[c] = chunk(by.hypothesis + by.hypothesis_length != wanted);
        }
        Last last(all_, closed_);
        children(position, last);
        if (last.rank() >= static_cast<std::ptrdiff_t>(meteor_beam_size)) return false;
        if (const std::size_t by = last.best().by(); by < skip) choose(first + by);
        follow(beam_[last.best().where()].trail, choose);
        return true;
    }

    template <class Choose>
    void follow(std::int32_t at, Choose choose) const {
        while (at >= 0) {
            const Step& step = trail_[static_cast<std::size_t>(at)];
            if (step.match >= 0) choose(static_cast<std::size_t>(step.match));
            at = step.before;
        }
    }

    const MeteorCandidates* candidates_ = nullptr;
    Taken taken_;
    std::vector<Path> beam_ = std::vector<Path>(meteor_beam_size), next_ = beam_;
    std::size_t count_ = 0;   // paths in the beam
    std::int32_t reach_ = 0;  // no path has decided on a position from here on
    std::array<Score, meteor_beam_size> children_, others_, burdens_;
    std::vector<Way> ways_;
    std::vector<std::int64_t> gains_;
    Kept kept_;
    std::vector<Score> closed_, all_;
    std::vector<Step> trail_;
};

}  // namespace adjudge
