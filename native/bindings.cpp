// The border between Python and the kernels: the only file that knows nanobind.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bleu.hpp"
#include "chrf.hpp"
#include "correlation.hpp"
#include "edits.hpp"
#include "exact.hpp"
#include "lines.hpp"
#include "meteor.hpp"
#include "meteor_text.hpp"
#include "nist.hpp"
#include "overlap.hpp"
#include "parallel.hpp"
#include "paraphrase_builder.hpp"
#include "paraphrases.hpp"
#include "resampling.hpp"
#include "ribes.hpp"
#include "shared_words.hpp"
#include "stems.hpp"
#include "ter.hpp"
#include "tercom_text.hpp"
#include "terp.hpp"
#include "tokenize.hpp"

namespace nb = nanobind;
using namespace adjudge;

namespace {

// Kernels number characters and words with 32 bits, and four bytes of UTF-8 a character must fit as well.
constexpr Py_ssize_t longest = 1 << 29;

std::string place(std::size_t segment) { return "segment " + std::to_string(segment + 1); }

// Segments that crossed the border. ASCII strings are read where Python keeps them (this object holds on to
// them); others, and those that are lower-cased on the way, are written once into blocks of our own.
class Texts {
  public:
    Texts(nb::sequence segments, bool lowercase)
        : owner_(nb::steal<nb::tuple>(PySequence_Tuple(segments.ptr()))) {
        if (!owner_.is_valid()) throw nb::python_error();
        const std::size_t count = nb::len(owner_);
        lines_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            PyObject* item = PyTuple_GET_ITEM(owner_.ptr(), static_cast<Py_ssize_t>(i));
            if (item == Py_None) {
                lines_.emplace_back();
            } else if (!PyUnicode_Check(item)) {
                throw nb::type_error((place(i) + " is " + Py_TYPE(item)->tp_name + ", not str").c_str());
            } else if (PyUnicode_GET_LENGTH(item) > longest) {
                throw nb::value_error((place(i) + " is longer than half a billion characters").c_str());
            } else if (PyUnicode_IS_ASCII(item)) {
                const Line line(static_cast<const char*>(PyUnicode_DATA(item)),
                                static_cast<std::size_t>(PyUnicode_GET_LENGTH(item)));
                lines_.push_back(lowercase && !line.empty() ? lowered(line) : line);
            } else if (lowercase) {
                // Beyond ASCII Python's own rules (and its version of Unicode) decide.
                const auto folded = nb::steal(PyObject_CallMethod(item, "lower", nullptr));
                if (!folded.is_valid()) throw nb::python_error();
                lines_.push_back(encode(folded.ptr(), i));
            } else {
                lines_.push_back(encode(item, i));
            }
        }
    }

    Texts(const Texts&) = delete;
    Texts& operator=(const Texts&) = delete;

    std::size_t size() const { return lines_.size(); }
    Lines lines() const { return lines_; }

  private:
    // Room for that many bytes at at_.
    void reserve(std::size_t bytes) {
        if (free_ >= bytes) return;
        free_ = std::max<std::size_t>(bytes, 1 << 16);
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_));
        at_ = blocks_.back().get();
    }

    // What was written from at_ on.
    Line written(const char* end) {
        const Line line(at_, static_cast<std::size_t>(end - at_));
        free_ -= line.size();
        at_ += line.size();
        return line;
    }

    Line lowered(Line ascii) {
        reserve(ascii.size());
        return written(std::transform(ascii.begin(), ascii.end(), at_, [](char c) {
            return static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
        }));
    }

    Line encode(PyObject* text, std::size_t index) {
        const Py_ssize_t length = PyUnicode_GET_LENGTH(text);
        const int kind = PyUnicode_KIND(text);
        const void* data = PyUnicode_DATA(text);
        reserve(static_cast<std::size_t>(length) * (kind == 1 ? 2 : kind == 2 ? 3 : 4));
        char* out = at_;
        for (Py_ssize_t i = 0; i < length; ++i) {
            const Py_UCS4 c = PyUnicode_READ(kind, data, i);
            if (c < 0x80) {
                *out++ = static_cast<char>(c);
            } else if (c < 0x800) {
                *out++ = static_cast<char>(0xc0 | c >> 6);
                *out++ = static_cast<char>(0x80 | (c & 0x3f));
            } else if (c < 0x10000) {
                if (c >= 0xd800 && c < 0xe000)
                    throw nb::value_error(
                        (place(index) + " holds an unpaired surrogate, which is no character").c_str());
                *out++ = static_cast<char>(0xe0 | c >> 12);
                *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3f));
                *out++ = static_cast<char>(0x80 | (c & 0x3f));
            } else {
                *out++ = static_cast<char>(0xf0 | c >> 18);
                *out++ = static_cast<char>(0x80 | (c >> 12 & 0x3f));
                *out++ = static_cast<char>(0x80 | (c >> 6 & 0x3f));
                *out++ = static_cast<char>(0x80 | (c & 0x3f));
            }
        }
        return written(out);
    }

    nb::tuple owner_;
    std::vector<Line> lines_;
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* at_ = nullptr;
    std::size_t free_ = 0;
};

