#include "terp.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "parallel.hpp"

namespace adjudge {
namespace {

constexpr std::size_t longest =
    2048;  // words: time and tables grow with their square, and shifts come on top

using Numbers = TerpTexts::Numbers;

// The phrases of a table with the costs they have here, by the numbers of their words.
class PhraseIndex {
  public:
    struct Phrase {
        Numbers words;
        double cost;
    };

    const std::vector<Phrase>* find(const Numbers& reference) const {
        const auto found = phrases_.find(reference);
        return found == phrases_.end() ? nullptr : &found->second;
    }
    void add(const Numbers& reference, Phrase phrase) {
        auto& here = phrases_[reference];
        const auto same =
            std::find_if(here.begin(), here.end(), [&](const Phrase& p) { return p.words == phrase.words; });
        if (same == here.end())
            here.push_back(std::move(phrase));
        else
            same->cost = std::min(same->cost, phrase.cost);
        longest_ = std::max(longest_, reference.size());
    }
    std::size_t longest() const { return longest_; }
    bool empty() const { return phrases_.empty(); }

  private:
    std::map<Numbers, std::vector<Phrase>> phrases_;
    std::size_t longest_ = 0;
};

// How the words of a hypothesis go with those of a reference.
class PairMaker {
  public:
    PairMaker(const TerpWords& words, const TerpCosts& costs, const TerpLimits& limits,
              const PhraseIndex* phrases, std::size_t vocabulary)
        : words_(words), costs_(costs), limits_(limits), phrases_(phrases), local_(vocabulary, -1) {}

    const TerpPair& make(const Numbers& hypothesis, const Numbers& reference) {
        different_.clear();
        pair_.hypothesis.clear();
        for (const std::int32_t w : hypothesis) {
            std::int32_t& local = local_[static_cast<std::size_t>(w)];
            if (local < 0) {
                local = static_cast<std::int32_t>(different_.size());
                different_.push_back(w);
            }
            pair_.hypothesis.push_back(local);
        }
        pair_.hypothesis_words = different_.size();
        pair_.reference = reference.size();
        pair_.kinds.resize(different_.size() * reference.size());
        pair_.alike.resize(pair_.kinds.size());
        std::size_t place = 0;
        for (const std::int32_t h : different_)
            for (const std::int32_t r : reference) relate(h, r, place++);
        const auto common = [&](std::int32_t w) { return words_.common[static_cast<std::size_t>(w)]; };
        pair_.common.clear();
        for (const std::int32_t w : different_) pair_.common.push_back(common(w));
        pair_.reference_common.clear();
        for (const std::int32_t w : reference) pair_.reference_common.push_back(common(w));
        find_phrases(reference);
        for (const std::int32_t w : different_) local_[static_cast<std::size_t>(w)] = -1;
        return pair_;
    }

  private:
    bool same_stem(std::int32_t a, std::int32_t b) const {
        const std::int32_t stem = words_.stems[static_cast<std::size_t>(a)];
        return stem >= 0 && stem == words_.stems[static_cast<std::size_t>(b)];
    }

    bool synonymous(std::int32_t a, std::int32_t b) const {
        const auto bounds = [&](std::int32_t w) {
            const auto* starts = &words_.synset_starts[static_cast<std::size_t>(w)];
            return std::pair(words_.synsets.begin() + starts[0], words_.synsets.begin() + starts[1]);
        };
        auto [i, i_end] = bounds(a);
        auto [j, j_end] = bounds(b);
        while (i != i_end && j != j_end) {
            if (*i == *j) return true;
            if (*i < *j)
                ++i;
            else
                ++j;
        }
        return false;
    }

    // Of equally cheap kinds the first of substitution, stem and synonym counts.
    void relate(std::int32_t h, std::int32_t r, std::size_t place) {
        if (h == r) {
            pair_.kinds[place] = TerpEdit::match;
            pair_.alike[place] = 1;
            return;
        }
        const bool stem = same_stem(h, r), synonym = synonymous(h, r);
        TerpEdit kind = TerpEdit::substitution;
        double price = costs_.substitution;
        if (stem && costs_.stem < price) {
            kind = TerpEdit::stem;
            price = costs_.stem;
        }
        if (synonym && costs_.synonym < price) kind = TerpEdit::synonym;
        pair_.kinds[place] = kind;
        pair_.alike[place] = limits_.shifts != TerpShifts::exact && (stem || synonym);
    }

