#include "chrf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "intern.hpp"
#include "matching.hpp"
#include "parallel.hpp"
#include "tokenize.hpp"
#include "utf8.hpp"

namespace adjudge {
namespace {

// Characters to small numbers. Those below 0x80 have a place of their own, the others share a stamped table.
class CharacterTable {
  public:
    void reset(std::size_t bytes) {
        ascii_.fill(0);
        const std::size_t wanted =
            std::bit_ceil(bytes + 16);  // a character outside ASCII has two bytes or more
        if (wanted > wide_.size()) {
            wide_.assign(wanted, Slot{});
            stamp_ = 0;
        }
        mask_ = wanted - 1;
        if (++stamp_ == 0) {
            std::fill(wide_.begin(), wide_.end(), Slot{});
            stamp_ = 1;
        }
        size_ = 0;
    }
    std::int32_t add(char32_t c) {
        std::int32_t& place = c < 0x80 ? ascii_[c] : wide(c);
        const std::int32_t known = place;
        size_ += known == 0;
        return (place = known == 0 ? size_ : known) - 1;
    }
    std::int32_t find(char32_t c) { return (c < 0x80 ? ascii_[c] : wide(c)) - 1; }
    std::int32_t size() const { return size_; }

  private:
    struct Slot {
        std::uint32_t stamp = 0;
        char32_t character = 0;
        std::int32_t id = 0;  // 0 = asked for but not in the hypothesis
    };

    std::int32_t& wide(char32_t c) {
        for (std::size_t i = c * 0x9e3779b1u >> 7;; ++i) {
            Slot& slot = wide_[i & mask_];
            // An id of 0 is a trace of a search in vain; its place may be taken.
            if (slot.stamp != stamp_ || slot.id == 0) slot = {stamp_, c, 0};
            if (slot.character == c) return slot.id;
        }
    }

    std::array<std::int32_t, 0x80> ascii_;  // id + 1; 0 = none
    std::vector<Slot> wide_;
    std::size_t mask_ = 0;
    std::uint32_t stamp_ = 0;
    std::int32_t size_ = 0;
};

bool is_ascii_punctuation(char c) {
    return (c >= 0x21 && c <= 0x2f) || (c >= 0x3a && c <= 0x40) || (c >= 0x5b && c <= 0x60) ||
           (c >= 0x7b && c <= 0x7e);
}

// The same operations in the same order as sacreBLEU's, so that near-ties between references fall the same
// way.
double f_score(const double* stats, const ChrfOptions& options) {
    constexpr double eps = 1e-16;
    const double factor = options.beta * options.beta;
    double score = 0, precision_sum = 0, recall_sum = 0;
    int effective = 0;
    const int orders = options.char_order + options.word_order;
    for (int i = 0; i < orders; ++i) {
        const double hyp = stats[3 * i], ref = stats[3 * i + 1], match = stats[3 * i + 2];
        const double precision = hyp > 0 ? match / hyp : eps;
        const double recall = ref > 0 ? match / ref : eps;
        const double denominator = factor * precision + recall;
        score += denominator > 0 ? (1 + factor) * precision * recall / denominator : eps;
        if (hyp > 0 && ref > 0) {
            precision_sum += precision;
            recall_sum += recall;
            ++effective;
        }
    }
    if (options.eps_smoothing) return 100 * score / orders;
    if (effective == 0) return 0;
    precision_sum /= effective;
    recall_sum /= effective;
    if (precision_sum + recall_sum == 0) return 0;
    return 100 * ((1 + factor) * precision_sum * recall_sum / (factor * precision_sum + recall_sum));
}

class ChrfWorker {
  public:
    ChrfWorker(Lines hypotheses, const References& references, const ChrfOptions& options, double* rows)
        : hypotheses_(hypotheses), references_(references), options_(options), rows_(rows) {
        columns_ = static_cast<std::size_t>(3 * (options.char_order + options.word_order));
        stats_.resize(columns_);
        matches_.resize(static_cast<std::size_t>(std::max(options.char_order, options.word_order)));
        hypothesis_words_.resize(1);
    }

