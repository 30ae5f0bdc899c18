#include "resampling.hpp"

#include <algorithm>
#include <cstring>

#include "parallel.hpp"
#include "random.hpp"
#include "wide.hpp"

namespace adjudge {
namespace {

constexpr std::size_t lanes = 16;   // resamples that are summed together
constexpr std::size_t quad = 4;     // of which so many are held in registers at a time
constexpr std::size_t tile = 8;     // columns that are held in registers
constexpr std::size_t chunk = 256;  // rows that stay in the nearest cache meanwhile
// Where no row is drawn twice, the sums of all subsets of four rows are made once for many resamples.
constexpr std::size_t few = 4;
constexpr std::size_t subsets = std::size_t{1} << few;
constexpr std::size_t word = 32;       // rows whose marks are kept in one number
constexpr std::size_t together = 256;  // resamples that share those sums

// How often each row is drawn in one resample.
class Sampler {
  public:
    Sampler(const Design& design, std::size_t units) : design_(design), units_(units) {}

    std::size_t rows() const { return units_ * rows_of_unit(design_); }

    // Whether the units are drawn block by block, so that a block is all that need be in memory.
    bool in_blocks() const {
        const bool alone =
            design_.draw == Draw::bootstrap || design_.draw == Draw::half || design_.draw == Draw::coins;
        return alone && design_.begins.empty() && units_ > units_of_block;
    }

    // How many of the draws of a bootstrap fall into each block: as many as there are units, one by one.
    void share_out(std::uint64_t resample, std::uint32_t* draws) const {
        Random random(design_.seed, resample);
        std::fill(draws, draws + blocks(), 0);
        for (std::size_t i = 0; i < units_; ++i) {
            ++draws[random.below(static_cast<std::uint32_t>(units_)) / units_of_block];
        }
    }

    // Where so many draws fall within a block of so many units; every block has a stream of its own.
    void draw_in_block(std::uint64_t resample, std::size_t block, std::size_t size, std::uint32_t draws,
                       std::uint32_t* counts) const {
        Random random(design_.seed ^ (block + 1) * 0xD1B54A32D192ED03, resample);
        std::fill(counts, counts + size, 0);
        for (std::uint32_t i = 0; i < draws; ++i) ++counts[random.below(static_cast<std::uint32_t>(size))];
    }

    std::size_t blocks() const { return (units_ + units_of_block - 1) / units_of_block; }

    void draw(std::uint64_t resample, std::vector<std::uint32_t>& counts) {
        Random random(design_.seed, resample);
        std::fill(counts.begin(), counts.end(), 0);
        switch (design_.draw) {
            case Draw::bootstrap:
                if (in_blocks()) {
                    draw_blocks(resample, counts);
                    break;
                }
                strata([&](auto unit, std::size_t size) {
                    for (std::size_t i = 0; i < size; ++i) {
                        ++counts[unit(random.below(static_cast<std::uint32_t>(size)))];
                    }
                });
                break;
            case Draw::half:
                strata([&](auto unit, std::size_t size) {
                    // One by one, each with the chance of those still wanted among those still there. An odd
                    // stratum is rounded by a coin, or small ones would count for less than they are.
                    std::size_t wanted = size / 2;
                    if (size % 2 == 1 && !design_.begins.empty() && random.coin()) ++wanted;
                    if (units_ == 1) wanted = 1;
                    for (std::size_t i = 0; i < size && wanted > 0; ++i) {
                        if (random.below(static_cast<std::uint32_t>(size - i)) < wanted) {
                            counts[unit(i)] = 1;
                            --wanted;
                        }
                    }
                });
                break;
            case Draw::coins:
                for (std::size_t i = 0; i < units_; ++i) counts[i] = random.coin() ? 1 : 0;
                break;
            case Draw::runs:
                exchange(random, counts);
                break;
            case Draw::multeval:
                exchange_as_multeval(random, counts);
                break;
        }
    }

    // The same where nothing is drawn twice: one bit a row, 32 rows a number, the numbers of a resample
    // `stride` apart. `counts` is scratch.
    void mark(std::uint64_t resample, std::vector<std::uint32_t>& counts, std::uint32_t* marks,
              std::size_t stride) {
        if (design_.draw == Draw::coins) {
            mark_coins(resample, 0, rows(), marks, stride);
            return;
        }
        draw(resample, counts);
        set_marks(counts, rows(), marks, stride);
    }

