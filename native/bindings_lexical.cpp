// Numbers of words, and which word translates which.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "lexical.hpp"
#include "word_ids.hpp"

namespace adjudge {
namespace {

using Ids = std::pair<Vector<std::int32_t>, Vector<std::int64_t>>;

Ids numbered(IdText text) { return {vector_of(std::move(text.ids)), vector_of(std::move(text.sizes))}; }

Ids add(WordIds& words, const Texts& texts, const std::string& tokenizer) {
    const Tokenizer kind = tokenizer_by_name(tokenizer);
    IdText text;
    {
        const nb::gil_scoped_release unlocked;
        text = words.add(texts.lines(), kind);
    }
    return numbered(std::move(text));
}

Ids find(const WordIds& words, const Texts& texts, const std::string& tokenizer) {
    const Tokenizer kind = tokenizer_by_name(tokenizer);
    IdText text;
    {
        const nb::gil_scoped_release unlocked;
        text = words.find(texts.lines(), kind);
    }
    return numbered(std::move(text));
}

nb::list words_of(const WordIds& words) {
    nb::list list;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words.text(static_cast<std::int32_t>(i));
        list.append(nb::str(word.data(), word.size()));
    }
    return list;
}

// Sentences whose words are all below `words`, and not below `lowest`.
IdSentences sentences(const Column<std::int32_t>& ids, const Column<std::int64_t>& sizes, std::size_t words,
                      std::int32_t lowest) {
    const auto known = [&](std::int32_t id) {
        return id >= lowest && (id < 0 || static_cast<std::size_t>(id) < words);
    };
    if (!std::all_of(ids.data(), ids.data() + ids.shape(0), known))
        throw nb::value_error("a word outside the vocabulary");
    return IdSentences(span_of(ids), span_of(sizes));
}

LexicalModel train(const Column<std::int32_t>& source, const Column<std::int64_t>& source_sizes,
                   const Column<std::int32_t>& target, const Column<std::int64_t>& target_sizes,
                   std::size_t source_words, std::size_t target_words, unsigned model1, unsigned hmm,
                   unsigned threads, std::size_t memory) {
    if (source_sizes.shape(0) != target_sizes.shape(0))
        throw nb::value_error("source and target have different numbers of sentences");
    const IdSentences from = sentences(source, source_sizes, source_words, 0);
    const IdSentences to = sentences(target, target_sizes, target_words, 0);
    const nb::gil_scoped_release unlocked;
    return LexicalModel::trained(from, to, source_words, target_words,
                                 {.model1 = model1, .hmm = hmm, .memory = memory, .threads = threads});
}

void make(LexicalModel* model, const Column<std::int32_t>& sources, const Column<std::int32_t>& targets,
          const Column<float>& probabilities, std::size_t source_words, const Jumps& jumps) {
    const std::size_t count = sources.shape(0);
    if (targets.shape(0) != count || probabilities.shape(0) != count)
        throw nb::value_error("sources, targets and probabilities have different lengths");
    LexicalTable table;
    table.begins.assign(source_words + 2, 0);
    for (std::size_t k = 0; k < count; ++k) {
        const std::int32_t source = sources.data()[k], target = targets.data()[k];
        const bool rising = k == 0 || source > sources.data()[k - 1] ||
                            (source == sources.data()[k - 1] && target > targets.data()[k - 1]);
        if (source < 0 || static_cast<std::size_t>(source) > source_words || target < 0 || !rising)
            throw nb::value_error("the table is not in the order of its words");
        ++table.begins[static_cast<std::size_t>(source) + 1];
    }
    for (std::size_t row = 0; row <= source_words; ++row) table.begins[row + 1] += table.begins[row];
    table.targets.assign(targets.data(), targets.data() + count);
    table.probabilities.assign(probabilities.data(), probabilities.data() + count);
    new (model) LexicalModel(std::move(table), jumps);
}

Matrix score(const LexicalModel& model, const Column<std::int32_t>& source,
             const Column<std::int64_t>& source_sizes, const Column<std::int32_t>& target,
             const Column<std::int64_t>& target_sizes, unsigned threads) {
    if (source_sizes.shape(0) != target_sizes.shape(0))
        throw nb::value_error("source and target have different numbers of sentences");
    const IdSentences from = sentences(source, source_sizes, model.table().rows() - 1, -1);
    const IdSentences to(span_of(target), span_of(target_sizes));
    return make_rows(to.ids.size(), LexicalModel::columns,
                     [&](double* rows) { model.score(from, to, threads, rows); });
}

using Entries = std::tuple<Vector<std::int32_t>, Vector<std::int32_t>, Vector<float>>;

// Entries of the table that are at least `least` likely.
Entries entries(const LexicalModel& model, float least) {
    std::vector<std::int32_t> sources, targets;
    std::vector<float> probabilities;
    const LexicalTable& table = model.table();
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t k = table.begins[row]; k < table.begins[row + 1]; ++k)
            if (table.probabilities[k] >= least) {
                sources.push_back(static_cast<std::int32_t>(row));
                targets.push_back(table.targets[k]);
                probabilities.push_back(table.probabilities[k]);
            }
    return {vector_of(std::move(sources)), vector_of(std::move(targets)),
            vector_of(std::move(probabilities))};
}

}  // namespace

void bind_lexical(nb::module_& m) {
    nb::class_<WordIds>(m, "WordIds")
        .def(nb::init<>())
        .def("__len__", &WordIds::size)
        .def("add", &add, nb::arg("texts"), nb::arg("tokenizer"))
        .def("find", &find, nb::arg("texts"), nb::arg("tokenizer"))
        .def(
            "extend", [](WordIds& words, const Texts& texts) { words.extend(texts.lines()); },
            nb::arg("texts"))
        .def("words", &words_of);

    nb::class_<LexicalModel>(m, "LexicalModel")
        .def("__init__", &make, nb::arg("sources"), nb::arg("targets"), nb::arg("probabilities"),
             nb::arg("source_words"), nb::arg("jumps"))
        .def_static("train", &train, nb::arg("source"), nb::arg("source_sizes"), nb::arg("target"),
                    nb::arg("target_sizes"), nb::arg("source_words"), nb::arg("target_words"),
                    nb::arg("model1"), nb::arg("hmm"), nb::arg("threads"),
                    nb::arg("memory") = LexicalTraining().memory)
        .def("score", &score, nb::arg("source"), nb::arg("source_sizes"), nb::arg("target"),
             nb::arg("target_sizes"), nb::arg("threads"))
        .def("entries", &entries, nb::arg("least"))
        .def_prop_ro("jumps", [](const LexicalModel& model) { return model.jumps(); })
        .def_prop_ro("likelihoods", [](const LexicalModel& model) { return model.likelihoods(); });
}

}  // namespace adjudge
