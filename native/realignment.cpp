#include "realignment.hpp"

#include <algorithm>
#include <cmath>

namespace adjudge {
namespace {

// Cells of origins that are kept at once, unless the root of the number of segments needs more; what is left
// out is computed a second time.
constexpr std::size_t kCells = std::size_t{1} << 22;

struct Reach {
    std::size_t low;
    std::size_t high;
};

// Costs by how many words of ours are taken: of ways that took one since the last cut, with the place of that
// cut, and of ways that were cut right there.
struct Costs {
    std::vector<std::int32_t> moved;
    std::vector<std::int32_t> still;
    std::vector<std::int32_t> origin;

    explicit Costs(std::size_t places) : moved(places), still(places), origin(places) {}

    void clear(Reach reach) {
        std::fill(moved.begin() + reach.low, moved.begin() + reach.high + 1, kNoWay);
        std::fill(still.begin() + reach.low, still.begin() + reach.high + 1, kNoWay);
    }
    std::int32_t best(std::size_t j) const { return std::min(moved[j], still[j]); }
    std::int32_t last_cut(std::size_t j) const {
        return moved[j] <= still[j] ? origin[j] : static_cast<std::int32_t>(j);
    }
};

// What a way costs up to a cut, by its place.
struct Boundary {
    Reach reach;
    std::vector<std::int32_t> costs;
};

// Where each way to a cut was cut before.
struct Crossing {
    std::size_t low;
    std::vector<std::int32_t> origins;
};

class Search {
  public:
    Search(std::span<const std::int32_t> ours, std::span<const SegmentedWords> references,
           std::span<const std::int32_t> extra, std::size_t segments, std::size_t width)
        : ours_(ours),
          references_(references),
          extra_(extra),
          segments_(segments),
          width_(width),
          work_(ours.size() + 1),
          best_(ours.size() + 1),
          progress_(segments + 1) {
        for (std::size_t k = 0; k < segments; ++k) {
            std::size_t longest = 0;
            for (const SegmentedWords& set : references) longest = std::max(longest, words_of(set, k).size());
            progress_[k + 1] = progress_[k] + static_cast<double>(longest);
        }
    }

    // The best cuts within the band; none where it has no way through.
    std::vector<std::int64_t> cuts() {
        const std::size_t block = block_size();
        std::vector<Boundary> begins{{reach(0), std::vector<std::int32_t>(reach(0).high + 1, kNoWay)}};
        begins[0].costs[0] = 0;
        while (begins.size() * block < segments_) {
            Boundary at = begins.back();
            for (std::size_t k = (begins.size() - 1) * block; k < begins.size() * block; ++k) {
                take_segment(k, at);
                cut(k + 1, at, nullptr);
            }
            begins.push_back(std::move(at));
        }
        std::vector<std::int64_t> places(segments_ - 1);
        for (std::size_t b = begins.size(); b-- > 0;) {
            if (!trace(b * block, std::min((b + 1) * block, segments_), std::move(begins[b]), places))
                return {};
        }
        return places;
    }

    // Whether no cut lies so near an edge of the band that a better one may lie beyond.
    bool keeps_clear(const std::vector<std::int64_t>& places) const {
        for (std::size_t k = 0; k < places.size(); ++k) {
            const Reach at = reach(k + 1);
            const std::size_t place = static_cast<std::size_t>(places[k]);
            if (at.low > 0 && place - at.low < width_ / 4) return false;
            if (at.high < ours_.size() && at.high - place < width_ / 4) return false;
        }
        return true;
    }

  private:
    static std::span<const std::int32_t> words_of(const SegmentedWords& set, std::size_t k) {
        const std::size_t begin = k ? static_cast<std::size_t>(set.ends[k - 1]) : 0;
        return set.words.subspan(begin, static_cast<std::size_t>(set.ends[k]) - begin);
    }

