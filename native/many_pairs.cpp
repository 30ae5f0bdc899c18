#include "many_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "parallel.hpp"
#include "random.hpp"
#include "wide.hpp"

namespace adjudge {
namespace {

constexpr std::size_t bits = 10;
static_assert(signs_of_block == std::size_t{1} << bits);
constexpr std::uint64_t own_streams = std::uint64_t{1} << 63;  // apart from those of resamples
constexpr std::uint64_t of_orders = std::uint64_t{1} << 62;    // and from each other
constexpr std::size_t tile = 256;                              // trials that stay in the cache meanwhile
constexpr std::size_t together = 16;  // systems whose projections are added up at once

// Every unit's row, with its sign, to the sum of its bits.
template <class Number>
ADJUDGE_WIDE void scatter(const Number* rows, std::size_t width, const std::uint32_t* codes,
                          std::size_t units, Number* sums) {
    for (std::size_t i = 0; i < units; ++i) {
        const Number sign = codes[i] < signs_of_block ? Number{1} : Number{-1};
        Number* sum = sums + codes[i] % signs_of_block * width;
        for (std::size_t c = 0; c < width; ++c) sum[c] += sign * rows[i * width + c];
    }
}

// Sums and differences of sums, two stages of the transform at a time: each number is read and written half
// as often.
template <class Number>
ADJUDGE_WIDE void transform(std::size_t width, Number* sums) {
    static_assert(bits % 2 == 0);
    for (std::size_t part = width; part < signs_of_block * width; part *= 4) {
        for (std::size_t begin = 0; begin < signs_of_block * width; begin += 4 * part) {
            Number* const first = sums + begin;
            Number* const second = first + part;
            Number* const third = second + part;
            Number* const fourth = third + part;
            for (std::size_t i = 0; i < part; ++i) {
                const Number a = first[i] + second[i];
                const Number b = first[i] - second[i];
                const Number c = third[i] + fourth[i];
                const Number d = third[i] - fourth[i];
                first[i] = a + c;
                second[i] = b + d;
                third[i] = a - c;
                fourth[i] = b - d;
            }
        }
    }
}

// Trials x columns to columns x trials, so many trials at a time that what is read stays in the cache.
template <class Number, class Out>
ADJUDGE_WIDE void turn(const Number* sums, std::size_t width, Out* out) {
    constexpr std::size_t some = 16;
    for (std::size_t begin = 0; begin < signs_of_block; begin += some)
        for (std::size_t c = 0; c < width; ++c)
            for (std::size_t t = begin; t < begin + some; ++t)
                out[c * signs_of_block + t] = static_cast<Out>(sums[t * width + c]);
}

// How far two systems are from each other at most, in any trial of a tile.
ADJUDGE_WIDE float farthest(const float* first, const float* second) {
    constexpr std::size_t lanes = 16;
    float found[lanes] = {};
    for (std::size_t t = 0; t < tile; t += lanes) {
        for (std::size_t i = 0; i < lanes; ++i) {
            const float size = std::fabs(second[t + i] - first[t + i]);
            found[i] = size > found[i] ? size : found[i];
        }
    }
    return *std::max_element(found, found + lanes);
}

// The sign and the ten bits of every unit, or run of it, in a block.
std::vector<std::uint32_t> codes_of(std::size_t count, std::uint64_t seed, std::uint64_t block) {
    Random random(seed, own_streams + block);
    std::vector<std::uint32_t> codes(count);
    for (std::uint32_t& code : codes) code = static_cast<std::uint32_t>(random.next() >> (63 - bits));
    return codes;
}

// Every unit's codes in an order of their own.
void shuffle(Random random, std::size_t runs, std::vector<std::uint32_t>& codes) {
    for (std::size_t begin = 0; begin < codes.size(); begin += runs) {
        for (std::size_t left = runs; left > 1; --left) {
            std::swap(codes[begin + left - 1], codes[begin + random.below(static_cast<std::uint32_t>(left))]);
        }
    }
}

}  // namespace

template <class Number>
void signed_sums(const std::vector<SignedRows<Number>>& systems, std::size_t units, std::size_t runs,
                 std::uint64_t seed, std::uint64_t block, unsigned threads, double* out) {
    const std::vector<std::uint32_t> codes = codes_of(units * runs, seed, block);
    std::vector<double*> places;
    for (const SignedRows<Number>& system : systems) {
        places.push_back(out);
        out += system.columns * signs_of_block;
    }
    for_each_block<1>(systems.size(), threads, [&] {
        return [&, own = codes, sums = std::vector<Number>()](std::size_t s) mutable {
            const std::size_t width = systems[s].columns;
            sums.assign(signs_of_block * width, Number{0});
            if (runs > 1) {
                own = codes;
                shuffle(Random(seed, own_streams + of_orders + block * systems.size() + s), runs, own);
            }
            scatter(systems[s].rows, width, own.data(), own.size(), sums.data());
            transform(width, sums.data());
            turn(sums.data(), width, places[s]);
        };
    });
}

template void signed_sums(const std::vector<SignedRows<double>>&, std::size_t, std::size_t, std::uint64_t,
                          std::uint64_t, unsigned, double*);
template void signed_sums(const std::vector<SignedRows<float>>&, std::size_t, std::size_t, std::uint64_t,
                          std::uint64_t, unsigned, double*);

SignedSums::SignedSums(std::size_t units, std::size_t trials, std::uint64_t seed) : trials_(trials) {
    for (std::size_t block = 0; block * signs_of_block < trials; ++block)
        codes_.push_back(codes_of(units, seed, block));
}

void SignedSums::operator()(const double* rows, std::size_t columns, double* out) {
    for (std::size_t block = 0; block < codes_.size(); ++block) {
        const std::size_t begin = block * signs_of_block;
        const std::size_t used = std::min(signs_of_block, trials_ - begin);
        sums_.assign(signs_of_block * columns, 0.0);
        scatter(rows, columns, codes_[block].data(), codes_[block].size(), sums_.data());
        transform(columns, sums_.data());
        for (std::size_t t = 0; t < used; ++t)
            for (std::size_t c = 0; c < columns; ++c) out[c * trials_ + begin + t] = sums_[t * columns + c];
    }
}

namespace {

// All rows of a set, each times the weights of its columns: so many systems side by side, 0 for those that
// are missing at the end. Systems with several runs stand alone, since each has signs of its own.
template <class Number>
struct Projection {
    Projection(const SignedSet<Number>& set, const double* weights) : width(set.runs > 1 ? 1 : together) {
        const std::size_t height = set.units * set.runs;
        for (std::size_t begin = 0; begin < set.systems.size(); begin += width) {
            std::vector<float>& group = groups.emplace_back(height * width, 0.0f);
            for (std::size_t s = begin; s < std::min(begin + width, set.systems.size()); ++s) {
                const SignedRows<Number>& system = set.systems[s];
                for (std::size_t i = 0; i < height; ++i) {
                    double sum = 0;
                    for (std::size_t c = 0; c < system.columns; ++c)
                        sum += weights[c] * static_cast<double>(system.rows[i * system.columns + c]);
                    group[i * width + s - begin] = static_cast<float>(sum);
                }
            }
        }
    }

