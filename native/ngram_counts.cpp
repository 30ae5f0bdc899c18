#include "ngram_counts.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "pair_table.hpp"
#include "word_numbers.hpp"

namespace adjudge {
namespace {

using Ids = std::vector<std::int64_t>;  // also counts, by number

class Counter {
  public:
    Counter(Tokenizer tokenizer, int longest, NgramCounts& counts)
        : tokenizer_(tokenizer), longest_(static_cast<std::size_t>(longest)), counts_(counts) {}

    // The n-grams of one text, as often as it has them.
    void ngrams(Line line, Ids& ids) {
        tokenize(tokenizer_, line, tokens_, scratch_);
        words_.clear();
        for (const std::string_view token : tokens_) words_.push_back(vocabulary_.add(token));
        ids.clear();
        for (std::size_t begin = 0; begin < words_.size(); ++begin) {
            std::int64_t before = -1;
            for (std::size_t end = begin; end < words_.size() && end < begin + longest_; ++end)
                ids.push_back(before = ngram(before, words_[end], end - begin + 1));
        }
    }

    void segment(std::size_t place, const std::vector<Lines>& systems, const References& references) {
        touched_.clear();
        std::int64_t sets = 0;
        for (const Lines set : references) {
            if (is_missing(set[place])) continue;
            ngrams(set[place], own_);
            add(own_, ++sets);
        }
        for (std::size_t system = 0; system < systems.size(); ++system) {
            ngrams(systems[system][place], own_);
            count(system, sets);
        }
        for (const std::int64_t id : touched_) most_[id] = least_[id] = seen_[id] = 0;
    }

    void finish(std::size_t systems) {
        counts_.words = texts_of(vocabulary_);
        const std::size_t size = counts_.last.size();
        for (auto* kind : {&counts_.match, &counts_.over, &counts_.under})
            for (std::size_t s = 0; s < systems; ++s) (*kind)[s].resize(size, 0);
    }

  private:
    std::int64_t ngram(std::int64_t before, std::int64_t last, std::size_t length) {
        bool is_new = false;
        const std::int64_t id = table_.add(before, last, is_new);
        if (is_new) {
            counts_.before.push_back(before);
            counts_.last.push_back(last);
            counts_.length.push_back(static_cast<std::int64_t>(length));
            most_.push_back(0);
            least_.push_back(0);
            seen_.push_back(0);
            in_text_.push_back(0);
        }
        return id;
    }

    // One more reference: `sets` of them have been read. What it has not, none of the least has.
    void add(const Ids& ids, std::int64_t sets) {
        for (const std::int64_t id : ids) ++in_text_[id];
        for (const std::int64_t id : ids) {
            const std::int64_t times = std::exchange(in_text_[id], 0);
            if (times == 0) continue;
            if (most_[id] == 0) touched_.push_back(id);
            // Seen by every reference so far, or not at all by one of them.
            least_[id] = seen_[id] == sets - 1 ? (sets == 1 ? times : std::min(least_[id], times)) : 0;
            seen_[id] = seen_[id] == sets - 1 ? sets : -1;
            most_[id] = std::max(most_[id], times);
        }
    }

    void count(std::size_t system, std::int64_t sets) {
        auto& match = counts_.match[system];
        auto& over = counts_.over[system];
        auto& under = counts_.under[system];
        for (auto* kind : {&match, &over, &under})
            if (kind->size() < counts_.last.size()) kind->resize(2 * counts_.last.size(), 0);
        for (const std::int64_t id : own_)
            ++(in_text_[id]++ < most_[id] ? match : over)[static_cast<std::size_t>(id)];
        for (const std::int64_t id : touched_)
            if (seen_[id] == sets && least_[id] > in_text_[id])
                under[static_cast<std::size_t>(id)] += least_[id] - in_text_[id];
        for (const std::int64_t id : own_) in_text_[id] = 0;
    }

    Tokenizer tokenizer_;
    std::size_t longest_;
    NgramCounts& counts_;
    WordTable vocabulary_;
    PairTable table_;
    Tokens tokens_;
    std::string scratch_;
    Ids words_, own_, touched_;
    // By n-gram, of the segment at hand: most and least a reference has, how many references have it.
    Ids most_, least_, seen_, in_text_;
};

}  // namespace

NgramCounts ngram_counts(const std::vector<Lines>& systems, const References& references, Tokenizer tokenizer,
                         int longest) {
    NgramCounts counts;
    for (auto* kind : {&counts.match, &counts.over, &counts.under}) kind->resize(systems.size());
    Counter counter(tokenizer, longest, counts);
    const std::size_t segments = references.front().size();
    for (std::size_t place = 0; place < segments; ++place) counter.segment(place, systems, references);
    counter.finish(systems.size());
    return counts;
}

}  // namespace adjudge
