#include "tree_kernels.hpp"

#include <stdexcept>
#include <utility>

#include "parallel.hpp"
#include "partial_trees.hpp"
#include "tree_pairs.hpp"

namespace adjudge {
namespace {

// Numbers that are multiplied and added at once.
constexpr std::size_t lanes = 4;

// The values of pairs of nodes with the same production under STK and SSTK.
class SubsetTreeDelta {
  public:
    explicit SubsetTreeDelta(const SubsetTreeKernel& kernel) : kernel_(kernel) {}

    double counted() const { return kernel_.leaves ? kernel_.decay : 0.0; }

    double operator()(const KernelTree& a, const PairedNode& x, const KernelTree& b, const PairedNode& y,
                      const NodeValues& values) const {
        double product = kernel_.decay;
        for (std::int32_t i = 0; i < x.children; ++i) {
            const ChildNode& u = a.children[x.first_child + i];
            const ChildNode& v = b.children[y.first_child + i];
            if (u.paired < 0 && v.paired < 0) continue;
            if (u.paired < 0 || v.paired < 0)
                product *= kernel_.sigma;
            else if (u.group == v.group)
                product *= kernel_.sigma + values(u, b.nodes[v.paired]);
            else if (!kernel_.any_inner)
                product *= kernel_.sigma;
        }
        return product;
    }

  private:
    SubsetTreeKernel kernel_;
};

// Calls visit with the delta that the kernel needs.
template <class Visit>
void with_delta(const TreeKernel& kernel, Visit visit) {
    if (const auto* subset = std::get_if<SubsetTreeKernel>(&kernel)) return visit(SubsetTreeDelta(*subset));
    const auto& partial = std::get<PartialTreeKernel>(kernel);
    if (partial.similarities == nullptr) return visit(PartialTreeDelta<false>(partial));
    return visit(PartialTreeDelta<true>(partial));
}

void check(const KernelTrees& trees, const TreeKernel& kernel) {
    const auto* partial = std::get_if<PartialTreeKernel>(&kernel);
    const Similarities* known = partial == nullptr ? nullptr : partial->similarities;
    const std::size_t entries = known == nullptr ? 0 : known->size();
    if (static_cast<std::size_t>(trees.similar_limit()) > entries)
        throw std::invalid_argument("nodes that nothing is known of");
}

}  // namespace

Similarities::Similarities(std::vector<Entry> entries, std::span<const double> vectors, std::size_t width)
    : entries_(std::move(entries)), stride_((width + lanes - 1) / lanes * lanes) {
    const std::size_t count = width == 0 ? 0 : vectors.size() / width;
    for (const Entry& entry : entries_)
        if (entry.vector < -1 || (entry.vector >= 0 && static_cast<std::size_t>(entry.vector) >= count))
            throw std::invalid_argument("a vector that is not there");
    vectors_.assign(count * stride_, 0.0);
    for (std::size_t i = 0; i < count; ++i)
        std::copy_n(vectors.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                    vectors_.begin() + static_cast<std::ptrdiff_t>(i * stride_));
}

double Similarities::operator()(std::int32_t a, std::int32_t b) const {
    const Entry& x = entries_[a];
    const Entry& y = entries_[b];
    if (x.word == y.word) return 1;
    if (x.word_class != y.word_class || x.vector < 0 || y.vector < 0) return 0;
    const double* u = vectors_.data() + static_cast<std::size_t>(x.vector) * stride_;
    const double* v = vectors_.data() + static_cast<std::size_t>(y.vector) * stride_;
    std::array<double, lanes> sums{};
    for (std::size_t i = 0; i < stride_; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += u[i + lane] * v[i + lane];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void tree_kernel_pairs(const KernelTrees& a, const KernelTrees& b, const TreeKernel& kernel, unsigned threads,
                       double* values) {
    check(a, kernel);
    check(b, kernel);
    const std::int32_t groups = std::max(a.group_limit(), b.group_limit());
    with_delta(kernel, [&](auto delta) {
        for_each_segment(a.size(), threads, [&] {
            return [&, pairs = TreePairs(delta, groups)](std::size_t i) mutable {
                pairs.hold(b[i]);
                values[i] = pairs.against(a[i]);
            };
        });
    });
}

void tree_kernel_matrix(const KernelTrees& a, const KernelTrees& b, const TreeKernel& kernel,
                        unsigned threads, double* values) {
    check(a, kernel);
    check(b, kernel);
    const std::int32_t groups = std::max(a.group_limit(), b.group_limit());
    const bool symmetric = &a == &b;
    with_delta(kernel, [&](auto delta) {
        for_each_block<1>(a.size(), threads, [&] {
            return [&, pairs = TreePairs(delta, groups)](std::size_t i) mutable {
                pairs.hold(a[i]);
                for (std::size_t j = symmetric ? i : 0; j < b.size(); ++j) {
                    values[i * b.size() + j] = pairs.against(b[j]);
                    if (symmetric) values[j * b.size() + i] = values[i * b.size() + j];
                }
            };
        });
    });
}

}  // namespace adjudge
