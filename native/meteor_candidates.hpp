// What METEOR's matchers find in one pair of texts: which words could go with which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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
struct MeteorKnowledge {
    // Bit m of `matchers` stands for matcher m; the table may be null.
    MeteorKnowledge(const MeteorWords& words, unsigned matchers, const ParaphraseTable* paraphrases);

    // Synsets of a word that another word has as well; the others match nothing.
    std::span<const std::int32_t> synsets_of(std::int32_t word) const {
        const auto at = static_cast<std::size_t>(word);
        return std::span(synsets).subspan(synset_begins[at], synset_begins[at + 1] - synset_begins[at]);
    }

    const MeteorWords& words;
    unsigned matchers;
    const ParaphraseTable* paraphrases;
    std::vector<std::int32_t> table_words;  // the paraphrase table's numbers of the words
    std::size_t synset_count = 0;
    std::vector<std::size_t> synset_begins;
    std::vector<std::int32_t> synsets;
};

// Collects for one pair after another in memory it keeps.
class MeteorCandidates {
  public:
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

    // The words of the hypothesis that a candidate shares with another as a set of bits, if at most 64 words
    // are shared at all.
    bool few_are_contested() const { return contested_count_ <= 64; }
    std::uint64_t contested(std::size_t candidate) const { return contested_[candidate]; }

    // The sum over open candidates of how far they are from the diagonal, and the most at one position.
    std::int64_t distances() const { return distances_; }
    std::size_t most_at_one_position() const { return most_at_one_position_; }

  private:
    // Positions of the hypothesis by some number: of a word, a stem or a synset.
    class Places {
      public:
        void resize(std::size_t numbers) { slots_.resize(numbers); }
        void clear() {
            entries_.clear();
            if (++stamp_ == 0) {
                for (Slot& slot : slots_) slot.stamp = 0;
                stamp_ = 1;
            }
        }
        // Positions must come in their order.
        void add(std::int32_t number, std::int32_t position) {
            Slot& slot = slots_[static_cast<std::size_t>(number)];
            if (slot.stamp != stamp_) slot = {stamp_, 0, 0};
            ++slot.size;
            entries_.push_back({number, position});
        }
        void finish();
        std::span<const std::int32_t> operator[](std::int32_t number) const {
            const Slot& slot = slots_[static_cast<std::size_t>(number)];
            if (slot.stamp != stamp_) return {};
            return std::span(positions_).subspan(slot.end - slot.size, slot.size);
        }

      private:
        struct Slot {
            std::uint32_t stamp = 0, size = 0, end = 0;
        };
        struct Entry {
            std::int32_t number, position;
        };
        std::uint32_t stamp_ = 0;
        std::vector<Slot> slots_;
        std::vector<Entry> entries_;
        std::vector<std::int32_t> positions_;
    };

    std::size_t index(unsigned matchers);
    void add_words(std::int32_t at, std::span<const std::int32_t> places, std::int32_t matcher,
                   std::size_t most);
    void add_synonyms(std::int32_t at, std::size_t most);
    void find_paraphrases();
    void add(const MeteorMatch& match);
    void sort_out();

    const MeteorKnowledge& known_;
    std::span<const std::int32_t> hypothesis_, reference_;
    Places by_word_, by_stem_, by_synset_;
    std::vector<std::int32_t> positions_;
    ParaphraseTable::Scratch scratch_;
    std::vector<std::int32_t> table_hypothesis_, table_reference_;
    std::vector<MeteorMatch> phrases_;        // by reference position
    std::vector<MeteorMatch> found_phrases_;  // as the table finds them
    std::vector<MeteorMatch> found_;
    std::vector<std::size_t> begins_, phrase_begins_;
    std::vector<std::int32_t> hypothesis_cover_, reference_cover_;
    std::vector<std::uint8_t> fixed_;
    std::vector<std::int32_t> open_;
    std::vector<std::uint64_t> contested_;
    std::vector<std::int32_t> bits_;  // of the contested words
    std::size_t contested_count_ = 0, most_at_one_position_ = 0;
    std::int64_t distances_ = 0;
};

}  // namespace adjudge
