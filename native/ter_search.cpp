#include "ter_search.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>

#include "ter_distance.hpp"

namespace adjudge {
namespace {

constexpr int longest_shift = 10;
constexpr int farthest_shift = 50;
constexpr int most_candidates = 1000;  // sacreBLEU's own limit; tercom has none
constexpr int longest_for_tercom =
    4096;  // so it gets one of words: its time and its paths grow with their square

std::size_t at(int index) { return static_cast<std::size_t>(index); }

struct Candidate {
    int start, target;  // the span's first word, and the word it goes before
};

// What both searches share: the words, the reference, the distance in use and the candidates by their length.
class Search : public TerSearch {
  public:
    int edits(const Words& hypothesis, const Words& reference, std::int32_t vocabulary) override {
        shifts_.clear();
        alignment_.reset(0, 0);
        if (reference.empty() || hypothesis.empty())
            return static_cast<int>(hypothesis.size() + reference.size());
        words_ = hypothesis;
        reference_.assign(reference, vocabulary);
        least_ = least_distance();
        return run();
    }

    const std::vector<WordShift>& shifts() const override { return shifts_; }

    WordPairs pairs() const override {
        std::vector<int> original(alignment_.hypothesis_wrong.size());
        std::iota(original.begin(), original.end(), 0);
        for (const WordShift& shift : shifts_) {
            const auto first = original.begin() + std::min(shift.begin, shift.target);
            const auto last = original.begin() + std::max(shift.end, shift.target);
            std::rotate(first, original.begin() + (shift.target < shift.begin ? shift.begin : shift.end),
                        last);
        }
        // A word of the hypothesis is beside the first reference word that names it; gaps follow. It cannot
        // be that it is dropped and the gap added: to substitute costs less, and no beam leaves that out.
        WordPairs found;
        int last = -1;
        for (int r = 0; r < static_cast<int>(alignment_.hypothesis_of.size()); ++r) {
            const int h = alignment_.hypothesis_of[at(r)];
            if (h != last) found.emplace_back(original[at(h)], r);
            last = h;
        }
        return found;
    }

  protected:
    virtual int run() = 0;

    int size() const { return static_cast<int>(words_.size()); }

    void apply(const Swap& swap) {
        const auto begin = words_.begin();
        std::rotate(begin + swap.begin, begin + swap.middle, begin + swap.end);
    }

    // Makes the shift for good and remembers it.
    void shift(const Swap& swap) {
        apply(swap);
        if (swap.leftward)
            shifts_.push_back({swap.middle, swap.end, swap.begin});
        else
            shifts_.push_back({swap.begin, swap.middle, swap.end});
    }

    // A shift of `length` words from `start` to before `target`; one into the span itself moves it right by
    // `inside`.
    Swap swap_to(int start, int length, int target, int inside) const {
        if (target < start) return {target, start, start + length, true};
        if (target > start + length) return {start, start + length, target};
        return {start, start + length, std::min(size(), start + length + inside)};
    }

    // No order of the words comes nearer than their number and their choice allow. Two spans that change
    // places change the distance by at most twice the shorter one's length, but only where no beam cuts paths
    // off.
    int most_gain(const Swap& swap, bool whole_matrix) const {
        const int shorter = std::min(swap.middle - swap.begin, swap.end - swap.middle);
        const int gain = alignment_.edits - least_;
        return whole_matrix || shorter == 0 ? std::min(2 * shorter, gain) : gain;
    }

    Words words_;
    ReferenceIndex reference_;
    Alignment alignment_;
    BitDistance bits_;
    std::array<std::vector<Candidate>, longest_shift + 1> candidates_;
    int least_ = 0;

  private:
    int least_distance() {
        counts_.assign(at(reference_.vocabulary()), 0);
        for (const std::int32_t w : reference_.words()) ++counts_[at(w)];
        int common = 0;
        for (const std::int32_t w : words_)
            if (w >= 0 && counts_[at(w)]-- > 0) ++common;
        return std::max(size(), reference_.length()) - common;
    }

    std::vector<int> counts_;
    std::vector<WordShift> shifts_;
};

class SacrebleuSearch final : public Search {
    int run() override {
        beam_.assign(size(), reference_.length());
        int tried = 0;
        for (int shifts = 0;; ++shifts) {
            align();
            if (alignment_.edits <= least_ || !gather(tried)) return shifts + alignment_.edits;
            const Swap swap = best();
            if (swap.begin == swap.end) return shifts + alignment_.edits;
            shift(swap);
        }
    }