using ReferenceTexts = std::vector<const Texts*>;

References checked(const Texts& hypotheses, const ReferenceTexts& references) {
    References sets;
    for (const Texts* set : references) {
        if (set->size() != hypotheses.size())
            throw nb::value_error((std::to_string(hypotheses.size()) + " hypotheses against " +
                                   std::to_string(set->size()) + " references")
                                      .c_str());
        sets.push_back(set->lines());
    }
    if (sets.empty()) throw nb::value_error("no references");
    // Kernels rely on it: a row without a reference would have nothing to say.
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        if (is_missing(hypotheses.lines()[i])) throw nb::value_error((place(i) + " is missing").c_str());
        const auto missing = [i](const Lines set) { return is_missing(set[i]); };
        if (std::all_of(sets.begin(), sets.end(), missing))
            throw nb::value_error((place(i) + " has no reference at all").c_str());
    }
    return sets;
}

using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// A numpy array that owns its numbers.
Matrix owned(std::unique_ptr<double[]> numbers, std::size_t count, std::size_t columns) {
    double* data = numbers.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return Matrix(data, {count, columns}, owner);
}

// Rows as a numpy array; `fill` runs without the interpreter's lock.
template <class Fill>
Matrix make_rows(std::size_t count, std::size_t columns, Fill fill) {
    auto rows = std::make_unique_for_overwrite<double[]>(count * columns);
    {
        const nb::gil_scoped_release unlocked;
        fill(rows.get());
    }
    return owned(std::move(rows), count, columns);
}

// A kernel whose only option is the tokenizer.
template <std::size_t columns>
auto word_rows(void (*kernel)(Lines, const References&, Tokenizer, unsigned, double*)) {
    return [kernel](const Texts& hypotheses, const ReferenceTexts& references, const std::string& tokenizer,
                    unsigned threads) {
        const References sets = checked(hypotheses, references);
        const Tokenizer kind = tokenizer_by_name(tokenizer);
        return make_rows(hypotheses.size(), columns,
                         [&](double* rows) { kernel(hypotheses.lines(), sets, kind, threads, rows); });
    };
}

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

// Each line's words with spaces between them; a missing line stays missing.
std::vector<std::optional<std::string>> meteor_normalize(const Texts& texts, const std::string& rules,
                                                         bool keep_punctuation,
                                                         const std::vector<std::string>& prefixes,
                                                         const std::vector<std::string>& numeric_prefixes,
                                                         unsigned threads) {
    MeteorText options{meteor_rules_by_name(rules), keep_punctuation, {}};
    for (const std::string& prefix : prefixes) options.prefixes.insert_or_assign(prefix, false);
    for (const std::string& prefix : numeric_prefixes) options.prefixes.insert_or_assign(prefix, true);
    std::vector<std::optional<std::string>> result(texts.size());
    const Lines lines = texts.lines();
    const nb::gil_scoped_release unlocked;
    for_each_segment(lines.size(), threads, [&] {
        return [&, normalize = MeteorNormalizer(options)](std::size_t i) mutable {
            if (!is_missing(lines[i])) normalize(lines[i], result[i].emplace());
        };
    });
    return result;
}

using ConstMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Matrix sums_of_resamples(const std::vector<ConstMatrix>& systems, const std::string& draw,
                         std::vector<std::uint32_t> order, std::vector<std::size_t> begins,
                         std::pair<std::size_t, std::size_t> runs, std::uint64_t seed, std::uint64_t first,
                         std::size_t count, unsigned threads) {
    Design design;
    design.seed = seed;
    if (draw == "bootstrap") {
        design.draw = Draw::bootstrap;
    } else if (draw == "half") {
        design.draw = Draw::half;
    } else if (draw == "coins") {
        design.draw = Draw::coins;
    } else if (draw == "runs" || (draw == "multeval" && runs.first == runs.second)) {
        design.draw = draw == "runs" ? Draw::runs : Draw::multeval;
        design.runs_a = runs.first;
        design.runs_b = runs.second;
    } else {
        throw nb::value_error(("unknown draw '" + draw + "'").c_str());
    }
    const std::size_t height = systems.empty() ? 0 : systems.front().shape(0);
    std::size_t columns = 0;
    std::vector<Block> blocks;
    for (const ConstMatrix& rows : systems) {
        if (rows.shape(0) != height) throw nb::value_error("systems with different numbers of rows");
        columns += rows.shape(1);
        blocks.push_back({rows.data(), rows.shape(1)});
    }
    const std::size_t parts = rows_of_unit(design);
    if (parts == 0 || height % parts != 0) throw nb::value_error("rows do not fit the number of runs");
    const std::size_t units = height / parts;
    if (units >= std::size_t{1} << 32) throw nb::value_error("more units than can be numbered with 32 bits");
    const bool strata_fit =
        begins.empty() ||
        (order.size() == units && begins.front() == 0 && begins.back() == units &&
         std::is_sorted(begins.begin(), begins.end()) &&
         std::all_of(order.begin(), order.end(), [&](std::uint32_t unit) { return unit < units; }));
    if (!strata_fit) throw nb::value_error("strata do not fit the units");
    design.order = std::move(order);
    design.begins = std::move(begins);
    return make_rows(count, columns, [&](double* sums) {
        resampled_sums(blocks, units, design, first, count, threads, sums);
    });
}

