// Which word translates which: IBM's model 1 (Brown et al. 1993) and the HMM of Vogel, Ney & Tillmann (1996).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace adjudge {

// Sentences as numbers of words, one behind the other; −1 is a word nobody knows.
struct IdSentences {
    std::span<const std::int32_t> ids;
    std::vector<std::size_t> begins;  // one more than there are sentences

    IdSentences(std::span<const std::int32_t> words, std::span<const std::int64_t> sizes);
    std::size_t size() const { return begins.size() - 1; }
    std::span<const std::int32_t> operator[](std::size_t i) const {
        return ids.subspan(begins[i], begins[i + 1] - begins[i]);
    }
};

// For every source word the target words that it may become, sorted; the last row is that of no word at all.
struct LexicalTable {
    std::vector<std::size_t> begins;  // one more than there are rows
    std::vector<std::int32_t> targets;
    std::vector<float> probabilities;

    std::size_t rows() const { return begins.size() - 1; }
};

inline constexpr std::size_t farthest = 7;  // jumps beyond it count as one of it
inline constexpr std::size_t jump_kinds = 2 * farthest + 1;
inline constexpr double null_share = 0.2;  // of words that stand for no word of the source
inline constexpr double unseen = 1e-7;     // the probability of what the table does not have

using Jumps = std::array<double, jump_kinds>;

struct LexicalTraining {
    unsigned model1 = 5;
    unsigned hmm = 3;
    std::size_t longest = 100;                  // pairs with a longer side teach nothing
    std::size_t memory = std::size_t{2} << 30;  // bytes that may be spent on speed alone
    unsigned threads = 0;
};

class LexicalModel {
  public:
    // Expectation maximisation; `target_words` is how many different ones there are. What comes out is the
    // same with any number of threads: counts are summed as whole numbers.
    static LexicalModel trained(const IdSentences& source, const IdSentences& target,
                                std::size_t source_words, std::size_t target_words,
                                const LexicalTraining& how);

    LexicalModel(LexicalTable table, const Jumps& jumps) : table_(std::move(table)), jumps_(jumps) {}

    // A row a target word: log p by model 1, the probability of the likeliest translation, log p by the HMM
    // given the words before, the HMM's best posterior of a source word, and that word's place (−1: none).
    static constexpr std::size_t columns = 5;
    void score(const IdSentences& source, const IdSentences& target, unsigned threads, double* out) const;

    const LexicalTable& table() const { return table_; }
    const Jumps& jumps() const { return jumps_; }
    // Log-likelihood of the training text before each step of the maximisation.
    const std::vector<double>& likelihoods() const { return likelihoods_; }

  private:
    LexicalTable table_;
    Jumps jumps_;
    std::vector<double> likelihoods_;
};

}  // namespace adjudge
