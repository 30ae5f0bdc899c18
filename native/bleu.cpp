#include "bleu.hpp"

#include <cstdlib>
#include <string>

#include "intern.hpp"
#include "matching.hpp"
#include "parallel.hpp"

namespace adjudge {
namespace {

class BleuWorker {
  public:
    BleuWorker(Lines hypotheses, const References& references, Tokenizer tokenizer, int max_order,
               double* rows)
        : hypotheses_(hypotheses),
          references_(references),
          tokenizer_(tokenizer),
          max_order_(max_order),
          rows_(rows),
          matches_(static_cast<std::size_t>(max_order)) {
        ids_.resize(references.size());
    }

    void operator()(std::size_t segment) {
        tokenize(tokenizer_, hypotheses_[segment], tokens_, scratch_);
        table_.reset(tokens_.size());
        hypothesis_.clear();
        for (const std::string_view token : tokens_) hypothesis_.push_back(table_.add(token));
        const auto length = static_cast<long>(hypothesis_.size());

        std::size_t used = 0;
        long closest = -1;
        for (const Lines set : references_) {
            if (is_missing(set[segment])) continue;
            // The hypothesis's tokens are in the table by view: its own scratch text must outlive this loop.
            tokenize(tokenizer_, set[segment], tokens_, reference_scratch_);
            Ids& ids = ids_[used++];
            ids.clear();
            for (const std::string_view token : tokens_) ids.push_back(table_.find(token));
            const auto size = static_cast<long>(ids.size());
            const long nearer = std::labs(length - size) - std::labs(length - closest);
            if (closest < 0 || nearer < 0 || (nearer == 0 && size < closest)) closest = size;
        }

        matcher_.match(hypothesis_, std::span(ids_).first(used), static_cast<std::int32_t>(table_.size()),
                       max_order_, matches_.data());
        double* row = rows_ + segment * static_cast<std::size_t>(2 + 2 * max_order_);
        row[0] = static_cast<double>(length);
        row[1] = static_cast<double>(closest);
        for (int n = 0; n < max_order_; ++n) {
            row[2 + n] = static_cast<double>(matches_[static_cast<std::size_t>(n)]);
            row[2 + max_order_ + n] = static_cast<double>(std::max(0L, length - n));
        }
    }

  private:
    Lines hypotheses_;
    const References& references_;
    Tokenizer tokenizer_;
    int max_order_;
    double* rows_;
    Tokens tokens_;
    std::string scratch_, reference_scratch_;
    TokenTable table_;
    Ids hypothesis_;
    std::vector<Ids> ids_;
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