    std::size_t width;
    std::vector<std::vector<float>> groups;
};

// One thread's block of trials.
template <class Number>
class Screen {
  public:
    Screen(const std::vector<SignedSet<Number>>& sets, const std::vector<Projection<Number>>& projections,
           const std::vector<SlopedPair>& pairs, const float* slopes, bool one_sided)
        : sets_(sets),
          projections_(projections),
          pairs_(pairs),
          slopes_(slopes),
          one_sided_(one_sided),
          systems_(sets.front().systems.size()),
          codes_(sets.size()),
          about_(systems_ * signs_of_block),
          sums_(sets.size() * systems_) {
        for (const SignedSet<Number>& set : sets) columns_ += set.systems.front().columns;
    }

    void operator()(std::uint64_t block, std::size_t count, ScreenedBlock& found) {
        begin(block);
        for (std::size_t at = 0; at < count; at += tile) {
            const std::size_t end = std::min(at + tile, count);
            for (std::size_t p = 0; p < pairs_.size(); ++p) look(p, at, end, found);
        }
    }

  private:
    // Draws the signs of all sets, and adds up every system's projections.
    void begin(std::uint64_t block) {
        block_ = block;
        known_.assign(systems_, false);
        std::fill(about_.begin(), about_.end(), 0.0f);
        for (std::size_t k = 0; k < sets_.size(); ++k) {
            codes_[k] = codes_of(sets_[k].units * sets_[k].runs, sets_[k].seed, block);
            const std::size_t width = projections_[k].width;
            for (std::size_t g = 0; g < projections_[k].groups.size(); ++g) {
                projected_.assign(signs_of_block * width, 0.0f);
                const std::vector<std::uint32_t>& own = codes(k, g);
                scatter(projections_[k].groups[g].data(), width, own.data(), own.size(), projected_.data());
                transform(width, projected_.data());
                turned_.resize(signs_of_block * width);
                turn(projected_.data(), width, turned_.data());
                const std::size_t start = g * width * signs_of_block;
                const std::size_t some = std::min(turned_.size(), about_.size() - start);
                for (std::size_t i = 0; i < some; ++i) about_[start + i] += turned_[i];
            }
        }
    }

    // The signs that a system has in a set.
    const std::vector<std::uint32_t>& codes(std::size_t set, std::size_t system) {
        if (sets_[set].runs == 1) return codes_[set];
        shuffled_ = codes_[set];
        shuffle(Random(sets_[set].seed, own_streams + of_orders + block_ * systems_ + system),
                sets_[set].runs, shuffled_);
        return shuffled_;
    }

