// Synonyms as METEOR knows them: which synsets a word and its base form are in.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjudge {

// A suffix and what takes its place in the base form.
using Detachment = std::pair<std::string, std::string>;

class SynonymTable {
  public:
    // Two texts in pairs of lines, as METEOR's own files have them: a word and the numbers of its synsets; a
    // base form and the irregular forms it has. Where a word is listed twice, the last time counts.
    // Words with no irregular form in the list are changed by the first rule that yields a listed word; not
    // those of one or two letters or with -ss.
    // Throws std::invalid_argument for numbers that are none.
    SynonymTable(std::string_view synsets, std::string_view exceptions, std::span<const Detachment> rules);

    // Adds the synsets of each word, as it stands, and of its base forms to `result`, in no order and perhaps
    // some twice, and to `ends` where they end. They are numbered anew, from 0.
    void synsets(std::span<const std::string_view> words, std::vector<std::int32_t>& result,
                 std::vector<std::size_t>& ends) const;

    // The number that the text has for a synset.
    std::int32_t original(std::int32_t synset) const { return originals_[static_cast<std::size_t>(synset)]; }

    std::size_t size() const { return size_; }
    std::size_t synset_count() const { return originals_.size(); }

  private:
    class Builder;
    struct Slot {
        std::uint32_t hash = 0, record = 0;  // 0: free
    };
    // All that is known of a word lies in one place, behind this: its synsets, those of the base forms that
    // an irregular form has, and its text.
    struct Record {
        std::int32_t own, all;  // synsets; -1 own ones where the word is not listed
        std::uint32_t is_irregular : 1, length : 31;

        const std::int32_t* synsets() const { return reinterpret_cast<const std::int32_t*>(this + 1); }
        const char* text() const { return reinterpret_cast<const char*>(synsets() + all); }
    };

    void write(std::string_view word, Record head, std::span<const std::int32_t> synsets);
    std::size_t place(std::string_view word, std::uint64_t hash) const;
    const Record* find(std::string_view word) const;
    const Record* base_form(std::string_view word) const;

    std::vector<Slot> slots_;  // a power of two
    std::vector<std::int32_t> records_{0};
    std::vector<std::int32_t> originals_;
    std::array<std::vector<Detachment>, 256> rules_;  // by their last letter, or byte
    std::size_t size_ = 0;
};

}  // namespace adjudge
