#include "error_classes.hpp"

#include <string>

#include "edit_pairs.hpp"
#include "levenshtein.hpp"
#include "matching.hpp"
#include "parallel.hpp"

namespace adjudge {
namespace {

constexpr std::size_t most_cells = std::size_t{1} << 28;

// One cheapest way between two texts, read from their ends: words side by side before a reference word alone
// before a hypothesis word alone. Words get the other side's place, or −1.
class Path {
  public:
    std::vector<std::int64_t> to_reference, to_hypothesis;

    void find(Sequence hypothesis, Sequence reference) {
        to_reference.assign(hypothesis.size(), -1);
        to_hypothesis.assign(reference.size(), -1);
        if (hypothesis.size() * reference.size() > most_cells) {
            // Another way of the same cost, in linear memory.
            for (const auto& [h, r] : edit_pairs(hypothesis, reference)) pair(h, r);
            return;
        }
        fill(hypothesis, reference);
        const std::size_t width = hypothesis.size() + 1;
        std::size_t r = reference.size(), h = hypothesis.size();
        while (r > 0 && h > 0) {
            const std::uint8_t step = steps_[r * width + h];
            if (step == both)
                pair(--h, --r);
            else if (step == reference_alone)
                --r;
            else
                --h;
        }
    }

  private:
    enum Step : std::uint8_t { both, reference_alone, hypothesis_alone };

    template <class Place>
    void pair(Place h, Place r) {
        to_reference[static_cast<std::size_t>(h)] = static_cast<std::int64_t>(r);
        to_hypothesis[static_cast<std::size_t>(r)] = static_cast<std::int64_t>(h);
    }

    void fill(Sequence hypothesis, Sequence reference) {
        const std::size_t width = hypothesis.size() + 1;
        steps_.resize((reference.size() + 1) * width);
        costs_.resize(width);
        for (std::size_t h = 0; h < width; ++h) costs_[h] = static_cast<int>(h);
        for (std::size_t r = 1; r <= reference.size(); ++r) {
            std::uint8_t* steps = &steps_[r * width];
            int diagonal = costs_[0]++;
            for (std::size_t h = 1; h < width; ++h) {
                const int changed = diagonal + (hypothesis[h - 1] != reference[r - 1]);
                diagonal = costs_[h];
                const int dropped = diagonal + 1, added = costs_[h - 1] + 1;
                costs_[h] = std::min({changed, dropped, added});
                steps[h] = costs_[h] == changed   ? both
                           : costs_[h] == dropped ? reference_alone
                                                  : hypothesis_alone;
            }
        }
    }

    std::vector<std::uint8_t> steps_;
    std::vector<int> costs_;
};

// Places of equal things, from left to right, each given away once.
class Places {
  public:
    void fill(const Ids& ids, const std::vector<bool>& used, std::int32_t symbols) {
        begin_.assign(static_cast<std::size_t>(symbols) + 2, 0);
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!used[i]) ++begin_[static_cast<std::size_t>(ids[i]) + 2];
        for (std::size_t s = 2; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
        places_.resize(ids.size());
        next_.assign(begin_.begin() + 1, begin_.end());
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!used[i]) places_[begin_[static_cast<std::size_t>(ids[i]) + 1]++] = i;
    }

    // The first place that is left, or none.
    bool take(std::int32_t id, std::size_t& place) {
        const auto s = static_cast<std::size_t>(id);
        if (next_[s] == begin_[s + 1]) return false;
        place = places_[next_[s]++];
        return true;
    }

  private:
    std::vector<std::size_t> begin_, places_, next_;
};

struct Side {
    Ids words, bases;
};

// Numbers of a vocabulary to 0, 1, 2, … within one segment.
class Renumbering {
  public:
    explicit Renumbering(std::size_t symbols) : stamps_(symbols), numbers_(symbols) {}

    void reset() {
        if (++stamp_ == 0) {
            std::fill(stamps_.begin(), stamps_.end(), 0);
            stamp_ = 1;
        }
        size_ = 0;
    }

    void add(std::span<const std::int64_t> symbols, Ids& ids) {
        ids.clear();
        for (const std::int64_t symbol : symbols) {
            const auto s = static_cast<std::size_t>(symbol);
            if (stamps_[s] != stamp_) {
                stamps_[s] = stamp_;
                numbers_[s] = size_++;
            }
            ids.push_back(numbers_[s]);
        }
    }

