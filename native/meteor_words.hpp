// The words METEOR compares, as numbers, with what is known of each: found once a distinct word, not once a
// token.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lines.hpp"

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

// Grows with every text that is read and never changes what it has; several threads may align while none
// reads.
class MeteorWords {
  public:
    struct Word {
        std::int32_t stem = 0;
        std::int32_t length = 1;  // what the word counts for: 1, or its characters
        bool function = false;
    };

    // Numbers the words of lines whose tokens have a space between them.
    MeteorSegments read(Lines lines);

    // Words that were read and not described yet, in the order in which `describe` wants to hear of them.
    std::vector<std::string> fresh() const;

    // What is known of the first fresh words: stems, synsets, whether it is a function word, what it counts.
    // Throws std::invalid_argument unless the four are equally long and there are as many fresh words.
    void describe(const std::vector<std::string>& stems,
                  const std::vector<std::vector<std::int32_t>>& synsets,
                  const std::vector<bool>& function_words, const std::vector<std::int32_t>& lengths);

    // For as long as it lives nothing is added.
    std::shared_lock<std::shared_mutex> hold() const { return std::shared_lock(lock_); }
    bool complete() const { return described_.size() == texts_.size(); }

    std::size_t size() const { return texts_.size(); }
    std::string_view text(std::int32_t word) const { return texts_[static_cast<std::size_t>(word)]; }
    const Word& operator[](std::int32_t word) const { return described_[static_cast<std::size_t>(word)]; }
    // Sorted, each once.
    std::span<const std::int32_t> synsets(std::int32_t word) const {
        const auto at = static_cast<std::size_t>(word);
        return std::span(synsets_).subspan(synset_begins_[at], synset_begins_[at + 1] - synset_begins_[at]);
    }

  private:
    mutable std::shared_mutex lock_;
    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, std::int32_t> ids_;
    std::unordered_map<std::string, std::int32_t> stem_ids_;
    std::vector<Word> described_;
    std::vector<std::int32_t> synsets_;
    std::vector<std::size_t> synset_begins_{0};
};

}  // namespace adjudge
