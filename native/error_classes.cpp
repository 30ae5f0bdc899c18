#include "error_classes.hpp"

#include <stdexcept>

#include "edit_pairs.hpp"
#include "intern.hpp"
#include "levenshtein.hpp"
#include "matching.hpp"
#include "parallel.hpp"
#include "tokenize.hpp"

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

class Worker {
  public:
    Worker(Lines hypotheses, const References& references, Lines hypothesis_bases,
           const References& reference_bases, WordClasses* results)
        : hypotheses_(hypotheses),
          references_(references),
          hypothesis_bases_(hypothesis_bases),
          reference_bases_(reference_bases),
          results_(results) {}

    void operator()(std::size_t segment) {
        WordClasses& result = results_[segment];
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
        result.reference_unknown = std::count(reference_unknown_.begin(), reference_unknown_.end(), true);
        result.hypothesis_unknown = std::count(hypothesis_unknown_.begin(), hypothesis_unknown_.end(), true);
    }

  private:
    // The reference with the fewest edits a word, the first of equals.
    void choose(std::size_t segment, WordClasses& result) {
        double least = 0;
        bool any = false;
        for (std::size_t set = 0; set < references_.size(); ++set) {
            if (is_missing(references_[set][segment])) continue;
            read(segment, set);
            const std::int64_t edits = distance_.distance(hypothesis_.words, candidate_.words, words_);
            const double rate = static_cast<double>(edits) /
                                static_cast<double>(std::max<std::size_t>(1, candidate_.words.size()));
            if (any && rate >= least) continue;
            any = true;
            least = rate;
            result.edits = edits;
            result.set = static_cast<std::int64_t>(set);
        }
        read(segment, static_cast<std::size_t>(result.set));
        std::swap(reference_, candidate_);
    }

    void read(std::size_t segment, std::size_t set) {
        number(hypotheses_[segment], references_[set][segment], word_table_, hypothesis_.words,
               candidate_.words);
        number(hypothesis_bases_[segment], reference_bases_[set][segment], base_table_, hypothesis_.bases,
               candidate_.bases);
        if (hypothesis_.words.size() != hypothesis_.bases.size() ||
            candidate_.words.size() != candidate_.bases.size())
            throw std::invalid_argument("segment " + std::to_string(segment + 1) +
                                        " has another number of base forms than of words");
        words_ = static_cast<std::int32_t>(word_table_.size());
        bases_ = static_cast<std::int32_t>(base_table_.size());
    }

    // Equal words of two texts get equal numbers.
    void number(Line hypothesis, Line reference, TokenTable& table, Ids& ours, Ids& theirs) {
        split(hypothesis, tokens_);
        split(reference, other_tokens_);
        table.reset(tokens_.size() + other_tokens_.size());
        ours.clear();
        theirs.clear();
        for (const std::string_view token : tokens_) ours.push_back(table.add(token));
        for (const std::string_view token : other_tokens_) theirs.push_back(table.add(token));
    }

    static void split(Line line, Tokens& tokens) {
        tokens.clear();
        for (std::size_t begin = 0; begin < line.size();) {
            if (line[begin] == ' ') {
                ++begin;
                continue;
            }
            const std::size_t end = std::min(line.find(' ', begin), line.size());
            tokens.push_back(line.substr(begin, end - begin));
            begin = end;
        }
    }

    // Words of one side that the other does not have, each word there answering for one here; of these, those
    // whose base form is left over there.
    void unknown(const Side& own, const Side& other, std::vector<bool>& missing,
                 std::vector<bool>& inflected) {
        used_.assign(other.words.size(), false);
        places_.fill(other.words, used_, words_);
        missing.assign(own.words.size(), true);
        inflected.assign(own.words.size(), false);
        std::size_t place = 0;
        for (std::size_t i = 0; i < own.words.size(); ++i)
            if (places_.take(own.words[i], place)) {
                missing[i] = false;
                used_[place] = true;
            }
        places_.fill(other.bases, used_, bases_);
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
        left_.assign(static_cast<std::size_t>(words_), 0);
        for (std::size_t i = 0; i < other.size(); ++i)
            if (other_off[i]) ++left_[static_cast<std::size_t>(other[i])];
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (!own_off[i] || left_[static_cast<std::size_t>(own[i])] == 0) continue;
            --left_[static_cast<std::size_t>(own[i])];
            labels[i] = 'r';
        }
    }

    Lines hypotheses_;
    const References& references_;
    Lines hypothesis_bases_;
    const References& reference_bases_;
    WordClasses* results_;
    Side hypothesis_, reference_, candidate_;
    TokenTable word_table_, base_table_;
    Tokens tokens_, other_tokens_;
    std::int32_t words_ = 0, bases_ = 0;
    Levenshtein distance_;
    Path path_;
    Places places_;
    std::vector<bool> used_, hypothesis_unknown_, reference_unknown_, hypothesis_inflected_,
        reference_inflected_, hypothesis_moved_, reference_moved_;
    std::vector<int> left_;
};

}  // namespace

std::vector<WordClasses> word_classes(Lines hypotheses, const References& references, Lines hypothesis_bases,
                                      const References& reference_bases, unsigned threads) {
    std::vector<WordClasses> results(hypotheses.size());
    for_each_segment(hypotheses.size(), threads, [&] {
        return Worker(hypotheses, references, hypothesis_bases, reference_bases, results.data());
    });
    return results;
}

}  // namespace adjudge
