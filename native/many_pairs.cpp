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
constexpr std::size_t tile = 128;                              // trials that stay in the cache meanwhile

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
template <class Number>
ADJUDGE_WIDE void turn(const Number* sums, std::size_t width, double* out) {
    constexpr std::size_t some = 16;
    for (std::size_t begin = 0; begin < signs_of_block; begin += some)
        for (std::size_t c = 0; c < width; ++c)
            for (std::size_t t = begin; t < begin + some; ++t)
                out[c * signs_of_block + t] = static_cast<double>(sums[t * width + c]);
}

ADJUDGE_WIDE void along_slope(const float* first, const float* second, const float* slopes,
                              std::size_t columns, float* about) {
    for (std::size_t t = 0; t < tile; ++t) about[t] = 0.0f;
    for (std::size_t c = 0; c < columns; ++c) {
        const float slope = slopes[c];
        if (slope == 0.0f) continue;  // as of counts of the reference, which both have in common
        const float* a = first + c * tile;
        const float* b = second + c * tile;
        for (std::size_t t = 0; t < tile; ++t) about[t] += slope * (b[t] - a[t]);
    }
}

ADJUDGE_WIDE float largest(const float* about) {
    float found[8] = {};
    for (std::size_t t = 0; t < tile; t += 8) {
        for (std::size_t i = 0; i < 8; ++i) {
            const float size = std::fabs(about[t + i]);
            found[i] = size > found[i] ? size : found[i];
        }
    }
    return *std::max_element(found, found + 8);
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

Screened screened(const double* sums, std::size_t systems, std::size_t columns, std::size_t count,
                  const std::vector<SlopedPair>& pairs, const double* slopes, bool one_sided,
                  unsigned threads) {
    const std::size_t tiles = (count + tile - 1) / tile;
    const std::vector<float> narrow(slopes, slopes + pairs.size() * columns);
    std::vector<Screened> parts(tiles);
    for_each_block<1>(tiles, threads, [&] {
        return [&, some = std::vector<float>(systems * columns * tile)](std::size_t number) mutable {
            const std::size_t begin = number * tile;
            const std::size_t used = std::min(tile, count - begin);
            for (std::size_t row = 0; row < systems * columns; ++row) {
                const double* from = sums + row * signs_of_block + begin;
                for (std::size_t t = 0; t < used; ++t) some[row * tile + t] = static_cast<float>(from[t]);
                for (std::size_t t = used; t < tile; ++t) some[row * tile + t] = 0.0f;
            }
            Screened& found = parts[number];
            found.far.assign(pairs.size(), 0);
            float about[tile];
            for (std::size_t p = 0; p < pairs.size(); ++p) {
                along_slope(&some[pairs[p].first * columns * tile], &some[pairs[p].second * columns * tile],
                            &narrow[p * columns], columns, about);
                if (largest(about) < pairs[p].near) continue;
                for (std::size_t t = 0; t < used; ++t) {
                    const double size = one_sided ? about[t] : std::fabs(about[t]);
                    if (size < pairs[p].near) continue;
                    if (size > pairs[p].far) {
                        ++found.far[p];
                    } else {  // also what is not a number
                        found.open.emplace_back(static_cast<std::uint32_t>(p),
                                                static_cast<std::uint32_t>(begin + t));
                    }
                }
            }
        };
    });
    Screened all{std::vector<std::size_t>(pairs.size()), {}};
    for (const Screened& part : parts) {
        for (std::size_t p = 0; p < pairs.size(); ++p) all.far[p] += part.far[p];
        all.open.insert(all.open.end(), part.open.begin(), part.open.end());
    }
    return all;
}

}  // namespace adjudge
