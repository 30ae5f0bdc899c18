#include "meteor_words.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

namespace adjudge {
namespace {

bool is_ascii(std::string_view word) {
    return std::all_of(word.begin(), word.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
}

bool has_capitals(std::string_view ascii) {
    return std::any_of(ascii.begin(), ascii.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string_view lower(std::string_view ascii, std::string& result) {
    result.resize(ascii.size());
    std::transform(ascii.begin(), ascii.end(), result.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c); });
    return result;
}

// Characters as Java counts them: those beyond 16 bits, which have four bytes here, are two.
std::int32_t java_length(std::string_view word) {
    std::int32_t length = 0;
    for (const char c : word) {
        const auto byte = static_cast<unsigned char>(c);
        length += (byte & 0xc0) != 0x80;
        length += byte >= 0xf0;
    }
    return length;
}

}  // namespace

MeteorWords::MeteorWords(const MeteorLexicon& lexicon) : lexicon_(lexicon) {
    if (lexicon.synonyms) owners_.assign(lexicon.synonyms->synset_count(), nobody);
}

MeteorSegments MeteorWords::read(Lines lines) {
    const std::unique_lock guard(lock_);
    MeteorSegments segments;
    segments.begins_.reserve(lines.size() + 1);
    segments.missing_.reserve(lines.size());
    for (const Line line : lines) {
        segments.missing_.push_back(is_missing(line));
        for (std::size_t at = 0; at < line.size();) {
            const std::size_t end = std::min(line.find(' ', at), line.size());
            if (end > at) segments.ids_.push_back(words_.add(line.substr(at, end - at)));
            at = end + 1;
        }
        segments.begins_.push_back(segments.ids_.size());
    }
    return segments;
}

std::vector<std::string> MeteorWords::fresh() const {
    const std::shared_lock guard(lock_);
    std::vector<std::string> words;
    for (std::size_t word = known_.size(); word < words_.size(); ++word)
        words.emplace_back(words_.text(static_cast<std::int32_t>(word)));
    return words;
}

std::vector<std::string> MeteorWords::fresh_beyond_ascii() const {
    const std::shared_lock guard(lock_);
    std::vector<std::string> words;
    for (std::size_t word = known_.size(); word < words_.size(); ++word)
        if (const std::string_view text = words_.text(static_cast<std::int32_t>(word)); !is_ascii(text))
            words.emplace_back(text);
    return words;
}

void MeteorWords::look_up(std::span<const std::string> lowered, std::span<const std::string> stems) {
    const std::unique_lock guard(lock_);
    if (!stems.empty() && stems.size() != words_.size() - known_.size())
        throw std::invalid_argument("stems do not fit the words");
    const std::size_t first = known_.size();
    std::vector<std::string_view> fresh;
    for (std::size_t word = first; word < words_.size(); ++word)
        fresh.push_back(words_.text(static_cast<std::int32_t>(word)));
    std::string scratch;
    std::size_t next_lowered = 0;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        const std::string_view text = fresh[i];
        std::string_view folded = text;
        if (!is_ascii(text)) {
            if (next_lowered == lowered.size()) {
                known_.resize(first);
                throw std::invalid_argument("words without their lower case");
            }
            folded = lowered[next_lowered++];
        } else if (has_capitals(text)) {
            folded = lower(text, scratch);
        }
        Word word;
        word.stem = !stems.empty()  ? stems_.add(stems[i])
                    : lexicon_.stem ? stems_.add(lexicon_.stem(text))
                                    : stems_.add(text);
        word.function = lexicon_.function_words.find(folded) != WordTable::absent;
        if (lexicon_.characters) word.length = java_length(text);
        known_.push_back(word);
    }
    std::vector<std::int32_t> synsets;
    std::vector<std::size_t> ends;
    if (lexicon_.synonyms) lexicon_.synonyms->synsets(fresh, synsets, ends);
    ends.resize(fresh.size());
    for (std::size_t i = 0, begin = 0; i < fresh.size(); begin = ends[i++])
        add_synsets(static_cast<std::int32_t>(first + i), std::span(synsets).subspan(begin, ends[i] - begin));
}

void MeteorWords::add_synsets(std::int32_t word, std::span<const std::int32_t> synsets) {
    const auto begin = static_cast<std::ptrdiff_t>(synset_begins_.back());
    for (const std::int32_t synset : synsets) {
        std::int32_t& owner = owners_[static_cast<std::size_t>(synset)];
        // A base form may be in the same synset as the word itself.
        if (owner == word || (owner == shared &&
                              std::find(synsets_.begin() + begin, synsets_.end(), synset) != synsets_.end()))
            continue;
        owner = owner == nobody ? word : shared;
        synsets_.push_back(synset);
    }
    synset_begins_.push_back(synsets_.size());
}

}  // namespace adjudge
