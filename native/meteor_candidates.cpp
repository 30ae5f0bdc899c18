#include "meteor_candidates.hpp"

#include <algorithm>
#include <cstdlib>

namespace adjudge {
namespace {

// METEOR lists every pair of equal words. Where a segment has more pairs than this (a word 1,000 times on
// either side, megabytes of text), a position's candidates are those nearest to it, so that the search stays
// linear.
constexpr std::size_t most_pairs = std::size_t{1} << 20;

// Paraphrases are then looked for so many words before and behind, and phrases have no more words than this.
constexpr std::size_t near = 256, longest_phrase = 32;

}  // namespace

MeteorKnowledge::MeteorKnowledge(const MeteorWords& words, unsigned matchers, const ParaphraseTable* table)
    : matchers_(matchers),
      paraphrases_(matchers & 1u << paraphrase_match ? table : nullptr),
      kin_count_(matchers & 1u << stem_match ? words.stems() : words.size()) {
    const bool stems = matchers & 1u << stem_match, synonyms = matchers & 1u << synonym_match;
    std::vector<std::int32_t> numbers(synonyms ? words.synset_count() : 0, -1);
    const auto count = static_cast<std::int32_t>(words.size());
    words_.reserve(words.size() + 1);
    for (std::int32_t word = 0; word < count; ++word) {
        words_.push_back({stems ? words[word].stem : word, static_cast<std::uint32_t>(synsets_.size())});
        if (paraphrases_) in_table_.push_back(paraphrases_->word(words.text(word)));
        if (!synonyms) continue;
        for (const std::int32_t synset : words.synsets(word)) {
            if (!words.is_shared(synset)) continue;
            std::int32_t& number = numbers[static_cast<std::size_t>(synset)];
            if (number < 0) number = static_cast<std::int32_t>(synset_count_++);
            synsets_.push_back(number);
        }
    }
    words_.push_back({-1, static_cast<std::uint32_t>(synsets_.size())});
}

MeteorCandidates::MeteorCandidates(const MeteorKnowledge& known)
    : known_(known), by_kin_(known.kin_count()), by_synset_(known.synset_count()) {}

void MeteorCandidates::collect(std::span<const std::int32_t> hypothesis,
                               std::span<const std::int32_t> reference) {
    hypothesis_ = hypothesis;
    reference_ = reference;
    // Equal texts are given to the first matcher alone.
    const bool equal = std::equal(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end());
    const unsigned matchers = equal ? known_.matchers() & (~known_.matchers() + 1) : known_.matchers();
    const bool exact = matchers & 1u << exact_match, stem = matchers & 1u << stem_match;
    const bool synonym = matchers & 1u << synonym_match;
    const bool paraphrase = matchers & 1u << paraphrase_match && known_.paraphrases();
    index(exact || stem, synonym);
    const bool is_long = most_ < hypothesis.size();
    if (paraphrase) find_paraphrases();

    found_.clear();
    begins_.clear();
    hypothesis_cover_.assign(hypothesis.size(), 0);
    reference_cover_.assign(reference.size(), 0);
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const auto at = static_cast<std::int32_t>(i);
        begins_.push_back(found_.size());
        if (exact || stem) is_long ? add_kin_long(at, exact, stem) : add_kin(at, exact, stem);
        if (synonym) add_synonyms(at);
        if (paraphrase)
            for (std::size_t p = phrase_begins_[i]; p < phrase_begins_[i + 1]; ++p) add_phrase(phrases_[p]);
    }
    begins_.push_back(found_.size());
    sort_out();
}

