#include "lexical.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "hmm_sentence.hpp"
#include "parallel.hpp"

namespace adjudge {
namespace {

constexpr double one = 1ULL << 36;  // counts are whole numbers of its inverse
constexpr double likelihood_one = 1ULL << 20;
using Count = std::atomic<std::uint64_t>;

std::uint64_t fixed(double share) { return static_cast<std::uint64_t>(std::llround(share * one)); }

using Place = std::uint32_t;
constexpr Place absent = static_cast<Place>(-1);

// Where the target words of a sentence stand in the rows of its source words, and of no word behind them.
class PlaceFinder {
  public:
    explicit PlaceFinder(const LexicalTable& table) : table_(table) {}

    void find(std::span<const std::int32_t> source, std::span<const std::int32_t> target, Place* places) {
        order_.resize(target.size());
        std::iota(order_.begin(), order_.end(), 0u);
        std::sort(order_.begin(), order_.end(), [&](auto a, auto b) { return target[a] < target[b]; });
        std::fill_n(places, (source.size() + 1) * target.size(), absent);
        for (std::size_t i = 0; i <= source.size(); ++i) {
            const std::size_t row =
                i < source.size() ? static_cast<std::size_t>(source[i]) : table_.rows() - 1;
            if (i == source.size() || source[i] >= 0) find_in(row, target, places + i * target.size());
        }
    }

  private:
    void find_in(std::size_t row, std::span<const std::int32_t> target, Place* places) const {
        const auto begin = table_.targets.begin();
        auto at = begin + static_cast<std::ptrdiff_t>(table_.begins[row]);
        const auto end = begin + static_cast<std::ptrdiff_t>(table_.begins[row + 1]);
        for (const unsigned j : order_) {  // rising, so that each search starts where the last one ended
            at = std::lower_bound(at, end, target[j]);
            if (at == end) return;
            if (*at == target[j]) places[j] = static_cast<Place>(at - begin);
        }
    }

    const LexicalTable& table_;
    std::vector<unsigned> order_;
};

// The same of the first sentences, as many as fit into memory: searching for them takes longest.
struct StoredPlaces {
    std::vector<std::size_t> begins;
    std::vector<Place> places;

    const Place* of(std::size_t k) const {
        return k + 1 < begins.size() ? places.data() + begins[k] : nullptr;
    }
};

// The probabilities of a sentence's target words given each source word, and given none.
class Cells {
  public:
    explicit Cells(const LexicalTable& table) : table_(table), finder_(table) {}

    void read(std::span<const std::int32_t> source, std::span<const std::int32_t> target,
              const Place* stored = nullptr) {
        width_ = target.size();
        const std::size_t count = (source.size() + 1) * width_;
        places_ = stored;
        if (!stored) {
            own_.resize(count);
            finder_.find(source, target, own_.data());
            places_ = own_.data();
        }
        probabilities_.resize(count);
        for (std::size_t k = 0; k < count; ++k)
            probabilities_[k] =
                places_[k] == absent ? unseen : std::max<double>(table_.probabilities[places_[k]], unseen);
    }

    Place place(std::size_t i, std::size_t j) const { return places_[i * width_ + j]; }
    double probability(std::size_t i, std::size_t j) const { return probabilities_[i * width_ + j]; }

  private:
    const LexicalTable& table_;
    PlaceFinder finder_;
    std::size_t width_ = 0;
    const Place* places_ = nullptr;
    std::vector<Place> own_;
    std::vector<double> probabilities_;
};

// Training text: pairs of sentences that are neither empty nor too long.
struct Corpus {
    const IdSentences& source;
    const IdSentences& target;
    std::vector<std::size_t> used;
};

Corpus usable(const IdSentences& source, const IdSentences& target, std::size_t longest) {
    Corpus corpus{source, target, {}};
    for (std::size_t i = 0; i < source.size(); ++i) {
        const std::size_t a = source[i].size(), b = target[i].size();
        if (a && b && a <= longest && b <= longest) corpus.used.push_back(i);
    }
    return corpus;
}

// For every source word the sentences that have it.
struct Occurrences {
    std::vector<std::size_t> begins;
    std::vector<std::uint32_t> sentences;
};

Occurrences occurrences(const Corpus& corpus, std::size_t words) {
    Occurrences lists{std::vector<std::size_t>(words + 1, 0), {}};
    for (const std::size_t s : corpus.used)
        for (const std::int32_t word : corpus.source[s]) ++lists.begins[static_cast<std::size_t>(word) + 1];
    std::partial_sum(lists.begins.begin(), lists.begins.end(), lists.begins.begin());
    lists.sentences.resize(lists.begins.back());
    std::vector<std::size_t> at(lists.begins.begin(), lists.begins.end() - 1);
    for (const std::size_t s : corpus.used)
        for (const std::int32_t word : corpus.source[s])
            lists.sentences[at[static_cast<std::size_t>(word)]++] = static_cast<std::uint32_t>(s);
    return lists;
}

// Visits the distinct target words of the sentences that have a source word.
class Partners {
  public:
    Partners(const Corpus& corpus, const Occurrences& occurrences, std::size_t target_words)
        : corpus_(corpus), occurrences_(occurrences), seen_(target_words, 0) {}

