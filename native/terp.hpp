// Rows of TERp: words that go together by stem, synonym or phrase, and edits of different cost.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lines.hpp"
#include "tercom_text.hpp"
#include "terp_phrases.hpp"
#include "terp_search.hpp"

namespace adjudge {

// Hypotheses and references in words, each different word numbered once.
class TerpTexts {
  public:
    TerpTexts(Lines hypotheses, const References& references, const TercomText& options);

    using Numbers = std::vector<std::int32_t>;
    struct Reference {
        bool missing;
        Numbers words;
    };

    std::size_t size() const { return hypotheses_.size(); }
    const Numbers& hypothesis(std::size_t segment) const { return hypotheses_[segment]; }
    const std::vector<Reference>& references(std::size_t segment) const { return references_[segment]; }
    const std::vector<std::string>& words() const { return words_; }
    std::int32_t find(std::string_view word) const;  // −1 where it is not among them

  private:
    Numbers number(const Tokens& tokens);

    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> numbers_;
    std::vector<std::string> words_;
    std::vector<Numbers> hypotheses_;
    std::vector<std::vector<Reference>> references_;
};

// What is known of each word of the texts.
struct TerpWords {
    std::vector<std::int32_t> stems;                   // equal where the stems are; −1 = none
    std::vector<std::int32_t> synset_starts, synsets;  // sorted for each word
    std::vector<std::uint8_t> common;                  // words that are not shifted alone

    TerpWords(std::vector<std::int32_t> stems_, std::vector<std::int32_t> starts,
              std::vector<std::int32_t> synsets_, std::vector<std::uint8_t> common_)
        : stems(std::move(stems_)),
          synset_starts(std::move(starts)),
          synsets(std::move(synsets_)),
          common(std::move(common_)) {}
};

// The cost of a phrase pair: constant + (log · log10 p + linear · p + edits) · TERp between the two phrases.
struct TerpPhraseCosts {
    double constant, log, linear, edits;
};

// `rows` has 10 columns: cost, reference words (their mean), insertions, deletions, substitutions, stems,
// synonyms, phrases, shifts, shifted words, all but the second of the first reference that costs least.
void terp_rows(const TerpTexts& texts, const TerpWords& words, const TerpPhrases* phrases,
               const TerpCosts& costs, const TerpLimits& limits, const TerpPhraseCosts& phrase_costs,
               unsigned threads, double* rows);

struct TerpLink {
    int hypothesis, hypothesis_end, reference, reference_end;
    TerpEdit kind;
};

// The edits themselves, against that reference; hypothesis words by their first places.
struct TerpTrace {
    std::vector<std::string> hypothesis, reference;
    std::vector<TerpLink> links;
    std::vector<TerpShift> shifts;
};

std::vector<TerpTrace> terp_traces(const TerpTexts& texts, const TerpWords& words, const TerpPhrases* phrases,
                                   const TerpCosts& costs, const TerpLimits& limits,
                                   const TerpPhraseCosts& phrase_costs, unsigned threads);

}  // namespace adjudge