// Where the hypothesis has kin and synsets; built from the back, so that chains go forward.
void MeteorCandidates::index(bool kin, bool synonyms) {
    if (++stamp_ == 0) {
        for (Chain& chain : by_kin_) chain.stamp = 0;
        for (Chain& chain : by_synset_) chain.stamp = 0;
        stamp_ = 1;
    }
    const std::uint32_t stamp = stamp_;
    most_ = hypothesis_.size();
    links_.clear();
    next_kin_.resize(hypothesis_.size());
    for (std::size_t i = hypothesis_.size(); i-- > 0;) {
        const std::int32_t word = hypothesis_[i], place = static_cast<std::int32_t>(i);
        if (kin) {
            Chain& chain = by_kin_[static_cast<std::size_t>(known_.kin(word))];
            next_kin_[i] = chain.stamp == stamp ? chain.first : -1;
            chain = {stamp, place, chain.stamp != stamp || chain.word == word ? word : -1};
        }
        if (!synonyms) continue;
        for (const std::int32_t synset : known_.synsets(word)) {
            Chain& chain = by_synset_[static_cast<std::size_t>(synset)];
            const bool is_new = chain.stamp != stamp;
            const auto link = static_cast<std::int32_t>(links_.size());
            links_.push_back({place, is_new ? -1 : chain.first});
            chain = {stamp, link, is_new || chain.word == word ? word : -1};
        }
    }
    if (kin && hypothesis_.size() > most_pairs / std::max<std::size_t>(1, reference_.size())) index_long();
}

// Texts in which there may be too many pairs.
void MeteorCandidates::index_long() {
    sorted_.clear();
    for (std::size_t i = 0; i < hypothesis_.size(); ++i)
        sorted_.emplace_back(known_.kin(hypothesis_[i]), static_cast<std::int32_t>(i));
    std::sort(sorted_.begin(), sorted_.end());
    std::size_t pairs = 0;
    for (const std::int32_t word : reference_) {
        const std::int32_t kin = known_.kin(word);
        pairs += static_cast<std::size_t>(
            std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{kin + 1, std::int32_t{0}}) -
            std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{kin, std::int32_t{0}}));
    }
    if (pairs > most_pairs) most_ = std::max<std::size_t>(8, most_pairs / reference_.size());
}

void MeteorCandidates::add_kin(std::int32_t at, bool exact, bool stem) {
    const std::int32_t word = reference_[static_cast<std::size_t>(at)];
    const Chain& chain = by_kin_[static_cast<std::size_t>(known_.kin(word))];
    if (chain.stamp != stamp_) return;
    const auto each = [&](std::int32_t matcher) {
        for (std::int32_t i = chain.first; i >= 0; i = next_kin_[static_cast<std::size_t>(i)])
            if ((hypothesis_[static_cast<std::size_t>(i)] == word) == (matcher == exact_match))
                add_word(at, i, matcher);
    };
    if (exact && (chain.word == word || chain.word < 0)) each(exact_match);
    if (stem && chain.word != word) each(stem_match);
}

// Those nearest to the position, half of them before it.
void MeteorCandidates::add_kin_long(std::int32_t at, bool exact, bool stem) {
    const std::int32_t word = reference_[static_cast<std::size_t>(at)], kin = known_.kin(word);
    const auto place = [&](std::int32_t number, std::int32_t position) {
        return std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{number, position}) -
               sorted_.begin();
    };
    std::ptrdiff_t low = place(kin, 0), high = place(kin + 1, 0);
    if (const auto most = static_cast<std::ptrdiff_t>(most_); high - low > most) {
        low = std::clamp(place(kin, at) - most / 2, low, high - most);
        high = low + most;
    }
    const auto each = [&](std::int32_t matcher) {
        for (std::ptrdiff_t i = low; i < high; ++i) {
            const std::int32_t position = sorted_[static_cast<std::size_t>(i)].second;
            if ((hypothesis_[static_cast<std::size_t>(position)] == word) == (matcher == exact_match))
                add_word(at, position, matcher);
        }
    };
    if (exact) each(exact_match);
    if (stem) each(stem_match);
}

void MeteorCandidates::add_synonyms(std::int32_t at) {
    const std::int32_t word = reference_[static_cast<std::size_t>(at)];
    places_.clear();
    for (const std::int32_t synset : known_.synsets(word)) {
        const Chain& chain = by_synset_[static_cast<std::size_t>(synset)];
        if (chain.stamp != stamp_ || chain.word == word) continue;
        std::size_t left = most_;
        for (std::int32_t link = chain.first; link >= 0 && left > 0;) {
            const auto [position, next] = links_[static_cast<std::size_t>(link)];
            link = next;
            if (hypothesis_[static_cast<std::size_t>(position)] == word) continue;
            places_.push_back(position);
            --left;
        }
    }
    if (places_.empty()) return;
    std::sort(places_.begin(), places_.end());
    const auto end = std::unique(places_.begin(), places_.end());
    for (auto place = places_.begin(); place != end; ++place) add_word(at, *place, synonym_match);
}