    template <class Visit>
    void visit(std::size_t word, Visit visit) {
        ++stamp_;
        for (std::size_t k = occurrences_.begins[word]; k < occurrences_.begins[word + 1]; ++k)
            for (const std::int32_t target : corpus_.target[occurrences_.sentences[k]]) {
                std::uint32_t& seen = seen_[static_cast<std::size_t>(target)];
                if (seen == stamp_) continue;
                seen = stamp_;
                visit(target);
            }
    }

  private:
    const Corpus& corpus_;
    const Occurrences& occurrences_;
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;
};

// All pairs of words that share a sentence pair, at equal probabilities.
LexicalTable even_table(const Corpus& corpus, std::size_t source_words, std::size_t target_words,
                        unsigned threads) {
    const Occurrences where = occurrences(corpus, source_words);
    LexicalTable table;
    table.begins.assign(source_words + 2, 0);
    for_each_segment(source_words, threads, [&] {
        return [&, partners = Partners(corpus, where, target_words)](std::size_t word) mutable {
            std::size_t count = 0;
            partners.visit(word, [&](std::int32_t) { ++count; });
            table.begins[word + 1] = count;
        };
    });
    table.begins[source_words + 1] = target_words;
    std::partial_sum(table.begins.begin(), table.begins.end(), table.begins.begin());
    table.targets.resize(table.begins.back());
    table.probabilities.assign(table.begins.back(), 1.0f / static_cast<float>(target_words));
    for_each_segment(source_words, threads, [&] {
        return [&, partners = Partners(corpus, where, target_words)](std::size_t word) mutable {
            std::size_t at = table.begins[word];
            partners.visit(word, [&](std::int32_t target) { table.targets[at++] = target; });
            std::sort(table.targets.begin() + static_cast<std::ptrdiff_t>(table.begins[word]),
                      table.targets.begin() + static_cast<std::ptrdiff_t>(at));
        };
    });
    std::iota(table.targets.end() - static_cast<std::ptrdiff_t>(target_words), table.targets.end(), 0);
    return table;
}

StoredPlaces stored_places(const Corpus& corpus, const LexicalTable& table, std::size_t most,
                           unsigned threads) {
    StoredPlaces stored;
    stored.begins.push_back(0);
    for (const std::size_t s : corpus.used) {
        const std::size_t end =
            stored.begins.back() + (corpus.source[s].size() + 1) * corpus.target[s].size();
        if (end > most) break;
        stored.begins.push_back(end);
    }
    stored.places.resize(stored.begins.back());
    for_each_segment(stored.begins.size() - 1, threads, [&] {
        return [&, finder = PlaceFinder(table)](std::size_t k) mutable {
            finder.find(corpus.source[corpus.used[k]], corpus.target[corpus.used[k]],
                        stored.places.data() + stored.begins[k]);
        };
    });
    return stored;
}

// What one step of the expectation sums up.
struct Expected {
    std::unique_ptr<Count[]> counts;
    std::array<std::atomic<std::uint64_t>, jump_kinds> jumps{};
    std::atomic<std::int64_t> likelihood{0};

    explicit Expected(std::size_t cells) : counts(std::make_unique<Count[]>(cells)) {}

