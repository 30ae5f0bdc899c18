// Kernels on ordered labelled trees: what two of them share, counted by parts and weighted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "kernel_trees.hpp"

namespace adjudge {

// How similar nodes of one group are, by their numbers in `PairedNode::similar`.
class Similarities {
  public:
    // A node's word, or its whole label: equal ones are as similar as can be. Nodes of different classes, and
    // those without a vector (−1), are similar in no other way; else the inner product of their vectors says.
    struct Entry {
        std::int32_t word, word_class, vector;
    };

    Similarities(std::vector<Entry> entries, std::span<const double> vectors, std::size_t width);

    std::size_t size() const { return entries_.size(); }
    double operator()(std::int32_t a, std::int32_t b) const;

  private:
    std::vector<Entry> entries_;
    std::vector<double> vectors_;
    std::size_t stride_;
};

// PTK (Moschitti 2006) and, with similarities, SPTK and CSPTK (Croce et al. 2011; Annesi et al. 2014).
struct PartialTreeKernel {
    double decay;          // λ, for each child that is skipped
    double vertical;       // μ, for each level
    double terminal;       // times the weight of leaves
    std::int32_t longest;  // sequences of children have at most so many; 0: any number
    const Similarities* similarities;
    double threshold;  // less similar nodes do not match
};

// STK and SSTK (Collins and Duffy 2001): nodes match where their productions do, which are their groups.
struct SubsetTreeKernel {
    double decay;
    double sigma;    // 1: subset trees, 0: subtrees
    bool leaves;     // whether leaves of equal labels count
    bool any_inner;  // whether inner children with different productions have factor 1 instead of sigma
};

using TreeKernel = std::variant<PartialTreeKernel, SubsetTreeKernel>;

// K(a[i], b[i]) for all i; both hold as many trees.
void tree_kernel_pairs(const KernelTrees& a, const KernelTrees& b, const TreeKernel& kernel, unsigned threads,
                       double* values);

// K(a[i], b[j]), a row for each tree of a; where a and b are the same object, half of the work does.
void tree_kernel_matrix(const KernelTrees& a, const KernelTrees& b, const TreeKernel& kernel,
                        unsigned threads, double* values);

}  // namespace adjudge
