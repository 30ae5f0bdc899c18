// Random numbers that are the same on any machine, a stream for every resample or run.
#pragma once

#include <cstdint>

namespace adjudge {

// SplitMix64 (Steele, Lea and Flood 2014). Its state is a counter, so every resample has a stream of its own.
class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t stream) : state_(mix(mix(seed + golden) + stream * golden)) {}

    std::uint64_t next() { return mix(state_ += golden); }

    // Leave out so many of the numbers that `next` would give.
    void skip(std::uint64_t count) { state_ += count * golden; }

    // A whole number below `bound`, without bias (Lemire 2019).
    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = std::uint64_t{half()} * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t threshold = (0u - bound) % bound;
            while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{half()} * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    // Evenly from 0 up to, but never, 1.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    bool coin() {
        if (coins_left_ == 0) {
            coins_ = next();
            coins_left_ = 64;
        }
        const bool heads = coins_ & 1;
        coins_ >>= 1;
        --coins_left_;
        return heads;
    }

  private:
    static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;

    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    std::uint32_t half() {
        if (has_half_) {
            has_half_ = false;
            return static_cast<std::uint32_t>(spare_);
        }
        spare_ = next();
        has_half_ = true;
        return static_cast<std::uint32_t>(spare_ >> 32);
    }

    std::uint64_t state_;
    std::uint64_t spare_ = 0;
    std::uint64_t coins_ = 0;
    int coins_left_ = 0;
    bool has_half_ = false;
};

}  // namespace adjudge