    void align() {
        if (reference_.length() <= BitDistance::longest) {
            mode_ = Mode::bits;
            if (bits_.begin(reference_, words_) <= beam_.exact_up_to()) return bits_.align(alignment_);
        }
        cells_.begin(reference_, words_, beam_);
        cells_.align(reference_, words_, alignment_);
        mode_ = beam_.fits_word() ? Mode::band : Mode::cells;
        if (mode_ == Mode::band) band_.begin(reference_, words_, beam_);
    }

    // In the first mode a swap too dear for the whole matrix to be exact is dearer still in the beam: no
    // gain.
    int swapped(const Swap& swap) {
        if (mode_ == Mode::bits) return bits_.swapped(swap);
        if (mode_ == Mode::band) return band_.swapped(swap);
        const Words before = words_;
        apply(swap);
        const int edits = cells_.begin(reference_, words_, beam_);
        words_ = before;
        return edits;
    }

    // Collects the shifts to try; false once there were too many, which ends the search without another
    // shift.
    bool gather(int& tried) {
        for (auto& list : candidates_) list.clear();
        for (int start = 0; start < size(); ++start) {
            const std::int32_t word = words_[at(start)];
            if (word < 0) continue;
            const auto places = reference_.positions(word);
            auto place = std::lower_bound(places.begin(), places.end(), start - farthest_shift);
            for (; place != places.end() && *place <= start + farthest_shift; ++place)
                if (!gather_spans(start, *place, tried)) return false;
        }
        return true;
    }

    bool gather_spans(int start, int place, int& tried) {
        const int aligned = alignment_.hypothesis_of[at(place)];
        const int longest = std::min({longest_shift, size() - start, reference_.length() - place});
        bool hypothesis_wrong = false, reference_wrong = false;
        for (int length = 1; length <= longest; ++length) {
            const int h = start + length - 1, r = place + length - 1;
            if (words_[at(h)] != reference_.words()[at(r)]) break;
            if (aligned >= start && aligned <= h) break;  // it is there already
            hypothesis_wrong |= alignment_.hypothesis_wrong[at(h)] != 0;
            reference_wrong |= alignment_.reference_wrong[at(r)] != 0;
            if (!hypothesis_wrong || !reference_wrong) continue;
            int previous = -1;
            for (int p = place - 1; p <= r; ++p) {
                const int target = p < 0 ? 0 : alignment_.hypothesis_of[at(p)] + 1;
                if (target == previous) continue;
                previous = target;
                ++tried;
                candidates_[at(length)].push_back({start, target});
            }
            if (tried >= most_candidates) return false;
        }
        return true;
    }

    // The shift that gains most; then the longest, the one from furthest left, the one to furthest left.
    Swap best() {
        Swap chosen{0, 0, 0};
        int gain = 0, from_length = 0;
        Candidate from{0, 0};
        for (int length = longest_shift; length > 0; --length) {
            for (const Candidate& c : candidates_[at(length)]) {
                const Swap swap = swap_to(c.start, length, c.target, c.target - c.start);
                const bool wins_ties =
                    gain > 0 && length == from_length && c.start == from.start && c.target < from.target;
                if (most_gain(swap, mode_ == Mode::bits) < gain + !wins_ties) continue;
                const int gained = alignment_.edits - swapped(swap);
                if (gained < gain + !wins_ties) continue;
                chosen = swap;
                gain = gained;
                from = c;
                from_length = length;
            }
        }
        return chosen;
    }

    enum class Mode { bits, band, cells };
    Mode mode_ = Mode::bits;
    Beam beam_;
    BandDistance band_;
    CellDistance cells_;
};

class TercomSearch final : public Search {
    int run() override {
        if (const int longer = std::max(size(), reference_.length()); longer > longest_for_tercom)
            throw std::invalid_argument("a segment of " + std::to_string(longer) +
                                        " words is too long for tercom's search (at most " +
                                        std::to_string(longest_for_tercom) +
                                        "); implementation=sacrebleu takes any length");
        for (int shifts = 0;; ++shifts) {
            align();
            gather();
            const Swap swap = best();
            if (swap.begin == swap.end) return shifts + alignment_.edits;
            shift(swap);
        }
    }