// By reference position, at one position in the order in which the table finds them.
void MeteorCandidates::find_paraphrases() {
    const auto translate = [&](std::span<const std::int32_t> side, std::vector<std::int32_t>& table_words) {
        table_words.clear();
        for (const std::int32_t word : side) table_words.push_back(known_.in_table(word));
    };
    translate(hypothesis_, table_hypothesis_);
    translate(reference_, table_reference_);
    found_phrases_.clear();
    phrase_begins_.assign(reference_.size() + 2, 0);
    if (most_ >= hypothesis_.size()) {
        find_paraphrases(0, reference_.size(), 0, hypothesis_.size());
    } else {
        for (std::size_t at = 0; at < reference_.size(); at += near)
            find_paraphrases(at, std::min(at + near, reference_.size()),
                             std::min(at - std::min(at, near), hypothesis_.size()),
                             std::min(at + 2 * near, hypothesis_.size()));
    }
    for (std::size_t i = 2; i < phrase_begins_.size(); ++i) phrase_begins_[i] += phrase_begins_[i - 1];
    phrases_.resize(found_phrases_.size());
    for (const MeteorMatch& match : found_phrases_)
        phrases_[phrase_begins_[static_cast<std::size_t>(match.reference) + 1]++] = match;
}

// Those of phrases that begin in a part of the reference, with phrases in a part of the hypothesis.
void MeteorCandidates::find_paraphrases(std::size_t begin, std::size_t end, std::size_t other_begin,
                                        std::size_t other_end) {
    const std::size_t behind = std::min(end + longest_phrase, reference_.size());
    known_.paraphrases()->matches(
        std::span(table_hypothesis_).subspan(other_begin, other_end - other_begin),
        std::span(table_reference_).subspan(begin, behind - begin), scratch_, [&](const PhraseMatch& match) {
            const std::size_t start = begin + static_cast<std::size_t>(match.reference_start);
            if (start >= end) return;
            found_phrases_.push_back({static_cast<std::int32_t>(start), match.reference_length,
                                      static_cast<std::int32_t>(other_begin) + match.hypothesis_start,
                                      match.hypothesis_length, paraphrase_match});
            ++phrase_begins_[start + 2];
        });
}

void MeteorCandidates::add_word(std::int32_t reference, std::int32_t hypothesis, std::int32_t matcher) {
    found_.push_back({reference, 1, hypothesis, 1, matcher});
    ++hypothesis_cover_[static_cast<std::size_t>(hypothesis)];
    ++reference_cover_[static_cast<std::size_t>(reference)];
}

void MeteorCandidates::add_phrase(const MeteorMatch& match) {
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
    contested_ = most_at_one_position_ = 0;
    distances_ = 0;
    for (std::size_t at = 0; at < reference_.size(); ++at) {
        const std::size_t begin = begins_[at], end = begins_[at + 1];
        if (begin == end) continue;
        if (end - begin == 1 && alone(found_[begin]))
            fixed_[at] = 1;
        else
            open_.push_back(static_cast<std::int32_t>(at));
    }
    if (open_.empty()) return;
    wanted_.resize(found_.size());
    bits_.assign(hypothesis_.size(), -1);
    for (const std::int32_t at : open_) {
        const std::size_t begin = begins_[static_cast<std::size_t>(at)];
        const std::size_t end = begins_[static_cast<std::size_t>(at) + 1];
        most_at_one_position_ = std::max(most_at_one_position_, end - begin);
        for (std::size_t candidate = begin; candidate < end; ++candidate) {
            const MeteorMatch& match = found_[candidate];
            distances_ += std::abs(match.reference - match.hypothesis);
            Bits& words = wanted_[candidate] = {};
            for (std::int32_t i = match.hypothesis; i < match.hypothesis + match.hypothesis_length; ++i) {
                if (hypothesis_cover_[static_cast<std::size_t>(i)] == 1) continue;
                std::int32_t& bit = bits_[static_cast<std::size_t>(i)];
                if (bit < 0) bit = static_cast<std::int32_t>(contested_++);
                words[static_cast<std::size_t>(bit) / 64 % words.size()] |= std::uint64_t{1} << (bit % 64);
            }
        }
    }
}

}  // namespace adjudge
