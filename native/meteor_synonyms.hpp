// Synonyms as METEOR knows them: which synsets a word and its base form are in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "word_table.hpp"

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
    SynonymTable(std::string_view synsets, std::string_view exceptions, std::vector<Detachment> rules);

    // The synsets of a word, as it stands, and of its base forms are put into `result`, in no order, perhaps
    // some twice; they are numbered anew, from 0.
    void synsets(std::string_view word, std::vector<std::int32_t>& result) const;

    // The number that the text has for a synset.
    std::int32_t original(std::int32_t synset) const { return originals_[static_cast<std::size_t>(synset)]; }

    std::size_t size() const { return words_.size(); }
    std::size_t synset_count() const { return originals_.size(); }

  private:
    struct Range {
        std::uint32_t begin = 0, end = 0;
    };

    void add_listed(std::int32_t word, std::vector<std::int32_t>& result) const;
    std::int32_t base_form(std::string_view word) const;

    std::vector<Detachment> rules_;
    WordTable words_, forms_;
    std::vector<Range> listed_;  // in synsets_, for each word
    std::vector<std::int32_t> synsets_, originals_;
    std::vector<Range> base_ranges_;  // in bases_, for each irregular form
    std::vector<std::int32_t> bases_;
};

}  // namespace adjudge