    std::int32_t size() const { return size_; }

  private:
    std::vector<std::uint32_t> stamps_;
    std::vector<std::int32_t> numbers_;
    std::uint32_t stamp_ = 0;
    std::int32_t size_ = 0;
};

struct SegmentClasses {
    std::string hypothesis, reference;
    std::int64_t set = 0, edits = 0;
};

class Worker {
  public:
    Worker(BasedText hypotheses, const std::vector<BasedReference>& references, Vocabulary vocabulary,
           SegmentClasses* results, double* rows)
        : hypotheses_(hypotheses),
          references_(references),
          word_numbers_(vocabulary.words),
          base_numbers_(vocabulary.bases),
          results_(results),
          rows_(rows) {}

    void operator()(std::size_t segment) {
        SegmentClasses& result = results_[segment];
        choose(segment, result);
        path_.find(hypothesis_.words, reference_.words);
        unknown(reference_, hypothesis_, reference_unknown_, reference_inflected_);
        unknown(hypothesis_, reference_, hypothesis_unknown_, hypothesis_inflected_);
        hypothesis_moved_ = misplaced(hypothesis_.words, path_.to_reference, reference_.words);
        reference_moved_ = misplaced(reference_.words, path_.to_hypothesis, hypothesis_.words);
        result.hypothesis =
            letters(hypothesis_moved_, path_.to_reference, hypothesis_unknown_, hypothesis_inflected_, 'e');
        result.reference =
            letters(reference_moved_, path_.to_hypothesis, reference_unknown_, reference_inflected_, 'm');
        reorder(hypothesis_.words, hypothesis_moved_, reference_.words, reference_moved_, result.hypothesis);
        reorder(reference_.words, reference_moved_, hypothesis_.words, hypothesis_moved_, result.reference);
        count(result, rows_ + segment * error_columns);
    }

  private:
    void count(const SegmentClasses& result, double* row) const {
        const auto number = [](const std::vector<bool>& marks) {
            return static_cast<double>(std::count(marks.begin(), marks.end(), true));
        };
        *row++ = static_cast<double>(result.reference.size());
        *row++ = static_cast<double>(result.hypothesis.size());
        *row++ = static_cast<double>(result.edits);
        *row++ = number(reference_unknown_);
        *row++ = number(hypothesis_unknown_);
        for (const bool blocks : {false, true}) {
            for (const char letter : {'i', 'r', 'm', 'e', 'l'}) {
                if (letter != 'e') *row++ = counted(result.reference, letter, blocks);
                if (letter != 'm') *row++ = counted(result.hypothesis, letter, blocks);
            }
        }
    }

    // Words with a class of errors, or runs of such words.
    static double counted(const std::string& labels, char letter, bool blocks) {
        int number = 0;
        char before = 0;
        for (const char own : labels) {
            number += own == letter && (!blocks || before != letter);
            before = own;
        }
        return number;
    }

    // The reference with the fewest edits a word, the first of equals.
    void choose(std::size_t segment, SegmentClasses& result) {
        double least = 0;
        bool any = false;
        for (std::size_t set = 0; set < references_.size(); ++set) {
            if (!references_[set].is_there[segment]) continue;
            read(segment, set);
            const std::int64_t edits =
                distance_.distance(hypothesis_.words, candidate_.words, word_numbers_.size());
            const double rate = static_cast<double>(edits) /
                                static_cast<double>(std::max<std::size_t>(1, candidate_.words.size()));
            if (any && rate >= least) continue;
            any = true;
            least = rate;
            result.edits = edits;
            result.set = static_cast<std::int64_t>(set);
        }
        if (references_.size() > 1) read(segment, static_cast<std::size_t>(result.set));
        std::swap(reference_, candidate_);
    }

    // Equal words of two texts get equal numbers.
    void read(std::size_t segment, std::size_t set) {
        const BasedText& reference = references_[set];
        const auto words = [segment](std::span<const std::int64_t> numbers, const BasedText& text) {
            const auto begin = static_cast<std::size_t>(text.begins[segment]);
            return numbers.subspan(begin, static_cast<std::size_t>(text.begins[segment + 1]) - begin);
        };
        word_numbers_.reset();
        word_numbers_.add(words(hypotheses_.words, hypotheses_), hypothesis_.words);
        word_numbers_.add(words(reference.words, reference), candidate_.words);
        base_numbers_.reset();
        base_numbers_.add(words(hypotheses_.bases, hypotheses_), hypothesis_.bases);
        base_numbers_.add(words(reference.bases, reference), candidate_.bases);
    }

