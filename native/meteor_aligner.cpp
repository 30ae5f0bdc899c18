#include "meteor_aligner.hpp"

#include <algorithm>
#include <cstdlib>

namespace adjudge {
namespace {

constexpr std::size_t beam_size = 40;

// METEOR lists every pair of equal words. Where a segment has more pairs than this (a word 1,000 times on
// either side, megabytes of text), a position's candidates are those nearest to it, so that the search stays
// linear.
constexpr std::size_t most_pairs = std::size_t{1} << 20;

std::int32_t word_itself(const MeteorWords&, std::int32_t word) { return word; }
std::int32_t stem_of(const MeteorWords& words, std::int32_t word) { return words[word].stem; }

// METEOR counts covered words in integers, and a word that is not matched exactly counts one half: a single
// one adds nothing.
std::int64_t gain(const MeteorMatch& match) {
    if (match.matcher == exact_match) return match.reference_length + match.hypothesis_length;
    return match.reference_length / 2 + match.hypothesis_length / 2;
}

std::int64_t distance(const MeteorMatch& match) { return std::abs(match.reference - match.hypothesis); }

template <class Path>
bool better(const Path& a, const Path& b) {
    if (a.covered != b.covered) return a.covered > b.covered;
    if (a.chunks != b.chunks) return a.chunks < b.chunks;
    return a.distance < b.distance;
}

}  // namespace

std::span<const MeteorMatch> MeteorAligner::align(std::span<const std::int32_t> hypothesis,
                                                  std::span<const std::int32_t> reference) {
    hypothesis_ = hypothesis;
    reference_ = reference;
    // Equal texts are given to the first matcher alone.
    const bool equal = std::equal(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end());
    collect(equal ? matchers_ & (~matchers_ + 1) : matchers_);
    arrange();
    fix();
    search();
    result_.clear();
    for (std::int32_t step = best(); step >= 0; step = trail_[static_cast<std::size_t>(step)].before)
        result_.push_back(
            candidates_[static_cast<std::size_t>(trail_[static_cast<std::size_t>(step)].match)]);
    for (std::size_t at = 0; at < reference_.size(); ++at)
        if (fixed_[at]) result_.push_back(candidates_[static_cast<std::size_t>(begins_[at])]);
    std::sort(result_.begin(), result_.end(),
              [](const MeteorMatch& a, const MeteorMatch& b) { return a.reference < b.reference; });
    return result_;
}

// Candidates of every matcher, each matcher's by reference position and then by hypothesis position.
void MeteorAligner::collect(unsigned matchers) {
    found_.clear();
    const bool exact = matchers & 1u << exact_match, stem = matchers & 1u << stem_match;
    if (exact) index(by_word_, word_itself);
    if (stem) index(by_stem_, stem_of);
    std::size_t most = hypothesis_.size();
    if (hypothesis_.size() > most_pairs / std::max<std::size_t>(1, reference_.size())) {
        std::size_t pairs = 0;
        const auto count = [&](const std::vector<Key>& keys, auto value) {
            for (const std::int32_t word : reference_) {
                const Key key{0, value(words_, word)};
                const auto less = [](const Key& a, const Key& b) { return a.value < b.value; };
                const auto [low, high] = std::equal_range(keys.begin(), keys.end(), key, less);
                pairs += static_cast<std::size_t>(high - low);
            }
        };
        if (exact) count(by_word_, word_itself);
        if (stem) count(by_stem_, stem_of);
        if (pairs > most_pairs) most = std::max<std::size_t>(8, most_pairs / reference_.size());
    }
    if (exact) add_words(by_word_, word_itself, exact_match, most);
    if (stem) add_words(by_stem_, stem_of, stem_match, most);
    if (matchers & 1u << synonym_match) add_synonyms(most);
    if (matchers & 1u << paraphrase_match && paraphrases_) add_paraphrases();
}

void MeteorAligner::index(std::vector<Key>& keys, std::int32_t (*value)(const MeteorWords&, std::int32_t)) {
    keys.clear();
    for (std::size_t i = 0; i < hypothesis_.size(); ++i)
        keys.push_back({static_cast<std::int32_t>(i), value(words_, hypothesis_[i])});
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
        return a.value != b.value ? a.value < b.value : a.position < b.position;
    });
}

void MeteorAligner::add_words(const std::vector<Key>& keys,
                              std::int32_t (*value)(const MeteorWords&, std::int32_t), std::int32_t matcher,
                              std::size_t most) {
    for (std::size_t at = 0; at < reference_.size(); ++at) {
        const std::int32_t word = reference_[at], place = static_cast<std::int32_t>(at);
        const Key key{0, value(words_, word)};
        auto [low, high] = std::equal_range(keys.begin(), keys.end(), key,
                                            [](const Key& a, const Key& b) { return a.value < b.value; });
        if (static_cast<std::size_t>(high - low) > most) {
            const auto near = std::lower_bound(low, high, place,
                                               [](const Key& a, std::int32_t b) { return a.position < b; });
            const auto half = static_cast<std::ptrdiff_t>(most / 2);
            low += std::clamp<std::ptrdiff_t>(near - low - half, 0,
                                              high - low - static_cast<std::ptrdiff_t>(most));
            high = low + static_cast<std::ptrdiff_t>(most);
        }
        for (; low != high; ++low)
            if (matcher == exact_match || hypothesis_[static_cast<std::size_t>(low->position)] != word)
                found_.push_back({place, 1, low->position, 1, matcher});
    }
}

