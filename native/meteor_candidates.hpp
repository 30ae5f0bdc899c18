// What METEOR's matchers find in one pair of texts: which words could go with which.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "meteor_words.hpp"
#include "paraphrases.hpp"

namespace adjudge {

enum MeteorMatcher : std::int32_t { exact_match, stem_match, synonym_match, paraphrase_match };
constexpr std::size_t meteor_matchers = 4;

struct MeteorMatch {
    std::int32_t reference, reference_length, hypothesis, hypothesis_length;
    std::int32_t matcher;
};

// What the matchers want to know of all words, found once for all segments.
class MeteorKnowledge {
  public:
    // Bit m of `matchers` stands for matcher m; the table may be null.
    MeteorKnowledge(const MeteorWords& words, unsigned matchers, const ParaphraseTable* paraphrases);

    unsigned matchers() const { return matchers_; }

    // What equal or similar words have in common: the stem where stems are matched, else the word itself.
    std::int32_t kin(std::int32_t word) const { return words_[static_cast<std::size_t>(word)].kin; }
    std::size_t kin_count() const { return kin_count_; }

    // Synsets of a word that another word has as well, numbered from 0; the others match nothing.
    std::span<const std::int32_t> synsets(std::int32_t word) const {
        const Word& known = words_[static_cast<std::size_t>(word)];
        return {synsets_.data() + known.synsets, synsets_.data() + (&known)[1].synsets};
    }
    std::size_t synset_count() const { return synset_count_; }

    const ParaphraseTable* paraphrases() const { return paraphrases_; }  // null where they are not matched
    std::int32_t in_table(std::int32_t word) const { return in_table_[static_cast<std::size_t>(word)]; }

  private:
    struct Word {
        std::int32_t kin;
        std::uint32_t synsets;  // where they begin
    };

    unsigned matchers_;
    const ParaphraseTable* paraphrases_;
    std::vector<Word> words_;  // and one behind the last
    std::vector<std::int32_t> synsets_;
    std::vector<std::int32_t> in_table_;
    std::size_t kin_count_, synset_count_ = 0;
};

// Collects for one pair after another in memory it keeps.
class MeteorCandidates {
  public:
    // Words of the hypothesis, as far as bits reach.
    using Bits = std::array<std::uint64_t, 2>;

    explicit MeteorCandidates(const MeteorKnowledge& known);

    // Candidates by reference position, those at one position by matcher, each matcher's by hypothesis
    // position.
    void collect(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference);

    std::size_t hypothesis_size() const { return hypothesis_.size(); }
    std::size_t reference_size() const { return reference_.size(); }
    const MeteorMatch& operator[](std::size_t candidate) const { return found_[candidate]; }

    // Those at a reference position are begin(position), …, begin(position + 1) - 1.
    std::size_t begin(std::size_t position) const { return begins_[position]; }

    // Whether the only candidate at a position is the only one for its words as well, so that it needs no
    // search.
    bool is_fixed(std::size_t position) const { return fixed_[position]; }

    // Positions with candidates that are not fixed.
    std::span<const std::int32_t> open() const { return open_; }

    // How many words of the hypothesis are wanted by several candidates; and which of them a candidate wants,
    // where bits reach.
    std::size_t contested() const { return contested_; }
    const Bits& wanted(std::size_t candidate) const { return wanted_[candidate]; }

    // The sum over open candidates of how far they are from the diagonal, and the most at one position.
    std::int64_t distances() const { return distances_; }
    std::size_t most_at_one_position() const { return most_at_one_position_; }

  private:
    // Chains of positions of the hypothesis that have something in common. Those of earlier segments are
    // recognised by their stamp and need no clearing.
    struct Chain {
        std::uint32_t stamp = 0;
        std::int32_t first = 0;
        std::int32_t word = 0;  // that all have, else -1
    };
    struct Link {
        std::int32_t position, next;
    };

    void index(bool kin, bool synonyms);
    void index_long();
    void add_kin(std::int32_t at, bool exact, bool stem);
    void add_kin_long(std::int32_t at, bool exact, bool stem);
    void add_synonyms(std::int32_t at);
    void find_paraphrases();
    void find_paraphrases(std::size_t begin, std::size_t end, std::size_t other_begin, std::size_t other_end);
    void add_word(std::int32_t reference, std::int32_t hypothesis, std::int32_t matcher);
    void add_phrase(const MeteorMatch& match);
    void sort_out();

    const MeteorKnowledge& known_;
    std::span<const std::int32_t> hypothesis_, reference_;
    std::uint32_t stamp_ = 0;
    std::vector<Chain> by_kin_, by_synset_;
    std::vector<std::int32_t> next_kin_;
    std::vector<Link> links_;
    std::vector<std::pair<std::int32_t, std::int32_t>> sorted_;  // kin and position, of long texts only
    std::size_t most_ = 0;  // how many of them a position may have, of synonyms how many a synset
    std::vector<std::int32_t> places_;
    ParaphraseTable::Scratch scratch_;
    std::vector<std::int32_t> table_hypothesis_, table_reference_;
    std::vector<MeteorMatch> found_phrases_, phrases_;  // as the table finds them, by reference position
    std::vector<std::size_t> phrase_begins_;
    std::vector<MeteorMatch> found_;
    std::vector<std::size_t> begins_;
    std::vector<std::int32_t> hypothesis_cover_, reference_cover_;
    std::vector<std::uint8_t> fixed_;
    std::vector<std::int32_t> open_;
    std::vector<Bits> wanted_;
    std::vector<std::int32_t> bits_;  // of the contested words
    std::size_t contested_ = 0, most_at_one_position_ = 0;
    std::int64_t distances_ = 0;
};

}  // namespace adjudge
