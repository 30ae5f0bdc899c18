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
        tokenize(tokenizer_, hypotheses_[segment], tokens_, scratch_);
        table_.reset(tokens_.size());
        hypothesis_.clear();
        for (const std::string_view token : tokens_) hypothesis_.push_back(table_.add(token));
        used_ = 0;
        for (const Lines set : sets_) {
            if (is_missing(set[segment])) continue;
            // The table holds views of the hypothesis's text, so references are cut into another scratch
            // text.
            tokenize(tokenizer_, set[segment], tokens_, reference_scratch_);
            Ids& ids = references_[used_++];
            ids.clear();
            for (const std::string_view token : tokens_) ids.push_back(table_.find(token));
        }
    }

    const Ids& hypothesis() const { return hypothesis_; }
    // Those the segment has, in the order of the sets; −1 is a word that the hypothesis does not have.
    std::span<const Ids> references() const { return std::span(references_).first(used_); }
    // The hypothesis has the words 0..symbols−1.
    std::int32_t symbols() const { return static_cast<std::int32_t>(table_.size()); }
    std::string_view text(std::int32_t id) const { return table_.text(id); }

  private:
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
