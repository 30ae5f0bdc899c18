// Expectation maximisation for model 1 and the HMM. Nearly all of its time goes into memory: a table of
// hundreds of millions of cells is read and added to in no order. So a cell's probability and count lie
// beside each other, each sentence fetches all of its cells before it adds to them, and where they lie is
// found once.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "hmm_sentence.hpp"
#include "large_array.hpp"
#include "lexical.hpp"
#include "parallel.hpp"

namespace adjudge {
namespace {

constexpr double one = 1ULL << 36;  // counts are whole numbers of its inverse
constexpr double likelihood_one = 1ULL << 20;

std::uint64_t fixed(double share) { return static_cast<std::uint64_t>(share * one + 0.5); }

using Place = std::uint32_t;

// Training text: pairs of sentences that are neither empty nor too long.
struct Corpus {
    const IdSentences& source;
    const IdSentences& target;
    std::vector<std::uint32_t> used;

    std::span<const std::int32_t> from(std::size_t k) const { return source[used[k]]; }
    std::span<const std::int32_t> to(std::size_t k) const { return target[used[k]]; }
    std::size_t cells(std::size_t k) const { return (from(k).size() + 1) * to(k).size(); }
};

Corpus usable(const IdSentences& source, const IdSentences& target, std::size_t longest) {
    Corpus corpus{source, target, {}};
    if (source.size() > static_cast<std::uint32_t>(-1))
        throw std::length_error("the parallel text has more than four thousand million sentences");
    for (std::size_t i = 0; i < source.size(); ++i) {
        const std::size_t a = source[i].size(), b = target[i].size();
        if (a && b && a <= longest && b <= longest) corpus.used.push_back(static_cast<std::uint32_t>(i));
    }
    return corpus;
}

// For every source word where it stands: which of the used sentences, and which word of it.
struct Occurrence {
    std::uint32_t sentence;
    std::uint32_t word;
};

struct Occurrences {
    std::vector<std::size_t> begins;
    std::vector<Occurrence> list;

    std::span<const Occurrence> of(std::size_t word) const {
        return {list.data() + begins[word], begins[word + 1] - begins[word]};
    }
};

Occurrences occurrences(const Corpus& corpus, std::size_t words) {
    Occurrences lists{std::vector<std::size_t>(words + 1, 0), {}};
    for (std::size_t k = 0; k < corpus.used.size(); ++k)
        for (const std::int32_t word : corpus.from(k)) ++lists.begins[static_cast<std::size_t>(word) + 1];
    std::partial_sum(lists.begins.begin(), lists.begins.end(), lists.begins.begin());
    lists.list.resize(lists.begins.back());
    std::vector<std::size_t> at(lists.begins.begin(), lists.begins.end() - 1);
    for (std::size_t k = 0; k < corpus.used.size(); ++k) {
        const auto source = corpus.from(k);
        for (std::size_t i = 0; i < source.size(); ++i)
            lists.list[at[static_cast<std::size_t>(source[i])]++] = {static_cast<std::uint32_t>(k),
                                                                     static_cast<std::uint32_t>(i)};
    }
    return lists;
}

// The distinct target words of the sentences that have a source word.
class Partners {
  public:
    Partners(const Corpus& corpus, std::size_t target_words) : corpus_(corpus), seen_(target_words, 0) {}

    const std::vector<std::int32_t>& of(std::span<const Occurrence> where) {
        ++stamp_;
        partners_.clear();
        for (const Occurrence& own : where)
            for (const std::int32_t target : corpus_.to(own.sentence)) {
                std::uint32_t& seen = seen_[static_cast<std::size_t>(target)];
                if (seen == stamp_) continue;
                seen = stamp_;
                partners_.push_back(target);
            }
        return partners_;
    }

  private:
    const Corpus& corpus_;
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;
    std::vector<std::int32_t> partners_;
};

struct Cell {
    std::atomic<std::uint64_t> count{0};
    float probability = 0;
    std::int32_t target = 0;

    void add(double share) {
        if (const std::uint64_t own = fixed(share)) count.fetch_add(own, std::memory_order_relaxed);
    }
};
static_assert(sizeof(Cell) == 16);

// For every source word the target words that it meets, sorted; the last row is that of no word at all.
struct TrainingTable {
    std::vector<std::size_t> begins;
    LargeArray<Cell> cells;

    std::size_t rows() const { return begins.size() - 1; }
    std::span<Cell> row(std::size_t r) { return {cells.begin() + begins[r], begins[r + 1] - begins[r]}; }
    std::span<const Cell> row(std::size_t r) const {
        return {cells.begin() + begins[r], begins[r + 1] - begins[r]};
    }
};

std::vector<std::size_t> row_begins(const Corpus& corpus, const Occurrences& where, std::size_t source_words,
                                    std::size_t target_words, unsigned threads) {
    std::vector<std::size_t> begins(source_words + 2, 0);
    // A word at a time: the few that stand everywhere take as long as all others.
    for_each_block<1>(source_words, threads, [&] {
        return [&, partners = Partners(corpus, target_words)](std::size_t word) mutable {
            begins[word + 1] = partners.of(where.of(word)).size();
        };
    });
    begins[source_words + 1] = target_words;
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    if (begins.back() >= static_cast<Place>(-1))
        throw std::length_error(
            "the parallel text is too large: more than four thousand million pairs of words");
    return begins;
}

// Where the words of each sentence pair lie in the table, source word by source word and no word last; of the
// first sentences, as many as fit into memory.
struct StoredPlaces {
    std::vector<std::size_t> begins;
    LargeArray<Place> places;