using MeteorReferences = std::vector<const MeteorSegments*>;

// Alpha, beta, gamma, delta and the weights of the matchers.
using MeteorNumbers = std::array<double, 4 + meteor_matchers>;

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
    MeteorParameters parameters{numbers[0], numbers[1], numbers[2], numbers[3], {}, form_2005};
    std::copy(numbers.begin() + 4, numbers.end(), parameters.weights.begin());
    const MeteorTask task{words, hypotheses, references, matchers, parameters, paraphrases};
    const nb::gil_scoped_release unlocked;
    const auto held = words.hold();
    if (!words.complete()) throw std::invalid_argument("words without a description");
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

using ConstVector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Matrix concordance_of(const ConstMatrix& lists, const ConstVector& target, unsigned threads) {
    const Lists matrix{lists.data(), lists.shape(0), lists.shape(1)};
    if (target.shape(0) != matrix.length) throw nb::value_error("a target of another length than the lists");
    return make_rows(matrix.count, 3,
                     [&](double* rows) { concordance(matrix, target.data(), threads, rows); });
}

Matrix average_ranks_of(const ConstMatrix& lists, unsigned threads) {
    const Lists matrix{lists.data(), lists.shape(0), lists.shape(1)};
    if (matrix.length >= std::size_t{1} << 32)
        throw nb::value_error("more numbers than can be counted with 32 bits");
    return make_rows(matrix.count, matrix.length,
                     [&](double* ranks) { average_ranks(matrix, threads, ranks); });
}

}  // namespace

NB_MODULE(_core, m) {
    nb::class_<Texts>(m, "Texts")
        .def(nb::init<nb::sequence, bool>(), nb::arg("segments"), nb::arg("lowercase"))
        .def("__len__", &Texts::size);

    m.def("tokenize", &tokenize_all, nb::arg("texts"), nb::arg("tokenizer"));
    m.def("unicode_class", [](std::uint32_t c) { return std::string(1, unicode_class(c)); });

    m.def("average_ranks", &average_ranks_of, nb::arg("lists"), nb::arg("threads"));

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

    m.def("cder_rows", word_rows<2>(cder_rows), nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), nb::arg("threads"));

    m.def("concordance", &concordance_of, nb::arg("lists"), nb::arg("target"), nb::arg("threads"));

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

    nb::class_<MeteorSegments>(m, "MeteorSegments").def("__len__", &MeteorSegments::size);

    nb::class_<MeteorWords>(m, "MeteorWords")
        .def(nb::init<>())
        .def(
            "read", [](MeteorWords& words, const Texts& texts) { return words.read(texts.lines()); },
            nb::arg("texts"), nb::call_guard<nb::gil_scoped_release>())
        .def("fresh", &MeteorWords::fresh)
        .def("describe", &MeteorWords::describe, nb::arg("stems"), nb::arg("synsets"),
             nb::arg("function_words"), nb::arg("lengths"));

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

    m.def("meteor_normalize", &meteor_normalize, nb::arg("texts"), nb::arg("rules"),
          nb::arg("keep_punctuation"), nb::arg("prefixes"), nb::arg("numeric_prefixes"), nb::arg("threads"));

    m.def("meteor_links", &meteor_links, nb::arg("words"), nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("matchers"), nb::arg("parameters"), nb::arg("form_2005"), nb::arg("paraphrases").none(),
          nb::arg("threads"));

    nb::class_<NistModel>(m, "NistModel")
        .def(
            "__init__",
            [](NistModel* model, const ReferenceTexts& references, const std::string& tokenizer,
               int max_order) {
                References sets;
                for (const Texts* set : references) sets.push_back(set->lines());
                const Tokenizer kind = tokenizer_by_name(tokenizer);
                const nb::gil_scoped_release unlocked;
                new (model) NistModel(sets, kind, max_order);
            },
            nb::arg("references"), nb::arg("tokenizer"), nb::arg("max_order"))
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

    m.def("resampled_sums", &sums_of_resamples, nb::arg("systems"), nb::arg("draw"), nb::arg("order"),
          nb::arg("begins"), nb::arg("runs"), nb::arg("seed"), nb::arg("first"), nb::arg("count"),
          nb::arg("threads"));

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

    m.def("stem_english", [](const std::string& word) { return stem_english(word); }, nb::arg("word"));
    m.def("stem_german", [](const std::string& word) { return stem_german(word); }, nb::arg("word"));

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
