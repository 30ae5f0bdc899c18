// NIST (Doddington 2002; mteval-v14): n-grams weighted by the information that all references give them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "intern.hpp"
#include "lines.hpp"
#include "matching.hpp"
#include "tokenize.hpp"

namespace adjudge {

// How often each n-gram occurs in all references together. A trie: an n-gram is a node, known by the node of
// its first n−1 words and its last word. What follows an n-gram that occurs once is certain and carries no
// information, so such n-grams have no children here; that keeps most of the long ones out.
class NistModel {
  public:
    static constexpr std::int32_t absent = -1;

    NistModel(const References& references, Tokenizer tokenizer, int max_order);

    std::int32_t word(std::string_view text) const;                  // the node of a single word
    std::int32_t child(std::int32_t node, std::int32_t word) const;  // of an n-gram and one word more
    double information(std::int32_t node) const { return information_[at(node)]; }  // in bits
    std::size_t size() const { return information_.size(); }

  private:
    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

    std::int32_t add_word(std::string_view text);
    std::int32_t add_child(std::int32_t node, std::int32_t word);
    void grow_words();
    void grow_children();

    struct Child {
        std::uint64_t key;
        std::int32_t node;
    };
    std::vector<std::string> blocks_;  // text of the words
    std::vector<TokenKey> words_;
    std::vector<std::int32_t> word_slots_;
    std::vector<Child> children_;
    std::size_t child_count_ = 0;
    std::vector<std::int64_t> counts_;  // by node; only while building
    std::vector<double> information_;
};

// Columns: hypothesis length, mean reference length, then for each order the information of the matches, then
// for each order the number of n-grams. The model must come from the same references, tokenizer and order.
void nist_rows(Lines hypotheses, const References& references, const NistModel& model, Tokenizer tokenizer,
               int max_order, unsigned threads, double* rows);

}  // namespace adjudge
