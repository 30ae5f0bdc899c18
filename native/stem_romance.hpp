// What the stemmers of Romance languages share: three regions, and suffixes cut inside them.
#pragma once

#include "stem_word.hpp"

namespace adjudge {

class Romance {
  protected:
    Romance(std::string_view text, Letters vowels) : word_(text), vowels_(vowels) {}

    // R1 and R2: after the first and second vowel with a consonant behind it.
    void mark_regions() {
        r1_ = word_.region(0, vowels_);
        r2_ = word_.region(r1_, vowels_);
        rv_ = verbal_region();
    }

    bool vowel(std::size_t i) const { return one_of(word_[i], vowels_); }

    // Cuts a suffix, or replaces it, where it begins in a region; whether it does.
    bool put_in(std::size_t region, const Suffix& suffix, Letters ending) {
        if (suffix.start < region) return false;
        word_.replace(suffix, ending);
        return true;
    }
    bool cut_in(std::size_t region, const Suffix& suffix) { return put_in(region, suffix, u""); }

    Word word_;
    Letters vowels_;
    std::size_t rv_ = 0, r1_ = 0, r2_ = 0;

  private:
    std::size_t verbal_region() const {
        const std::size_t size = word_.size();
        if (size < 2) return size;
        if (!vowel(1)) return word_.past(2, vowels_);
        if (!vowel(0)) return std::min<std::size_t>(3, size);
        std::size_t at = 2;
        while (at < size && vowel(at)) ++at;
        return std::min(at + 1, size);
    }
};

}  // namespace adjudge