    void operator()(std::size_t segment) {
        fetch_soon(hypotheses_, segment);
        for (const Lines set : references_) fetch_soon(set, segment);
        const Line hypothesis = hypotheses_[segment];
        characters_.reset(hypothesis.size());
        read_characters(hypothesis, hypothesis_characters_,
                        [this](char32_t c) { return characters_.add(c); });
        if (options_.word_order > 0) {
            chrf_words(hypothesis, raw_, words_, scratch_);
            table_.reset(words_.size());
            hypothesis_words_[0].clear();
            for (const std::string_view word : words_) hypothesis_words_[0].push_back(table_.add(word));
        }
        double* row = rows_ + segment * columns_;
        double best = -1;
        for (const Lines set : references_) {
            if (is_missing(set[segment])) continue;
            compare(set[segment]);
            // With one reference there is nothing to choose.
            const double score = references_.size() == 1 ? 0 : f_score(stats_.data(), options_);
            if (score > best) {
                best = score;
                std::copy(stats_.begin(), stats_.end(), row);
            }
        }
    }

  private:
    template <class Number>
    void read_characters(Line line, Ids& ids, Number number) {
        ids.resize(line.size());
        std::int32_t* next = ids.data();
        const bool all = options_.whitespace;
        for (const char *at = line.data(), *end = at + line.size(); at < end;) {
            const CodePoint c = decode(at);
            at += c.size;
            if (all || !is_space(c.value)) *next++ = number(c.value);
        }
        ids.resize(static_cast<std::size_t>(next - ids.data()));
    }

    void compare(Line reference) {
        std::span<Ids> one(&reference_ids_, 1);
        read_characters(reference, reference_ids_, [this](char32_t c) { return characters_.find(c); });
        fill(hypothesis_characters_, one, characters_.size(), options_.char_order, stats_.data());
        if (options_.word_order > 0) {
            chrf_words(reference, raw_, words_, scratch_);
            reference_ids_.clear();
            for (const std::string_view word : words_) reference_ids_.push_back(table_.find(word));
            fill(hypothesis_words_[0], one, static_cast<std::int32_t>(table_.size()), options_.word_order,
                 stats_.data() + 3 * options_.char_order);
        }
    }

    void fill(const Ids& hypothesis, std::span<const Ids> reference, std::int32_t symbols, int orders,
              double* stats) {
        matcher_.match(hypothesis, reference, symbols, orders, matches_.data());
        for (int n = 0; n < orders; ++n) {
            const auto ngrams = [n](std::size_t size) {
                return static_cast<double>(std::max(0L, static_cast<long>(size) - n));
            };
            const double theirs = ngrams(reference[0].size());
            stats[3 * n] = theirs > 0 ? ngrams(hypothesis.size()) : 0;
            stats[3 * n + 1] = theirs;
            stats[3 * n + 2] = static_cast<double>(matches_[static_cast<std::size_t>(n)]);
        }
    }

    Lines hypotheses_;
    const References& references_;
    ChrfOptions options_;
    double* rows_;
    std::size_t columns_;
    CharacterTable characters_;
    TokenTable table_;
    Matcher matcher_;
    Tokens raw_, words_;
    std::string scratch_;
    Ids hypothesis_characters_, reference_ids_;
    std::vector<Ids> hypothesis_words_;
    std::vector<double> stats_;
    std::vector<std::int64_t> matches_;
};

}  // namespace

void chrf_words(Line line, Tokens& raw, Tokens& words, std::string& scratch) {
    tokenize(Tokenizer::none, line, raw, scratch);
    words.clear();
    for (const std::string_view word : raw) {
        const bool single = decode(word.data()).size == word.size();
        if (single) {
            words.push_back(word);
        } else if (is_ascii_punctuation(word.back())) {
            words.push_back(word.substr(0, word.size() - 1));
            words.push_back(word.substr(word.size() - 1));
        } else if (is_ascii_punctuation(word.front())) {
            words.push_back(word.substr(0, 1));
            words.push_back(word.substr(1));
        } else {
            words.push_back(word);
        }
    }
}

void chrf_rows(Lines hypotheses, const References& references, const ChrfOptions& options, unsigned threads,
               double* rows) {
    for_each_segment(hypotheses.size(), threads,
                     [&] { return ChrfWorker(hypotheses, references, options, rows); });
}

}  // namespace adjudge
