#include "meteor_candidates.hpp"

#include <algorithm>
#include <cstdlib>

namespace adjudge {
namespace {

// METEOR lists every pair of equal words. Where a segment has more pairs than this (a word 1,000 times on
// either side, megabytes of text), a position's candidates are those nearest to it, so that the search stays
// linear.
constexpr std::size_t most_pairs = std::size_t{1} << 20;

}  // namespace

MeteorKnowledge::MeteorKnowledge(const MeteorWords& all_words, unsigned wanted, const ParaphraseTable* table)
    : words(all_words), matchers(wanted), paraphrases(wanted & 1u << paraphrase_match ? table : nullptr) {
    const auto count = static_cast<std::int32_t>(words.size());
    if (paraphrases)
        for (std::int32_t word = 0; word < count; ++word)
            table_words.push_back(paraphrases->word(words.text(word)));
    if (!(matchers & 1u << synonym_match)) return;
    std::vector<std::int32_t> numbers(words.synset_count(), -1);
    synset_begins.reserve(words.size() + 1);
    synset_begins.push_back(0);
    for (std::int32_t word = 0; word < count; ++word) {
        for (const std::int32_t synset : words.synsets(word)) {
            if (!words.is_shared(synset)) continue;
            std::int32_t& number = numbers[static_cast<std::size_t>(synset)];
            if (number < 0) number = static_cast<std::int32_t>(synset_count++);
            synsets.push_back(number);
        }
        synset_begins.push_back(synsets.size());
    }
}

void MeteorCandidates::Places::finish() {
    positions_.resize(entries_.size());
    std::uint32_t next = 0;
    for (const Entry& entry : entries_) {
        Slot& slot = slots_[static_cast<std::size_t>(entry.number)];
        if (slot.end == 0) {  // its first position
            slot.end = next + 1;
            next += slot.size;
        } else {
            ++slot.end;
        }
        positions_[slot.end - 1] = entry.position;
    }
}

MeteorCandidates::MeteorCandidates(const MeteorKnowledge& known) : known_(known) {
    by_word_.resize(known.words.size());
    by_stem_.resize(known.words.stems());
    by_synset_.resize(known.synset_count);
}

void MeteorCandidates::collect(std::span<const std::int32_t> hypothesis,
                               std::span<const std::int32_t> reference) {
    hypothesis_ = hypothesis;
    reference_ = reference;
    // Equal texts are given to the first matcher alone.
    const bool equal = std::equal(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end());
    const unsigned matchers = equal ? known_.matchers & (~known_.matchers + 1) : known_.matchers;
    const bool exact = matchers & 1u << exact_match, stem = matchers & 1u << stem_match;
    const bool synonym = matchers & 1u << synonym_match;
    const bool paraphrase = matchers & 1u << paraphrase_match && known_.paraphrases;
    const std::size_t most = index(matchers);
    if (paraphrase) find_paraphrases();

    found_.clear();
    begins_.clear();
    hypothesis_cover_.assign(hypothesis_.size(), 0);
    reference_cover_.assign(reference_.size(), 0);
    for (std::size_t i = 0; i < reference_.size(); ++i) {
        const auto at = static_cast<std::int32_t>(i);
        const std::int32_t word = reference_[i];
        begins_.push_back(found_.size());
        std::size_t same = 0;
        if (exact) {
            const auto places = by_word_[word];
            same = places.size();
            add_words(at, places, exact_match, most);
        }
        if (stem) {
            const auto places = by_stem_[known_.words[word].stem];
            if (places.size() > same) add_words(at, places, stem_match, most);
        }
        if (synonym) add_synonyms(at, most);
        if (paraphrase)
            for (std::size_t p = phrase_begins_[i]; p < phrase_begins_[i + 1]; ++p) add(phrases_[p]);
    }
    begins_.push_back(found_.size());
    sort_out();
}

// Where the hypothesis has words, stems and synsets; and how many candidates for a word a matcher may list.
std::size_t MeteorCandidates::index(unsigned matchers) {
    const auto size = static_cast<std::int32_t>(hypothesis_.size());
    const bool exact = matchers & 1u << exact_match, stem = matchers & 1u << stem_match;
    const auto word = [&](std::int32_t i) { return hypothesis_[static_cast<std::size_t>(i)]; };
    if (exact) {
        by_word_.clear();
        for (std::int32_t i = 0; i < size; ++i) by_word_.add(word(i), i);
        by_word_.finish();
    }
    if (stem) {
        by_stem_.clear();
        for (std::int32_t i = 0; i < size; ++i) by_stem_.add(known_.words[word(i)].stem, i);
        by_stem_.finish();
    }
    if (matchers & 1u << synonym_match) {
        by_synset_.clear();
        for (std::int32_t i = 0; i < size; ++i)
            for (const std::int32_t synset : known_.synsets_of(word(i))) by_synset_.add(synset, i);
        by_synset_.finish();
    }
    if (hypothesis_.size() <= most_pairs / std::max<std::size_t>(1, reference_.size()))
        return hypothesis_.size();
    std::size_t pairs = 0;
    for (const std::int32_t other : reference_) {
        if (exact) pairs += by_word_[other].size();
        if (stem) pairs += by_stem_[known_.words[other].stem].size();
    }
    return pairs > most_pairs ? std::max<std::size_t>(8, most_pairs / reference_.size()) : hypothesis_.size();
}

void MeteorCandidates::add_words(std::int32_t at, std::span<const std::int32_t> places, std::int32_t matcher,
                                 std::size_t most) {
    if (places.size() > most) {
        const auto near = std::lower_bound(places.begin(), places.end(), at) - places.begin();
        const auto half = static_cast<std::ptrdiff_t>(most / 2);
        const auto last = static_cast<std::ptrdiff_t>(places.size() - most);
        places =
            places.subspan(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(near - half, 0, last)), most);
    }
    const std::int32_t word = reference_[static_cast<std::size_t>(at)];
    for (const std::int32_t place : places)
        if (matcher == exact_match || hypothesis_[static_cast<std::size_t>(place)] != word)
            add({at, 1, place, 1, matcher});
}

