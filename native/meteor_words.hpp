// The words METEOR compares, as numbers, with what is known of each: found once a distinct word, not once a
// token.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lines.hpp"
#include "meteor_synonyms.hpp"
#include "stems.hpp"
#include "word_table.hpp"

namespace adjudge {

// Segments as word numbers, one after the other.
class MeteorSegments {
  public:
    std::size_t size() const { return begins_.size() - 1; }
    bool is_missing(std::size_t segment) const { return missing_[segment]; }
    std::span<const std::int32_t> operator[](std::size_t segment) const {
        return std::span(ids_).subspan(begins_[segment], begins_[segment + 1] - begins_[segment]);
    }

  private:
    friend class MeteorWords;
    std::vector<std::int32_t> ids_;
    std::vector<std::size_t> begins_{0};
    std::vector<bool> missing_;
};

// What is known of words before any text is read.
struct MeteorLexicon {
    Stem stem = nullptr;                     // null: a word is its own stem
    const SynonymTable* synonyms = nullptr;  // null: there are none
    WordTable function_words;                // in lower case
    bool characters = false;  // a word counts as many as it has characters, as Java counts them
};

// Grows with every text that is read and never changes what it has; several threads may align while none
// reads.
class MeteorWords {
  public:
    explicit MeteorWords(const MeteorLexicon& lexicon);

    struct Word {
        std::int32_t stem = 0;
        std::int32_t length = 1;  // what the word counts for: 1, or its characters
        bool function = false;
    };

    // Numbers the words of lines whose tokens have a space between them.
    MeteorSegments read(Lines lines);

    // Words that were read and not looked up yet, and those of them that are not ASCII.
    std::vector<std::string> fresh() const;
    std::vector<std::string> fresh_beyond_ascii() const;

    // Finds out about the fresh words. `lowered` has those beyond ASCII in lower case; `stems`, unless it is
    // empty, the stems of all. Throws std::invalid_argument where they do not fit the fresh words.
    void look_up(std::span<const std::string> lowered, std::span<const std::string> stems);

    // For as long as it lives nothing is added.
    std::shared_lock<std::shared_mutex> hold() const { return std::shared_lock(lock_); }
    bool complete() const { return known_.size() == words_.size(); }

    std::size_t size() const { return words_.size(); }
    std::size_t stems() const { return stems_.size(); }
    std::string_view text(std::int32_t word) const { return words_.text(word); }
    const Word& operator[](std::int32_t word) const { return known_[static_cast<std::size_t>(word)]; }

    // Numbered as in the lexicon's table; a word has each once.
    std::span<const std::int32_t> synsets(std::int32_t word) const {
        const auto at = static_cast<std::size_t>(word);
        return std::span(synsets_).subspan(synset_begins_[at], synset_begins_[at + 1] - synset_begins_[at]);
    }
    std::size_t synset_count() const { return owners_.size(); }
    // Whether more than one word has a synset.
    bool is_shared(std::int32_t synset) const { return owners_[static_cast<std::size_t>(synset)] == shared; }

  private:
    static constexpr std::int32_t nobody = -1, shared = -2;

    void add_synsets(std::int32_t word, std::span<const std::int32_t> synsets);

    const MeteorLexicon& lexicon_;
    mutable std::shared_mutex lock_;
    WordTable words_, stems_;
    std::vector<Word> known_;
    std::vector<std::int32_t> owners_;  // of each synset: the one word that has it
    std::vector<std::int32_t> synsets_;
    std::vector<std::size_t> synset_begins_{0};
};

}  // namespace adjudge