    void align() {
        exact_ = reference_.length() <= BitDistance::longest &&
                 bits_.begin(reference_, words_) <= PrunedDistance::beam;
        if (exact_) return bits_.align(alignment_);
        pruned_.begin(reference_, words_, true);
        pruned_.align(reference_, words_, alignment_);
        if (reference_.blocks() > 0) blocks_.begin(reference_, words_);
    }

    // What the shift is known not to exceed without trying it; the whole matrix never costs more than the
    // beam.
    int bound(const Swap& swap, int gain) {
        const int most = most_gain(swap, exact_);
        if (exact_ || most <= gain || reference_.blocks() == 0) return most;
        return std::min(most, alignment_.edits - blocks_.swapped(swap));
    }

    int swapped(const Swap& swap) {
        if (exact_) return bits_.swapped(swap);
        shifted_ = words_;
        std::rotate(shifted_.begin() + swap.begin, shifted_.begin() + swap.middle,
                    shifted_.begin() + swap.end);
        return pruned_.begin(reference_, shifted_, false);
    }

    void gather() {
        for (auto& list : candidates_) list.clear();
        for (int start = 0; start < size(); ++start) {
            const std::int32_t word = words_[at(start)];
            if (word < 0) continue;
            const auto places = reference_.positions(word);
            const bool reachable = std::any_of(places.begin(), places.end(), [&](std::int32_t place) {
                const int aligned = alignment_.hypothesis_of[at(place)];
                return aligned != start && aligned - start <= farthest_shift &&
                       start - aligned - 1 <= farthest_shift;
            });
            if (!reachable) continue;
            places_.assign(places.begin(), places.end());
            gather_spans(start);
        }
    }

    // Longer and longer spans from `start`, as long as the last one was fine where it is or had somewhere to
    // go.
    void gather_spans(int start) {
        bool wrong = false;
        const int longest = std::min(longest_shift, size() - start);
        for (int length = 1; length <= longest; ++length) {
            const int end = start + length - 1;
            std::erase_if(places_, [&](std::int32_t p) {
                return p + length > reference_.length() ||
                       reference_.words()[at(p + length - 1)] != words_[at(end)];
            });
            if (places_.empty()) return;
            wrong |= alignment_.hypothesis_wrong[at(end)] != 0;
            if (!wrong) continue;
            bool any = false;
            for (const std::int32_t place : places_) {
                const int aligned = alignment_.hypothesis_of[at(place)];
                if ((aligned >= start && aligned <= end) || std::abs(aligned - start) > farthest_shift)
                    continue;
                any = true;
                const auto begin = alignment_.reference_wrong.begin() + place;
                if (std::find(begin, begin + length, 1) == begin + length) continue;
                for (int offset = -1; offset < length; ++offset) {
                    if (offset < 0 && place == 0) {
                        candidates_[at(length)].push_back({start, 0});
                        continue;
                    }
                    const int beside = alignment_.hypothesis_of[at(place + offset)];
                    if (beside != start && (offset == 0 || beside != aligned))
                        candidates_[at(length)].push_back({start, beside + 1});
                }
            }
            if (!any) return;
        }
    }

    // The first shift in tercom's order that gains most, longer ones first.
    Swap best() {
        Swap chosen{0, 0, 0};
        int gain = 0;
        for (int length = longest_shift; length > 0; --length) {
            for (const Candidate& c : candidates_[at(length)]) {
                if (gain > 2 * length) break;
                // A place inside the span counts one less than with sacreBLEU.
                const Swap swap = swap_to(c.start, length, c.target, std::max(0, c.target - 1 - c.start));
                if (bound(swap, gain) <= gain) continue;
                const int gained = alignment_.edits - swapped(swap);
                if (gained <= gain) continue;
                chosen = swap;
                gain = gained;
            }
        }
        return chosen;
    }

    bool exact_ = false;
    PrunedDistance pruned_;
    BlockDistance blocks_;
    Words shifted_;
    std::vector<std::int32_t> places_;
};

}  // namespace

std::unique_ptr<TerSearch> make_ter_search(bool tercom) {
    if (tercom) return std::make_unique<TercomSearch>();
    return std::make_unique<SacrebleuSearch>();
}

}  // namespace adjudge
