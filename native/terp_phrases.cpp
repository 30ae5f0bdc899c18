#include "terp_phrases.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

namespace adjudge {
namespace {

constexpr std::size_t longest_phrase = 10;  // no table has longer ones, and no shift is longer

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// Spans of words are told apart by a number; two that share one only cost a look more.
std::uint64_t extend(std::uint64_t span, std::string_view word) {
    return (span ^ std::hash<std::string_view>{}(word)) * 0x9e3779b97f4a7c15u;
}

// A probability from the front of a line, with the white space behind it.
bool take_number(std::string_view& line, double& number) {
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc{} || !std::isfinite(number) || number < 0) return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    const std::size_t before = line.size();
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    return line.size() < before || line.empty();
}

template <class Each>
std::size_t first_wrong(std::string_view lines, Each each) {
    for (std::size_t number = 1; !lines.empty(); ++number) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        if (!each(trim(lines.substr(0, end)))) return number;
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return 0;
}

}  // namespace

TerpPhrases::TerpPhrases(const References& references, const TercomText& options) {
    Tokens tokens;
    std::string scratch;
    for (const Lines set : references)
        for (const Line line : set) {
            if (is_missing(line)) continue;
            tercom_tokenize(options, line, tokens, scratch);
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                std::uint64_t span = 0;
                for (std::size_t k = i; k < std::min(tokens.size(), i + longest_phrase); ++k)
                    spans_.insert(span = extend(span, tokens[k]));
            }
        }
}

void TerpPhrases::add(std::string_view reference, std::string_view hypothesis, double probability) {
    std::uint64_t span = 0;
    std::size_t words = 0;
    for_each_word(reference, [&](std::string_view word) {
        span = extend(span, word);
        ++words;
    });
    if (words == 0 || trim(hypothesis).empty() || !spans_.contains(span)) return;
    entries_.push_back({std::string(reference), std::string(hypothesis), probability});
}

std::size_t TerpPhrases::read_terp(std::string_view lines) {
    constexpr std::string_view open = "<p>", close = "</p>";
    return first_wrong(lines, [&](std::string_view line) {
        if (line.empty()) return true;
        double there = 0, back = 0;
        if (!take_number(line, there)) return false;
        const bool both = !line.starts_with(open);
        if (both && !take_number(line, back)) return false;
        std::array<std::string_view, 2> phrases;
        for (std::string_view& phrase : phrases) {
            const std::size_t end = line.find(close);
            if (!line.starts_with(open) || end == std::string_view::npos) return false;
            phrase = line.substr(open.size(), end - open.size());
            line = trim(line.substr(end + close.size()));
        }
        if (!line.empty()) return false;
        add(phrases[0], phrases[1], there);
        if (both)
            add(phrases[0], phrases[1], back);  // the same way round, whatever TERp's documentation says
        return true;
    });
}

std::size_t TerpPhrases::read_meteor(std::string_view lines) {
    int part = 0;
    double probability = 0;
    std::string_view phrase;
    const std::size_t wrong = first_wrong(lines, [&](std::string_view line) {
        switch (part++ % 3) {
            case 0:
                return take_number(line, probability) && line.empty();
            case 1:
                phrase = line;
                return !line.empty();
            default:
                if (line.empty()) return false;
                add(phrase, line, probability);
                add(line, phrase, probability);
                return true;
        }
    });
    return wrong != 0 || part % 3 == 0 ? wrong : static_cast<std::size_t>(part);
}

}  // namespace adjudge