    // Counts the trials of a tile by the projection, and those more closely that it leaves open.
    void look(std::size_t p, std::size_t at, std::size_t end, ScreenedBlock& found) {
        const SlopedPair& pair = pairs_[p];
        const float* first = &about_[pair.first * signs_of_block];
        const float* second = &about_[pair.second * signs_of_block];
        if (farthest(first + at, second + at) < pair.roughly.near) return;
        for (std::size_t t = at; t < end; ++t) {
            const double size = distance(second[t] - first[t]);
            if (size < pair.roughly.near) continue;
            if (size > pair.roughly.far || closely(p, t, found)) ++found.far[p];
        }
    }

    // Whether a trial is surely as far as what was seen; where it may be, its sums are kept.
    bool closely(std::size_t p, std::size_t t, ScreenedBlock& found) {
        const SlopedPair& pair = pairs_[p];
        add_up(pair.first);
        add_up(pair.second);
        const float* slope = slopes_ + p * columns_;
        float about = 0;
        for (std::size_t k = 0; k < sets_.size(); ++k) {
            const std::size_t width = sets_[k].systems.front().columns;
            const Number* a = sums(k, pair.first) + t * width;
            const Number* b = sums(k, pair.second) + t * width;
            for (std::size_t c = 0; c < width; ++c)
                about += slope[c] * (static_cast<float>(b[c]) - static_cast<float>(a[c]));
            slope += width;
        }
        const double size = distance(about);
        if (size < pair.closely.near) return false;
        if (size > pair.closely.far) return true;
        found.open.emplace_back(static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(t));
        for (std::size_t k = 0; k < sets_.size(); ++k) {
            const std::size_t width = sets_[k].systems.front().columns;
            const Number* a = sums(k, pair.first) + t * width;
            const Number* b = sums(k, pair.second) + t * width;
            for (std::size_t c = 0; c < width; ++c)
                found.differences.push_back(static_cast<double>(b[c]) - static_cast<double>(a[c]));
        }
        return false;
    }

    // All sums of a system in this block, trials x columns.
    void add_up(std::size_t system) {
        if (known_[system]) return;
        known_[system] = true;
        for (std::size_t k = 0; k < sets_.size(); ++k) {
            const SignedRows<Number>& rows = sets_[k].systems[system];
            const std::vector<std::uint32_t>& own = codes(k, system);
            std::vector<Number>& sums = sums_[k * systems_ + system];
            sums.assign(signs_of_block * rows.columns, Number{0});
            scatter(rows.rows, rows.columns, own.data(), own.size(), sums.data());
            transform(rows.columns, sums.data());
        }
    }

    const Number* sums(std::size_t set, std::size_t system) const {
        return sums_[set * systems_ + system].data();
    }

    double distance(float about) const { return one_sided_ ? about : std::fabs(about); }

    const std::vector<SignedSet<Number>>& sets_;
    const std::vector<Projection<Number>>& projections_;
    const std::vector<SlopedPair>& pairs_;
    const float* slopes_;
    bool one_sided_;
    std::size_t systems_;
    std::size_t columns_ = 0;
    std::uint64_t block_ = 0;
    std::vector<std::vector<std::uint32_t>> codes_;  // by set
    std::vector<std::uint32_t> shuffled_;
    std::vector<float> about_;  // systems x trials
    std::vector<float> projected_;
    std::vector<float> turned_;
    std::vector<bool> known_;                // by system
    std::vector<std::vector<Number>> sums_;  // sets x systems
};

}  // namespace

template <class Number>
std::vector<ScreenedBlock> screened_blocks(const std::vector<SignedSet<Number>>& sets,
                                           const std::vector<SlopedPair>& pairs, const double* slopes,
                                           const double* weights, const Trials& trials, bool one_sided,
                                           unsigned threads) {
    std::size_t columns = 0;
    std::vector<Projection<Number>> projections;
    for (const SignedSet<Number>& set : sets) {
        projections.emplace_back(set, weights + columns);
        columns += set.systems.front().columns;
    }
    const std::vector<float> narrow(slopes, slopes + pairs.size() * columns);
    std::vector<ScreenedBlock> blocks(trials.blocks);
    for_each_block<1>(trials.blocks, threads, [&] {
        return [&, screen = Screen<Number>(sets, projections, pairs, narrow.data(), one_sided)](
                   std::size_t number) mutable {
            const std::uint64_t block = trials.first + number;
            blocks[number].far.assign(pairs.size(), 0);
            screen(block, std::min(signs_of_block, trials.count - block * signs_of_block), blocks[number]);
        };
    });
    return blocks;
}

template std::vector<ScreenedBlock> screened_blocks(const std::vector<SignedSet<double>>&,
                                                    const std::vector<SlopedPair>&, const double*,
                                                    const double*, const Trials&, bool, unsigned);
template std::vector<ScreenedBlock> screened_blocks(const std::vector<SignedSet<float>>&,
                                                    const std::vector<SlopedPair>&, const double*,
                                                    const double*, const Trials&, bool, unsigned);

}  // namespace adjudge
