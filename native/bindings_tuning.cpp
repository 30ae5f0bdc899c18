// METEOR by many parameters at once, for the search after the best.
#include <nanobind/stl/array.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "bindings.hpp"
#include "meteor_grid.hpp"

namespace adjudge {
namespace {

using ConstRows = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ConstVector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ConstPairs = nb::ndarray<const std::uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Places = std::vector<std::size_t>;

std::vector<MeteorParameters> points_of(const ConstMatrix& numbers) {
    constexpr std::size_t width = std::tuple_size_v<MeteorNumbers>;
    if (numbers.shape(1) != width) throw nb::value_error("a point has eight numbers");
    std::vector<MeteorParameters> points;
    for (std::size_t i = 0; i < numbers.shape(0); ++i)
        points.push_back(meteor_parameters(numbers.data() + i * width, false));
    return points;
}

bool rising(const Places& places, std::size_t last) {
    return !places.empty() && places.front() == 0 && places.back() == last &&
           std::is_sorted(places.begin(), places.end());
}

void make_grid(MeteorGrid* grid, const ConstRows& rows, const Places& cuts, bool joined) {
    if (rows.shape(1) == 0 || rows.shape(2) != meteor_columns || !rising(cuts, rows.shape(0)))
        throw nb::value_error("rows do not fit their blocks");
    new (grid) MeteorGrid(rows.data(), rows.shape(1), cuts, joined);
}

void check_groups(const MeteorGrid& grid, const Places& group, std::size_t groups) {
    if (group.size() != grid.blocks() ||
        std::any_of(group.begin(), group.end(), [&](std::size_t g) { return g >= groups; }))
        throw nb::value_error("groups do not fit the blocks");
}

Matrix scores(const MeteorGrid& grid, const ConstMatrix& numbers, unsigned threads) {
    const auto points = points_of(numbers);
    return make_rows(points.size(), grid.size(), [&](double* out) { grid.scores(points, threads, out); });
}

Matrix moments(const MeteorGrid& grid, const ConstMatrix& numbers, const ConstVector& target,
               const Places& group, std::size_t groups, unsigned threads) {
    const auto points = points_of(numbers);
    check_groups(grid, group, groups);
    if (target.shape(0) != grid.size()) throw nb::value_error("a target of another length than the scores");
    return make_rows(points.size() * groups, 3, [&](double* out) {
        grid.moments(points, {target.data(), target.shape(0)}, group, groups, threads, out);
    });
}

Matrix concordant(const MeteorGrid& grid, const ConstMatrix& numbers, const ConstPairs& given,
                  const Places& begins, const Places& group, std::size_t groups, unsigned threads) {
    const auto points = points_of(numbers);
    check_groups(grid, group, groups);
    if (begins.size() != grid.blocks() + 1 || !rising(begins, given.shape(0)))
        throw nb::value_error("pairs do not fit the blocks");
    std::vector<MeteorPair> pairs;
    pairs.reserve(given.shape(0));
    for (std::size_t b = 0; b < grid.blocks(); ++b)
        for (std::size_t i = begins[b]; i < begins[b + 1]; ++i) {
            pairs.push_back({given.data()[2 * i], given.data()[2 * i + 1]});
            if (std::max(pairs.back().better, pairs.back().worse) >= grid.length(b))
                throw nb::value_error("a pair lies outside its block");
        }
    return make_rows(points.size(), groups, [&](double* out) {
        grid.concordant(points, pairs, begins, group, groups, threads, out);
    });
}

Matrix best(const ConstRows& rows, const MeteorNumbers& numbers) {
    if (rows.shape(1) == 0 || rows.shape(2) != meteor_columns)
        throw nb::value_error("these are no rows of METEOR");
    return make_rows(rows.shape(0), meteor_columns, [&](double* out) {
        meteor_best(rows.data(), rows.shape(0), rows.shape(1), meteor_parameters(numbers.data(), false), out);
    });
}

}  // namespace

void bind_tuning(nb::module_& m) {
    nb::class_<MeteorGrid>(m, "MeteorGrid")
        .def("__init__", &make_grid, nb::arg("rows"), nb::arg("cuts"), nb::arg("joined"))
        .def("__len__", &MeteorGrid::size)
        .def("scores", &scores, nb::arg("points"), nb::arg("threads"))
        .def("moments", &moments, nb::arg("points"), nb::arg("target"), nb::arg("group"), nb::arg("groups"),
             nb::arg("threads"))
        .def("concordant", &concordant, nb::arg("points"), nb::arg("pairs"), nb::arg("begins"),
             nb::arg("group"), nb::arg("groups"), nb::arg("threads"));

    m.def("meteor_best", &best, nb::arg("rows"), nb::arg("parameters"));
}

}  // namespace adjudge
