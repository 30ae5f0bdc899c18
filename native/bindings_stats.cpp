// Resampling, correlation and TrueSkill.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>

#include "bindings.hpp"
#include "correlation.hpp"
#include "distributions.hpp"
#include "many_pairs.hpp"
#include "metric_swaps.hpp"
#include "resampling.hpp"
#include "trueskill.hpp"

namespace adjudge {
namespace {

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

using ConstCells = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ConstBegins = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Matrix counts_of_resamples(const ConstCells& cells, const ConstBegins& begins, std::size_t columns,
                           std::uint64_t seed, std::uint64_t first, std::size_t count, unsigned threads) {
    const std::size_t height = cells.shape(0);
    const std::uint64_t* starts = begins.data();
    const std::size_t edges = begins.shape(0);
    if (height >= std::size_t{1} << 32 || edges > std::size_t{1} << 32)
        throw nb::value_error("more rows or units than can be numbered with 32 bits");
    if (edges == 0 || starts[0] != 0 || starts[edges - 1] != height ||
        !std::is_sorted(starts, starts + edges))
        throw nb::value_error("units do not fit the rows");
    if (std::any_of(cells.data(), cells.data() + height, [&](std::uint32_t cell) { return cell >= columns; }))
        throw nb::value_error("a cell outside of the table");
    const CellsOfUnits units{cells.data(), starts, edges - 1, columns};
    Design design;
    design.seed = seed;
    return make_rows(count, columns,
                     [&](double* out) { resampled_counts(units, design, first, count, threads, out); });
}

template <class Number>
using ConstRows = nb::ndarray<const Number, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Number>
Matrix signed_sums_of(const std::vector<ConstRows<Number>>& systems, std::size_t runs, std::uint64_t seed,
                      std::uint64_t block, unsigned threads) {
    const std::size_t height = systems.empty() ? 0 : systems.front().shape(0);
    if (runs == 0 || height % runs != 0) throw nb::value_error("rows that are not so many runs of each unit");
    std::size_t columns = 0;
    std::vector<SignedRows<Number>> blocks;
    for (const ConstRows<Number>& rows : systems) {
        if (rows.shape(0) != height) throw nb::value_error("systems with different numbers of rows");
        columns += rows.shape(1);
        blocks.push_back({rows.data(), rows.shape(1)});
    }
    return make_rows(columns, signs_of_block, [&](double* sums) {
        signed_sums(blocks, height / runs, runs, seed, block, threads, sums);
    });
}

template <class Number>
using SetOfRows = std::tuple<std::vector<ConstRows<Number>>, std::size_t, std::uint64_t>;

template <class Number>
std::vector<SignedSet<Number>> signed_sets(const std::vector<SetOfRows<Number>>& given) {
    std::vector<SignedSet<Number>> sets;
    for (const auto& [systems, runs, seed] : given) {
        const std::size_t height = systems.empty() ? 0 : systems.front().shape(0);
        if (systems.empty() || systems.size() != std::get<0>(given.front()).size())
            throw nb::value_error("sets of different systems");
        if (runs == 0 || height % runs != 0)
            throw nb::value_error("rows that are not so many runs of each unit");
        SignedSet<Number>& set = sets.emplace_back();
        for (const ConstRows<Number>& rows : systems) {
            if (rows.shape(0) != height || rows.shape(1) != systems.front().shape(1))
                throw nb::value_error("systems with rows of different shapes");
            set.systems.push_back({rows.data(), rows.shape(1)});
        }
        set.units = height / runs;
        set.runs = runs;
        set.seed = seed;
    }
    if (sets.empty()) throw nb::value_error("no set");
    return sets;
}

// By block and pair, how many trials are surely as far; then block, pair and trial of those to be looked at,
// and all sums of second - first of these.
template <class Number>
std::tuple<Matrix, Matrix, Matrix> screened_blocks_of(const std::vector<SetOfRows<Number>>& given,
                                                      const ConstMatrix& pairs, const ConstMatrix& slopes,
                                                      const std::vector<double>& weights, std::uint64_t first,
                                                      std::size_t blocks, std::size_t trials, bool one_sided,
                                                      unsigned threads) {
    const std::vector<SignedSet<Number>> sets = signed_sets<Number>(given);
    std::size_t columns = 0;
    for (const SignedSet<Number>& set : sets) columns += set.systems.front().columns;
    const std::size_t systems = sets.front().systems.size();
    if (pairs.shape(1) != 6 || slopes.shape(0) != pairs.shape(0) || slopes.shape(1) != columns ||
        weights.size() != columns || (blocks > 0 && (first + blocks - 1) * signs_of_block >= trials))
        throw nb::value_error("sets, pairs, slopes and trials do not fit each other");
    std::vector<SlopedPair> sloped;
    for (std::size_t p = 0; p < pairs.shape(0); ++p) {
        const double* row = pairs.data() + 6 * p;
        if (!(row[0] >= 0 && row[1] >= 0 && row[0] < static_cast<double>(systems) &&
              row[1] < static_cast<double>(systems)))
            throw nb::value_error("a pair of systems that are not there");
        sloped.push_back({static_cast<std::size_t>(row[0]),
                          static_cast<std::size_t>(row[1]),
                          {row[2], row[3]},
                          {row[4], row[5]}});
    }
    std::vector<ScreenedBlock> found;
    {
        const nb::gil_scoped_release unlocked;
        found = screened_blocks(sets, sloped, slopes.data(), weights.data(), {first, blocks, trials},
                                one_sided, threads);
    }
    std::size_t open = 0;
    for (const ScreenedBlock& block : found) open += block.open.size();
    Matrix far = make_rows(blocks, sloped.size(), [&](double* out) {
        for (const ScreenedBlock& block : found) out = std::copy(block.far.begin(), block.far.end(), out);
    });
    Matrix places = make_rows(open, 3, [&](double* out) {
        for (std::size_t number = 0; number < blocks; ++number) {
            for (const auto& [pair, trial] : found[number].open) {
                *out++ = static_cast<double>(number);
                *out++ = pair;
                *out++ = trial;
            }
        }
    });
    Matrix differences = make_rows(open, columns, [&](double* out) {
        for (const ScreenedBlock& block : found)
            out = std::copy(block.differences.begin(), block.differences.end(), out);
    });
    return {std::move(far), std::move(places), std::move(differences)};
}

template <class Number>
void bind_signs(nb::module_& m) {
    m.def("signed_sums", &signed_sums_of<Number>, nb::arg("systems").noconvert(), nb::arg("runs"),
          nb::arg("seed"), nb::arg("block"), nb::arg("threads"));
    m.def("screened_blocks", &screened_blocks_of<Number>, nb::arg("sets").noconvert(), nb::arg("pairs"),
          nb::arg("slopes"), nb::arg("weights"), nb::arg("first"), nb::arg("blocks"), nb::arg("trials"),
          nb::arg("one_sided"), nb::arg("threads"));
}

using ConstTables = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

Matrix trueskill_of_runs(const ConstTables& wins, const ConstTables& ties, double mean, double sigma,
                         double beta, double tau, double margin, std::size_t matches, std::uint64_t seed,
                         std::uint64_t first, unsigned threads) {
    const std::size_t count = wins.shape(0);
    const std::size_t systems = wins.shape(1);
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (wins.shape(axis) != ties.shape(axis) || (axis > 0 && wins.shape(axis) != systems))
            throw nb::value_error("tables of wins and ties of different shapes");
    const auto countable = [](double cell) { return cell >= 0 && cell < 0x1p30; };
    if (!std::all_of(wins.data(), wins.data() + wins.size(), countable) ||
        !std::all_of(ties.data(), ties.data() + ties.size(), countable))
        throw nb::value_error("a count that is negative or beyond a billion");
    const Outcomes outcomes{wins.data(), ties.data(), systems};
    const TrueSkill model{mean, sigma, beta, tau, margin};
    return make_rows(count, systems, [&](double* means) {
        trueskill_runs(outcomes, model, matches, seed, first, count, threads, means);
    });
}

using ConstCoins = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ConstPlaces = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Swaps swaps_of(const ConstMatrix& first, const ConstMatrix& second, const ConstCoins& coins) {
    const std::size_t cells = first.size();
    if (second.size() != cells || coins.shape(1) != cells)
        throw nb::value_error("tables and coins of different sizes");
    if (std::any_of(coins.data(), coins.data() + coins.size(), [](std::uint8_t coin) { return coin > 1; }))
        throw nb::value_error("a coin that is neither 0 nor 1");
    return {first.data(), second.data(), coins.data(), cells, coins.shape(0)};
}

Matrix swapped_agreement_of(const ConstMatrix& first, const ConstMatrix& second, const ConstCoins& coins,
                            const ConstMatrix& gold, const ConstPlaces& places, const std::string& kind,
                            unsigned threads) {
    const Swaps swaps = swaps_of(first, second, coins);
    const auto known = [&](std::int64_t place) {
        return place >= -1 && place < static_cast<std::int64_t>(swaps.cells);
    };
    if (gold.size() != swaps.cells || !std::all_of(places.data(), places.data() + places.size(), known))
        throw nb::value_error("gold or groups do not fit the tables");
    if (kind != "kendall" && kind != "kendall_c" && kind != "accuracy")
        throw nb::value_error(("unknown agreement '" + kind + "'").c_str());
    const Agreement agreement = kind == "kendall"     ? Agreement::tau_b
                                : kind == "kendall_c" ? Agreement::tau_c
                                                      : Agreement::accuracy;
    const Groups groups{places.data(), places.shape(0), places.shape(1)};
    return make_rows(swaps.draws, 2, [&](double* out) {
        swapped_agreement(swaps, gold.data(), groups, agreement, threads, out);
    });
}

using ConstVector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Matrix swapped_soft_accuracy_of(const ConstMatrix& first, const ConstMatrix& second, const ConstCoins& coins,
                                const ConstVector& gold, std::size_t trials, std::uint64_t seed,
                                unsigned threads) {
    const Swaps swaps = swaps_of(first, second, coins);
    const std::size_t systems = first.shape(0);
    if (systems < 2 || gold.shape(0) != systems * (systems - 1) / 2 || trials == 0)
        throw nb::value_error("gold does not fit the tables");
    return make_rows(swaps.draws, 2, [&](double* out) {
        swapped_soft_accuracy(swaps, systems, gold.data(), trials, seed, threads, out);
    });
}

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

// A function of numbers, for one of each and for columns of them.
template <class... Numbers>
void bind_distribution(nb::module_& m, const char* name, double (*function)(Numbers...)) {
    m.def(name, function);
    m.def(name, [function](const Column<Numbers>&... columns) {
        const std::array sizes{columns.shape(0)...};
        if (std::any_of(sizes.begin(), sizes.end(), [&](std::size_t size) { return size != sizes[0]; }))
            throw nb::value_error("columns of different lengths");
        std::vector<double> values(sizes[0]);
        for (std::size_t i = 0; i < sizes[0]; ++i) values[i] = function(columns.data()[i]...);
        return vector_of(std::move(values));
    });
}

}  // namespace

void bind_stats(nb::module_& m) {
    bind_distribution(m, "binomial_cdf", &binomial_cdf);
    bind_distribution(m, "most_even_successes", &most_even_successes);
    bind_distribution(m, "normal_cdf", &normal_cdf);
    bind_distribution(m, "normal_quantile", &normal_quantile);
    bind_distribution(m, "owens_t", &owens_t);
    bind_distribution(m, "t_cdf", &t_cdf);
    bind_distribution(m, "t_quantile", &t_quantile);

    m.def("average_ranks", &average_ranks_of, nb::arg("lists"), nb::arg("threads"));

    m.def("concordance", &concordance_of, nb::arg("lists"), nb::arg("target"), nb::arg("threads"));

    m.def("resampled_counts", &counts_of_resamples, nb::arg("cells"), nb::arg("begins"), nb::arg("columns"),
          nb::arg("seed"), nb::arg("first"), nb::arg("count"), nb::arg("threads"));

    m.def("resampled_sums", &sums_of_resamples, nb::arg("systems"), nb::arg("draw"), nb::arg("order"),
          nb::arg("begins"), nb::arg("runs"), nb::arg("seed"), nb::arg("first"), nb::arg("count"),
          nb::arg("threads"));

    bind_signs<double>(m);
    bind_signs<float>(m);

    m.def("swapped_agreement", &swapped_agreement_of, nb::arg("first"), nb::arg("second"), nb::arg("coins"),
          nb::arg("gold"), nb::arg("places"), nb::arg("kind"), nb::arg("threads"));

    m.def("swapped_soft_accuracy", &swapped_soft_accuracy_of, nb::arg("first"), nb::arg("second"),
          nb::arg("coins"), nb::arg("gold"), nb::arg("trials"), nb::arg("seed"), nb::arg("threads"));

    m.def("trueskill_runs", &trueskill_of_runs, nb::arg("wins"), nb::arg("ties"), nb::arg("mean"),
          nb::arg("sigma"), nb::arg("beta"), nb::arg("tau"), nb::arg("margin"), nb::arg("matches"),
          nb::arg("seed"), nb::arg("first"), nb::arg("threads"));
}

}  // namespace adjudge