void MeteorCandidates::add_synonyms(std::int32_t at, std::size_t most) {
    const std::int32_t word = reference_[static_cast<std::size_t>(at)];
    positions_.clear();
    for (const std::int32_t synset : known_.synsets_of(word)) {
        std::size_t taken = 0;
        for (const std::int32_t place : by_synset_[synset]) {
            if (hypothesis_[static_cast<std::size_t>(place)] == word) continue;
            if (taken++ == most) break;
            positions_.push_back(place);
        }
    }
    std::sort(positions_.begin(), positions_.end());
    const auto end = std::unique(positions_.begin(), positions_.end());
    for (auto place = positions_.begin(); place != end; ++place) add({at, 1, *place, 1, synonym_match});
}

// By reference position, at one position in the order in which the table finds them.
void MeteorCandidates::find_paraphrases() {
    const auto translate = [&](std::span<const std::int32_t> side, std::vector<std::int32_t>& table_words) {
        table_words.clear();
        for (const std::int32_t word : side)
            table_words.push_back(known_.table_words[static_cast<std::size_t>(word)]);
    };
    translate(hypothesis_, table_hypothesis_);
    translate(reference_, table_reference_);
    found_phrases_.clear();
    phrase_begins_.assign(reference_.size() + 2, 0);
    known_.paraphrases->matches(table_hypothesis_, table_reference_, scratch_, [&](const PhraseMatch& match) {
        found_phrases_.push_back({match.reference_start, match.reference_length, match.hypothesis_start,
                                  match.hypothesis_length, paraphrase_match});
        ++phrase_begins_[static_cast<std::size_t>(match.reference_start) + 2];
    });
    for (std::size_t i = 2; i < phrase_begins_.size(); ++i) phrase_begins_[i] += phrase_begins_[i - 1];
    phrases_.resize(found_phrases_.size());
    for (const MeteorMatch& match : found_phrases_)
        phrases_[phrase_begins_[static_cast<std::size_t>(match.reference) + 1]++] = match;
}

void MeteorCandidates::add(const MeteorMatch& match) {
    found_.push_back(match);
    for (std::int32_t i = 0; i < match.hypothesis_length; ++i)
        ++hypothesis_cover_[static_cast<std::size_t>(match.hypothesis + i)];
    for (std::int32_t i = 0; i < match.reference_length; ++i)
        ++reference_cover_[static_cast<std::size_t>(match.reference + i)];
}

// Which candidates are fixed, and what the others share.
void MeteorCandidates::sort_out() {
    const auto alone = [&](const MeteorMatch& match) {
        for (std::int32_t i = 0; i < match.hypothesis_length; ++i)
            if (hypothesis_cover_[static_cast<std::size_t>(match.hypothesis + i)] != 1) return false;
        for (std::int32_t i = 0; i < match.reference_length; ++i)
            if (reference_cover_[static_cast<std::size_t>(match.reference + i)] != 1) return false;
        return true;
    };
    fixed_.assign(reference_.size(), 0);
    open_.clear();
    contested_.resize(found_.size());
    bits_.assign(hypothesis_.size(), -1);
    contested_count_ = most_at_one_position_ = 0;
    distances_ = 0;
    for (std::size_t at = 0; at < reference_.size(); ++at) {
        const std::size_t begin = begins_[at], end = begins_[at + 1];
        if (begin == end) continue;
        if (end - begin == 1 && alone(found_[begin])) {
            fixed_[at] = 1;
            continue;
        }
        open_.push_back(static_cast<std::int32_t>(at));
        most_at_one_position_ = std::max(most_at_one_position_, end - begin);
        for (std::size_t candidate = begin; candidate < end; ++candidate) {
            const MeteorMatch& match = found_[candidate];
            distances_ += std::abs(match.reference - match.hypothesis);
            std::uint64_t words = 0;
            for (std::int32_t i = match.hypothesis; i < match.hypothesis + match.hypothesis_length; ++i) {
                if (hypothesis_cover_[static_cast<std::size_t>(i)] == 1) continue;
                std::int32_t& bit = bits_[static_cast<std::size_t>(i)];
                if (bit < 0) bit = static_cast<std::int32_t>(contested_count_++);
                words |= std::uint64_t{1} << (bit & 63);
            }
            contested_[candidate] = words;
        }
    }
}

}  // namespace adjudge
