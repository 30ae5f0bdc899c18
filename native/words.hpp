// The words of one hypothesis and of its references as small numbers: how most word kernels start a segment.
#pragma once

#include <span>
#include <string>

#include "intern.hpp"
#include "lines.hpp"
#include "matching.hpp"
#include "tokenize.hpp"

namespace adjudge {

class SegmentWords {
  public:
    SegmentWords(Lines hypotheses, const References& sets, Tokenizer tokenizer)
        : hypotheses_(hypotheses), sets_(sets), tokenizer_(tokenizer), references_(sets.size()) {}

    void read(std::size_t segment) {
        fetch_soon(hypotheses_, segment);
        for (const Lines set : sets_) fetch_soon(set, segment);
        tokenize(tokenizer_, hypotheses_[segment], tokens_, scratch_);
        table_.reset(tokens_.size());
        number(hypothesis_, [this](const TokenKey& key) { return table_.add(key); });
        used_ = 0;
        for (const Lines set : sets_) {
            if (is_missing(set[segment])) continue;
            // The table holds views of the hypothesis's text, so references are cut into another scratch
            // text.
            tokenize(tokenizer_, set[segment], tokens_, reference_scratch_);
            number(references_[used_++], [this](const TokenKey& key) { return table_.find(key); });
        }
    }

    const Ids& hypothesis() const { return hypothesis_; }
    // Those the segment has, in the order of the sets; −1 is a word that the hypothesis does not have.
    std::span<const Ids> references() const { return std::span(references_).first(used_); }
    // The hypothesis has the words 0..symbols−1.
    std::int32_t symbols() const { return static_cast<std::int32_t>(table_.size()); }
    std::string_view text(std::int32_t id) const { return table_.text(id); }

  private:
    // Tokens stand in one text, one behind the other, so that it can be read up to the end of the last.
    template <class Number>
    void number(Ids& ids, Number number_of) {
        ids.resize(tokens_.size());
        const char* const end = tokens_.empty() ? nullptr : tokens_.back().data() + tokens_.back().size();
        for (std::size_t i = 0; i < tokens_.size(); ++i) ids[i] = number_of(TokenKey(tokens_[i], end));
    }

    Lines hypotheses_;
    const References& sets_;
    Tokenizer tokenizer_;
    Tokens tokens_;
    std::string scratch_, reference_scratch_;
    TokenTable table_;
    Ids hypothesis_;
    std::vector<Ids> references_;
    std::size_t used_ = 0;
};

}  // namespace adjudge
