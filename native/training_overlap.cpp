#include "training_overlap.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string_view>

#include "parallel.hpp"
#include "utf8.hpp"

namespace adjudge {
namespace {

std::uint64_t mixed(std::uint64_t h) {
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    return h ^ h >> 32;
}

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t h = 0x9e3779b97f4a7c15u + text.size();
    while (text.size() >= 8) {
        std::uint64_t part;
        std::memcpy(&part, text.data(), 8);
        h = mixed(h ^ part);
        text.remove_prefix(8);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, text.data(), text.size());
    return mixed(h ^ rest);
}

// Words as hashes; punctuation and symbols are none.
class Words {
  public:
    explicit Words(Tokenizer tokenizer) : tokenizer_(tokenizer) {}

    const std::vector<std::uint64_t>& of(Line line) {
        tokenize(tokenizer_, line, tokens_, scratch_);
        hashes_.clear();
        for (const std::string_view token : tokens_)
            if (is_word(token)) hashes_.push_back(hash_of(token));
        return hashes_;
    }

  private:
    static bool is_word(std::string_view token) {
        for (std::size_t at = 0; at < token.size();) {
            const CodePoint point = decode(token.data() + at);
            const char kind = unicode_class(point.value);
            if (kind != 'P' && kind != 'S') return true;
            at += point.size;
        }
        return false;
    }

    Tokenizer tokenizer_;
    Tokens tokens_;
    std::string scratch_;
    std::vector<std::uint64_t> hashes_;
};

std::uint64_t joined(const std::uint64_t* words, std::size_t count) {
    std::uint64_t h = count;
    for (std::size_t i = 0; i < count; ++i) h = mixed(h ^ words[i]);
    return h;
}

// A text and its words are told apart by their hashes, too.
std::uint64_t text_hash(Line line) { return ~hash_of(line); }

}  // namespace

TrainingOverlap::TrainingOverlap(Lines raw, Lines lowered, Tokenizer tokenizer, std::size_t n)
    : tokenizer_(tokenizer), n_(n), segments_(raw.size()), filter_(std::size_t{1} << 20, 0) {
    Words words(tokenizer);
    for (std::size_t s = 0; s < raw.size(); ++s) {
        const auto segment = static_cast<std::uint32_t>(s);
        segments_[s].text = std::string(raw[s]);
        const auto& hashes = words.of(lowered[s]);
        segments_[s].covered.assign(hashes.size(), false);
        if (hashes.empty()) continue;
        exact_.emplace(text_hash(raw[s]), segment);
        mark(text_hash(raw[s]));
        const std::uint64_t whole = joined(hashes.data(), hashes.size());
        alike_.emplace(whole, segment);
        mark(whole);
        for (std::size_t i = 0; i + n <= hashes.size(); ++i) {
            const std::uint64_t hash = ~joined(&hashes[i], n);
            ngrams_.emplace(hash, Place{segment, static_cast<std::uint32_t>(i)});
            mark(hash);
        }
    }
}

class TrainingOverlap::Reader {
  public:
    Reader(const TrainingOverlap& own, Lines raw, Lines lowered, Hits& all, std::mutex& lock)
        : own_(own), raw_(raw), lowered_(lowered), all_(all), lock_(lock), words_(own.tokenizer_) {}
    Reader(const Reader&) = delete;
    Reader(Reader&&) = default;

    void operator()(std::size_t line) {
        exact(raw_[line]);
        const auto& hashes = words_.of(lowered_[line]);
        if (hashes.empty()) return;
        if (const std::uint64_t whole = joined(hashes.data(), hashes.size()); own_.maybe(whole))
            add(own_.alike_, whole, [&](std::uint32_t segment) { all_.alike.push_back(segment); });
        for (std::size_t i = 0; i + own_.n_ <= hashes.size(); ++i)
            if (const std::uint64_t hash = ~joined(&hashes[i], own_.n_); own_.maybe(hash))
                add(own_.ngrams_, hash, [&](Place place) { all_.ngrams.push_back(place); });
    }

  private:
    void exact(Line line) {
        const std::uint64_t hash = text_hash(line);
        if (!own_.maybe(hash)) return;
        add(own_.exact_, hash, [&](std::uint32_t segment) {
            if (own_.segments_[segment].text == line) all_.exact.push_back(segment);
        });
    }

    template <class Table, class Take>
    void add(const Table& table, std::uint64_t hash, Take take) {
        const auto [begin, end] = table.equal_range(hash);
        if (begin == end) return;
        const std::lock_guard guard(lock_);
        for (auto at = begin; at != end; ++at) take(at->second);
    }

    const TrainingOverlap& own_;
    Lines raw_, lowered_;
    Hits& all_;
    std::mutex& lock_;
    Words words_;
};

void TrainingOverlap::read(Lines raw, Lines lowered, unsigned threads) {
    Hits hits;
    std::mutex lock;
    for_each_segment(raw.size(), threads, [&] { return Reader(*this, raw, lowered, hits, lock); });
    lines_ += raw.size();
    for (const std::uint32_t segment : hits.exact) segments_[segment].exact = true;
    for (const std::uint32_t segment : hits.alike) {
        segments_[segment].alike = true;
        std::fill(segments_[segment].covered.begin(), segments_[segment].covered.end(), true);
    }
    for (const Place place : hits.ngrams)
        std::fill_n(segments_[place.segment].covered.begin() + place.word, n_, true);
}

void TrainingOverlap::rows(double* rows) const {
    for (const Segment& segment : segments_) {
        *rows++ = segment.exact;
        *rows++ = segment.alike;
        *rows++ = static_cast<double>(segment.covered.size());
        *rows++ = static_cast<double>(std::count(segment.covered.begin(), segment.covered.end(), true));
    }
}

}  // namespace adjudge
