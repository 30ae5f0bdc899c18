// Columns of segments as Python keeps them: cut from a file's bytes, checked, measured, and joined to be hashed.
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "bindings.hpp"

namespace adjudge {
namespace {

bool is_ascii(std::string_view text) {
    char all = 0;
    for (const char c : text) all = static_cast<char>(all | c);
    return static_cast<signed char>(all) >= 0;
}

// A line as Python's string; nullptr, with Python's error set, where it is not UTF-8.
PyObject* string_of(std::string_view line) {
    const auto size = static_cast<Py_ssize_t>(line.size());
    if (size < 2 || !is_ascii(line)) return PyUnicode_DecodeUTF8(line.data(), size, nullptr);
    PyObject* const text = PyUnicode_New(size, 0x7f);
    if (text) std::memcpy(PyUnicode_DATA(text), line.data(), line.size());
    return text;
}

// Where the error that is set was found in the text of a line; other errors, as of memory, are thrown.
std::size_t place_of_error() {
    nb::python_error error;
    if (!error.matches(PyExc_UnicodeDecodeError)) throw error;
    return nb::cast<std::size_t>(nb::handle(error.value()).attr("start"));
}

// The lines of a UTF-8 text from a byte on, split at \n alone and without a \r before it, and the first byte that is
// not UTF-8, or −1. The last line need not end in \n.
std::pair<nb::list, std::ptrdiff_t> split_lines(const nb::bytes& data, std::size_t start) {
    const std::string_view text(data.c_str(), data.size());
    const std::string_view rest = text.substr(std::min(start, text.size()));
    const auto count = std::count(rest.begin(), rest.end(), '\n') + (!rest.empty() && rest.back() != '\n');
    const nb::list lines = nb::steal<nb::list>(PyList_New(count));
    if (!lines.is_valid()) throw nb::python_error();
    std::size_t begin = text.size() - rest.size();
    for (Py_ssize_t i = 0; i < count; ++i) {
        const std::size_t found = text.find('\n', begin);
        const bool ended = found != std::string_view::npos;
        std::size_t end = ended ? found : text.size();
        const std::size_t next = end + 1;
        if (ended && end > begin && text[end - 1] == '\r') --end;
        PyObject* const line = string_of(text.substr(begin, end - begin));
        if (!line) return {nb::list(), static_cast<std::ptrdiff_t>(begin + place_of_error())};
        PyList_SET_ITEM(lines.ptr(), i, line);
        begin = next;
    }
    return {lines, -1};
}

// Whether None is among some segments, and whether anything is that is neither text nor None.
std::pair<bool, bool> holes_and_oddities(const nb::tuple& segments) {
    bool holes = false, oddities = false;
    for_each_item(segments, [&](PyObject* item, std::size_t) {
        if (item == Py_None)
            holes = true;
        else if (!PyUnicode_Check(item))
            oddities = true;
    });
    return {holes, oddities};
}

// Calls visit(text, place) for each segment that is not missing.
template <class Visit>
void for_each_text(const nb::tuple& segments, Visit visit) {
    for_each_item(segments, [&](PyObject* item, std::size_t i) {
        if (item == Py_None) return;
        if (!PyUnicode_Check(item)) throw nb::type_error((place(i) + " is not str").c_str());
        visit(item, i);
    });
}

bool is_blank(PyObject* text) {
    const Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t i = 0; i < length; ++i)
        if (!Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, i))) return false;
    return true;
}

// How many segments have nothing in them but what str.strip() takes off.
std::size_t blank_segments(const nb::tuple& segments) {
    std::size_t count = 0;
    for_each_text(segments, [&](PyObject* text, std::size_t) { count += is_blank(text); });
    return count;
}

// The first segment that is longer than a number of characters, or −1.
std::ptrdiff_t first_longer(const nb::tuple& segments, Py_ssize_t limit) {
    std::ptrdiff_t first = -1;
    for_each_text(segments, [&](PyObject* text, std::size_t i) {
        if (first < 0 && PyUnicode_GET_LENGTH(text) > limit) first = static_cast<std::ptrdiff_t>(i);
    });
    return first;
}

// The lengths of segments in characters, with commas between; missing ones are dashes.
std::string segment_lengths(const nb::tuple& segments) {
    std::string lengths;
    char digits[24];
    for_each_item(segments, [&](PyObject* item, std::size_t i) {
        if (i) lengths += ',';
        if (item == Py_None) {
            lengths += '-';
        } else if (PyUnicode_Check(item)) {
            const auto written = std::to_chars(digits, digits + sizeof digits, PyUnicode_GET_LENGTH(item));
            lengths.append(digits, written.ptr);
        } else {
            throw nb::type_error((place(i) + " is not str").c_str());
        }
    });
    return lengths;
}

// All segments that are not missing, one behind the other in UTF-8; unpaired surrogates as if they were characters.
nb::bytes joined_utf8(const nb::tuple& segments) {
    std::size_t most = 0;
    for_each_text(segments, [&](PyObject* text, std::size_t) { most += most_utf8_bytes(text); });
    const auto data = std::make_unique_for_overwrite<char[]>(most);
    char* at = data.get();
    bool surrogates = false;
    for_each_text(segments, [&](PyObject* text, std::size_t) {
        char* const end = surrogates ? nullptr : write_utf8(text, at);
        surrogates = !end;
        if (end) at = end;
    });
    if (!surrogates) return nb::bytes(data.get(), static_cast<std::size_t>(at - data.get()));
    nb::object joined = nb::bytes("", 0);
    for_each_text(segments, [&](PyObject* text, std::size_t) {
        const auto encoded = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass"));
        if (!encoded.is_valid()) throw nb::python_error();
        joined = joined + encoded;
    });
    return nb::borrow<nb::bytes>(joined);
}

}  // namespace

void bind_columns(nb::module_& m) {
    m.def("split_lines", &split_lines, nb::arg("data"), nb::arg("start"));
    m.def("holes_and_oddities", &holes_and_oddities, nb::arg("segments"));
    m.def("blank_segments", &blank_segments, nb::arg("segments"));
    m.def("first_longer", &first_longer, nb::arg("segments"), nb::arg("limit"));
    m.def("segment_lengths", &segment_lengths, nb::arg("segments"));
    m.def("joined_utf8", &joined_utf8, nb::arg("segments"));
}

}  // namespace adjudge
