// Metrics that count what two texts share: BLEU, chrF, NIST, RIBES, overlap, exact.
#include "bindings.hpp"
#include "bleu.hpp"
#include "chrf.hpp"
#include "exact.hpp"
#include "ngram_counts.hpp"
#include "nist.hpp"
#include "overlap.hpp"
#include "ribes.hpp"
#include "word_numbers.hpp"

namespace adjudge {
namespace {

using Integers = nb::ndarray<nb::numpy, std::int64_t>;

// A numpy array that owns the numbers of a vector.
Integers array(std::vector<std::int64_t> numbers) {
    auto* kept = new std::vector<std::int64_t>(std::move(numbers));
    const nb::capsule owner(kept,
                            [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
    return Integers(kept->data(), {kept->size()}, owner);
}

using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::int64_t> view(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }

nb::list arrays(std::vector<std::vector<std::int64_t>> columns) {
    nb::list result;
    for (auto& column : columns) result.append(array(std::move(column)));
    return result;
}

}  // namespace

void bind_overlap(nb::module_& m) {
    m.def(
        "bleu_rows",
        [](const Texts& hypotheses, const ReferenceTexts& references, const std::string& tokenizer,
           int max_order, unsigned threads) {
            const References sets = checked(hypotheses, references);
            const Tokenizer kind = tokenizer_by_name(tokenizer);
            return make_rows(
                hypotheses.size(), static_cast<std::size_t>(2 + 2 * max_order),
                [&](double* rows) { bleu_rows(hypotheses.lines(), sets, kind, max_order, threads, rows); });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("max_order"),
        nb::arg("threads"));

    m.def(
        "chrf_rows",
        [](const Texts& hypotheses, const ReferenceTexts& references, int char_order, int word_order,
           double beta, bool whitespace, bool eps_smoothing, unsigned threads) {
            const References sets = checked(hypotheses, references);
            const ChrfOptions options{char_order, word_order, beta, whitespace, eps_smoothing};
            return make_rows(
                hypotheses.size(), static_cast<std::size_t>(3 * (char_order + word_order)),
                [&](double* rows) { chrf_rows(hypotheses.lines(), sets, options, threads, rows); });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("char_order"), nb::arg("word_order"),
        nb::arg("beta"), nb::arg("whitespace"), nb::arg("eps_smoothing"), nb::arg("threads"));

    m.def(
        "exact_rows",
        [](const Texts& hypotheses, const ReferenceTexts& references, const std::string& tokenizer, bool raw,
           unsigned threads) {
            const References sets = checked(hypotheses, references);
            const Tokenizer kind = tokenizer_by_name(tokenizer);
            return make_rows(hypotheses.size(), 1, [&](double* rows) {
                exact_rows(hypotheses.lines(), sets, kind, raw, threads, rows);
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("raw"),
        nb::arg("threads"));

    nb::class_<NistModel>(m, "NistModel")
        .def(
            "__init__",
            [](NistModel* model, const ReferenceTexts& references, const std::string& tokenizer,
               int max_order, unsigned threads) {
                References sets;
                for (const Texts* set : references) sets.push_back(set->lines());
                const Tokenizer kind = tokenizer_by_name(tokenizer);
                const nb::gil_scoped_release unlocked;
                new (model) NistModel(sets, kind, max_order, threads);
            },
            nb::arg("references"), nb::arg("tokenizer"), nb::arg("max_order"), nb::arg("threads"))
        .def("__len__", &NistModel::size);

    m.def(
        "nist_rows",
        [](const Texts& hypotheses, const ReferenceTexts& references, const NistModel& model,
           const std::string& tokenizer, int max_order, unsigned threads) {
            const References sets = checked(hypotheses, references);
            const Tokenizer kind = tokenizer_by_name(tokenizer);
            return make_rows(hypotheses.size(), static_cast<std::size_t>(2 + 2 * max_order),
                             [&](double* rows) {
                                 nist_rows(hypotheses.lines(), sets, model, kind, max_order, threads, rows);
                             });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("model"), nb::arg("tokenizer"),
        nb::arg("max_order"), nb::arg("threads"));

    m.def(
        "overlap_rows",
        [](const Texts& hypotheses, const ReferenceTexts& references, const std::string& tokenizer,
           bool fewest_errors, double exponent, unsigned threads) {
            const References sets = checked(hypotheses, references);
            const Tokenizer kind = tokenizer_by_name(tokenizer);
            const Choice choice = fewest_errors ? Choice::fewest_errors : Choice::best_f;
            return make_rows(hypotheses.size(), 3, [&](double* rows) {
                overlap_rows(hypotheses.lines(), sets, kind, choice, exponent, threads, rows);
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("fewest_errors"),
        nb::arg("exponent"), nb::arg("threads"));

    m.def(
        "ngram_counts",
        [](const std::vector<const Texts*>& systems, const ReferenceTexts& references,
           const std::string& tokenizer, int longest) {
            if (systems.empty()) throw nb::value_error("no system to count the n-grams of");
            std::vector<Lines> lines;
            References sets;
            for (const Texts* system : systems) {
                sets = checked(*system, references);
                lines.push_back(system->lines());
            }
            const Tokenizer kind = tokenizer_by_name(tokenizer);
            NgramCounts counts;
            {
                const nb::gil_scoped_release unlocked;
                counts = ngram_counts(lines, sets, kind, longest);
            }
            return nb::make_tuple(counts.words, array(std::move(counts.before)),
                                  array(std::move(counts.last)), array(std::move(counts.length)),
                                  arrays(std::move(counts.match)), arrays(std::move(counts.over)),
                                  arrays(std::move(counts.under)));
        },
        nb::arg("systems"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("longest"));

    m.def(
        "numbered_words",
        [](const std::vector<const Texts*>& texts, const std::string& tokenizer) {
            std::vector<Lines> lines;
            for (const Texts* text : texts) lines.push_back(text->lines());
            const Tokenizer kind = tokenizer_by_name(tokenizer);
            NumberedTexts result;
            {
                const nb::gil_scoped_release unlocked;
                result = numbered(lines, kind);
            }
            nb::list numbers;
            for (NumberedText& text : result.texts)
                numbers.append(nb::make_tuple(array(std::move(text.ids)), array(std::move(text.begins))));
            return nb::make_tuple(result.words, numbers);
        },
        nb::arg("texts"), nb::arg("tokenizer"));

    m.def(
        "diversity_factors",
        [](const Numbers& before, double threshold) {
            const nb::gil_scoped_release unlocked;
            return diversity_factors(view(before), threshold);
        },
        nb::arg("before"), nb::arg("threshold"));

    m.def(
        "word_partners",
        [](const Numbers& ids, const Numbers& begins, const Numbers& other_ids, const Numbers& other_begins,
           std::size_t words) {
            const NumberedView own{view(ids), view(begins)}, other{view(other_ids), view(other_begins)};
            check_numbered(own, words);
            check_numbered(other, words);
            if (own.begins.size() != other.begins.size())
                throw nb::value_error("texts of unlike numbers of segments");
            std::vector<std::int64_t> places;
            {
                const nb::gil_scoped_release unlocked;
                places = partners(own, other, words);
            }
            return array(std::move(places));
        },
        nb::arg("ids"), nb::arg("begins"), nb::arg("other_ids"), nb::arg("other_begins"), nb::arg("words"));

    m.def(
        "ribes_rows",
        [](const Texts& hypotheses, const ReferenceTexts& references, const std::string& tokenizer,
           double alpha, double beta, unsigned threads) {
            const References sets = checked(hypotheses, references);
            const Tokenizer kind = tokenizer_by_name(tokenizer);
            return make_rows(hypotheses.size(), 1, [&](double* rows) {
                ribes_rows(hypotheses.lines(), sets, kind, alpha, beta, threads, rows);
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("alpha"), nb::arg("beta"),
        nb::arg("threads"));
}

}  // namespace adjudge