    void find_phrases(const Numbers& reference) {
        pair_.phrases.clear();
        if (phrases_ == nullptr || phrases_->empty()) return;
        bool any = false;
        pair_.phrases.resize(reference.size());
        for (std::size_t r = 0; r < reference.size(); ++r) {
            span_.clear();
            for (std::size_t k = r; k < std::min(reference.size(), r + phrases_->longest()); ++k) {
                span_.push_back(reference[k]);
                const auto* found = phrases_->find(span_);
                if (found == nullptr) continue;
                for (const auto& phrase : *found) {
                    TerpPhrase here{{}, static_cast<int>(span_.size()), phrase.cost};
                    for (const std::int32_t w : phrase.words)
                        here.words.push_back(local_[static_cast<std::size_t>(w)]);
                    if (std::find(here.words.begin(), here.words.end(), -1) != here.words.end()) continue;
                    pair_.phrases[r].push_back(std::move(here));
                    any = true;
                }
            }
        }
        if (!any) pair_.phrases.clear();
    }

    const TerpWords& words_;
    TerpCosts costs_;
    TerpLimits limits_;
    const PhraseIndex* phrases_;
    std::vector<std::int32_t> local_;  // numbers within the pair, −1 for words the hypothesis has not
    Numbers different_, span_;
    TerpPair pair_;
};

PhraseIndex index_phrases(const TerpTexts& texts, const TerpWords& words, const TerpPhrases& phrases,
                          const TerpCosts& costs, const TerpLimits& limits, const TerpPhraseCosts& prices) {
    PhraseIndex index;
    PairMaker pairs(words, costs, limits, nullptr, texts.words().size());
    TerpSearch search(costs, limits);
    const auto numbers = [&](std::string_view phrase) {
        Numbers result;
        for_each_word(phrase, [&](std::string_view word) { result.push_back(texts.find(word)); });
        return result;
    };
    const auto known = [](const Numbers& phrase) {
        return std::find(phrase.begin(), phrase.end(), -1) == phrase.end();
    };
    for (const TerpPhrases::Entry& entry : phrases.entries()) {
        const Numbers reference = numbers(entry.reference), hypothesis = numbers(entry.hypothesis);
        if (!known(reference) || !known(hypothesis) || reference == hypothesis) continue;
        const double edits = search.run(pairs.make(hypothesis, reference));
        const double p = entry.probability;
        const double log10 = std::log(p) / std::log(10.0);  // as TERp has it, to the last digit
        const double cost =
            prices.constant + prices.log * log10 * edits + prices.linear * p * edits + prices.edits * edits;
        if (std::isfinite(cost)) index.add(reference, {hypothesis, std::max(0.0, cost)});
    }
    return index;
}

// One hypothesis against each of its references; `best` is called for the first that costs least.
class Worker {
  public:
    Worker(const TerpTexts& texts, const TerpWords& words, const PhraseIndex* phrases, const TerpCosts& costs,
           const TerpLimits& limits)
        : texts_(texts),
          pairs_(words, costs, limits, phrases, texts.words().size()),
          search_(costs, limits) {}

    // Returns the mean length of the references.
    template <class Best>
    double run(std::size_t segment, Best best) {
        const Numbers& hypothesis = texts_.hypothesis(segment);
        double least = 0, words = 0;
        int count = 0;
        for (const TerpTexts::Reference& reference : texts_.references(segment)) {
            if (reference.missing) continue;
            if (const std::size_t longer = std::max(hypothesis.size(), reference.words.size());
                longer > longest)
                throw std::invalid_argument("segment " + std::to_string(segment + 1) + " has " +
                                            std::to_string(longer) +
                                            " words, too many for TERp's search (at most " +
                                            std::to_string(longest) + "); split it, or use ter");
            const double cost = search_.run(pairs_.make(hypothesis, reference.words));
            words += static_cast<double>(reference.words.size());
            if (count++ == 0 || cost < least) {
                least = cost;
                best(cost, reference.words, search_);
            }
        }
        return words / count;
    }

