#include "nist.hpp"

#include <cmath>
#include <stdexcept>

#include "parallel.hpp"
#include "words.hpp"

namespace adjudge {
namespace {

constexpr std::int32_t empty = -1;

std::uint64_t child_key(std::int32_t node, std::int32_t word) {
    return static_cast<std::uint64_t>(node) << 32 | static_cast<std::uint32_t>(word);
}

std::size_t spread(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>((key ^ key >> 29) * 0xbf58476d1ce4e5b9u >> 20);
}

class NistWorker {
  public:
    NistWorker(Lines hypotheses, const References& references, const NistModel& model, Tokenizer tokenizer,
               int max_order, double* rows)
        : words_(hypotheses, references, tokenizer),
          model_(model),
          max_order_(max_order),
          rows_(rows),
          matches_(static_cast<std::size_t>(max_order)) {}

    void operator()(std::size_t segment) {
        words_.read(segment);
        const Ids& hypothesis = words_.hypothesis();
        const auto references = words_.references();
        const auto length = static_cast<std::int64_t>(hypothesis.size());
        double* row = rows_ + segment * static_cast<std::size_t>(2 + 2 * max_order_);
        std::fill_n(row, 2 + 2 * max_order_, 0.0);
        row[0] = static_cast<double>(length);
        for (const Ids& reference : references) row[1] += static_cast<double>(reference.size());
        row[1] /= static_cast<double>(references.size());
        for (int n = 0; n < max_order_; ++n)
            row[2 + max_order_ + n] = static_cast<double>(std::max<std::int64_t>(0, length - n));

        matcher_.match(hypothesis, references, words_.symbols(), max_order_, matches_.data(),
                       [&](int order, const auto& classes, const auto& own, const auto& best) {
                           row[1 + order] = weigh(order, classes, own, best);
                       });
    }

  private:
    // Information of the matched n-grams of one order, `classes` saying which n-gram starts at each place.
    double weigh(int order, std::span<const Matcher::Class> classes, const std::vector<Matcher::Class>& own,
                 const std::vector<Matcher::Class>& best) {
        const Ids& hypothesis = words_.hypothesis();
        if (order == 1) nodes_.assign(hypothesis.size(), NistModel::absent);
        if (order == 1) ids_.assign(hypothesis.size(), NistModel::absent);
        node_of_.assign(own.size(), unknown);
        double sum = 0;
        for (std::size_t i = 0; i < classes.size(); ++i) {
            const std::size_t c = classes[i];
            if (best[c] == 0) {
                nodes_[i] = NistModel::absent;
                continue;
            }
            if (node_of_[c] == unknown) {
                node_of_[c] = order == 1
                                  ? model_.word(words_.text(hypothesis[i]))
                                  : model_.child(nodes_[i], ids_[i + static_cast<std::size_t>(order) - 1]);
                if (node_of_[c] != NistModel::absent)
                    sum += model_.information(node_of_[c]) * static_cast<double>(std::min(own[c], best[c]));
            }
            nodes_[i] = node_of_[c];
            if (order == 1) ids_[i] = nodes_[i];
        }
        return sum;
    }

    static constexpr std::int32_t unknown = -2;
    SegmentWords words_;
    const NistModel& model_;
    int max_order_;
    double* rows_;
    std::vector<std::int64_t> matches_;
    Matcher matcher_;
    Ids ids_, nodes_, node_of_;
};

}  // namespace

NistModel::NistModel(const References& references, Tokenizer tokenizer, int max_order) {
    word_slots_.assign(1 << 12, empty);
    children_.assign(1 << 12, Child{0, empty});
    Ids words;                      // all references, segment after segment
    std::vector<std::size_t> ends;  // of the segments
    Tokens tokens;
    std::string scratch;
    for (const Lines set : references)
        for (const Line line : set) {
            if (is_missing(line)) continue;
            tokenize(tokenizer, line, tokens, scratch);
            for (const std::string_view token : tokens) words.push_back(add_word(token));
            ends.push_back(words.size());
        }
    if (words.size() > static_cast<std::size_t>(INT32_MAX) / 8)
        throw std::length_error("the references have more words than NIST's weights can be computed for");

    const auto total = static_cast<double>(words.size());
    for (const std::int64_t count : counts_)
        information_.push_back(-std::log(static_cast<double>(count) / total) / std::log(2.0));
    Ids nodes = words;  // the n-gram that starts at each place
    // mteval asks Perl whether there is a first part, and to Perl the text 0 is nothing: what follows the
    // word 0 weighs as if it were the first word. Kept, because scores are compared with mteval's.
    const std::int32_t zero = word("0");
    for (int order = 2; order <= max_order; ++order) {
        const std::size_t first = counts_.size();
        std::vector<std::int64_t> parents;
        std::size_t begin = 0;
        for (const std::size_t end : ends) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t last = i + static_cast<std::size_t>(order) - 1;
                if (nodes[i] == absent) continue;
                const bool is_zero = order == 2 && nodes[i] == zero;
                const std::int64_t before =
                    is_zero ? static_cast<std::int64_t>(words.size()) : counts_[at(nodes[i])];
                if (last >= end || before < 2) {
                    nodes[i] = absent;
                    continue;
                }
                nodes[i] = add_child(nodes[i], words[last]);
                if (at(nodes[i]) - first == parents.size()) parents.push_back(before);
            }
            begin = end;
        }
        for (std::size_t k = 0; k < parents.size(); ++k)
            information_.push_back(
                -std::log(static_cast<double>(counts_[first + k]) / static_cast<double>(parents[k])) /
                std::log(2.0));
    }
    counts_ = {};
}

