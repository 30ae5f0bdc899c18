// METEOR, its words and its paraphrase table.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "bindings.hpp"
#include "meteor.hpp"
#include "meteor_synonyms.hpp"
#include "meteor_text.hpp"
#include "meteor_words.hpp"
#include "parallel.hpp"
#include "paraphrase_builder.hpp"
#include "paraphrases.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

using Buffer = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The compiled table as an array of bytes, so that it can be written to a file or used as it is.
nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>> compiled_paraphrases(ParaphraseBuilder& builder,
                                                                       nb::bytes source) {
    if (source.size() != 32) throw nb::value_error("the hash of a source has 32 bytes");
    const std::span<const unsigned char, 32> digest(reinterpret_cast<const unsigned char*>(source.c_str()),
                                                    32);
    std::unique_ptr<std::vector<std::byte>> compiled;
    {
        const nb::gil_scoped_release unlocked;
        compiled = std::make_unique<std::vector<std::byte>>(builder.finish(digest));
    }
    auto* const kept = compiled.release();
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::byte>*>(p); });
    return {reinterpret_cast<std::uint8_t*>(kept->data()), {kept->size()}, owner};
}

// Each match as reference start and length, hypothesis start and length; a text is a word here.
std::vector<std::array<std::int32_t, 4>> phrase_matches(const ParaphraseTable& table, const Texts& hypothesis,
                                                        const Texts& reference) {
    std::vector<std::array<std::int32_t, 4>> found;
    const nb::gil_scoped_release unlocked;
    std::vector<std::int32_t> sides[2];
    for (const Line word : hypothesis.lines()) sides[0].push_back(table.word(word));
    for (const Line word : reference.lines()) sides[1].push_back(table.word(word));
    ParaphraseTable::Scratch scratch;
    table.matches(sides[0], sides[1], scratch, [&](const PhraseMatch& match) {
        found.push_back(
            {match.reference_start, match.reference_length, match.hypothesis_start, match.hypothesis_length});
    });
    return found;
}

// Each line's words with spaces between them; a missing line stays missing.
std::unique_ptr<Texts> meteor_texts(const Texts& texts, const std::string& rules, bool keep_punctuation,
                                    const std::vector<std::string>& prefixes,
                                    const std::vector<std::string>& numeric_prefixes, bool lowercase,
                                    unsigned threads) {
    MeteorText options{meteor_rules_by_name(rules), keep_punctuation, {}};
    for (const std::string& prefix : prefixes) options.prefixes.insert_or_assign(prefix, false);
    for (const std::string& prefix : numeric_prefixes) options.prefixes.insert_or_assign(prefix, true);
    std::vector<std::optional<std::string>> result(texts.size());
    const Lines lines = texts.lines();
    {
        const nb::gil_scoped_release unlocked;
        for_each_segment(lines.size(), threads, [&] {
            return [&, normalize = MeteorNormalizer(options)](std::size_t i) mutable {
                if (!is_missing(lines[i])) normalize(lines[i], result[i].emplace());
            };
        });
    }
    return std::make_unique<Texts>(std::move(result), lowercase);
}

MeteorLexicon meteor_lexicon(const std::string& language, const SynonymTable* synonyms,
                             const std::vector<std::string>& function_words, bool characters) {
    MeteorLexicon lexicon;
    lexicon.stem = stemmer(language);
    if (!lexicon.stem && !language.empty())
        throw nb::value_error(("no stemmer is called " + language).c_str());
    lexicon.synonyms = synonyms;
    for (const std::string& word : function_words) lexicon.function_words.add(word);
    lexicon.characters = characters;
    return lexicon;
}

void look_up(MeteorWords& words, const std::vector<std::string>& stems) {
    std::vector<std::string> lowered = words.fresh_beyond_ascii();
    for (std::string& word : lowered) lower(word);
    const nb::gil_scoped_release unlocked;
    words.look_up(lowered, stems);
}

std::string_view view(nb::str text) {
    Py_ssize_t size = 0;
    const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) throw nb::python_error();
    return {data, static_cast<std::size_t>(size)};
}

// Sorted, each once.
nb::tuple synsets_of(const SynonymTable& table, const std::string& word) {
    std::vector<std::int32_t> found;
    std::vector<std::size_t> ends;
    const std::string_view text = word;
    table.synsets({&text, 1}, found, ends);
    for (std::int32_t& synset : found) synset = table.original(synset);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    nb::list result;
    for (const std::int32_t synset : found) result.append(synset);
    return nb::tuple(result);
}

