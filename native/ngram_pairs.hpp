// Rows of BLEU and chrF for every text of a list as hypothesis against every other as its only reference.
#pragma once

#include "chrf.hpp"
#include "lines.hpp"
#include "shared_ngrams.hpp"
#include "tokenize.hpp"

namespace adjudge {

class BleuPairs {
  public:
    BleuPairs(Lines texts, Tokenizer tokenizer, int max_order);

    std::size_t size() const { return words_.size(); }
    std::size_t columns() const { return static_cast<std::size_t>(2 + 2 * words_.max_order()); }
    // A line a reference, `size()` of them.
    void rows(std::size_t hypothesis, double* rows) const;

  private:
    SharedNgrams words_;
};

class ChrfPairs {
  public:
    ChrfPairs(Lines texts, int char_order, int word_order, bool whitespace);

    std::size_t size() const { return characters_.size(); }
    std::size_t columns() const {
        return static_cast<std::size_t>(3 * (characters_.max_order() + words_.max_order()));
    }
    void rows(std::size_t hypothesis, double* rows) const;

  private:
    void fill(const SharedNgrams& ngrams, std::size_t hypothesis, double* rows) const;

    SharedNgrams characters_, words_;
};

}  // namespace adjudge
