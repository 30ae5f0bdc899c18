// Texts, how they are cut, stemmed and paired.
#include <string>
#include <utility>
#include <vector>

#include "best_path.hpp"
#include "bindings.hpp"
#include "shared_words.hpp"
#include "stems.hpp"
#include "tercom_text.hpp"
#include "tokenize.hpp"
#include "training_overlap.hpp"

namespace adjudge {
namespace {

// As Python's strings; what is missing is None.
nb::list strings(const Texts& texts) {
    nb::list result;
    for (const Line line : texts.lines()) {
        if (is_missing(line))
            result.append(nb::none());
        else
            result.append(nb::str(line.data(), line.size()));
    }
    return result;
}

std::vector<std::vector<std::string>> tokenize_all(const Texts& texts, const std::string& tokenizer) {
    const Tokenizer kind = tokenizer_by_name(tokenizer);
    std::vector<std::vector<std::string>> result;
    Tokens tokens;
    std::string scratch;
    for (const Line line : texts.lines()) {
        cut(kind, line, tokens, scratch);
        result.emplace_back(tokens.begin(), tokens.end());
    }
    return result;
}

std::vector<std::vector<std::string>> tercom_tokenize_all(const Texts& texts, bool normalized, bool no_punct,
                                                          bool asian_support, bool tercom) {
    std::vector<std::vector<std::string>> result;
    Tokens tokens;
    std::string scratch;
    for (const Line line : texts.lines()) {
        tercom_tokenize({normalized, no_punct, asian_support, tercom}, line, tokens, scratch);
        result.emplace_back(tokens.begin(), tokens.end());
    }
    return result;
}

}  // namespace

void bind_text(nb::module_& m) {
    nb::class_<Texts>(m, "Texts")
        .def(nb::init<nb::sequence, bool>(), nb::arg("segments"), nb::arg("lowercase"))
        .def("__len__", &Texts::size)
        .def("strings", &strings);

    nb::class_<TrainingOverlap>(m, "TrainingOverlap")
        .def(
            "__init__",
            [](TrainingOverlap* self, const Texts& raw, const Texts& lowered, const std::string& tokenizer,
               std::size_t n) {
                new (self) TrainingOverlap(raw.lines(), lowered.lines(), tokenizer_by_name(tokenizer), n);
            },
            nb::arg("raw"), nb::arg("lowered"), nb::arg("tokenizer"), nb::arg("n"))
        .def(
            "read",
            [](TrainingOverlap& self, const Texts& raw, const Texts& lowered, unsigned threads) {
                const nb::gil_scoped_release unlocked;
                self.read(raw.lines(), lowered.lines(), threads);
            },
            nb::arg("raw"), nb::arg("lowered"), nb::arg("threads"))
        .def_prop_ro("lines", &TrainingOverlap::lines)
        .def("rows", [](const TrainingOverlap& self) {
            return make_rows(self.size(), 4, [&](double* rows) { self.rows(rows); });
        });

    m.def("tokenize", &tokenize_all, nb::arg("texts"), nb::arg("tokenizer"));
    m.def("unicode_class", [](std::uint32_t c) { return std::string(1, unicode_class(c)); });

    m.def("stemmer_languages", [] {
        const auto codes = stemmer_languages();
        return std::vector<std::string>(codes.begin(), codes.end());
    });
    m.def(
        "stem",
        [](const std::string& language, const std::string& word) {
            const Stem stem = stemmer(language);
            if (stem == nullptr) throw nb::value_error("a language without a stemmer");
            return stem(word);
        },
        nb::arg("language"), nb::arg("word"));

    m.def(
        "best_path",
        [](const nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>& gains,
           const Column<double>& start, const Column<double>& end, double change) {
            if (gains.shape(1) != start.shape(0) || start.shape(0) != end.shape(0) ||
                start.shape(0) > 1 << 16)
                throw nb::value_error("gains, start and end must have the same number of states");
            std::vector<std::int64_t> path;
            {
                const nb::gil_scoped_release unlocked;
                path = best_path({gains.data(), gains.size()}, span_of(start), span_of(end), change);
            }
            return vector_of(std::move(path));
        },
        nb::arg("gains"), nb::arg("start"), nb::arg("end"), nb::arg("change"));

    m.def(
        "shared_words",
        [](const Texts& ours, const Texts& theirs, std::uint32_t rare, std::size_t most) {
            std::vector<SharedPair> pairs;
            {
                const nb::gil_scoped_release release;
                pairs = shared_words(ours.lines(), theirs.lines(), rare, most);
            }
            return make_rows(pairs.size(), 3, [&](double* rows) {
                for (const SharedPair& pair : pairs) {
                    *rows++ = pair.row;
                    *rows++ = pair.column;
                    *rows++ = pair.weight;
                }
            });
        },
        nb::arg("ours"), nb::arg("theirs"), nb::arg("rare"), nb::arg("most"));

    m.def("tercom_tokenize", &tercom_tokenize_all, nb::arg("texts"), nb::arg("normalized"),
          nb::arg("no_punct"), nb::arg("asian_support"), nb::arg("tercom"));
}

}  // namespace adjudge
