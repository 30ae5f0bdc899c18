// Texts as numbers of words, for models that go over a corpus many times.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lines.hpp"
#include "tokenize.hpp"
#include "word_table.hpp"

namespace adjudge {

// The words of all lines one behind the other, and how many each line has.
struct IdText {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> sizes;
};

// Words to 0, 1, 2, … in the order in which they were first seen.
class WordIds {
  public:
    // New words are added.
    IdText add(Lines lines, Tokenizer tokenizer) {
        return read(lines, tokenizer, [this](std::string_view word) { return table_.add(word); });
    }
    // Words that are whole lines.
    void extend(Lines words) {
        for (const Line word : words) table_.add(word);
    }
    // Words that were never added are −1.
    IdText find(Lines lines, Tokenizer tokenizer) const {
        return read(lines, tokenizer, [this](std::string_view word) { return table_.find(word); });
    }

    std::size_t size() const { return table_.size(); }
    std::string_view text(std::int32_t id) const { return table_.text(id); }

  private:
    template <class Number>
    static IdText read(Lines lines, Tokenizer tokenizer, Number number) {
        IdText text;
        text.sizes.reserve(lines.size());
        Tokens tokens;
        std::string scratch;
        for (const Line line : lines) {
            tokenize(tokenizer, line, tokens, scratch);
            for (const std::string_view token : tokens) text.ids.push_back(number(token));
            text.sizes.push_back(static_cast<std::int64_t>(tokens.size()));
        }
        return text;
    }

    WordTable table_;
};

}  // namespace adjudge
