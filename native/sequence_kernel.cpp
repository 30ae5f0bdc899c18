#include "sequence_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "intern.hpp"
#include "parallel.hpp"
#include "powers.hpp"

namespace adjudge {
namespace {

using Symbols = std::span<const std::int32_t>;

// Symbols that only one sequence has merely widen gaps, so cells are those of symbols that both have: places
// keeps their distances. A worker owns one of these.
class SequencePairs {
  public:
    SequencePairs(const SequenceKernel& kernel, std::size_t symbols)
        : kernel_(kernel), seen_(symbols, 0), power_(kernel.decay) {}

    void grow(std::size_t symbols) {
        if (seen_.size() < symbols) seen_.resize(symbols, 0);
    }

    double operator()(Symbols a, Symbols b) {
        keep_common(a, b);
        if (rows_.empty()) return 0;
        switch (kernel_.longest) {
            case 1:
                return sum<1>(1);
            case 2:
                return sum<2>(2);
            case 3:
                return sum<3>(3);
            case 4:
                return sum<4>(4);
            default:
                return sum<0>(static_cast<std::size_t>(kernel_.longest));
        }
    }

  private:
    struct Place {
        std::int32_t symbol;
        double decay;  // λ to the distance from the place before
    };

    void keep_common(Symbols a, Symbols b) {
        for (const std::int32_t symbol : b) seen_[symbol] = 1;
        keep(a, 1, rows_);
        for (const Place& row : rows_) seen_[row.symbol] = 2;
        keep(b, 2, columns_);
        for (const std::int32_t symbol : b) seen_[symbol] = 0;
    }

    void keep(Symbols symbols, std::uint8_t mark, std::vector<Place>& places) {
        places.clear();
        std::size_t last = 0;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            if (seen_[symbols[i]] != mark) continue;
            places.push_back({symbols[i], power_(i - last)});
            last = i;
        }
    }

    // ends_ holds for each column and length what ends at or before this cell, decayed by how far before; the
    // lengths of a cell lie beside each other, so that they are computed at once. `fixed` is their number
    // where it is known beforehand.
    template <std::size_t fixed>
    double sum(std::size_t given) {
        const std::size_t lengths = fixed > 0 ? fixed : given;
        const double first = kernel_.decay * kernel_.decay;
        ends_.assign(columns_.size() * lengths, 0.0);
        scratch_.assign(fixed > 0 ? 0 : 4 * lengths, 0.0);
        std::array<double, 4 * std::max<std::size_t>(fixed, 1)> local{};
        double* const row = fixed > 0 ? local.data() : scratch_.data();
        double* const before = row + lengths;
        double* const ending = before + lengths;
        double* const sums = ending + lengths;
        for (const Place& down : rows_) {
            std::fill_n(row, 2 * lengths, 0.0);
            double* ends = ends_.data();
            for (const Place& across : columns_) {
                for (std::size_t n = 0; n < lengths; ++n) row[n] *= across.decay;
                if (down.symbol == across.symbol) {
                    const double step = down.decay * across.decay;
                    ending[0] = first;
                    for (std::size_t n = 1; n < lengths; ++n) ending[n] = step * before[n - 1];
                    for (std::size_t n = 0; n < lengths; ++n) row[n] += ending[n];
                    for (std::size_t n = 0; n < lengths; ++n) sums[n] += ending[n];
                }
                for (std::size_t n = 0; n < lengths; ++n) before[n] = ends[n];
                for (std::size_t n = 0; n < lengths; ++n) ends[n] = down.decay * ends[n] + row[n];
                ends += lengths;
            }
        }
        double total = 0;
        for (std::size_t n = 0; n < lengths; ++n) total += sums[n];
        return total;
    }

    SequenceKernel kernel_;
    std::vector<std::uint8_t> seen_;
    std::vector<Place> rows_, columns_;
    std::vector<double> ends_, scratch_;
    Powers power_;
};

std::size_t symbols_of(const KernelSequences& a, const KernelSequences& b) {
    return static_cast<std::size_t>(std::max(a.symbol_limit(), b.symbol_limit()));
}

// √x² is x itself, so a text has 1 with itself; where the product leaves the range of numbers, roots stay in
// it.
double root_of_product(double a, double b) {
    const double product = a * b;
    return product > 1e-280 && product < 1e280 ? std::sqrt(product) : std::sqrt(a) * std::sqrt(b);
}

// The words of one segment after the other as numbers, those of one text at a time.
class SegmentKernel {
  public:
    SegmentKernel(Lines hypotheses, const References& sets, Tokenizer tokenizer, const SequenceKernel& kernel)
        : hypotheses_(hypotheses), sets_(sets), tokenizer_(tokenizer), pairs_(kernel, 0) {}

