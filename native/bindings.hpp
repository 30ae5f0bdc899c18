// What all bindings share: text that crosses the border one way, rows that cross it the other.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lines.hpp"
#include "tokenize.hpp"

namespace adjudge {

namespace nb = nanobind;

// One for each file of bindings; bindings.cpp calls them.
void bind_columns(nb::module_& m);
void bind_edits(nb::module_& m);
void bind_kernels(nb::module_& m);
void bind_lexical(nb::module_& m);
void bind_meteor(nb::module_& m);
void bind_nbest(nb::module_& m);
void bind_overlap(nb::module_& m);
void bind_stats(nb::module_& m);
void bind_terp(nb::module_& m);
void bind_tuning(nb::module_& m);
void bind_text(nb::module_& m);

// Python's str.lower().
void lower(std::string& text);

// Writes a string as UTF-8 and returns where it ends; nullptr where it holds an unpaired surrogate.
char* write_utf8(PyObject* text, char* out);

// How many bytes that takes at most.
std::size_t most_utf8_bytes(PyObject* text);

// How a message names a segment.
std::string place(std::size_t segment);

// Calls visit(item, place) for each; strings lie all over the memory, so those to come are asked for early.
template <class Visit>
void for_each_item(const nb::tuple& items, Visit visit) {
    const std::size_t count = nb::len(items);
    for (std::size_t i = 0; i < count; ++i) {
#if defined(__GNUC__)
        constexpr std::size_t ahead = 16;
        if (i + ahead < count)
            __builtin_prefetch(PyTuple_GET_ITEM(items.ptr(), static_cast<Py_ssize_t>(i + ahead)));
#endif
        visit(PyTuple_GET_ITEM(items.ptr(), static_cast<Py_ssize_t>(i)), i);
    }
}

// Segments that crossed the border. ASCII strings are read where Python keeps them (this object holds on to
// them); others, and those that are lower-cased on the way, are written once into blocks of our own.
class Texts {
  public:
    Texts(nb::sequence segments, bool lowercase);
    // Texts that a kernel wrote.
    Texts(std::vector<std::optional<std::string>> segments, bool lowercase);

    Texts(const Texts&) = delete;
    Texts& operator=(const Texts&) = delete;

    std::size_t size() const { return lines_.size(); }
    Lines lines() const { return lines_; }

  private:
    void reserve(std::size_t bytes);
    Line written(const char* end);
    Line lowered(Line ascii);
    Line encode(PyObject* text, std::size_t index);

    nb::tuple owner_;
    std::vector<std::optional<std::string>> written_;
    std::vector<Line> lines_;
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* at_ = nullptr;
    std::size_t free_ = 0;
};

using ReferenceTexts = std::vector<const Texts*>;

// References as the kernels read them: as many in each set as there are hypotheses, and at least one a
// segment.
References checked(const Texts& hypotheses, const ReferenceTexts& references);

// Numbers that Python gave, read where it keeps them.
template <class Number>
using Column = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Number>
std::span<const Number> span_of(const Column<Number>& column) {
    return {column.data(), column.shape(0)};
}

template <class Number>
using Vector = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;

// A numpy array that owns the numbers of a vector.
template <class Number>
Vector<Number> vector_of(std::vector<Number> numbers) {
    auto* const kept = new std::vector<Number>(std::move(numbers));
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return Vector<Number>(kept->data(), {kept->size()}, owner);
}

using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// A numpy array that owns its numbers.
Matrix owned(std::unique_ptr<double[]> numbers, std::size_t count, std::size_t columns);

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

using ConstMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

}  // namespace adjudge