    bool has(std::size_t k) const { return k + 1 < begins.size(); }
    const Place* of(std::size_t k) const { return has(k) ? places.begin() + begins[k] : nullptr; }
    Place* of(std::size_t k) { return has(k) ? places.begin() + begins[k] : nullptr; }
};

std::vector<std::size_t> place_begins(const Corpus& corpus, std::size_t most) {
    std::vector<std::size_t> begins{0};
    for (std::size_t k = 0; k < corpus.used.size() && begins.back() + corpus.cells(k) <= most; ++k)
        begins.push_back(begins.back() + corpus.cells(k));
    return begins;
}

// Fills in one row after the other, and where each sentence finds its cells.
void fill(const Corpus& corpus, const Occurrences& where, std::size_t target_words, unsigned threads,
          TrainingTable& table, StoredPlaces& stored) {
    const std::size_t last = table.rows() - 1;
    const float even = 1.0f / static_cast<float>(target_words);
    for_each_block<1>(last, threads, [&] {
        return [&, partners = Partners(corpus, target_words), sorted = std::vector<std::int32_t>{},
                place = std::vector<Place>(target_words)](std::size_t word) mutable {
            sorted = partners.of(where.of(word));
            std::sort(sorted.begin(), sorted.end());
            for (std::size_t k = 0; k < sorted.size(); ++k) {
                Cell& cell = table.cells[table.begins[word] + k];
                cell.probability = even;
                cell.target = sorted[k];
                place[static_cast<std::size_t>(sorted[k])] = static_cast<Place>(table.begins[word] + k);
            }
            for (const Occurrence& own : where.of(word)) {
                if (!stored.has(own.sentence)) break;  // sentences rise
                const auto target = corpus.to(own.sentence);
                Place* const places = stored.of(own.sentence) + own.word * target.size();
                for (std::size_t j = 0; j < target.size(); ++j)
                    places[j] = place[static_cast<std::size_t>(target[j])];
            }
        };
    });
    for (std::size_t t = 0; t < target_words; ++t) {
        Cell& cell = table.cells[table.begins[last] + t];
        cell.probability = even;
        cell.target = static_cast<std::int32_t>(t);
    }
    for_each_segment(stored.begins.size() - 1, threads, [&] {
        return [&](std::size_t k) {
            const auto target = corpus.to(k);
            Place* const places = stored.of(k) + corpus.from(k).size() * target.size();
            for (std::size_t j = 0; j < target.size(); ++j)
                places[j] = static_cast<Place>(table.begins[last] + static_cast<std::size_t>(target[j]));
        };
    });
}

// The cells of one sentence pair, (source words + 1) × target words, and their probabilities.
class SentenceCells {
  public:
    SentenceCells(const Corpus& corpus, const StoredPlaces& stored, TrainingTable& table)
        : corpus_(corpus), stored_(stored), table_(table) {}

    void read(std::size_t k) {
        width = corpus_.to(k).size();
        places_ = stored_.of(k);
        if (!places_) find(k);
        probabilities.resize(corpus_.cells(k));
        for (std::size_t c = 0; c < probabilities.size(); ++c)
            probabilities[c] = std::max<double>(table_.cells[places_[c]].probability, unseen);
    }

    Cell& cell(std::size_t c) { return table_.cells[places_[c]]; }

    std::size_t width = 0;
    std::vector<double> probabilities;

  private:
    void find(std::size_t k) {
        const auto source = corpus_.from(k), target = corpus_.to(k);
        own_.clear();
        for (std::size_t i = 0; i <= source.size(); ++i) {
            const auto row =
                table_.row(i < source.size() ? static_cast<std::size_t>(source[i]) : table_.rows() - 1);
            for (const std::int32_t word : target) {
                const auto at = std::lower_bound(row.begin(), row.end(), word,
                                                 [](const Cell& a, std::int32_t b) { return a.target < b; });
                own_.push_back(static_cast<Place>(&*at - table_.cells.begin()));
            }
        }
        places_ = own_.data();
    }

    const Corpus& corpus_;
    const StoredPlaces& stored_;
    TrainingTable& table_;
    const Place* places_ = nullptr;
    std::vector<Place> own_;
};

// What one step of the expectation sums up besides the counts of cells.
struct Expected {
    std::array<std::atomic<std::uint64_t>, jump_kinds> jumps{};
    std::atomic<std::int64_t> likelihood{0};