    double best(std::size_t segment) {
        tokenize(tokenizer_, hypotheses_[segment], tokens_, scratch_);
        intern_hypothesis();
        const double own = pairs_(hypothesis_, hypothesis_);
        double best = 0;
        for (const Lines set : sets_) {
            if (is_missing(set[segment])) continue;
            best = std::max(best, against(set[segment], own));
        }
        return best;
    }

  private:
    void intern_hypothesis() {
        table_.reset(tokens_.size());
        hypothesis_.clear();
        for (const std::string_view token : tokens_) hypothesis_.push_back(table_.add(token));
        pairs_.grow(table_.size());
    }

    double against(Line reference, double own) {
        tokenize(tokenizer_, reference, reference_tokens_, reference_scratch_);
        table_.reset(tokens_.size() + reference_tokens_.size());
        for (const std::string_view token : tokens_) table_.add(token);  // which get the same numbers again
        reference_.clear();
        for (const std::string_view token : reference_tokens_) reference_.push_back(table_.add(token));
        pairs_.grow(table_.size());
        const double theirs = pairs_(reference_, reference_);
        if (own <= 0 || theirs <= 0) return 0;
        return std::min(1.0, pairs_(hypothesis_, reference_) / root_of_product(own, theirs));
    }

    Lines hypotheses_;
    const References& sets_;
    Tokenizer tokenizer_;
    Tokens tokens_, reference_tokens_;
    std::string scratch_, reference_scratch_;
    TokenTable table_;
    std::vector<std::int32_t> hypothesis_, reference_;
    SequencePairs pairs_;
};

}  // namespace

KernelSequences::KernelSequences(std::span<const std::int32_t> symbols, std::span<const std::int64_t> sizes)
    : symbols_(symbols.begin(), symbols.end()), begins_(1, 0) {
    for (const std::int32_t symbol : symbols_) {
        if (symbol < 0) throw std::invalid_argument("a symbol below 0");
        symbol_limit_ = std::max(symbol_limit_, symbol + 1);
    }
    for (const std::int64_t size : sizes) {
        if (size < 0 || static_cast<std::size_t>(size) > symbols_.size() - begins_.back())
            throw std::invalid_argument("sizes of sequences do not fit their symbols");
        begins_.push_back(begins_.back() + static_cast<std::size_t>(size));
    }
    if (begins_.back() != symbols_.size())
        throw std::invalid_argument("sizes of sequences do not fit their symbols");
}

void sequence_kernel_pairs(const KernelSequences& a, const KernelSequences& b, const SequenceKernel& kernel,
                           unsigned threads, double* values) {
    for_each_segment(a.size(), threads, [&] {
        return [&, pairs = SequencePairs(kernel, symbols_of(a, b))](std::size_t i) mutable {
            values[i] = pairs(a[i], b[i]);
        };
    });
}

void sequence_kernel_matrix(const KernelSequences& a, const KernelSequences& b, const SequenceKernel& kernel,
                            unsigned threads, double* values) {
    const bool symmetric = &a == &b;
    for_each_block<1>(a.size(), threads, [&] {
        return [&, pairs = SequencePairs(kernel, symbols_of(a, b))](std::size_t i) mutable {
            for (std::size_t j = symmetric ? i : 0; j < b.size(); ++j) {
                values[i * b.size() + j] = pairs(a[i], b[j]);
                if (symmetric) values[j * b.size() + i] = values[i * b.size() + j];
            }
        };
    });
}

void sk_rows(Lines hypotheses, const References& references, Tokenizer tokenizer,
             const SequenceKernel& kernel, unsigned threads, double* rows) {
    for_each_segment(hypotheses.size(), threads, [&] {
        return [&, segment = SegmentKernel(hypotheses, references, tokenizer, kernel)](
                   std::size_t i) mutable { rows[i] = segment.best(i); };
    });
}

}  // namespace adjudge
