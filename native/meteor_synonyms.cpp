#include "meteor_synonyms.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <unordered_map>

namespace adjudge {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The next line and what is left.
std::string_view next_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

template <class Each>
void for_each_pair(std::string_view text, Each each) {
    while (!text.empty()) {
        const std::string_view first = next_line(text);
        each(first, next_line(text));
    }
}

template <class Each>
void for_each_word(std::string_view line, Each each) {
    for (std::size_t at = 0; at < line.size();) {
        if (is_space(line[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < line.size() && !is_space(line[end])) ++end;
        each(line.substr(at, end - at));
        at = end;
    }
}

}  // namespace

SynonymTable::SynonymTable(std::string_view synsets, std::string_view exceptions,
                           std::vector<Detachment> rules)
    : rules_(std::move(rules)) {
    std::unordered_map<std::int32_t, std::int32_t> renumbered;
    for_each_pair(synsets, [&](std::string_view word, std::string_view numbers) {
        const auto id = static_cast<std::size_t>(words_.add(word));
        listed_.resize(words_.size());
        listed_[id].begin = static_cast<std::uint32_t>(synsets_.size());
        for_each_word(numbers, [&](std::string_view number) {
            std::int32_t synset = -1;
            const auto [end, error] = std::from_chars(number.begin(), number.end(), synset);
            if (error != std::errc{} || end != number.end() || synset < 0)
                throw std::invalid_argument(std::string(number) + " is no number of a synset");
            const auto next = static_cast<std::int32_t>(originals_.size());
            const auto [known, is_new] = renumbered.try_emplace(synset, next);
            if (is_new) originals_.push_back(synset);
            synsets_.push_back(known->second);
        });
        listed_[id].end = static_cast<std::uint32_t>(synsets_.size());
    });
    std::unordered_map<std::string_view, std::string_view> forms_of;
    std::vector<std::string_view> order;
    for_each_pair(exceptions, [&](std::string_view base, std::string_view forms) {
        if (!forms_of.contains(base)) order.push_back(base);
        forms_of[base] = forms;
    });
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;  // form and base
    for (const std::string_view base : order)
        for_each_word(forms_of[base], [&](std::string_view form) {
            pairs.emplace_back(forms_.add(form), words_.find(base));
        });
    std::sort(pairs.begin(), pairs.end());
    base_ranges_.resize(forms_.size());
    for (const auto& [form, base] : pairs) {
        Range& range = base_ranges_[static_cast<std::size_t>(form)];
        if (range.end == 0) range.begin = static_cast<std::uint32_t>(bases_.size());
        bases_.push_back(base);
        range.end = static_cast<std::uint32_t>(bases_.size());
    }
}

void SynonymTable::synsets(std::string_view word, std::vector<std::int32_t>& result) const {
    add_listed(words_.find(word), result);
    if (const std::int32_t form = forms_.find(word); form != WordTable::absent) {
        const Range range = base_ranges_[static_cast<std::size_t>(form)];
        for (std::uint32_t i = range.begin; i < range.end; ++i) add_listed(bases_[i], result);
    } else {
        add_listed(base_form(word), result);
    }
}

void SynonymTable::add_listed(std::int32_t word, std::vector<std::int32_t>& result) const {
    if (word == WordTable::absent) return;
    const Range range = listed_[static_cast<std::size_t>(word)];
    result.insert(result.end(), synsets_.begin() + range.begin, synsets_.begin() + range.end);
}

std::int32_t SynonymTable::base_form(std::string_view word) const {
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    const auto letters =
        static_cast<std::ptrdiff_t>(word.size()) - std::count_if(word.begin(), word.end(), continues);
    if (letters <= 2 || word.ends_with("ss")) return WordTable::absent;
    std::string base;
    for (const auto& [suffix, ending] : rules_) {
        if (!word.ends_with(suffix)) continue;
        base.assign(word, 0, word.size() - suffix.size()).append(ending);
        if (const std::int32_t found = words_.find(base); found != WordTable::absent) return found;
    }
    return WordTable::absent;
}

}  // namespace adjudge
