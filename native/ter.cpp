#include "ter.hpp"

#include "intern.hpp"
#include "parallel.hpp"
#include "ter_distance.hpp"

namespace adjudge {
namespace {

// The words of one hypothesis and of one of its references, as text and numbered.
class TerWords {
  public:
    explicit TerWords(const TercomText& options) : options_(options) {}

    void read_hypothesis(Line line) { tercom_tokenize(options_, line, tokens_, scratch_); }

    void read_reference(Line line) {
        tokenize_reference(line);
        table_.reset(reference_tokens_.size());
        reference_.clear();
        for (const std::string_view token : reference_tokens_) reference_.push_back(table_.add(token));
        hypothesis_.clear();
        for (const std::string_view token : tokens_) hypothesis_.push_back(table_.find(token));
    }

    int edits(TerSearch& search) const {
        return search.edits(hypothesis_, reference_, static_cast<std::int32_t>(table_.size()));
    }

    const Tokens& hypothesis() const { return tokens_; }
    const Tokens& reference() const { return reference_tokens_; }

  private:
    // sacreBLEU cuts references twice, which is not the same as once: a word that ends in 's before a comma
    // comes apart only when a space already stands between.
    void tokenize_reference(Line line) {
        tercom_tokenize(options_, line, reference_tokens_, reference_scratch_);
        if (options_.tercom || !(options_.normalized || options_.no_punct)) return;
        once_.clear();
        for (const std::string_view token : reference_tokens_) {
            if (!once_.empty()) once_ += ' ';
            once_ += token;
        }
        tercom_tokenize(options_, once_, reference_tokens_, reference_scratch_);
    }

    TercomText options_;
    Tokens tokens_, reference_tokens_;
    std::string scratch_, reference_scratch_, once_;
    TokenTable table_;
    Words hypothesis_, reference_;
};

class TerWorker {
  public:
    TerWorker(Lines hypotheses, const References& references, const TercomText& options, double* rows)
        : hypotheses_(hypotheses),
          references_(references),
          rows_(rows),
          words_(options),
          search_(make_ter_search(options.tercom)) {}

    void operator()(std::size_t segment) {
        words_.read_hypothesis(hypotheses_[segment]);
        double length = 0;
        int references = 0, fewest = 0;
        for (const Lines set : references_) {
            if (is_missing(set[segment])) continue;
            words_.read_reference(set[segment]);
            const int edits = words_.edits(*search_);
            fewest = references == 0 ? edits : std::min(fewest, edits);
            length += static_cast<double>(words_.reference().size());
            ++references;
        }
        rows_[2 * segment] = fewest;
        rows_[2 * segment + 1] = references == 0 ? 0 : length / references;
    }

  private:
    Lines hypotheses_;
    const References& references_;
    double* rows_;
    TerWords words_;
    std::unique_ptr<TerSearch> search_;
};

class TraceWorker {
  public:
    TraceWorker(Lines hypotheses, const References& references, const TercomText& options, TerTrace* traces)
        : hypotheses_(hypotheses),
          references_(references),
          traces_(traces),
          words_(options),
          search_(make_ter_search(options.tercom)) {}

    void operator()(std::size_t segment) {
        words_.read_hypothesis(hypotheses_[segment]);
        TerTrace& trace = traces_[segment];
        trace.hypothesis.assign(words_.hypothesis().begin(), words_.hypothesis().end());
        int fewest = -1;
        for (const Lines set : references_) {
            if (is_missing(set[segment])) continue;
            words_.read_reference(set[segment]);
            const int edits = words_.edits(*search_);
            if (fewest >= 0 && edits >= fewest) continue;  // the first of equals
            fewest = edits;
            trace.reference.assign(words_.reference().begin(), words_.reference().end());
            trace.pairs = search_->pairs();
            trace.shifts = search_->shifts();
        }
    }

  private:
    Lines hypotheses_;
    const References& references_;
    TerTrace* traces_;
    TerWords words_;
    std::unique_ptr<TerSearch> search_;
};

}  // namespace

void ter_rows(Lines hypotheses, const References& references, const TercomText& options, unsigned threads,
              double* rows) {
    for_each_segment(hypotheses.size(), threads,
                     [&] { return TerWorker(hypotheses, references, options, rows); });
}

std::vector<TerTrace> ter_traces(Lines hypotheses, const References& references, const TercomText& options,
                                 unsigned threads) {
    std::vector<TerTrace> traces(hypotheses.size());
    for_each_segment(hypotheses.size(), threads,
                     [&] { return TraceWorker(hypotheses, references, options, traces.data()); });
    return traces;
}

}  // namespace adjudge
