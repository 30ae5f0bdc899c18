// Kernels on trees and sequences.
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "bindings.hpp"
#include "kernel_trees.hpp"
#include "sequence_kernel.hpp"
#include "tree_kernels.hpp"

namespace adjudge {
namespace {

using Numbers = Column<std::int32_t>;
using Sizes = Column<std::int64_t>;

void make_trees(KernelTrees* trees, const Numbers& groups, const Numbers& similar, const Numbers& parents,
                const Sizes& sizes) {
    const TreeNodes nodes{span_of(groups), span_of(similar), span_of(parents), span_of(sizes)};
    const nb::gil_scoped_release unlocked;
    new (trees) KernelTrees(nodes);
}

void make_similarities(Similarities* similarities, const Numbers& words, const Numbers& classes,
                       const Numbers& rows, const ConstMatrix& vectors) {
    if (words.shape(0) != classes.shape(0) || words.shape(0) != rows.shape(0))
        throw nb::value_error("lists of words of different lengths");
    std::vector<Similarities::Entry> entries;
    for (std::size_t i = 0; i < words.shape(0); ++i)
        entries.push_back({words.data()[i], classes.data()[i], rows.data()[i]});
    const std::span numbers(vectors.data(), vectors.shape(0) * vectors.shape(1));
    new (similarities) Similarities(std::move(entries), numbers, vectors.shape(1));
}

void make_sequences(KernelSequences* sequences, const Numbers& symbols, const Sizes& sizes) {
    new (sequences) KernelSequences(span_of(symbols), span_of(sizes));
}

// A kernel's values for pairs, and for all of one side against all of the other.
template <class Items, class Kernel, auto pairs, auto matrix>
void bind_values(nb::module_& m, const char* pairs_name, const char* matrix_name) {
    m.def(
        pairs_name,
        [](const Items& a, const Items& b, const Kernel& kernel, unsigned threads) {
            if (a.size() != b.size()) throw nb::value_error("pairs need as many on either side");
            return make_rows(a.size(), 1, [&](double* values) { pairs(a, b, kernel, threads, values); });
        },
        nb::arg("a"), nb::arg("b"), nb::arg("kernel"), nb::arg("threads"));
    m.def(
        matrix_name,
        [](const Items& a, const Items& b, const Kernel& kernel, unsigned threads) {
            return make_rows(a.size(), b.size(),
                             [&](double* values) { matrix(a, b, kernel, threads, values); });
        },
        nb::arg("a"), nb::arg("b"), nb::arg("kernel"), nb::arg("threads"));
}

void bind_trees(nb::module_& m) {
    nb::class_<KernelTrees>(m, "KernelTrees")
        .def("__init__", &make_trees, nb::arg("groups"), nb::arg("similar"), nb::arg("parents"),
             nb::arg("sizes"))
        .def("__len__", &KernelTrees::size);

    nb::class_<Similarities>(m, "Similarities")
        .def("__init__", &make_similarities, nb::arg("words"), nb::arg("classes"), nb::arg("rows"),
             nb::arg("vectors"))
        .def("__len__", &Similarities::size);

    nb::class_<TreeKernel>(m, "TreeKernel")
        .def_static(
            "partial",
            [](double decay, double vertical, double terminal, std::int32_t longest,
               const Similarities* similarities, double threshold) {
                return TreeKernel(
                    PartialTreeKernel{decay, vertical, terminal, longest, similarities, threshold});
            },
            nb::arg("decay"), nb::arg("vertical"), nb::arg("terminal"), nb::arg("longest"),
            nb::arg("similarities").none(), nb::arg("threshold"), nb::keep_alive<0, 5>())
        .def_static(
            "subset",
            [](double decay, double sigma, bool leaves, bool any_inner) {
                return TreeKernel(SubsetTreeKernel{decay, sigma, leaves, any_inner});
            },
            nb::arg("decay"), nb::arg("sigma"), nb::arg("leaves"), nb::arg("any_inner"));

    bind_values<KernelTrees, TreeKernel, tree_kernel_pairs, tree_kernel_matrix>(m, "tree_kernel_pairs",
                                                                                "tree_kernel_matrix");
}

}  // namespace

void bind_kernels(nb::module_& m) {
    bind_trees(m);

    nb::class_<KernelSequences>(m, "KernelSequences")
        .def("__init__", &make_sequences, nb::arg("symbols"), nb::arg("sizes"))
        .def("__len__", &KernelSequences::size);

    nb::class_<SequenceKernel>(m, "SequenceKernel")
        .def(nb::init<std::int32_t, double>(), nb::arg("longest"), nb::arg("decay"));

    bind_values<KernelSequences, SequenceKernel, sequence_kernel_pairs, sequence_kernel_matrix>(
        m, "sequence_kernel_pairs", "sequence_kernel_matrix");

    m.def(
        "sk_rows",
        [](const Texts& hypotheses, const ReferenceTexts& references, const std::string& tokenizer,
           std::int32_t longest, double decay, unsigned threads) {
            const References sets = checked(hypotheses, references);
            const Tokenizer kind = tokenizer_by_name(tokenizer);
            return make_rows(hypotheses.size(), 1, [&](double* rows) {
                sk_rows(hypotheses.lines(), sets, kind, {longest, decay}, threads, rows);
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("longest"),
        nb::arg("decay"), nb::arg("threads"));
}

}  // namespace adjudge
