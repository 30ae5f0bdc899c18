#include "nist.hpp"

#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "parallel.hpp"
#include "words.hpp"

namespace adjudge {
namespace {

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
                const std::size_t last = i + static_cast<std::size_t>(order) - 1;
                const NistModel::Gram gram = order == 1 ? model_.word(words_.text(hypothesis[i]))
                                                        : model_.extended(ids_[i], nodes_[i], ids_[last]);
                node_of_[c] = gram.node;
                if (gram.node != NistModel::absent)
                    sum += gram.information * static_cast<double>(std::min(own[c], best[c]));
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

// The references of one worker: words by its own numbers, `absent` behind every segment.
struct WorkerText {
    WordTable words;
    Ids text;
};

}  // namespace

NistModel::NistModel(const References& references, Tokenizer tokenizer, int max_order, unsigned threads) {
    const Ids text = read(references, tokenizer, threads);
    // N-grams are counted apart by their first word, which says in which part they stand.
    parts_.resize(4 * thread_count(threads));
    for_each_block<1>(parts_.size(), threads,
                      [&] { return [&](std::size_t part) { parts_[part] = count(text, part, max_order); }; });
    const auto total = static_cast<double>(total_);
    for (const std::int64_t occurrences : counts_)
        information_.push_back(-std::log(static_cast<double>(occurrences) / total) / std::log(2.0));
    counts_ = {};
}

Ids NistModel::read(const References& references, Tokenizer tokenizer, unsigned threads) {
    std::vector<std::unique_ptr<WorkerText>> own;
    std::mutex lock;
    for (const Lines set : references)
        for_each_segment(set.size(), threads, [&] {
            const std::lock_guard guard(lock);
            WorkerText* worker = own.emplace_back(std::make_unique<WorkerText>()).get();
            return [=, tokens = Tokens(), scratch = std::string()](std::size_t segment) mutable {
                if (is_missing(set[segment])) return;
                tokenize(tokenizer, set[segment], tokens, scratch);
                for (const std::string_view token : tokens) worker->text.push_back(worker->words.add(token));
                worker->text.push_back(absent);
            };
        });
    Ids text;
    for (const auto& worker : own) {
        Ids numbers(worker->words.size());
        for (std::size_t w = 0; w < numbers.size(); ++w)
            numbers[w] = words_.add(worker->words.text(static_cast<std::int32_t>(w)));
        counts_.resize(words_.size());
        for (const std::int32_t word : worker->text) {
            text.push_back(word == absent ? absent : numbers[at(word)]);
            if (word == absent) continue;
            ++counts_[at(text.back())];
            ++total_;
        }
    }
    if (text.size() > static_cast<std::size_t>(INT32_MAX) / 8)
        throw std::length_error("the references have more words than NIST's weights can be computed for");
    return text;
}

NistModel::Part NistModel::count(const Ids& text, std::size_t part, int max_order) const {
    struct Place {
        std::size_t last;   // the n-gram's last word
        std::int32_t node;  // the n-gram
    };
    std::vector<Place> places;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != absent && at(text[i]) % parts_.size() == part) places.push_back({i, text[i]});
    Part grams;
    std::vector<std::int64_t> counts, parents;
    // mteval asks Perl whether there is a first part, and to Perl the text 0 is nothing: what follows the
    // word 0 weighs as if it were the first word. Kept, because scores are compared with mteval's.
    const std::int32_t zero = words_.find("0");
    for (int order = 2; order <= max_order; ++order) {
        std::size_t kept = 0;
        for (const auto& [last, node] : places) {
            const std::int64_t before = order > 2      ? counts[at(node) - words_.size()]
                                        : node == zero ? total_
                                                       : counts_[at(node)];
            if (text[last + 1] == absent || before < 2) continue;
            const std::size_t child = grams.add(node, text[last + 1]);
            if (child == counts.size()) {
                counts.push_back(0);
                parents.push_back(before);
            }
            ++counts[child];
            places[kept++] = {last + 1, static_cast<std::int32_t>(words_.size() + child)};
        }
        places.resize(kept);
    }
    for (std::size_t k = 0; k < counts.size(); ++k)
        grams.information.push_back(
            -std::log(static_cast<double>(counts[k]) / static_cast<double>(parents[k])) / std::log(2.0));
    return grams;
}

std::size_t NistModel::Part::place(std::uint64_t key) const {
    const std::size_t mask = slots.size() - 1;
    for (std::size_t i = spread(key);; ++i)
        if (slots[i & mask].child == absent || slots[i & mask].key == key) return i & mask;
}

std::size_t NistModel::Part::add(std::int32_t node, std::int32_t word) {
    if (2 * (size + 1) > slots.size()) {
        std::vector<Slot> old(std::max<std::size_t>(1024, 2 * slots.size()));
        old.swap(slots);
        for (const Slot& slot : old)
            if (slot.child != absent) slots[place(slot.key)] = slot;
    }
    const std::uint64_t key = child_key(node, word);
    Slot& slot = slots[place(key)];
    if (slot.child == absent) slot = {key, static_cast<std::int32_t>(size++)};
    return at(slot.child);
}

NistModel::Gram NistModel::extended(std::int32_t first, std::int32_t node, std::int32_t word) const {
    if (node == absent || word == absent) return {};
    const Part& part = parts_[at(first) % parts_.size()];
    if (part.slots.empty()) return {};
    const std::int32_t child = part.slots[part.place(child_key(node, word))].child;
    if (child == absent) return {};
    return {static_cast<std::int32_t>(words_.size()) + child, part.information[at(child)]};
}

NistModel::Gram NistModel::word(std::string_view text) const {
    const std::int32_t id = words_.find(text);
    return id == absent ? Gram{} : Gram{id, information_[at(id)]};
}

std::size_t NistModel::size() const {
    std::size_t all = words_.size();
    for (const Part& part : parts_) all += part.size;
    return all;
}

void nist_rows(Lines hypotheses, const References& references, const NistModel& model, Tokenizer tokenizer,
               int max_order, unsigned threads, double* rows) {
    for_each_segment(hypotheses.size(), threads,
                     [&] { return NistWorker(hypotheses, references, model, tokenizer, max_order, rows); });
}

}  // namespace adjudge