using MeteorReferences = std::vector<const MeteorSegments*>;

// Runs `use` on what METEOR needs, checked, without the interpreter's lock.
template <class Use>
auto with_meteor(const MeteorWords& words, const MeteorSegments& hypotheses,
                 const MeteorReferences& references, unsigned matchers, const MeteorNumbers& numbers,
                 bool form_2005, const ParaphraseTable* paraphrases, Use use) {
    for (const MeteorSegments* set : references)
        if (set->size() != hypotheses.size()) throw nb::value_error("references do not fit the hypotheses");
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        const auto missing = [i](const MeteorSegments* set) { return set->is_missing(i); };
        if (hypotheses.is_missing(i)) throw nb::value_error((place(i) + " is missing").c_str());
        if (std::all_of(references.begin(), references.end(), missing))
            throw nb::value_error((place(i) + " has no reference at all").c_str());
    }
    const MeteorTask task{
        words, hypotheses, references, matchers, meteor_parameters(numbers.data(), form_2005), paraphrases};
    const nb::gil_scoped_release unlocked;
    const auto held = words.hold();
    if (!words.complete()) throw std::invalid_argument("words that nobody looked up");
    return use(task);
}

// One link a row: segment, then where it begins and ends in the hypothesis and in the reference, and matcher;
// and for each segment the reference set it is about.
std::pair<Matrix, std::vector<std::size_t>> meteor_links(const MeteorWords& words,
                                                         const MeteorSegments& hypotheses,
                                                         const MeteorReferences& references,
                                                         unsigned matchers, const MeteorNumbers& numbers,
                                                         bool form_2005, const ParaphraseTable* paraphrases,
                                                         unsigned threads) {
    const auto alignments =
        with_meteor(words, hypotheses, references, matchers, numbers, form_2005, paraphrases,
                    [&](const MeteorTask& task) { return meteor_alignments(task, threads); });
    std::size_t count = 0;
    std::vector<std::size_t> sets;
    for (const MeteorAlignment& alignment : alignments) {
        count += alignment.matches.size();
        sets.push_back(alignment.reference);
    }
    Matrix links = make_rows(count, 6, [&](double* row) {
        for (std::size_t i = 0; i < alignments.size(); ++i)
            for (const MeteorMatch& match : alignments[i].matches) {
                *row++ = static_cast<double>(i);
                *row++ = match.hypothesis;
                *row++ = match.hypothesis + match.hypothesis_length;
                *row++ = match.reference;
                *row++ = match.reference + match.reference_length;
                *row++ = match.matcher;
            }
    });
    return {links, sets};
}

// What sums of rows come to, one a row; those of the 2005 form have a column more, the segments with a match.
Matrix parts_of(const ConstMatrix& sums, const MeteorNumbers& numbers, bool form_2005) {
    const std::size_t columns = meteor_columns + form_2005;
    if (sums.shape(1) != columns) throw nb::value_error("these are no sums of METEOR's rows");
    const MeteorParameters parameters = meteor_parameters(numbers.data(), form_2005);
    return make_rows(sums.shape(0), 5, [&](double* out) {
        for (std::size_t i = 0; i < sums.shape(0); ++i) {
            const double* row = sums.data() + i * columns;
            const MeteorParts parts = meteor_parts(row, form_2005 ? row[meteor_columns] : 0, parameters);
            for (const double part :
                 {parts.precision, parts.recall, parts.mean, parts.fragmentation, parts.score})
                *out++ = part;
        }
    });
}

}  // namespace

