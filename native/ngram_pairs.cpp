#include "ngram_pairs.hpp"

#include <algorithm>

#include "utf8.hpp"
#include "word_table.hpp"

namespace adjudge {
namespace {

std::vector<Ids> word_ids(Lines texts, Tokenizer tokenizer) {
    WordTable table;
    Tokens tokens;
    std::string scratch;
    std::vector<Ids> ids(texts.size());
    for (std::size_t t = 0; t < texts.size(); ++t) {
        tokenize(tokenizer, texts[t], tokens, scratch);
        for (const std::string_view token : tokens) ids[t].push_back(table.add(token));
    }
    return ids;
}

std::vector<Ids> chrf_word_ids(Lines texts, int word_order) {
    WordTable table;
    Tokens raw, words;
    std::string scratch;
    std::vector<Ids> ids(texts.size());
    for (std::size_t t = 0; word_order > 0 && t < texts.size(); ++t) {
        chrf_words(texts[t], raw, words, scratch);
        for (const std::string_view word : words) ids[t].push_back(table.add(word));
    }
    return ids;
}

// A character is its own number.
std::vector<Ids> characters(Lines texts, bool whitespace) {
    std::vector<Ids> ids(texts.size());
    for (std::size_t t = 0; t < texts.size(); ++t)
        for (const char *at = texts[t].data(), *end = at + texts[t].size(); at < end;) {
            const CodePoint c = decode(at);
            at += c.size;
            if (whitespace || !is_space(c.value)) ids[t].push_back(static_cast<std::int32_t>(c.value));
        }
    return ids;
}

double ngrams(std::size_t length, std::size_t n) { return length > n ? static_cast<double>(length - n) : 0; }

}  // namespace

BleuPairs::BleuPairs(Lines texts, Tokenizer tokenizer, int max_order)
    : words_(word_ids(texts, tokenizer), max_order) {}

void BleuPairs::rows(std::size_t hypothesis, double* rows) const {
    const auto orders = static_cast<std::size_t>(words_.max_order());
    const std::size_t length = words_.length(hypothesis);
    words_.write(hypothesis, rows + 2, columns(), 1);
    for (std::size_t r = 0; r < size(); ++r, rows += columns()) {
        rows[0] = static_cast<double>(length);
        rows[1] = static_cast<double>(words_.length(r));
        for (std::size_t n = 0; n < orders; ++n) rows[2 + orders + n] = ngrams(length, n);
    }
}

ChrfPairs::ChrfPairs(Lines texts, int char_order, int word_order, bool whitespace)
    : characters_(characters(texts, whitespace), char_order),
      words_(chrf_word_ids(texts, word_order), word_order) {}

void ChrfPairs::rows(std::size_t hypothesis, double* rows) const {
    fill(characters_, hypothesis, rows);
    fill(words_, hypothesis, rows + 3 * characters_.max_order());
}

void ChrfPairs::fill(const SharedNgrams& ngrams_of, std::size_t hypothesis, double* rows) const {
    const auto orders = static_cast<std::size_t>(ngrams_of.max_order());
    ngrams_of.write(hypothesis, rows + 2, columns(), 3);
    for (std::size_t r = 0; r < size(); ++r, rows += columns())
        for (std::size_t n = 0; n < orders; ++n) {
            const double theirs = ngrams(ngrams_of.length(r), n);
            rows[3 * n] = theirs > 0 ? ngrams(ngrams_of.length(hypothesis), n) : 0;
            rows[3 * n + 1] = theirs;
        }
}

}  // namespace adjudge
