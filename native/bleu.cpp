#include "bleu.hpp"

#include <cstdlib>

#include "matching.hpp"
#include "parallel.hpp"
#include "words.hpp"

namespace adjudge {
namespace {

class BleuWorker {
  public:
    BleuWorker(Lines hypotheses, const References& references, Tokenizer tokenizer, int max_order,
               double* rows)
        : words_(hypotheses, references, tokenizer),
          max_order_(max_order),
          rows_(rows),
          matches_(static_cast<std::size_t>(max_order)) {}

    void operator()(std::size_t segment) {
        words_.read(segment);
        const auto length = static_cast<long>(words_.hypothesis().size());
        long closest = -1;
        for (const Ids& reference : words_.references()) {
            const auto size = static_cast<long>(reference.size());
            const long nearer = std::labs(length - size) - std::labs(length - closest);
            if (closest < 0 || nearer < 0 || (nearer == 0 && size < closest)) closest = size;
        }

        matcher_.match(words_.hypothesis(), words_.references(), words_.symbols(), max_order_,
                       matches_.data());
        double* row = rows_ + segment * static_cast<std::size_t>(2 + 2 * max_order_);
        row[0] = static_cast<double>(length);
        row[1] = static_cast<double>(closest);
        for (int n = 0; n < max_order_; ++n) {
            row[2 + n] = static_cast<double>(matches_[static_cast<std::size_t>(n)]);
            row[2 + max_order_ + n] = static_cast<double>(std::max(0L, length - n));
        }
    }

  private:
    SegmentWords words_;
    int max_order_;
    double* rows_;
    std::vector<std::int64_t> matches_;
    Matcher matcher_;
};

}  // namespace

void bleu_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, int max_order,
               unsigned threads, double* rows) {
    for_each_segment(hypotheses.size(), threads,
                     [&] { return BleuWorker(hypotheses, references, tokenizer, max_order, rows); });
}

}  // namespace adjudge