    void add(Place place, double share) {
        if (place != absent) counts[place].fetch_add(fixed(share), std::memory_order_relaxed);
    }
    void add_likelihood(double value) {
        likelihood.fetch_add(std::llround(value * likelihood_one), std::memory_order_relaxed);
    }
};

void expect_model1(const Corpus& corpus, const LexicalTable& table, const StoredPlaces& stored,
                   unsigned threads, Expected& sums) {
    for_each_segment(corpus.used.size(), threads, [&] {
        return [&, cells = Cells(table)](std::size_t k) mutable {
            const auto source = corpus.source[corpus.used[k]], target = corpus.target[corpus.used[k]];
            cells.read(source, target, stored.of(k));
            double likelihood = 0;
            for (std::size_t j = 0; j < target.size(); ++j) {
                double total = 0;
                for (std::size_t i = 0; i <= source.size(); ++i) total += cells.probability(i, j);
                for (std::size_t i = 0; i <= source.size(); ++i)
                    sums.add(cells.place(i, j), cells.probability(i, j) / total);
                likelihood += std::log(total / static_cast<double>(source.size() + 1));
            }
            sums.add_likelihood(likelihood);
        };
    });
}

void expect_hmm(const Corpus& corpus, const LexicalTable& table, const StoredPlaces& stored,
                const Jumps& jumps, unsigned threads, Expected& sums) {
    for_each_segment(corpus.used.size(), threads, [&] {
        return [&, cells = Cells(table), hmm = HmmSentence(jumps)](std::size_t k) mutable {
            const auto source = corpus.source[corpus.used[k]], target = corpus.target[corpus.used[k]];
            cells.read(source, target, stored.of(k));
            hmm.read(source.size(), target.size(),
                     [&](std::size_t i, std::size_t j) { return cells.probability(i, j); });
            for (std::size_t j = 0; j < target.size(); ++j)
                for (std::size_t i = 0; i <= source.size(); ++i)
                    sums.add(cells.place(i, j), hmm.posterior(i, j));
            hmm.visit_jumps([&](std::size_t kind, double share) {
                sums.jumps[kind].fetch_add(fixed(share), std::memory_order_relaxed);
            });
            sums.add_likelihood(hmm.log_likelihood());
        };
    });
}

void maximise(const Expected& sums, unsigned threads, LexicalTable& table) {
    for_each_segment(table.rows(), threads, [&] {
        return [&](std::size_t row) {
            std::uint64_t total = 0;
            for (std::size_t k = table.begins[row]; k < table.begins[row + 1]; ++k) total += sums.counts[k];
            for (std::size_t k = table.begins[row]; k < table.begins[row + 1]; ++k)
                table.probabilities[k] =
                    total
                        ? static_cast<float>(static_cast<double>(sums.counts[k]) / static_cast<double>(total))
                        : 0.0f;
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

}  // namespace

IdSentences::IdSentences(std::span<const std::int32_t> words, std::span<const std::int64_t> sizes)
    : ids(words), begins(sizes.size() + 1, 0) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 0) throw std::invalid_argument("a sentence cannot have fewer than no words");
        begins[i + 1] = begins[i] + static_cast<std::size_t>(sizes[i]);
    }
    if (begins.back() != words.size()) throw std::invalid_argument("sizes do not add up to the words");
}

LexicalModel LexicalModel::trained(const IdSentences& source, const IdSentences& target,
                                   std::size_t source_words, std::size_t target_words,
                                   const LexicalTraining& how) {
    const Corpus corpus = usable(source, target, how.longest);
    Jumps jumps;
    jumps.fill(1.0 / static_cast<double>(jump_kinds));
    LexicalModel model(even_table(corpus, source_words, target_words, how.threads), jumps);
    if (model.table_.targets.size() >= absent)
        throw std::length_error(
            "the parallel text is too large: more than four thousand million pairs of words");
    const StoredPlaces stored = stored_places(corpus, model.table_, how.memory / sizeof(Place), how.threads);
    for (unsigned step = 0; step < how.model1 + how.hmm; ++step) {
        Expected sums(model.table_.targets.size());
        if (step < how.model1)
            expect_model1(corpus, model.table_, stored, how.threads, sums);
        else
            expect_hmm(corpus, model.table_, stored, model.jumps_, how.threads, sums);
        maximise(sums, how.threads, model.table_);
        if (step >= how.model1) maximise(sums, model.jumps_);
        model.likelihoods_.push_back(static_cast<double>(sums.likelihood) / likelihood_one);
    }
    return model;
}

void LexicalModel::score(const IdSentences& source, const IdSentences& target, unsigned threads,
                         double* out) const {
    for_each_segment(source.size(), threads, [&] {
        return [&, cells = Cells(table_), hmm = HmmSentence(jumps_)](std::size_t s) mutable {
            const auto from = source[s], to = target[s];
            cells.read(from, to);
            const std::size_t words = from.size();
            hmm.read(words, to.size(), [&](std::size_t i, std::size_t j) { return cells.probability(i, j); });
            for (std::size_t j = 0; j < to.size(); ++j) {
                double total = 0, best = 0, posterior = 0;
                std::ptrdiff_t place = -1;
                for (std::size_t i = 0; i <= words; ++i) {
                    total += cells.probability(i, j);
                    if (i == words) break;
                    best = std::max(best, cells.probability(i, j));
                    if (hmm.posterior(i, j) > posterior) {
                        posterior = hmm.posterior(i, j);
                        place = static_cast<std::ptrdiff_t>(i);
                    }
                }
                if (hmm.posterior(words, j) > posterior) place = -1;
                double* row = out + (target.begins[s] + j) * columns;
                row[0] = std::log(total / static_cast<double>(words + 1));
                row[1] = best;
                row[2] = hmm.log_predictive(j);
                row[3] = posterior;
                row[4] = static_cast<double>(place);
            }
        };
    });
}

}  // namespace adjudge
