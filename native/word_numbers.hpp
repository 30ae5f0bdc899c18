// Texts as numbers: every word of several texts once, for analyses that count.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

// Words to 0, 1, 2, …, kept for good.
class Vocabulary {
  public:
    std::int64_t add(std::string_view word) {
        const auto known = numbers_.find(word);
        if (known != numbers_.end()) return known->second;
        const auto number = static_cast<std::int64_t>(words_.size());
        words_.emplace_back(word);
        numbers_.emplace(word, number);
        return number;
    }

    std::vector<std::string>& words() { return words_; }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> numbers_;
    std::vector<std::string> words_;
};

struct NumberedText {
    std::vector<std::int64_t> ids, begins;  // one begin a segment and one for the end; missing ones are empty
};

struct NumberedTexts {
    std::vector<std::string> words;
    std::vector<NumberedText> texts;
};

NumberedTexts numbered(const std::vector<Lines>& texts, Tokenizer tokenizer);

}  // namespace adjudge
