// The border between Python and the kernels: these files, bindings*, are the only ones that know nanobind.
#include "bindings.hpp"

#include <algorithm>

namespace adjudge {
namespace {

// Kernels number characters and words with 32 bits, and four bytes of UTF-8 a character must fit as well.
constexpr Py_ssize_t longest = 1 << 29;

char lower_ascii(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c); }

// Writes characters as UTF-8 and returns where they end; nullptr where one is an unpaired surrogate.
template <class Unit>
char* utf8(const Unit* text, std::size_t length, char* out) {
    constexpr std::size_t run = 16;  // as many ASCII characters as are narrowed at once
    std::size_t i = 0;
    while (i < length) {
        if (i + run <= length) {
            Unit all = 0;
            for (std::size_t k = 0; k < run; ++k) all = static_cast<Unit>(all | text[i + k]);
            if (all < 0x80) {
                for (std::size_t k = 0; k < run; ++k) out[k] = static_cast<char>(text[i + k]);
                out += run;
                i += run;
                continue;
            }
        }
        const std::size_t end = std::min(length, i + run);
        for (; i < end; ++i) {
            const Py_UCS4 c = text[i];
            if (c < 0x80) {
                *out++ = static_cast<char>(c);
            } else if (c < 0x800) {
                *out++ = static_cast<char>(0xc0 | c >> 6);
                *out++ = static_cast<char>(0x80 | (c & 0x3f));
            } else if (c < 0x10000) {
                if (c >= 0xd800 && c < 0xe000) return nullptr;
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
    }
    return out;
}

}  // namespace

void lower(std::string& text) {
    char all = 0;
    for (const char c : text) all = static_cast<char>(all | c);
    if (static_cast<signed char>(all) >= 0) {  // ASCII
        for (char& c : text) c = lower_ascii(c);
        return;
    }
    // Beyond ASCII Python's own rules (and its version of Unicode) decide.
    const auto string =
        nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr));
    if (!string.is_valid()) throw nb::python_error();
    const auto folded = nb::steal(PyObject_CallMethod(string.ptr(), "lower", nullptr));
    if (!folded.is_valid()) throw nb::python_error();
    Py_ssize_t size = 0;
    const char* const data = PyUnicode_AsUTF8AndSize(folded.ptr(), &size);
    if (!data) throw nb::python_error();
    text.assign(data, static_cast<std::size_t>(size));
}

std::size_t most_utf8_bytes(PyObject* text) {
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text));
    if (PyUnicode_IS_ASCII(text)) return length;
    const int kind = PyUnicode_KIND(text);
    return length * (kind == 1 ? 2 : kind == 2 ? 3 : 4);
}

char* write_utf8(PyObject* text, char* out) {
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text));
    const void* const data = PyUnicode_DATA(text);
    if (PyUnicode_IS_ASCII(text)) return std::copy_n(static_cast<const char*>(data), length, out);
    const int kind = PyUnicode_KIND(text);
    if (kind == 1) return utf8(static_cast<const Py_UCS1*>(data), length, out);
    if (kind == 2) return utf8(static_cast<const Py_UCS2*>(data), length, out);
    return utf8(static_cast<const Py_UCS4*>(data), length, out);
}

std::string place(std::size_t segment) { return "segment " + std::to_string(segment + 1); }

Texts::Texts(nb::sequence segments, bool lowercase)
    : owner_(nb::steal<nb::tuple>(PySequence_Tuple(segments.ptr()))) {
    if (!owner_.is_valid()) throw nb::python_error();
    lines_.reserve(nb::len(owner_));
    for_each_item(owner_, [&](PyObject* item, std::size_t i) {
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
    });
}

Texts::Texts(std::vector<std::optional<std::string>> segments, bool lowercase)
    : written_(std::move(segments)) {
    lines_.reserve(written_.size());
    for (std::optional<std::string>& segment : written_) {
        if (segment && lowercase) lower(*segment);
        lines_.push_back(segment ? Line(*segment) : Line());
    }
}

// Room for that many bytes at at_.
void Texts::reserve(std::size_t bytes) {
    if (free_ >= bytes) return;
    free_ = std::max<std::size_t>(bytes, 1 << 16);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_));
    at_ = blocks_.back().get();
}

// What was written from at_ on.
Line Texts::written(const char* end) {
    const Line line(at_, static_cast<std::size_t>(end - at_));
    free_ -= line.size();
    at_ += line.size();
    return line;
}

Line Texts::lowered(Line ascii) {
    reserve(ascii.size());
    return written(std::transform(ascii.begin(), ascii.end(), at_, lower_ascii));
}

Line Texts::encode(PyObject* text, std::size_t index) {
    reserve(most_utf8_bytes(text));
    const char* const end = write_utf8(text, at_);
    if (!end)
        throw nb::value_error((place(index) + " holds an unpaired surrogate, which is no character").c_str());
    return written(end);
}

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

Matrix owned(std::unique_ptr<double[]> numbers, std::size_t count, std::size_t columns) {
    double* data = numbers.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return Matrix(data, {count, columns}, owner);
}

}  // namespace adjudge

NB_MODULE(_core, m) {
    adjudge::bind_text(m);
    adjudge::bind_columns(m);
    adjudge::bind_edits(m);
    adjudge::bind_kernels(m);
    adjudge::bind_lexical(m);
    adjudge::bind_meteor(m);
    adjudge::bind_nbest(m);
    adjudge::bind_overlap(m);
    adjudge::bind_stats(m);
    adjudge::bind_terp(m);
    adjudge::bind_tuning(m);
}