    // Coins of some units from `begin` on, which is where a word of them begins.
    void mark_coins(std::uint64_t resample, std::size_t begin, std::size_t size, std::uint32_t* marks,
                    std::size_t stride) const {
        Random random(design_.seed, resample);
        random.skip(begin / (2 * word));
        for (std::size_t i = 0; i < size; i += 2 * word) {
            const std::uint64_t coins = random.next();
            marks[i / word * stride] = static_cast<std::uint32_t>(coins);
            if (i + word < size) marks[(i / word + 1) * stride] = static_cast<std::uint32_t>(coins >> word);
        }
    }

    static void set_marks(const std::vector<std::uint32_t>& counts, std::size_t size, std::uint32_t* marks,
                          std::size_t stride) {
        for (std::size_t i = 0; i < size; i += word) {
            std::uint32_t mark = 0;
            for (std::size_t j = i; j < std::min(i + word, size); ++j) mark |= counts[j] << (j - i);
            marks[i / word * stride] = mark;
        }
    }

  private:
    void draw_blocks(std::uint64_t resample, std::vector<std::uint32_t>& counts) const {
        std::vector<std::uint32_t> draws(blocks());
        share_out(resample, draws.data());
        for (std::size_t block = 0; block < draws.size(); ++block) {
            const std::size_t begin = block * units_of_block;
            draw_in_block(resample, block, std::min(units_of_block, units_ - begin), draws[block],
                          counts.data() + begin);
        }
    }

    // Rows of a unit are the runs of the first system, then those of the second; 1 marks those that the first
    // one has after the exchange; the second one has the others. With equally many runs, both systems' runs
    // are paired at random and every pair is swapped by a coin (Clark et al. 2011). With unequally many, all
    // ways to choose as many as the first one has are equally likely.
    void exchange(Random& random, std::vector<std::uint32_t>& counts) {
        const std::size_t a = design_.runs_a;
        const std::size_t b = design_.runs_b;
        for (std::size_t unit = 0; unit < units_; ++unit) {
            std::uint32_t* mark = counts.data() + unit * (a + b);
            if (a == b) {
                std::size_t swapped = 0;
                for (std::size_t i = 0; i < a; ++i) swapped += random.coin();
                choose(random, a, a - swapped, mark);
                choose(random, b, swapped, mark + a);
            } else {
                choose(random, a + b, a, mark);
            }
        }
    }

    // MultEval's program pairs runs by their number, and reads the first system's through a permutation, the
    // second one's through its inverse. Where the two differ, the second system does not have what the first
    // one lacks: some runs are with both and some with none. A unit's marks are the first one's, then the
    // second one's, in the order of the rows each.
    void exchange_as_multeval(Random& random, std::vector<std::uint32_t>& counts) {
        const std::size_t runs = design_.runs_a;
        std::vector<std::size_t> permutation(runs), inverse(runs);
        for (std::size_t unit = 0; unit < units_; ++unit) {
            std::uint32_t* first = counts.data() + unit * 4 * runs;
            std::uint32_t* second = first + 2 * runs;
            for (std::size_t i = 0; i < runs; ++i) permutation[i] = i;
            for (std::size_t left = runs; left > 1; --left) {
                std::swap(permutation[left - 1], permutation[random.below(static_cast<std::uint32_t>(left))]);
            }
            for (std::size_t i = 0; i < runs; ++i) inverse[permutation[i]] = i;
            for (std::size_t i = 0; i < runs; ++i) {
                const bool swapped = random.coin();
                first[permutation[i] + (swapped ? runs : 0)] = 1;
                second[inverse[i] + (swapped ? 0 : runs)] = 1;
            }
        }
    }

    static void choose(Random& random, std::size_t size, std::size_t wanted, std::uint32_t* mark) {
        for (std::size_t i = 0; i < size && wanted > 0; ++i) {
            if (random.below(static_cast<std::uint32_t>(size - i)) < wanted) {
                mark[i] = 1;
                --wanted;
            }
        }
    }

