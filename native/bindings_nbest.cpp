// Lists of hypotheses: all pairs of them, and weights of their features.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "line_search.hpp"
#include "ngram_pairs.hpp"

namespace adjudge {
namespace {

void check_texts(const Texts& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (is_missing(texts.lines()[i])) throw nb::value_error((place(i) + " is missing").c_str());
}

void make_bleu_pairs(BleuPairs* pairs, const Texts& texts, const std::string& tokenizer, int max_order) {
    check_texts(texts);
    const Tokenizer kind = tokenizer_by_name(tokenizer);
    const nb::gil_scoped_release unlocked;
    new (pairs) BleuPairs(texts.lines(), kind, max_order);
}

void make_chrf_pairs(ChrfPairs* pairs, const Texts& texts, int char_order, int word_order, bool whitespace) {
    check_texts(texts);
    const nb::gil_scoped_release unlocked;
    new (pairs) ChrfPairs(texts.lines(), char_order, word_order, whitespace);
}

// Rows of some hypotheses, each against all texts.
template <class Pairs>
Matrix rows_of(const Pairs& pairs, std::size_t begin, std::size_t end) {
    if (begin > end || end > pairs.size()) throw nb::value_error("no such hypotheses");
    const std::size_t each = pairs.size() * pairs.columns();
    return make_rows((end - begin) * pairs.size(), pairs.columns(), [&](double* rows) {
        for (std::size_t i = begin; i < end; ++i) pairs.rows(i, rows + (i - begin) * each);
    });
}

template <class Pairs>
void bind_pairs(nb::class_<Pairs>& pairs) {
    pairs.def("__len__", &Pairs::size).def("rows", &rows_of<Pairs>, nb::arg("begin"), nb::arg("end"));
}

std::vector<double> copied(const ConstMatrix& numbers) {
    return {numbers.data(), numbers.data() + numbers.shape(0) * numbers.shape(1)};
}

void make_lists(FeatureLists* lists, const ConstMatrix& features, const ConstMatrix& rows,
                const std::vector<std::size_t>& begins) {
    const bool fits = rows.shape(0) == features.shape(0) && !begins.empty() && begins.front() == 0 &&
                      begins.back() == features.shape(0);
    if (!fits || std::adjacent_find(begins.begin(), begins.end(), std::greater_equal<>()) != begins.end())
        throw nb::value_error("lists do not fit their features and rows");
    new (lists) FeatureLists(copied(features), features.shape(1), copied(rows), rows.shape(1), begins);
}

void check_width(const FeatureLists& lists, const Column<double>& numbers) {
    if (numbers.shape(0) != lists.width()) throw nb::value_error("not as many weights as features");
}

Vector<std::int64_t> choose(const FeatureLists& lists, const Column<double>& weights) {
    check_width(lists, weights);
    std::vector<std::int64_t> choices(lists.size());
    {
        const nb::gil_scoped_release unlocked;
        lists.choose(span_of(weights), choices.data());
    }
    return vector_of(std::move(choices));
}

using Pieces = std::tuple<Vector<double>, Vector<std::int64_t>, Matrix>;

// Places of all lines, where those of each line end, and sums of all pieces between them.
Pieces pieces(const FeatureLists& lists, const Column<double>& weights, const ConstMatrix& directions) {
    check_width(lists, weights);
    if (directions.shape(1) != lists.width()) throw nb::value_error("not as many weights as features");
    LinePieces lines;
    {
        const nb::gil_scoped_release unlocked;
        lines =
            lists.pieces(span_of(weights), {directions.data(), directions.shape(0) * directions.shape(1)});
    }
    const std::size_t count = lines.places.size() + lines.ends.size();
    auto sums = std::make_unique_for_overwrite<double[]>(lines.sums.size());
    std::copy(lines.sums.begin(), lines.sums.end(), sums.get());
    return {vector_of(std::move(lines.places)), vector_of(std::move(lines.ends)),
            owned(std::move(sums), count, lists.columns())};
}

}  // namespace

void bind_nbest(nb::module_& m) {
    nb::class_<FeatureLists>(m, "FeatureLists")
        .def("__init__", &make_lists, nb::arg("features"), nb::arg("rows"), nb::arg("begins"))
        .def("__len__", &FeatureLists::size)
        .def("choose", &choose, nb::arg("weights"))
        .def("pieces", &pieces, nb::arg("weights"), nb::arg("directions"));

    nb::class_<BleuPairs> bleu(m, "BleuPairs");
    bleu.def("__init__", &make_bleu_pairs, nb::arg("texts"), nb::arg("tokenizer"), nb::arg("max_order"));
    bind_pairs(bleu);

    nb::class_<ChrfPairs> chrf(m, "ChrfPairs");
    chrf.def("__init__", &make_chrf_pairs, nb::arg("texts"), nb::arg("char_order"), nb::arg("word_order"),
             nb::arg("whitespace"));
    bind_pairs(chrf);
}

}  // namespace adjudge
