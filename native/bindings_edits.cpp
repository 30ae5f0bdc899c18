// Metrics that count edits: WER, CDER, TER.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "edits.hpp"
#include "error_classes.hpp"
#include "realignment.hpp"
#include "ter.hpp"
#include "word_numbers.hpp"

namespace adjudge {
namespace {

using ReferenceColumns = std::tuple<Column<std::int32_t>, Column<std::int64_t>, Column<std::uint8_t>>;

SegmentedWords segmented(const ReferenceColumns& columns, std::size_t segments) {
    const auto& [words, ends, present] = columns;
    const SegmentedWords set{span_of(words), span_of(ends), span_of(present)};
    const bool fits = set.ends.size() == segments && set.present.size() == segments &&
                      std::is_sorted(set.ends.begin(), set.ends.end()) &&
                      (segments == 0 || (set.ends.front() >= 0 &&
                                         static_cast<std::size_t>(set.ends.back()) == set.words.size()));
    if (!fits) throw nb::value_error("the words of a reference do not fit its segments");
    return set;
}

std::vector<std::int64_t> cuts(const Column<std::int32_t>& ours,
                               const std::vector<ReferenceColumns>& references,
                               const Column<std::int32_t>& extra, std::size_t segments,
                               std::size_t narrowest) {
    if (extra.shape(0) != ours.shape(0) + 1)
        throw nb::value_error("a cost is needed before each word and at the end");
    std::vector<SegmentedWords> sets;
    for (const ReferenceColumns& columns : references) sets.push_back(segmented(columns, segments));
    for (std::size_t k = 0; k < segments; ++k) {
        const auto has = [&](const SegmentedWords& set) { return set.present[k] != 0; };
        if (std::none_of(sets.begin(), sets.end(), has))
            throw nb::value_error((place(k) + " has no reference").c_str());
    }
    const nb::gil_scoped_release unlocked;
    return best_cuts(span_of(ours), sets, span_of(extra), segments, narrowest);
}

using Ids = Column<std::int64_t>;
using BasedColumns = std::tuple<Ids, Ids, Ids>;  // words, their base forms, where segments begin
using BasedReferenceColumns = std::tuple<Ids, Ids, Ids, Column<bool>>;

BasedText based(const Ids& words, const Ids& bases, const Ids& begins, Vocabulary vocabulary) {
    check_numbered({span_of(words), span_of(begins)}, vocabulary.words);
    check_numbered({span_of(bases), span_of(begins)}, vocabulary.bases);
    return {span_of(words), span_of(bases), span_of(begins)};
}

nb::tuple classes_of(const BasedColumns& hypotheses, const std::vector<BasedReferenceColumns>& references,
                     std::size_t words, std::size_t bases, unsigned threads) {
    const Vocabulary vocabulary{words, bases};
    const BasedText ours =
        std::apply([&](const auto&... columns) { return based(columns..., vocabulary); }, hypotheses);
    const std::size_t segments = ours.begins.size() - 1;
    std::vector<bool> any(segments);
    std::vector<BasedReference> theirs;
    for (const auto& [own, forms, begins, is_there] : references) {
        theirs.push_back({based(own, forms, begins, vocabulary), span_of(is_there)});
        if (begins.shape(0) != segments + 1 || is_there.shape(0) != segments)
            throw nb::value_error("as many references as hypotheses are needed");
        for (std::size_t i = 0; i < segments; ++i) any[i] = any[i] || is_there.data()[i];
    }
    const auto without = std::find(any.begin(), any.end(), false);
    if (without != any.end())
        throw nb::value_error(
            (place(static_cast<std::size_t>(without - any.begin())) + " has no reference").c_str());
    WordClasses classes;
    Matrix rows = make_rows(segments, error_columns, [&](double* numbers) {
        classes = word_classes(ours, theirs, vocabulary, threads, numbers);
    });
    return nb::make_tuple(rows, vector_of(std::move(classes.hypothesis)),
                          vector_of(std::move(classes.reference)),
                          vector_of(std::move(classes.reference_words)), vector_of(std::move(classes.sets)));
}

}  // namespace

void bind_edits(nb::module_& m) {
    m.def("best_cuts", cuts, nb::arg("ours"), nb::arg("references"), nb::arg("extra"), nb::arg("segments"),
          nb::arg("narrowest"));

    m.def("cder_rows", word_rows<2>(cder_rows), nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), nb::arg("threads"));

    m.def(
        "ter_rows",
        [](const Texts& hypotheses, const ReferenceTexts& references, bool normalized, bool no_punct,
           bool asian_support, bool tercom, unsigned threads) {
            const References sets = checked(hypotheses, references);
            const TercomText options{normalized, no_punct, asian_support, tercom};
            return make_rows(hypotheses.size(), 2, [&](double* rows) {
                ter_rows(hypotheses.lines(), sets, options, threads, rows);
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("normalized"), nb::arg("no_punct"),
        nb::arg("asian_support"), nb::arg("tercom"), nb::arg("threads"));

    m.def(
        "ter_traces",
        [](const Texts& hypotheses, const ReferenceTexts& references, bool normalized, bool no_punct,
           bool asian_support, bool tercom, unsigned threads) {
            const References sets = checked(hypotheses, references);
            const TercomText options{normalized, no_punct, asian_support, tercom};
            std::vector<TerTrace> traces;
            {
                const nb::gil_scoped_release unlocked;
                traces = ter_traces(hypotheses.lines(), sets, options, threads);
            }
            nb::list found;
            for (const TerTrace& trace : traces) {
                nb::list shifts;
                for (const WordShift& s : trace.shifts)
                    shifts.append(nb::make_tuple(s.begin, s.end, s.target));
                found.append(nb::make_tuple(trace.hypothesis, trace.reference, trace.pairs, shifts));
            }
            return found;
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("normalized"), nb::arg("no_punct"),
        nb::arg("asian_support"), nb::arg("tercom"), nb::arg("threads"));

    m.def("word_classes", &classes_of, nb::arg("hypotheses"), nb::arg("references"), nb::arg("words"),
          nb::arg("bases"), nb::arg("threads"));

    m.def("wer_rows", word_rows<2>(wer_rows), nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), nb::arg("threads"));

    m.def(
        "wer_traces",
        [](const Texts& hypotheses, const ReferenceTexts& references, const std::string& tokenizer,
           unsigned threads) {
            const References sets = checked(hypotheses, references);
            const Tokenizer kind = tokenizer_by_name(tokenizer);
            std::vector<WerTrace> traces;
            {
                const nb::gil_scoped_release unlocked;
                traces = wer_traces(hypotheses.lines(), sets, kind, threads);
            }
            nb::list found;
            for (const WerTrace& trace : traces)
                found.append(nb::make_tuple(trace.hypothesis, trace.reference, trace.pairs));
            return found;
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("threads"));
}

}  // namespace adjudge
