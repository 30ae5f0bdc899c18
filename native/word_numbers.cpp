#include "word_numbers.hpp"

namespace adjudge {

NumberedTexts numbered(const std::vector<Lines>& texts, Tokenizer tokenizer) {
    NumberedTexts result;
    Vocabulary vocabulary;
    Tokens tokens;
    std::string scratch;
    for (const Lines lines : texts) {
        NumberedText& text = result.texts.emplace_back();
        text.begins.push_back(0);
        for (const Line line : lines) {
            if (!is_missing(line)) {
                tokenize(tokenizer, line, tokens, scratch);
                for (const std::string_view token : tokens) text.ids.push_back(vocabulary.add(token));
            }
            text.begins.push_back(static_cast<std::int64_t>(text.ids.size()));
        }
    }
    result.words = std::move(vocabulary.words());
    return result;
}

}  // namespace adjudge