void MeteorAligner::add_synonyms(std::size_t most) {
    by_synset_.clear();
    for (std::size_t i = 0; i < hypothesis_.size(); ++i)
        for (const std::int32_t synset : words_.synsets(hypothesis_[i]))
            by_synset_.push_back({static_cast<std::int32_t>(i), synset});
    std::sort(by_synset_.begin(), by_synset_.end(), [](const Key& a, const Key& b) {
        return a.value != b.value ? a.value < b.value : a.position < b.position;
    });
    for (std::size_t at = 0; at < reference_.size(); ++at) {
        const std::int32_t word = reference_[at], place = static_cast<std::int32_t>(at);
        positions_.clear();
        for (const std::int32_t synset : words_.synsets(word)) {
            auto key = std::lower_bound(by_synset_.begin(), by_synset_.end(), synset,
                                        [](const Key& a, std::int32_t b) { return a.value < b; });
            std::size_t taken = 0;
            for (; key != by_synset_.end() && key->value == synset && taken < most; ++key)
                if (hypothesis_[static_cast<std::size_t>(key->position)] != word) {
                    positions_.push_back(key->position);
                    ++taken;
                }
        }
        std::sort(positions_.begin(), positions_.end());
        const auto end = std::unique(positions_.begin(), positions_.end());
        for (auto position = positions_.begin(); position != end; ++position)
            found_.push_back({place, 1, *position, 1, synonym_match});
    }
}

void MeteorAligner::add_paraphrases() {
    const auto translate = [&](std::span<const std::int32_t> side, std::vector<std::int32_t>& table_words) {
        table_words.clear();
        for (const std::int32_t word : side)
            table_words.push_back(table_words_[static_cast<std::size_t>(word)]);
    };
    translate(hypothesis_, table_hypothesis_);
    translate(reference_, table_reference_);
    paraphrases_->matches(table_hypothesis_, table_reference_, scratch_, [&](const PhraseMatch& match) {
        found_.push_back({match.reference_start, match.reference_length, match.hypothesis_start,
                          match.hypothesis_length, paraphrase_match});
    });
}