  private:
    const TerpTexts& texts_;
    PairMaker pairs_;
    TerpSearch search_;
};

}  // namespace

TerpTexts::TerpTexts(Lines hypotheses, const References& references, const TercomText& options) {
    Tokens tokens;
    std::string scratch;
    hypotheses_.reserve(hypotheses.size());
    references_.resize(hypotheses.size());
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        tercom_tokenize(options, hypotheses[i], tokens, scratch);
        hypotheses_.push_back(number(tokens));
        for (const Lines set : references) {
            const bool missing = is_missing(set[i]);
            tokens.clear();
            if (!missing) tercom_tokenize(options, set[i], tokens, scratch);
            references_[i].push_back({missing, number(tokens)});
        }
    }
}

TerpTexts::Numbers TerpTexts::number(const Tokens& tokens) {
    Numbers result;
    result.reserve(tokens.size());
    for (const std::string_view token : tokens) {
        auto found = numbers_.find(token);
        if (found == numbers_.end()) {
            found = numbers_.emplace(token, static_cast<std::int32_t>(words_.size())).first;
            words_.emplace_back(token);
        }
        result.push_back(found->second);
    }
    return result;
}

std::int32_t TerpTexts::find(std::string_view word) const {
    const auto found = numbers_.find(word);
    return found == numbers_.end() ? -1 : found->second;
}

void terp_rows(const TerpTexts& texts, const TerpWords& words, const TerpPhrases* phrases,
               const TerpCosts& costs, const TerpLimits& limits, const TerpPhraseCosts& phrase_costs,
               unsigned threads, double* rows) {
    PhraseIndex index;
    if (phrases != nullptr) index = index_phrases(texts, words, *phrases, costs, limits, phrase_costs);
    constexpr std::array kinds{TerpEdit::insertion, TerpEdit::deletion, TerpEdit::substitution,
                               TerpEdit::stem,      TerpEdit::synonym,  TerpEdit::phrase};
    for_each_block<8>(texts.size(), threads, [&] {
        return [&, worker = Worker(texts, words, &index, costs, limits)](std::size_t segment) mutable {
            double* const row = rows + 10 * segment;
            row[1] = worker.run(segment, [&](double cost, const Numbers&, const TerpSearch& search) {
                row[0] = cost;
                double* out = row + 2;
                for (const TerpEdit kind : kinds)
                    *out++ = static_cast<double>(
                        std::count_if(search.path().begin(), search.path().end(),
                                      [kind](const TerpStep& step) { return step.edit == kind; }));
                *out++ = static_cast<double>(search.shifts().size());
                *out = 0;
                for (const TerpShift& shift : search.shifts()) *out += shift.end - shift.start + 1;
            });
        };
    });
}

std::vector<TerpTrace> terp_traces(const TerpTexts& texts, const TerpWords& words, const TerpPhrases* phrases,
                                   const TerpCosts& costs, const TerpLimits& limits,
                                   const TerpPhraseCosts& phrase_costs, unsigned threads) {
    PhraseIndex index;
    if (phrases != nullptr) index = index_phrases(texts, words, *phrases, costs, limits, phrase_costs);
    std::vector<TerpTrace> traces(texts.size());
    const auto spell = [&](const Numbers& numbers) {
        std::vector<std::string> result;
        for (const std::int32_t w : numbers) result.push_back(texts.words()[static_cast<std::size_t>(w)]);
        return result;
    };
    for_each_block<8>(texts.size(), threads, [&] {
        return [&, worker = Worker(texts, words, &index, costs, limits)](std::size_t segment) mutable {
            TerpTrace& trace = traces[segment];
            trace.hypothesis = spell(texts.hypothesis(segment));
            worker.run(segment, [&](double, const Numbers& reference, const TerpSearch& search) {
                trace.reference = spell(reference);
                trace.shifts = search.shifts();
                trace.links.clear();
                const auto order = [&](int place) { return search.order()[static_cast<std::size_t>(place)]; };
                int h = 0, r = 0;
                for (const TerpStep& step : search.path()) {
                    const int end = h + step.hypothesis;
                    while (h <
                           end) {  // a phrase may have come together by shifts: a link for each piece of it
                        const int first = order(h);
                        int size = 1;
                        while (h + size < end && order(h + size) == first + size) ++size;
                        if (step.reference > 0)
                            trace.links.push_back({first, first + size, r, r + step.reference, step.edit});
                        h += size;
                    }
                    r += step.reference;
                }
            });
        };
    });
    return traces;
}

}  // namespace adjudge