    template <class Use>
    void strata(Use use) {
        if (design_.begins.empty()) {
            use([](std::size_t i) { return i; }, units_);
            return;
        }
        for (std::size_t s = 0; s + 1 < design_.begins.size(); ++s) {
            const std::uint32_t* members = design_.order.data() + design_.begins[s];
            use([members](std::size_t i) { return members[i]; }, design_.begins[s + 1] - design_.begins[s]);
        }
    }

    const Design& design_;
    std::size_t units_;
};

// sums[r][c] += weights[i][r] * rows[i][c] over some rows, for four resamples and eight columns.
ADJUDGE_WIDE void add_tile(const double* rows, std::size_t stride, const double* weights, std::size_t count,
                           double* sums, std::size_t sums_stride) {
    double held[quad][tile];
    for (std::size_t r = 0; r < quad; ++r) {
        for (std::size_t c = 0; c < tile; ++c) held[r][c] = sums[r * sums_stride + c];
    }
    for (std::size_t i = 0; i < count; ++i) {
        const double* row = rows + i * stride;
        const double* weight = weights + i * lanes;
        for (std::size_t r = 0; r < quad; ++r) {
            for (std::size_t c = 0; c < tile; ++c) held[r][c] += weight[r] * row[c];
        }
    }
    for (std::size_t r = 0; r < quad; ++r) {
        for (std::size_t c = 0; c < tile; ++c) sums[r * sums_stride + c] = held[r][c];
    }
}

// sums[r] += those of these rows (at most 32) whose bits are set in marks[r]. Sums of four rows at a time are
// looked up ("four Russians"), so that a resample takes a quarter of the additions and no multiplication.
ADJUDGE_WIDE void add_marked(const double* rows, std::size_t count, const std::uint32_t* marks,
                             std::size_t resamples, double* sums) {
    double table[word / few][subsets][tile] = {};  // bits of rows that are not there may be set: they add 0
    for (std::size_t i = 0; i < count; ++i) {
        auto& sums_of = table[i / few];
        const std::size_t known = std::size_t{1} << i % few;
        for (std::size_t s = 0; s < known; ++s) {
            for (std::size_t c = 0; c < tile; ++c) sums_of[known + s][c] = sums_of[s][c] + rows[i * tile + c];
        }
    }
    for (std::size_t i = count; i < (count + few - 1) / few * few; ++i) {
        const std::size_t known = std::size_t{1} << i % few;
        std::memcpy(table[i / few][known], table[i / few][0], known * tile * sizeof(double));
    }
    for (std::size_t r = 0; r < resamples; ++r) {
        double held[tile];
        for (std::size_t c = 0; c < tile; ++c) held[c] = sums[r * tile + c];
        for (std::size_t f = 0; f < word / few; ++f) {
            const double* subset = table[f][marks[r] >> few * f & (subsets - 1)];
            for (std::size_t c = 0; c < tile; ++c) held[c] += subset[c];
        }
        for (std::size_t c = 0; c < tile; ++c) sums[r * tile + c] = held[c];
    }
}

// All systems' rows side by side, in tiles of eight columns, each tile's rows one behind the other; columns
// that are missing in the last tile are 0.
std::vector<double> tiled(const std::vector<Block>& systems, std::size_t begin, std::size_t height,
                          std::size_t columns) {
    std::vector<double> result((columns + tile - 1) / tile * height * tile);
    std::size_t column = 0;
    for (const Block& block : systems) {
        for (std::size_t c = 0; c < block.columns; ++c, ++column) {
            double* to = &result[column / tile * height * tile + column % tile];
            const double* from = block.rows + begin * block.columns + c;
            for (std::size_t i = 0; i < height; ++i) to[i * tile] = from[i * block.columns];
        }
    }
    return result;
}

}  // namespace

std::size_t rows_of_unit(const Design& design) {
    const std::size_t runs = design.runs_a + design.runs_b;
    return design.draw == Draw::runs ? runs : design.draw == Draw::multeval ? 2 * runs : 1;
}

namespace {

// The draws of some resamples, numbered from `first` on, over one block of the rows after the other.
class BlockDraws {
  public:
    BlockDraws(const Design& design, std::size_t units, std::uint64_t first, std::size_t count,
               unsigned threads)
        : design_(design), sampler_(design, units), units_(units), first_(first) {
        if (!sampler_.in_blocks()) return;
        if (design.draw == Draw::half) halves_.assign(count, {Random(design.seed, 0), units / 2});
        for (std::size_t r = 0; r < halves_.size(); ++r) halves_[r].random = Random(design.seed, first + r);
        if (design.draw != Draw::bootstrap) return;
        shares_.resize(count * sampler_.blocks());
        for_each_block<1>(count, threads, [&] {
            return [&](std::size_t r) { sampler_.share_out(first_ + r, &shares_[r * sampler_.blocks()]); };
        });
    }