// Candidates by reference position, at one position in the order in which they were found.
void MeteorAligner::arrange() {
    begins_.assign(reference_.size() + 2, 0);
    for (const MeteorMatch& match : found_) ++begins_[static_cast<std::size_t>(match.reference) + 2];
    for (std::size_t i = 2; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    candidates_.resize(found_.size());
    for (const MeteorMatch& match : found_)
        candidates_[static_cast<std::size_t>(begins_[static_cast<std::size_t>(match.reference) + 1]++)] =
            match;
}

// Matches none of whose words any other candidate covers need no search.
void MeteorAligner::fix() {
    hypothesis_cover_.assign(hypothesis_.size(), 0);
    reference_cover_.assign(reference_.size(), 0);
    for (const MeteorMatch& match : found_) {
        for (std::int32_t i = 0; i < match.hypothesis_length; ++i)
            ++hypothesis_cover_[static_cast<std::size_t>(match.hypothesis + i)];
        for (std::int32_t i = 0; i < match.reference_length; ++i)
            ++reference_cover_[static_cast<std::size_t>(match.reference + i)];
    }
    fixed_.assign(reference_.size(), 0);
    for (std::size_t at = 0; at < reference_.size(); ++at) {
        if (begins_[at + 1] - begins_[at] != 1) continue;
        const MeteorMatch& match = candidates_[static_cast<std::size_t>(begins_[at])];
        bool alone = true;
        for (std::int32_t i = 0; i < match.hypothesis_length; ++i)
            alone = alone && hypothesis_cover_[static_cast<std::size_t>(match.hypothesis + i)] == 1;
        for (std::int32_t i = 0; i < match.reference_length; ++i)
            alone = alone && reference_cover_[static_cast<std::size_t>(match.reference + i)] == 1;
        fixed_[at] = alone;
    }
}

void MeteorAligner::search() {
    width_ = (hypothesis_.size() + 63) / 64;
    used_.assign(2 * beam_size * width_, 0);
    users_.assign(2 * beam_size, 0);
    free_.clear();
    for (std::size_t slot = 2 * beam_size; slot-- > 1;) free_.push_back(static_cast<std::int32_t>(slot));
    trail_.clear();
    beam_.assign(1, Path{0, 0, 0, 0, -1, -1, 0, -1});
    for (std::size_t i = 0; i < reference_.size(); ++i) {
        const auto at = static_cast<std::int32_t>(i);
        if (fixed_[i] || begins_[i] == begins_[i + 1]) {
            for (Path& path : beam_)
                if (at >= path.next) follow(path, at);
            // Nearly sorted already, and equal paths must stay in their order.
            for (auto path = beam_.begin(); path != beam_.end(); ++path)
                std::rotate(std::upper_bound(beam_.begin(), path, *path, better<Path>), path, path + 1);
            continue;
        }
        next_.clear();
        for (Path& path : beam_) {
            path.match = -1;
            if (at < path.next)
                keep(path);  // inside a phrase it matched
            else
                branch(path, at);
        }
        settle();
    }
}

// Takes the one match that is fixed at a position, or leaves a position without candidates out.
void MeteorAligner::follow(Path& path, std::int32_t at) {
    if (!fixed_[static_cast<std::size_t>(at)]) {
        path.chunks += path.end >= 0;
        path.end = -1;
        path.next = at + 1;
        return;
    }
    const MeteorMatch& match = candidates_[static_cast<std::size_t>(begins_[static_cast<std::size_t>(at)])];
    path.covered += gain(match);
    path.chunks += path.end >= 0 && match.hypothesis != path.end;
    path.next = at + match.reference_length;
    path.end = match.hypothesis + match.hypothesis_length;
    path.distance += distance(match);
}

// One path for every candidate whose words are free, in their order, and one that leaves the position out.
void MeteorAligner::branch(Path path, std::int32_t at) {
    const auto end = begins_[static_cast<std::size_t>(at) + 1];
    for (std::int32_t c = begins_[static_cast<std::size_t>(at)]; c < end; ++c) {
        const MeteorMatch& match = candidates_[static_cast<std::size_t>(c)];
        if (used(path.slot, match)) continue;
        Path child = path;
        child.match = c;
        child.covered += gain(match);
        child.chunks += path.end >= 0 && match.hypothesis != path.end;
        child.next = at + match.reference_length;
        child.end = match.hypothesis + match.hypothesis_length;
        keep(child);
        // METEOR adds the distance to the path it branches from, so it burdens later candidates and the skip.
        path.distance += distance(match);
    }
    path.chunks += path.end >= 0;
    path.end = -1;
    path.next = at + 1;
    keep(path);
}

// The best so far, those that came first before others as good.
void MeteorAligner::keep(const Path& path) {
    if (next_.size() == beam_size) {
        if (!better(path, next_.back())) return;
        next_.pop_back();
    }
    next_.insert(std::upper_bound(next_.begin(), next_.end(), path, better<Path>), path);
}

// Makes the kept paths the beam: those with a match get a slot of their own.
void MeteorAligner::settle() {
    for (const Path& path : beam_) users_[static_cast<std::size_t>(path.slot)] = 0;
    for (const Path& path : next_) ++users_[static_cast<std::size_t>(path.slot)];
    for (const Path& path : beam_) {
        std::int32_t& users = users_[static_cast<std::size_t>(path.slot)];
        if (users == 0) {
            free_.push_back(path.slot);
            users = -1;  // paths may share a slot; it is given back once
        }
    }
    for (Path& path : next_) {
        if (path.match < 0) continue;
        if (users_[static_cast<std::size_t>(path.slot)] > 1) {
            --users_[static_cast<std::size_t>(path.slot)];
            const std::int32_t slot = free_.back();
            free_.pop_back();
            std::copy_n(used_.begin() + static_cast<std::ptrdiff_t>(width_) * path.slot, width_,
                        used_.begin() + static_cast<std::ptrdiff_t>(width_) * slot);
            users_[static_cast<std::size_t>(slot)] = 1;
            path.slot = slot;
        }
        const MeteorMatch& match = candidates_[static_cast<std::size_t>(path.match)];
        for (std::int32_t i = match.hypothesis; i < match.hypothesis + match.hypothesis_length; ++i)
            used_[width_ * static_cast<std::size_t>(path.slot) + static_cast<std::size_t>(i) / 64] |=
                std::uint64_t{1} << (i % 64);
        trail_.push_back({path.trail, path.match});
        path.trail = static_cast<std::int32_t>(trail_.size()) - 1;
    }
    beam_.swap(next_);
}

bool MeteorAligner::used(std::int32_t slot, const MeteorMatch& match) const {
    const std::uint64_t* bits = used_.data() + width_ * static_cast<std::size_t>(slot);
    for (std::int32_t i = match.hypothesis; i < match.hypothesis + match.hypothesis_length; ++i)
        if (bits[i / 64] >> (i % 64) & 1) return true;
    return false;
}

// The trail of the best path, once its last chunk is counted.
std::int32_t MeteorAligner::best() {
    for (Path& path : beam_) path.chunks += path.end >= 0;
    return std::min_element(beam_.begin(), beam_.end(), better<Path>)->trail;
}

}  // namespace adjudge