void bind_meteor(nb::module_& m) {
    nb::class_<SynonymTable>(m, "SynonymTable")
        .def(
            "__init__",
            [](SynonymTable* table, nb::str synsets, nb::str exceptions,
               const std::vector<Detachment>& rules) {
                const std::string_view listed = view(synsets), irregular = view(exceptions);
                const nb::gil_scoped_release unlocked;
                new (table) SynonymTable(listed, irregular, rules);
            },
            nb::arg("synsets"), nb::arg("exceptions"), nb::arg("rules"))
        .def("__len__", &SynonymTable::size)
        .def("synsets", &synsets_of, nb::arg("word"));

    // The table is used where it lies, so the lexicon keeps it alive.
    nb::class_<MeteorLexicon>(m, "MeteorLexicon")
        .def(nb::new_(&meteor_lexicon), nb::keep_alive<0, 3>(), nb::arg("stemmer"),
             nb::arg("synonyms").none(), nb::arg("function_words"), nb::arg("characters"));

    nb::class_<MeteorSegments>(m, "MeteorSegments").def("__len__", &MeteorSegments::size);

    nb::class_<MeteorWords>(m, "MeteorWords")
        .def(nb::init<const MeteorLexicon&>(), nb::keep_alive<1, 2>(), nb::arg("lexicon"))
        .def(
            "read", [](MeteorWords& words, const Texts& texts) { return words.read(texts.lines()); },
            nb::arg("texts"), nb::call_guard<nb::gil_scoped_release>())
        .def("fresh", &MeteorWords::fresh)
        .def("look_up", &look_up, nb::arg("stems"));

    namespace column = meteor_column;
    nb::dict columns;
    columns["hypothesis_words"] = std::size_t{column::hypothesis_words};
    columns["reference_words"] = std::size_t{column::reference_words};
    columns["hypothesis_function_words"] = std::size_t{column::hypothesis_function_words};
    columns["reference_function_words"] = std::size_t{column::reference_function_words};
    columns["hypothesis_matched"] = std::size_t{column::hypothesis_matched};
    columns["reference_matched"] = std::size_t{column::reference_matched};
    columns["chunks"] = std::size_t{column::chunks};
    columns["by_matcher"] = std::size_t{column::by_matcher};
    columns["all"] = std::size_t{meteor_columns};
    m.attr("METEOR_COLUMNS") = columns;
    m.attr("METEOR_PARTS") = nb::make_tuple("precision", "recall", "fmean", "fragmentation", "score");
    m.def("meteor_parts", &parts_of, nb::arg("sums"), nb::arg("parameters"), nb::arg("form_2005"));

    m.def(
        "meteor_rows",
        [](const MeteorWords& words, const MeteorSegments& hypotheses, const MeteorReferences& references,
           unsigned matchers, const MeteorNumbers& numbers, bool form_2005,
           const ParaphraseTable* paraphrases, unsigned threads) {
            auto rows = std::make_unique_for_overwrite<double[]>(hypotheses.size() * meteor_columns);
            with_meteor(words, hypotheses, references, matchers, numbers, form_2005, paraphrases,
                        [&](const MeteorTask& task) { meteor_rows(task, threads, rows.get()); });
            return owned(std::move(rows), hypotheses.size(), meteor_columns);
        },
        nb::arg("words"), nb::arg("hypotheses"), nb::arg("references"), nb::arg("matchers"),
        nb::arg("parameters"), nb::arg("form_2005"), nb::arg("paraphrases").none(), nb::arg("threads"));

    m.def("meteor_texts", &meteor_texts, nb::arg("texts"), nb::arg("rules"), nb::arg("keep_punctuation"),
          nb::arg("prefixes"), nb::arg("numeric_prefixes"), nb::arg("lowercase"), nb::arg("threads"));

    m.def("meteor_links", &meteor_links, nb::arg("words"), nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("matchers"), nb::arg("parameters"), nb::arg("form_2005"), nb::arg("paraphrases").none(),
          nb::arg("threads"));

    nb::class_<ParaphraseBuilder>(m, "ParaphraseBuilder")
        .def(nb::init<>())
        .def(
            "feed",
            [](ParaphraseBuilder& builder, nb::bytes piece) {
                const std::string_view text(piece.c_str(), piece.size());
                const nb::gil_scoped_release unlocked;
                builder.feed(text);
            },
            nb::arg("piece"))
        .def("finish", &compiled_paraphrases, nb::arg("source"))
        .def_prop_ro("lines", &ParaphraseBuilder::lines)
        .def("__len__", &ParaphraseBuilder::entries);

    // The buffer is used where it lies, so the table keeps it alive.
    nb::class_<ParaphraseTable>(m, "ParaphraseTable")
        .def(
            "__init__",
            [](ParaphraseTable* table, Buffer compiled) {
                const std::span bytes(reinterpret_cast<const std::byte*>(compiled.data()), compiled.size());
                const nb::gil_scoped_release unlocked;
                new (table) ParaphraseTable(bytes);
            },
            nb::keep_alive<1, 2>(), nb::arg("compiled"))
        .def("__len__", &ParaphraseTable::entries)
        .def_prop_ro("source",
                     [](const ParaphraseTable& table) {
                         return nb::bytes(table.source().data(), table.source().size());
                     })
        .def("matches", &phrase_matches, nb::arg("hypothesis"), nb::arg("reference"));
}

}  // namespace adjudge