    std::size_t blocks() const { return sampler_.in_blocks() ? sampler_.blocks() : 1; }

    void go_to(std::size_t block) {
        block_ = block;
        begin_ = block * units_of_block;
        size_ = sampler_.in_blocks() ? std::min(units_of_block, units_ - begin_) : sampler_.rows();
    }

    std::size_t begin() const { return begin_; }
    std::size_t size() const { return size_; }

    // How often each row of the block is drawn in resample r of these.
    void draw(std::size_t r, std::vector<std::uint32_t>& counts) const {
        if (sampler_.in_blocks()) {
            sampler_.draw_in_block(first_ + r, block_, size_, shares_[r * blocks() + block_], counts.data());
        } else {
            Sampler(sampler_).draw(first_ + r, counts);
        }
    }

    // The same as bits where nothing is drawn twice.
    void mark(std::size_t r, std::vector<std::uint32_t>& counts, std::uint32_t* marks, std::size_t stride) {
        if (!sampler_.in_blocks()) {
            Sampler(sampler_).mark(first_ + r, counts, marks, stride);
        } else if (design_.draw == Draw::coins) {
            sampler_.mark_coins(first_ + r, begin_, size_, marks, stride);
        } else {
            go_on(halves_[r], counts);
            Sampler::set_marks(counts, size_, marks, stride);
        }
    }

  private:
    // Half of the units without replacement, as far as it has come: blocks are asked for in their order.
    struct Halving {
        Random random;
        std::size_t wanted;
    };

    void go_on(Halving& half, std::vector<std::uint32_t>& counts) const {
        std::fill(counts.begin(), counts.end(), 0);
        for (std::size_t i = 0; i < size_ && half.wanted > 0; ++i) {
            const auto left = static_cast<std::uint32_t>(units_ - begin_ - i);
            if (half.random.below(left) < half.wanted) {
                counts[i] = 1;
                --half.wanted;
            }
        }
    }