    // Words of one side that the other does not have, each word there answering for one here; of these, those
    // whose base form is left over there.
    void unknown(const Side& own, const Side& other, std::vector<bool>& missing,
                 std::vector<bool>& inflected) {
        used_.assign(other.words.size(), false);
        places_.fill(other.words, used_, word_numbers_.size());
        missing.assign(own.words.size(), true);
        inflected.assign(own.words.size(), false);
        std::size_t place = 0;
        for (std::size_t i = 0; i < own.words.size(); ++i)
            if (places_.take(own.words[i], place)) {
                missing[i] = false;
                used_[place] = true;
            }
        places_.fill(other.bases, used_, base_numbers_.size());
        for (std::size_t i = 0; i < own.words.size(); ++i)
            if (missing[i] && places_.take(own.bases[i], place)) inflected[i] = true;
    }

    // Words that have no equal beside them on the path.
    static std::vector<bool> misplaced(const Ids& own, const std::vector<std::int64_t>& path,
                                       const Ids& other) {
        std::vector<bool> off(own.size());
        for (std::size_t i = 0; i < off.size(); ++i)
            off[i] = path[i] < 0 || other[static_cast<std::size_t>(path[i])] != own[i];
        return off;
    }

    static std::string letters(const std::vector<bool>& off, const std::vector<std::int64_t>& path,
                               const std::vector<bool>& missing, const std::vector<bool>& inflected,
                               char alone) {
        std::string labels(off.size(), 'x');
        for (std::size_t i = 0; i < off.size(); ++i) {
            if (inflected[i])
                labels[i] = 'i';
            else if (missing[i] && off[i])
                labels[i] = path[i] < 0 ? alone : 'l';
        }
        return labels;
    }

    // Words off the path that also stand off it on the other side, whatever they were called before.
    void reorder(const Ids& own, const std::vector<bool>& own_off, const Ids& other,
                 const std::vector<bool>& other_off, std::string& labels) {
        left_.assign(static_cast<std::size_t>(word_numbers_.size()), 0);
        for (std::size_t i = 0; i < other.size(); ++i)
            if (other_off[i]) ++left_[static_cast<std::size_t>(other[i])];
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (!own_off[i] || left_[static_cast<std::size_t>(own[i])] == 0) continue;
            --left_[static_cast<std::size_t>(own[i])];
            labels[i] = 'r';
        }
    }

    BasedText hypotheses_;
    const std::vector<BasedReference>& references_;
    Renumbering word_numbers_, base_numbers_;
    SegmentClasses* results_;
    double* rows_;
    Side hypothesis_, reference_, candidate_;
    Levenshtein distance_;
    Path path_;
    Places places_;
    std::vector<bool> used_, hypothesis_unknown_, reference_unknown_, hypothesis_inflected_,
        reference_inflected_, hypothesis_moved_, reference_moved_;
    std::vector<int> left_;
};

}  // namespace

WordClasses word_classes(BasedText hypotheses, const std::vector<BasedReference>& references,
                         Vocabulary vocabulary, unsigned threads, double* rows) {
    std::vector<SegmentClasses> segments(hypotheses.begins.size() - 1);
    for_each_segment(segments.size(), threads,
                     [&] { return Worker(hypotheses, references, vocabulary, segments.data(), rows); });
    WordClasses classes;
    for (std::size_t place = 0; place < segments.size(); ++place) {
        const SegmentClasses& own = segments[place];
        const BasedText& reference = references[static_cast<std::size_t>(own.set)];
        classes.hypothesis.insert(classes.hypothesis.end(), own.hypothesis.begin(), own.hypothesis.end());
        classes.reference.insert(classes.reference.end(), own.reference.begin(), own.reference.end());
        const auto words =
            reference.words.subspan(static_cast<std::size_t>(reference.begins[place]), own.reference.size());
        classes.reference_words.insert(classes.reference_words.end(), words.begin(), words.end());
        classes.sets.push_back(own.set);
    }
    return classes;
}

}  // namespace adjudge