std::int32_t NistModel::word(std::string_view text) const {
    const TokenKey key(text);
    for (std::size_t i = key.hash() >> 20;; ++i) {
        const std::int32_t word = word_slots_[i & (word_slots_.size() - 1)];
        if (word == empty || words_[at(word)] == key) return word;
    }
}

std::int32_t NistModel::child(std::int32_t node, std::int32_t word) const {
    if (node == absent || word == absent) return absent;
    const std::uint64_t key = child_key(node, word);
    for (std::size_t i = spread(key);; ++i) {
        const Child& child = children_[i & (children_.size() - 1)];
        if (child.node == empty || child.key == key) return child.node;
    }
}

std::int32_t NistModel::add_word(std::string_view text) {
    if (const std::int32_t known = word(text); known != empty) {
        ++counts_[at(known)];
        return known;
    }
    if (words_.size() * 2 >= word_slots_.size()) grow_words();
    constexpr std::size_t block = 1 << 16;
    if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < text.size()) {
        blocks_.emplace_back();
        blocks_.back().reserve(std::max(block, text.size()));
    }
    std::string& home = blocks_.back();
    home.append(text);
    const TokenKey key(std::string_view(home).substr(home.size() - text.size()));
    const auto id = static_cast<std::int32_t>(words_.size());
    std::size_t i = key.hash() >> 20;
    while (word_slots_[i & (word_slots_.size() - 1)] != empty) ++i;
    word_slots_[i & (word_slots_.size() - 1)] = id;
    words_.push_back(key);
    counts_.push_back(1);
    return id;
}

void NistModel::grow_words() {
    word_slots_.assign(word_slots_.size() * 2, empty);
    for (std::size_t w = 0; w < words_.size(); ++w) {
        std::size_t i = words_[w].hash() >> 20;
        while (word_slots_[i & (word_slots_.size() - 1)] != empty) ++i;
        word_slots_[i & (word_slots_.size() - 1)] = static_cast<std::int32_t>(w);
    }
}

std::int32_t NistModel::add_child(std::int32_t node, std::int32_t word) {
    if (child_count_ * 2 >= children_.size()) grow_children();
    const std::uint64_t key = child_key(node, word);
    for (std::size_t i = spread(key);; ++i) {
        Child& child = children_[i & (children_.size() - 1)];
        if (child.node == empty) {
            child = {key, static_cast<std::int32_t>(counts_.size())};
            counts_.push_back(1);
            ++child_count_;
            return child.node;
        }
        if (child.key == key) {
            ++counts_[at(child.node)];
            return child.node;
        }
    }
}

void NistModel::grow_children() {
    std::vector<Child> old(children_.size() * 2, Child{0, empty});
    old.swap(children_);
    for (const Child& child : old) {
        if (child.node == empty) continue;
        std::size_t i = spread(child.key);
        while (children_[i & (children_.size() - 1)].node != empty) ++i;
        children_[i & (children_.size() - 1)] = child;
    }
}

void nist_rows(Lines hypotheses, const References& references, const NistModel& model, Tokenizer tokenizer,
               int max_order, unsigned threads, double* rows) {
    for_each_segment(hypotheses.size(), threads,
                     [&] { return NistWorker(hypotheses, references, model, tokenizer, max_order, rows); });
}

}  // namespace adjudge