    const Design& design_;
    Sampler sampler_;
    std::size_t units_;
    std::uint64_t first_;
    std::size_t block_ = 0;
    std::size_t begin_ = 0;
    std::size_t size_ = 0;
    std::vector<Halving> halves_;        // one a resample
    std::vector<std::uint32_t> shares_;  // of a bootstrap: draws of each block, resample after resample
};

// Rows that may be drawn several times, each weighed by how often.
void weighted_sums(const std::vector<double>& packed, std::size_t columns, BlockDraws& draws,
                   std::size_t count, unsigned threads, double* out) {
    const std::size_t tiles = (columns + tile - 1) / tile;
    const std::size_t height = draws.size();
    for_each_block<1>((count + lanes - 1) / lanes, threads, [&] {
        return [&, counts = std::vector<std::uint32_t>(height), weights = std::vector<double>(height * lanes),
                sums = std::vector<double>(lanes * tiles * tile)](std::size_t group) mutable {
            const std::size_t begin = group * lanes;
            const std::size_t used = std::min(lanes, count - begin);
            for (std::size_t r = 0; r < used; ++r) {
                draws.draw(begin + r, counts);
                for (std::size_t i = 0; i < height; ++i) weights[i * lanes + r] = counts[i];
            }
            std::fill(sums.begin(), sums.end(), 0.0);
            for (std::size_t i = 0; i < height; i += chunk) {
                const std::size_t size = std::min(chunk, height - i);
                for (std::size_t t = 0; t < tiles; ++t) {
                    for (std::size_t r = 0; r < used; r += quad) {
                        add_tile(&packed[(t * height + i) * tile], tile, &weights[i * lanes + r], size,
                                 &sums[r * tiles * tile + t * tile], tiles * tile);
                    }
                }
            }
            for (std::size_t r = 0; r < used; ++r) {
                std::memcpy(out + (begin + r) * columns, &sums[r * tiles * tile], columns * sizeof(double));
            }
        };
    });
}

// Rows that are drawn once or not at all.
void marked_sums(const std::vector<double>& packed, std::size_t columns, BlockDraws& draws, std::size_t count,
                 unsigned threads, double* out) {
    const std::size_t tiles = (columns + tile - 1) / tile;
    const std::size_t height = draws.size();
    for_each_block<1>((count + together - 1) / together, threads, [&] {
        return [&, counts = std::vector<std::uint32_t>(height),
                marks = std::vector<std::uint32_t>((height + word - 1) / word * together),
                sums = std::vector<double>(together * tile)](std::size_t group) mutable {
            const std::size_t begin = group * together;
            const std::size_t used = std::min(together, count - begin);
            for (std::size_t r = 0; r < used; ++r) draws.mark(begin + r, counts, &marks[r], together);
            for (std::size_t t = 0; t < tiles; ++t) {
                std::fill(sums.begin(), sums.end(), 0.0);
                for (std::size_t i = 0; i < height; i += word) {
                    add_marked(&packed[(t * height + i) * tile], std::min(word, height - i),
                               &marks[i / word * together], used, sums.data());
                }
                const std::size_t width = std::min(tile, columns - t * tile);
                for (std::size_t r = 0; r < used; ++r) {
                    std::memcpy(out + (begin + r) * columns + t * tile, &sums[r * tile],
                                width * sizeof(double));
                }
            }
        };
    });
}

}  // namespace

void resampled_sums(const std::vector<Block>& systems, std::size_t units, const Design& design,
                    std::uint64_t first, std::size_t count, unsigned threads, double* out) {
    std::size_t columns = 0;
    for (const Block& block : systems) columns += block.columns;
    BlockDraws draws(design, units, first, count, threads);
    const auto sum = design.draw == Draw::bootstrap ? weighted_sums : marked_sums;
    std::vector<double> part(draws.blocks() > 1 ? count * columns : 0);
    for (std::size_t block = 0; block < draws.blocks(); ++block) {
        draws.go_to(block);
        const std::vector<double> packed = tiled(systems, draws.begin(), draws.size(), columns);
        sum(packed, columns, draws, count, threads, block == 0 ? out : part.data());
        for (std::size_t i = 0; block > 0 && i < part.size(); ++i) out[i] += part[i];
    }
}

namespace {

// sums[cells[i]][r] += weights[r] for the cells of one unit and all resamples that are added up together.
ADJUDGE_WIDE void add_cells(const std::uint32_t* cells, std::size_t count, const std::uint32_t* weights,
                            std::uint32_t* sums) {
    std::uint32_t held[lanes];
    std::memcpy(held, weights, sizeof(held));
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t* sum = sums + cells[i] * lanes;
        for (std::size_t r = 0; r < lanes; ++r) sum[r] += held[r];
    }
}

}  // namespace

void resampled_counts(const CellsOfUnits& units, const Design& design, std::uint64_t first, std::size_t count,
                      unsigned threads, double* out) {
    const Sampler made(design, units.count);
    for_each_block<1>((count + lanes - 1) / lanes, threads, [&] {
        return [&, sampler = made, counts = std::vector<std::uint32_t>(units.count),
                weights = std::vector<std::uint32_t>(units.count * lanes),
                sums = std::vector<std::uint32_t>(units.columns * lanes)](std::size_t group) mutable {
            const std::size_t begin = group * lanes;
            const std::size_t used = std::min(lanes, count - begin);
            for (std::size_t r = 0; r < used; ++r) {
                sampler.draw(first + begin + r, counts);
                for (std::size_t i = 0; i < units.count; ++i) weights[i * lanes + r] = counts[i];
            }
            std::fill(sums.begin(), sums.end(), 0);
            for (std::size_t i = 0; i < units.count; ++i) {
                add_cells(units.cells + units.begins[i], units.begins[i + 1] - units.begins[i],
                          &weights[i * lanes], sums.data());
            }
            for (std::size_t r = 0; r < used; ++r) {
                for (std::size_t c = 0; c < units.columns; ++c) {
                    out[(begin + r) * units.columns + c] = sums[c * lanes + r];
                }
            }
        };
    });
}

}  // namespace adjudge
