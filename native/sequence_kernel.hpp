// The kernel of gapped common subsequences (Bunescu and Mooney 2006; Lodhi et al. 2002 up to a length).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

struct SequenceKernel {
    std::int32_t longest;  // subsequences have at most so many symbols
    double decay;          // λ, for each place between the first and the last symbol, these included
};

// Sequences of small numbers, one after the other.
class KernelSequences {
  public:
    KernelSequences(std::span<const std::int32_t> symbols, std::span<const std::int64_t> sizes);

    std::size_t size() const { return begins_.size() - 1; }
    // Symbols are smaller than this.
    std::int32_t symbol_limit() const { return symbol_limit_; }
    std::span<const std::int32_t> operator[](std::size_t sequence) const {
        return {symbols_.data() + begins_[sequence], begins_[sequence + 1] - begins_[sequence]};
    }

  private:
    std::vector<std::int32_t> symbols_;
    std::vector<std::size_t> begins_;
    std::int32_t symbol_limit_ = 0;
};

// K(a[i], b[i]) for all i; both hold as many sequences.
void sequence_kernel_pairs(const KernelSequences& a, const KernelSequences& b, const SequenceKernel& kernel,
                           unsigned threads, double* values);

// K(a[i], b[j]), a row for each sequence of a; where a and b are the same object, half of the work does.
void sequence_kernel_matrix(const KernelSequences& a, const KernelSequences& b, const SequenceKernel& kernel,
                            unsigned threads, double* values);

// The best K(h, r)/√(K(h, h)·K(r, r)) over each segment's references, 0 where one of the two has no words.
void sk_rows(Lines hypotheses, const References& references, Tokenizer tokenizer,
             const SequenceKernel& kernel, unsigned threads, double* rows);

}  // namespace adjudge
