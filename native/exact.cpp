#include "exact.hpp"

#include "parallel.hpp"

namespace adjudge {
namespace {

class ExactWorker {
  public:
    ExactWorker(Lines hypotheses, const References& references, Tokenizer tokenizer, bool raw, double* rows)
        : hypotheses_(hypotheses), references_(references), tokenizer_(tokenizer), raw_(raw), rows_(rows) {}

    void operator()(std::size_t segment) {
        const Line hypothesis = hypotheses_[segment];
        if (!raw_) tokenize(tokenizer_, hypothesis, tokens_, scratch_);
        rows_[segment] = 0;
        for (const Lines set : references_) {
            if (is_missing(set[segment])) continue;
            if (raw_ ? set[segment] == hypothesis : same_words(set[segment])) rows_[segment] = 1;
        }
    }

  private:
    bool same_words(Line reference) {
        tokenize(tokenizer_, reference, reference_tokens_, reference_scratch_);
        return tokens_ == reference_tokens_;
    }

    Lines hypotheses_;
    const References& references_;
    Tokenizer tokenizer_;
    bool raw_;
    double* rows_;
    Tokens tokens_, reference_tokens_;
    std::string scratch_, reference_scratch_;
};

}  // namespace

void exact_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, bool raw,
                unsigned threads, double* rows) {
    for_each_segment(hypotheses.size(), threads,
                     [&] { return ExactWorker(hypotheses, references, tokenizer, raw, rows); });
}

}  // namespace adjudge
