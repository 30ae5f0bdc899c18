// The values of pairs of nodes under PTK, SPTK and CSPTK.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "powers.hpp"
#include "tree_kernels.hpp"
#include "tree_pairs.hpp"

namespace adjudge {

template <bool similar>
class PartialTreeDelta {
  public:
    explicit PartialTreeDelta(const PartialTreeKernel& kernel)
        : kernel_(kernel),
          leaf_(kernel.vertical * kernel.decay * kernel.decay * kernel.terminal),
          power_(kernel.decay) {}

    double counted() const { return leaf_; }

    double operator()(const KernelTree& a, const PairedNode& x, const KernelTree& b, const PairedNode& y,
                      const NodeValues& values) {
        double weight = 1;
        if constexpr (similar) {
            if (x.similar >= 0) weight = (*kernel_.similarities)(x.similar, y.similar);
            if (weight < kernel_.threshold) return 0;
        }
        if (x.children == 0 || y.children == 0) return weight * leaf_;
        const Children u = a.children.subspan(x.first_child, x.children);
        const Children v = b.children.subspan(y.first_child, y.children);
        const double shared = sequences(u, v, b, values);
        return weight * kernel_.vertical * (kernel_.decay * kernel_.decay + shared);
    }

  private:
    using Children = std::span<const ChildNode>;
    // Up to so many pairs of children that match are held against each other one by one.
    static constexpr std::size_t few = 12;

    struct Match {
        std::size_t i, j;
        double value;
    };

    double value(const ChildNode& u, const ChildNode& v, const KernelTree& b,
                 const NodeValues& values) const {
        return u.paired >= 0 && v.paired >= 0 ? values(u, b.nodes[v.paired]) : leaf_;
    }

    // The sum over common sequences of children of the product of their values, each child skipped weighing
    // decay.
    double sequences(Children u, Children v, const KernelTree& b, const NodeValues& values) {
        if (kernel_.longest > 0 && std::min(u.size(), v.size()) > static_cast<std::size_t>(kernel_.longest))
            return limited(u, v, b, values);
        std::array<Match, few> matches;
        std::size_t count = 0;
        for (std::size_t i = 0; i < u.size(); ++i)
            for (std::size_t j = 0; j < v.size(); ++j) {
                if (u[i].group != v[j].group) continue;
                if (count == few) return unlimited(u, v, b, values);
                matches[count++] = {i, j, value(u[i], v[j], b, values)};
            }
        return chained({matches.data(), count});
    }

    // Matches one by one: each ends the sequences that it lengthens.
    double chained(std::span<Match> matches) {
        double sum = 0;
        for (std::size_t k = 0; k < matches.size(); ++k) {
            double before = 1;
            for (std::size_t l = 0; l < k; ++l)
                if (matches[l].i < matches[k].i && matches[l].j < matches[k].j)
                    before += matches[l].value *
                              power_(matches[k].i - matches[l].i + matches[k].j - matches[l].j - 2);
            sum += matches[k].value *= before;
        }
        return sum;
    }

    // All cells: ends_[j] sums what ends at or before (i, j), decayed by how far before.
    double unlimited(Children u, Children v, const KernelTree& b, const NodeValues& values) {
        ends_.assign(v.size(), 0.0);
        double sum = 0;
        for (const ChildNode& child : u) {
            double row = 0, before = 0;
            for (std::size_t j = 0; j < v.size(); ++j) {
                row *= kernel_.decay;
                if (child.group == v[j].group) {
                    const double ending = value(child, v[j], b, values) * (1 + before);
                    sum += ending;
                    row += ending;
                }
                before = ends_[j];
                ends_[j] = kernel_.decay * before + row;
            }
        }
        return sum;
    }

    // The same for sequences of each length up to the longest.
    double limited(Children u, Children v, const KernelTree& b, const NodeValues& values) {
        const auto lengths = static_cast<std::size_t>(kernel_.longest);
        ends_.assign(v.size() * lengths, 0.0);
        rows_.resize(lengths);
        before_.resize(lengths);
        double sum = 0;
        for (const ChildNode& child : u) {
            std::fill(rows_.begin(), rows_.end(), 0.0);
            std::fill(before_.begin(), before_.end(), 0.0);
            for (std::size_t j = 0; j < v.size(); ++j) {
                for (double& row : rows_) row *= kernel_.decay;
                if (child.group == v[j].group) {
                    const double match = value(child, v[j], b, values);
                    for (std::size_t length = 0; length < lengths; ++length) {
                        const double ending = match * (length == 0 ? 1.0 : before_[length - 1]);
                        sum += ending;
                        rows_[length] += ending;
                    }
                }
                double* ends = ends_.data() + j * lengths;
                for (std::size_t length = 0; length < lengths; ++length) {
                    before_[length] = ends[length];
                    ends[length] = kernel_.decay * ends[length] + rows_[length];
                }
            }
        }
        return sum;
    }

    PartialTreeKernel kernel_;
    double leaf_;
    Powers power_;
    std::vector<double> ends_, rows_, before_;
};

}  // namespace adjudge
