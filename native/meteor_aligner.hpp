// METEOR 1.5's alignment: the candidates of all matchers at once, then one beam from left to right.
#pragma once

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

// Aligns one pair after another in memory it keeps.
class MeteorAligner {
  public:
    // Bit m of `matchers` stands for matcher m; `paraphrases` may be null, else `table_words` has the table's
    // number of each word.
    MeteorAligner(const MeteorWords& words, unsigned matchers, const ParaphraseTable* paraphrases,
                  std::span<const std::int32_t> table_words)
        : words_(words), matchers_(matchers), paraphrases_(paraphrases), table_words_(table_words) {}

    // Matches by reference position; good until the next call.
    std::span<const MeteorMatch> align(std::span<const std::int32_t> hypothesis,
                                       std::span<const std::int32_t> reference);

  private:
    struct Key {
        std::int32_t position;  // in the hypothesis
        std::int32_t value;     // a word, a stem or a synset
    };
    struct Path {
        std::int64_t covered, chunks, distance;
        std::int32_t next;   // the first reference position it has not decided on
        std::int32_t end;    // where its last match ends in the hypothesis, -1 for no open chunk
        std::int32_t trail;  // its last free choice, -1 for none
        std::int32_t slot;   // which hypothesis words it has used
        std::int32_t match;  // the candidate it came by, -1 for none
    };
    struct Step {
        std::int32_t before, match;
    };

    void collect(unsigned matchers);
    void index(std::vector<Key>& keys, std::int32_t (*value)(const MeteorWords&, std::int32_t));
    void add_words(const std::vector<Key>& keys, std::int32_t (*value)(const MeteorWords&, std::int32_t),
                   std::int32_t matcher, std::size_t most);
    void add_synonyms(std::size_t most);
    void add_paraphrases();
    void arrange();
    void fix();
    void search();
    void follow(Path& path, std::int32_t at);
    void branch(Path path, std::int32_t at);
    void keep(const Path& path);
    void settle();
    std::int32_t best();
    bool used(std::int32_t slot, const MeteorMatch& match) const;

    const MeteorWords& words_;
    unsigned matchers_;
    const ParaphraseTable* paraphrases_;
    std::span<const std::int32_t> table_words_;
    ParaphraseTable::Scratch scratch_;
    std::vector<std::int32_t> table_hypothesis_, table_reference_;
    std::span<const std::int32_t> hypothesis_, reference_;
    std::vector<Key> by_word_, by_stem_, by_synset_;
    std::vector<std::int32_t> positions_;
    std::vector<MeteorMatch> found_, candidates_;
    std::vector<std::int32_t> begins_;  // of the candidates at a reference position
    std::vector<std::int32_t> hypothesis_cover_, reference_cover_;
    std::vector<std::uint8_t> fixed_;
    std::vector<Path> beam_, next_;
    std::vector<Step> trail_;
    std::vector<std::uint64_t> used_;
    std::size_t width_ = 0;  // 64-bit words a slot
    std::vector<std::int32_t> users_, free_;
    std::vector<MeteorMatch> result_;
};

}  // namespace adjudge