    void add_likelihood(double value) {
        likelihood.fetch_add(std::llround(value * likelihood_one), std::memory_order_relaxed);
    }
};

void expect_model1(const Corpus& corpus, const StoredPlaces& stored, unsigned threads, TrainingTable& table,
                   Expected& sums) {
    for_each_segment(corpus.used.size(), threads, [&] {
        return [&, cells = SentenceCells(corpus, stored, table),
                totals = std::vector<double>{}](std::size_t k) mutable {
            cells.read(k);
            const std::size_t rows = corpus.from(k).size() + 1, width = cells.width;
            totals.assign(width, 0);
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < width; ++j) totals[j] += cells.probabilities[i * width + j];
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < width; ++j)
                    cells.cell(i * width + j).add(cells.probabilities[i * width + j] / totals[j]);
            double likelihood = 0;
            for (const double total : totals) likelihood += std::log(total / static_cast<double>(rows));
            sums.add_likelihood(likelihood);
        };
    });
}

void expect_hmm(const Corpus& corpus, const StoredPlaces& stored, const Jumps& jumps, unsigned threads,
                TrainingTable& table, Expected& sums) {
    for_each_segment(corpus.used.size(), threads, [&] {
        return [&, cells = SentenceCells(corpus, stored, table),
                hmm = HmmSentence(jumps)](std::size_t k) mutable {
            cells.read(k);
            const std::size_t words = corpus.from(k).size(), width = cells.width;
            hmm.read(words, width,
                     [&](std::size_t i, std::size_t j) { return cells.probabilities[i * width + j]; });
            for (std::size_t i = 0; i <= words; ++i)
                for (std::size_t j = 0; j < width; ++j) cells.cell(i * width + j).add(hmm.posterior(i, j));
            hmm.visit_jumps([&](std::size_t kind, double share) {
                sums.jumps[kind].fetch_add(fixed(share), std::memory_order_relaxed);
            });
            sums.add_likelihood(hmm.log_likelihood());
        };
    });
}

// Counts become probabilities, and are 0 again.
void maximise(unsigned threads, TrainingTable& table) {
    for_each_segment(table.rows(), threads, [&] {
        return [&](std::size_t r) {
            std::uint64_t total = 0;
            for (const Cell& cell : table.row(r)) total += cell.count.load(std::memory_order_relaxed);
            for (Cell& cell : table.row(r)) {
                const auto count = static_cast<double>(cell.count.load(std::memory_order_relaxed));
                cell.probability = total ? static_cast<float>(count / static_cast<double>(total)) : 0.0f;
                cell.count.store(0, std::memory_order_relaxed);
            }
        };
    });
}

void maximise(const Expected& sums, Jumps& jumps) {
    // One of each kind was seen besides, so that none becomes impossible.
    double total = 0;
    for (std::size_t k = 0; k < jump_kinds; ++k) total += static_cast<double>(sums.jumps[k]) / one + 1;
    for (std::size_t k = 0; k < jump_kinds; ++k)
        jumps[k] = (static_cast<double>(sums.jumps[k]) / one + 1) / total;
}

LexicalTable without_counts(TrainingTable table) {
    LexicalTable kept;
    kept.targets.reserve(table.cells.size());
    kept.probabilities.reserve(table.cells.size());
    for (const Cell& cell : std::span(table.cells.begin(), table.cells.size())) {
        kept.targets.push_back(cell.target);
        kept.probabilities.push_back(cell.probability);
    }
    kept.begins = std::move(table.begins);
    return kept;
}

}  // namespace

LexicalModel LexicalModel::trained(const IdSentences& source, const IdSentences& target,
                                   std::size_t source_words, std::size_t target_words,
                                   const LexicalTraining& how) {
    const Corpus corpus = usable(source, target, how.longest);
    const auto tables = [&] {
        const Occurrences where = occurrences(corpus, source_words);
        auto begins = row_begins(corpus, where, source_words, target_words, how.threads);
        auto places = place_begins(corpus, how.memory / sizeof(Place));
        TrainingTable table{begins, LargeArray<Cell>(begins.back())};
        StoredPlaces stored{places, LargeArray<Place>(places.back())};
        fill(corpus, where, target_words, how.threads, table, stored);
        return std::pair(std::move(table), std::move(stored));
    };
    auto [table, stored] = tables();
    Jumps jumps;
    jumps.fill(1.0 / static_cast<double>(jump_kinds));
    std::vector<double> likelihoods;
    for (unsigned step = 0; step < how.model1 + how.hmm; ++step) {
        Expected sums;
        if (step < how.model1)
            expect_model1(corpus, stored, how.threads, table, sums);
        else
            expect_hmm(corpus, stored, jumps, how.threads, table, sums);
        maximise(how.threads, table);
        if (step >= how.model1) maximise(sums, jumps);
        likelihoods.push_back(static_cast<double>(sums.likelihood) / likelihood_one);
    }
    stored = StoredPlaces{{0}, LargeArray<Place>(0)};
    LexicalModel model(without_counts(std::move(table)), jumps);
    model.likelihoods_ = std::move(likelihoods);
    return model;
}

}  // namespace adjudge
