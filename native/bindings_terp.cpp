// TERp.
#include <algorithm>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "terp.hpp"

namespace adjudge {
namespace {

// TERp's options as Python hands them over.
struct TerpOptions {
    TerpCosts costs;
    TerpLimits limits;
    TerpPhraseCosts phrases;
};

TerpOptions terp_options(const std::vector<double>& costs, double beam, int longest_shift, int farthest_shift,
                         const std::string& shifts, const std::vector<double>& phrases) {
    const std::vector<std::string> rules{"none", "exact", "relax_nophrase", "relax"};
    const auto rule = std::find(rules.begin(), rules.end(), shifts);
    if (costs.size() != 7 || phrases.size() != 4 || rule == rules.end())
        throw nb::value_error("seven costs, four numbers for phrases and a rule for shifts were expected");
    return {{costs[0], costs[1], costs[2], costs[3], costs[4], costs[5], costs[6]},
            {beam, longest_shift, farthest_shift, static_cast<TerpShifts>(rule - rules.begin())},
            {phrases[0], phrases[1], phrases[2], phrases[3]}};
}

void check_terp_words(const TerpTexts& texts, const TerpWords& words) {
    const std::size_t count = texts.words().size();
    if (words.stems.size() != count || words.common.size() != count ||
        words.synset_starts.size() != count + 1)
        throw nb::value_error("something must be known of each word of the texts");
}

}  // namespace

void bind_terp(nb::module_& m) {
    nb::class_<TerpTexts>(m, "TerpTexts")
        .def(
            "__init__",
            [](TerpTexts* texts, const Texts& hypotheses, const ReferenceTexts& references, bool normalized,
               bool no_punct) {
                const References sets = checked(hypotheses, references);
                const nb::gil_scoped_release unlocked;
                new (texts) TerpTexts(hypotheses.lines(), sets, {normalized, no_punct, false, true, true});
            },
            nb::arg("hypotheses"), nb::arg("references"), nb::arg("normalized"), nb::arg("no_punct"))
        .def_prop_ro("words", [](const TerpTexts& texts) { return texts.words(); })
        .def("tokens", [](const TerpTexts& texts, std::size_t segment) {
            std::vector<std::string> tokens;
            for (const std::int32_t w : texts.hypothesis(segment))
                tokens.push_back(texts.words()[static_cast<std::size_t>(w)]);
            return tokens;
        });

    nb::class_<TerpWords>(m, "TerpWords")
        .def(nb::init<std::vector<std::int32_t>, std::vector<std::int32_t>, std::vector<std::int32_t>,
                      std::vector<std::uint8_t>>(),
             nb::arg("stems"), nb::arg("synset_starts"), nb::arg("synsets"), nb::arg("common"));

    nb::class_<TerpPhrases>(m, "TerpPhrases")
        .def(
            "__init__",
            [](TerpPhrases* phrases, const ReferenceTexts& references, bool normalized, bool no_punct) {
                References sets;
                for (const Texts* set : references) sets.push_back(set->lines());
                const nb::gil_scoped_release unlocked;
                new (phrases) TerpPhrases(sets, {normalized, no_punct, false, true, true});
            },
            nb::arg("references"), nb::arg("normalized"), nb::arg("no_punct"))
        .def(
            "read",
            [](TerpPhrases& phrases, nb::bytes lines, bool meteor) {
                const std::string_view text(lines.c_str(), lines.size());
                const nb::gil_scoped_release unlocked;
                return meteor ? phrases.read_meteor(text) : phrases.read_terp(text);
            },
            nb::arg("lines"), nb::arg("meteor"))
        .def("__len__", [](const TerpPhrases& phrases) { return phrases.entries().size(); });

    m.def(
        "terp_rows",
        [](const TerpTexts& texts, const TerpWords& words, const TerpPhrases* phrases,
           const std::vector<double>& costs, double beam, int longest_shift, int farthest_shift,
           const std::string& shifts, const std::vector<double>& phrase_costs, unsigned threads) {
            check_terp_words(texts, words);
            const TerpOptions options =
                terp_options(costs, beam, longest_shift, farthest_shift, shifts, phrase_costs);
            return make_rows(texts.size(), 10, [&](double* rows) {
                terp_rows(texts, words, phrases, options.costs, options.limits, options.phrases, threads,
                          rows);
            });
        },
        nb::arg("texts"), nb::arg("words"), nb::arg("phrases").none(), nb::arg("costs"), nb::arg("beam"),
        nb::arg("longest_shift"), nb::arg("farthest_shift"), nb::arg("shifts"), nb::arg("phrase_costs"),
        nb::arg("threads"));

    m.def(
        "terp_traces",
        [](const TerpTexts& texts, const TerpWords& words, const TerpPhrases* phrases,
           const std::vector<double>& costs, double beam, int longest_shift, int farthest_shift,
           const std::string& shifts, const std::vector<double>& phrase_costs, unsigned threads) {
            check_terp_words(texts, words);
            const TerpOptions options =
                terp_options(costs, beam, longest_shift, farthest_shift, shifts, phrase_costs);
            std::vector<TerpTrace> traces;
            {
                const nb::gil_scoped_release unlocked;
                traces = terp_traces(texts, words, phrases, options.costs, options.limits, options.phrases,
                                     threads);
            }
            nb::list found;
            for (const TerpTrace& trace : traces) {
                nb::list links, moves;
                for (const TerpLink& link : trace.links)
                    links.append(nb::make_tuple(link.hypothesis, link.hypothesis_end, link.reference,
                                                link.reference_end, static_cast<int>(link.kind)));
                for (const TerpShift& shift : trace.shifts)
                    moves.append(nb::make_tuple(shift.start, shift.end + 1, shift.behind));
                found.append(nb::make_tuple(trace.hypothesis, trace.reference, links, moves));
            }
            return found;
        },
        nb::arg("texts"), nb::arg("words"), nb::arg("phrases").none(), nb::arg("costs"), nb::arg("beam"),
        nb::arg("longest_shift"), nb::arg("farthest_shift"), nb::arg("shifts"), nb::arg("phrase_costs"),
        nb::arg("threads"));
}

}  // namespace adjudge
