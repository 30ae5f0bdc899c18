#include "word_numbers.hpp"

#include <stdexcept>
#include <utility>

namespace adjudge {

NumberedTexts numbered(const std::vector<Lines>& texts, Tokenizer tokenizer) {
    NumberedTexts result;
    WordTable vocabulary;
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
    result.words = texts_of(vocabulary);
    return result;
}

std::vector<std::string> texts_of(const WordTable& table) {
    std::vector<std::string> texts;
    texts.reserve(table.size());
    for (std::size_t id = 0; id < table.size(); ++id)
        texts.emplace_back(table.text(static_cast<std::int32_t>(id)));
    return texts;
}

void check_numbered(NumberedView text, std::size_t words) {
    std::int64_t before = 0;
    for (const std::int64_t begin : text.begins)
        if (std::exchange(before, begin) > begin) throw std::invalid_argument("segments begin in no order");
    if (text.begins.empty() || text.begins.front() < 0 ||
        text.begins.back() != static_cast<std::int64_t>(text.ids.size()))
        throw std::invalid_argument("segments do not fit their words");
    for (const std::int64_t id : text.ids)
        if (id < 0 || id >= static_cast<std::int64_t>(words))
            throw std::invalid_argument("a word without a number");
}

std::vector<std::int64_t> partners(NumberedView own, NumberedView other, std::size_t words) {
    std::vector<std::int64_t> places(own.ids.size(), -1);
    std::vector<std::int64_t> first(words, -1);         // by word: its next place in the segment at hand
    std::vector<std::int64_t> after(other.ids.size());  // by place: the next one of the same word
    for (std::size_t segment = 0; segment + 1 < own.begins.size(); ++segment) {
        const std::int64_t begin = other.begins[segment], end = other.begins[segment + 1];
        for (std::int64_t place = end; place-- > begin;)
            after[place] = std::exchange(first[other.ids[place]], place);
        for (std::int64_t place = own.begins[segment]; place < own.begins[segment + 1]; ++place) {
            std::int64_t& next = first[own.ids[place]];
            if (next >= 0) places[place] = std::exchange(next, after[next]);
        }
        for (std::int64_t place = begin; place < end; ++place) first[other.ids[place]] = -1;
    }
    return places;
}

double diversity_factors(std::span<const std::int64_t> before, double threshold) {
    double factors = 0, share = 1;
    std::int64_t types = 0, count = 0, begin = 0;
    for (std::size_t place = 0; place < before.size(); ++place) {
        types += before[place] < begin;  // new since the stretch began
        ++count;
        share = static_cast<double>(types) / static_cast<double>(count);
        if (share <= threshold) {
            factors += 1;
            types = count = 0;
            begin = static_cast<std::int64_t>(place) + 1;
            share = 1;
        }
    }
    return count > 0 ? factors + (1 - share) / (1 - threshold) : factors;
}

}  // namespace adjudge
