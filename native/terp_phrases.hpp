// Tables of phrases that may stand for each other, as TERp and METEOR write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lines.hpp"
#include "tercom_text.hpp"

namespace adjudge {

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Words between white space.
template <class Each>
void for_each_word(std::string_view text, Each each) {
    for (std::size_t i = 0; i < text.size();) {
        while (i < text.size() && is_blank(text[i])) ++i;
        const std::size_t start = i;
        while (i < text.size() && !is_blank(text[i])) ++i;
        if (i > start) each(text.substr(start, i - start));
    }
}

// Phrase pairs from a table, those left whose first phrase is in one of the references.
class TerpPhrases {
  public:
    TerpPhrases(const References& references, const TercomText& options);

    void add(std::string_view reference, std::string_view hypothesis, double probability);
    // Whole lines of TERp's format: PROBABILITY [PROBABILITY] <p>PHRASE</p> <p>PHRASE</p>; the cheaper
    // counts. Returns the number of the first line that is not of that form, from 1; 0 if all are.
    std::size_t read_terp(std::string_view lines);
    // Whole entries of METEOR's: probability, phrase and paraphrase on lines of their own; both ways.
    std::size_t read_meteor(std::string_view lines);

    struct Entry {
        std::string reference, hypothesis;
        double probability;
    };
    const std::vector<Entry>& entries() const { return entries_; }

  private:
    std::unordered_set<std::uint64_t> spans_;  // of words in the references
    std::vector<Entry> entries_;
};

}  // namespace adjudge
