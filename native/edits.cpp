#include "edits.hpp"

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

void cder_rows(Lines hypotheses, const References& references, Tokenizer tokenizer, unsigned threads,
               double* rows) {
    edit_rows<JumpDistance>(hypotheses, references, tokenizer, threads, rows);
}

}  // namespace adjudge