    std::size_t block_size() const {
        const std::size_t root =
            static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(segments_))));
        return std::max(root, kCells / std::min(2 * width_ + 1, ours_.size() + 1));
    }

    Reach around(double progress) const {
        const double share = progress_.back() > 0 ? progress / progress_.back() : 1.0;
        const std::size_t middle = static_cast<std::size_t>(share * static_cast<double>(ours_.size()));
        return {middle - std::min(middle, width_), std::min(ours_.size(), middle + width_)};
    }
    Reach reach(std::size_t boundary) const {
        if (boundary == segments_) return around(progress_.back());
        return boundary ? around(progress_[boundary]) : Reach{0, std::min(ours_.size(), width_)};
    }
    // Where `taken` of the `count` words of segment k's reference are taken.
    Reach within(std::size_t k, std::size_t taken, std::size_t count) const {
        if (taken == count) return reach(k + 1);
        if (taken == 0) return reach(k);
        const double share = static_cast<double>(taken) / static_cast<double>(count);
        return around(progress_[k] + share * (progress_[k + 1] - progress_[k]));
    }

    // best_ becomes the least costs at the end of segment k, by the nearest of its references.
    void take_segment(std::size_t k, const Boundary& start) {
        const Reach end = reach(k + 1);
        best_.clear(end);
        for (const SegmentedWords& set : references_) {
            if (!set.present[k]) continue;
            take_words(k, words_of(set, k), start);
            for (std::size_t j = end.low; j <= end.high; ++j) {
                if (work_.moved[j] < best_.moved[j]) {
                    best_.moved[j] = work_.moved[j];
                    best_.origin[j] = work_.origin[j];
                }
                best_.still[j] = std::min(best_.still[j], work_.still[j]);
            }
        }
    }

    // work_ becomes the least costs of segment k with these words.
    void take_words(std::size_t k, std::span<const std::int32_t> words, const Boundary& start) {
        const Reach all{start.reach.low, reach(k + 1).high};
        work_.clear(all);
        std::copy(start.costs.begin(), start.costs.end(), work_.still.begin() + start.reach.low);
        Reach before{start.reach.low, within(k, 0, words.size()).high};
        for (std::size_t j = before.low + 1; j <= before.high; ++j) insert(j);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const Reach now = within(k, i + 1, words.size());
            advance(words[i], before, now);
            before = now;
        }
    }

    // Take one more word of ours that is in no reference.
    void insert(std::size_t j) {
        const std::int32_t cost = work_.best(j - 1) + 1;
        if (cost < work_.moved[j]) {
            work_.origin[j] = work_.last_cut(j - 1);
            work_.moved[j] = cost;
        }
    }

    // Take a word of the reference: with the next word of ours, or without one.
    void advance(std::int32_t word, Reach before, Reach now) {
        const bool has_left = now.low > before.low;
        std::int32_t aside = has_left ? work_.best(now.low - 1) : kNoWay;
        std::int32_t aside_origin = has_left ? work_.last_cut(now.low - 1) : 0;
        for (std::size_t j = now.low; j <= now.high; ++j) {
            const std::int32_t next_aside = work_.best(j);
            const std::int32_t next_origin = work_.last_cut(j);
            const std::int32_t taken = j ? aside + (ours_[j - 1] != word) : kNoWay;
            ++work_.moved[j];
            ++work_.still[j];
            if (taken <= work_.moved[j]) {
                work_.moved[j] = taken;
                work_.origin[j] = aside_origin;
            }
            if (j > now.low) insert(j);
            aside = next_aside;
            aside_origin = next_origin;
        }
    }

    // Cut behind the segment whose costs best_ has.
    void cut(std::size_t boundary, Boundary& at, Crossing* crossing) const {
        at.reach = reach(boundary);
        const std::size_t low = at.reach.low;
        at.costs.resize(at.reach.high - low + 1);
        if (crossing) *crossing = {low, std::vector<std::int32_t>(at.costs.size())};
        for (std::size_t j = low; j <= at.reach.high; ++j) {
            // a gain makes no way of what is none
            const std::int32_t moved = best_.moved[j] < kNoWay ? best_.moved[j] + extra_[j] : kNoWay;
            const std::int32_t still = best_.still[j] + std::max(extra_[j], 0);
            at.costs[j - low] = std::min({moved, still, kNoWay});
            if (crossing)
                crossing->origins[j - low] = moved <= still ? best_.origin[j] : static_cast<std::int32_t>(j);
        }
    }

    // The cuts behind segments `first` to `last`, of which the last one is known unless it is the end.
    bool trace(std::size_t first, std::size_t last, Boundary at, std::vector<std::int64_t>& places) {
        std::vector<Crossing> crossings(last - first);
        for (std::size_t k = first; k < last; ++k) {
            take_segment(k, at);
            if (k + 1 < segments_) cut(k + 1, at, &crossings[k - first]);
        }
        if (last == segments_) {
            if (best_.best(ours_.size()) >= kNoWay) return false;
            if (segments_ > 1) places[segments_ - 2] = best_.last_cut(ours_.size());
            --last;
        }
        for (std::size_t k = last; k > std::max<std::size_t>(first, 1); --k) {
            const Crossing& crossing = crossings[k - 1 - first];
            places[k - 2] = crossing.origins[static_cast<std::size_t>(places[k - 1]) - crossing.low];
        }
        return true;
    }

    std::span<const std::int32_t> ours_;
    std::span<const SegmentedWords> references_;
    std::span<const std::int32_t> extra_;
    std::size_t segments_;
    std::size_t width_;
    Costs work_;
    Costs best_;
    std::vector<double> progress_;
};

}  // namespace

std::vector<std::int64_t> best_cuts(std::span<const std::int32_t> ours,
                                    std::span<const SegmentedWords> references,
                                    std::span<const std::int32_t> extra, std::size_t segments,
                                    std::size_t narrowest) {
    for (std::size_t width = std::max<std::size_t>(narrowest, 1); segments > 1; width *= 2) {
        Search search(ours, references, extra, segments, std::min(width, ours.size()));
        const std::vector<std::int64_t> places = search.cuts();
        if (width >= ours.size() || (!places.empty() && search.keeps_clear(places))) return places;
    }
    return {};
}

}  // namespace adjudge
