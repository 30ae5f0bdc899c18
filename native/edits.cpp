#include "edits.hpp"

#include "edit_pairs.hpp"
#include "levenshtein.hpp"
#include "parallel.hpp"
#include "words.hpp"

namespace adjudge {
namespace {

template <class Distance>
class EditWorker {
  public:
    EditWorker(Lines hypotheses, const References& references, Tokenizer tokenizer, double* rows)
        : words_(hypotheses, references, tokenizer), rows_(rows) {}

    void operator()(std::size_t segment) {
        words_.read(segment);
        std::int64_t fewest = -1;
        std::size_t length = 0;
        for (const Ids& reference : words_.references()) {
            const std::int64_t errors = distance_.distance(words_.hypothesis(), reference, words_.symbols());
            if (fewest < 0 || errors < fewest || (errors == fewest && reference.size() > length)) {
                fewest = errors;
                length = reference.size();
            }
        }
        rows_[2 * segment] = static_cast<double>(fewest);
        rows_[2 * segment + 1] = static_cast<double>(length);
    }

  private:
    SegmentWords words_;
    Distance distance_;
    double* rows_;
};

class TraceWorker {
  public:
    TraceWorker(Lines hypotheses, const References& references, Tokenizer tokenizer, WerTrace* traces)
        : hypotheses_(hypotheses),
          sets_(references),
          tokenizer_(tokenizer),
          words_(hypotheses, references, tokenizer),
          traces_(traces) {}

    void operator()(std::size_t segment) {
        words_.read(segment);
        const Ids* nearest = nullptr;
        Line text;
        std::int64_t fewest = 0;
        auto reference = words_.references().begin();
        for (const Lines set : sets_) {
            if (is_missing(set[segment])) continue;
            const Ids& ids = *reference++;
            const std::int64_t errors = distance_.distance(words_.hypothesis(), ids, words_.symbols());
            if (nearest == nullptr || errors < fewest || (errors == fewest && ids.size() > nearest->size())) {
                nearest = &ids;
                text = set[segment];
                fewest = errors;
            }
        }
        WerTrace& trace = traces_[segment];
        trace.pairs = edit_pairs(words_.hypothesis(), *nearest);
        trace.hypothesis = tokens_of(hypotheses_[segment]);
        trace.reference = tokens_of(text);
    }

  private:
    std::vector<std::string> tokens_of(Line line) {
        tokenize(tokenizer_, line, tokens_, scratch_);
        return {tokens_.begin(), tokens_.end()};
    }

    Lines hypotheses_;
    const References& sets_;
    Tokenizer tokenizer_;
    SegmentWords words_;
    Levenshtein distance_;
    Tokens tokens_;
    std::string scratch_;
    WerTrace* traces_;
};

template <class Distance>
void edit_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, unsigned threads,
               double* rows) {
    for_each_segment(hypotheses.size(), threads,
                     [&] { return EditWorker<Distance>(hypotheses, references, tokenizer, rows); });
}

}  // namespace

void wer_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, unsigned threads,
              double* rows) {
    edit_rows<Levenshtein>(hypotheses, references, tokenizer, threads, rows);
}

std::vector<WerTrace> wer_traces(Lines hypotheses, const References& references, Tokenizer tokenizer,
                                 unsigned threads) {
    std::vector<WerTrace> traces(hypotheses.size());
    for_each_segment(hypotheses.size(), threads,
                     [&] { return TraceWorker(hypotheses, references, tokenizer, traces.data()); });
    return traces;
}

void cder_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, unsigned threads,
               double* rows) {
    edit_rows<JumpDistance>(hypotheses, references, tokenizer, threads, rows);
}

}  // namespace adjudge
