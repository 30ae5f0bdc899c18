// NIST (Doddington 2002; mteval-v14): n-grams weighted by the information that all references give them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lines.hpp"
#include "matching.hpp"
#include "tokenize.hpp"
#include "word_table.hpp"

namespace adjudge {

// The information of every n-gram of all references together. A trie: an n-gram is a node, known by the node
// of its first n−1 words and its last word. What follows an n-gram that occurs once is certain and carries no
// information, so such n-grams have no children here; that keeps most of the long ones out.
class NistModel {
  public:
    static constexpr std::int32_t absent = -1;

    struct Gram {
        std::int32_t node = absent;
        double information = 0;  // in bits
    };

    NistModel(const References& references, Tokenizer tokenizer, int max_order, unsigned threads);

    Gram word(std::string_view text) const;
    // An n-gram that begins with the word `first`, and one word more.
    Gram extended(std::int32_t first, std::int32_t node, std::int32_t word) const;
    std::size_t size() const;

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::int32_t child = absent;
    };
    // The n-grams of two words and more that begin with some of the words, numbered apart.
    struct Part {
        std::vector<Slot> slots;
        std::vector<double> information;
        std::size_t size = 0;

        std::size_t place(std::uint64_t key) const;
        std::size_t add(std::int32_t node, std::int32_t word);
    };

    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

    Ids read(const References& references, Tokenizer tokenizer, unsigned threads);
    Part count(const Ids& text, std::size_t part, int max_order) const;

    WordTable words_;
    std::vector<std::int64_t> counts_;  // of words; only while building
    std::int64_t total_ = 0;
    std::vector<double> information_;  // of words
    std::vector<Part> parts_;
};

// Columns: hypothesis length, mean reference length, then for each order the information of the matches, then
// for each order the number of n-grams. The model must come from the same references, tokenizer and order.
void nist_rows(Lines hypotheses, const References& references, const NistModel& model, Tokenizer tokenizer,
               int max_order, unsigned threads, double* rows);

}  // namespace adjudge
