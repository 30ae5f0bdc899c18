// Forward and backward over one pair of sentences, for the HMM of word alignment.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "lexical.hpp"

namespace adjudge {

// Each target word stands for a source word or for none, and where it stands for none the place in the source
// stays (Och & Ney 2003). So a state is a place, with or without its word.
class HmmSentence {
  public:
    explicit HmmSentence(const Jumps& jumps) : jumps_(jumps) {}

    // `probability(i, j)` of target word j given source word i, or given none for i = `words`.
    template <class Probability>
    void read(std::size_t words, std::size_t length, Probability probability) {
        words_ = words;
        length_ = length;
        emission_.resize((words + 1) * length);
        for (std::size_t i = 0; i <= words; ++i)
            for (std::size_t j = 0; j < length; ++j) emission_[j * (words + 1) + i] = probability(i, j);
        scale_.assign(length, 1.0);
        if (words == 0) {
            for (std::size_t j = 0; j < length; ++j) scale_[j] = emission_[j];
            return;
        }
        fill_moves();
        forward();
        backward();
    }

    // That word j stands for source word i, or for none for i = words.
    double posterior(std::size_t i, std::size_t j) const {
        if (words_ == 0) return 1.0;
        if (i < words_) return real_[j * words_ + i] * beta_[j * words_ + i];
        double total = 0;
        for (std::size_t k = 0; k < words_; ++k) total += null_[j * words_ + k] * beta_[j * words_ + k];
        return total;
    }

    double log_predictive(std::size_t j) const { return std::log(scale_[j]); }
    double log_likelihood() const {
        double total = 0;
        for (const double scale : scale_) total += std::log(scale);
        return total;
    }

    // Expected numbers of jumps by kind, from any place to the word of another.
    template <class Visit>
    void visit_jumps(Visit visit) {
        if (words_ == 0) return;
        together_.assign(words_ * words_, 0);
        for (std::size_t j = 1; j < length_; ++j) {
            fill_arriving(j);
            for (std::size_t i = 0; i < words_; ++i) {
                const double before = real_[(j - 1) * words_ + i] + null_[(j - 1) * words_ + i];
                double* const own = together_.data() + i * words_;
                for (std::size_t k = 0; k < words_; ++k) own[k] += before * arriving_[k];
            }
        }
        Jumps sums{};
        for (std::size_t i = 0; i < words_; ++i)
            for (std::size_t k = 0; k < words_; ++k)
                sums[kind(i, k)] += together_[i * words_ + k] * moves_[i * words_ + k];
        for (std::size_t k = 0; k < jump_kinds; ++k) visit(k, sums[k]);
    }

  private:
    static std::size_t kind(std::size_t from, std::size_t to) {
        const auto far = static_cast<std::ptrdiff_t>(farthest);
        const auto jump = static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from);
        return static_cast<std::size_t>(std::clamp(jump, -far, far) + far);
    }

    // How many places are of the same kind of jump: all beyond the farthest share its probability.
    double alike(std::size_t from, std::size_t to) const {
        if (to >= from + farthest) return static_cast<double>(words_ - from - farthest);
        return from >= to + farthest ? static_cast<double>(from - farthest + 1) : 1.0;
    }

    const double* emission(std::size_t j) const { return emission_.data() + j * (words_ + 1); }

    void fill_moves() {
        moves_.resize(words_ * words_);
        back_.resize(words_ * words_);
        for (std::size_t i = 0; i < words_; ++i) {
            double total = 0;
            for (std::size_t k = 0; k < words_; ++k)
                total += moves_[i * words_ + k] = jumps_[kind(i, k)] / alike(i, k);
            for (std::size_t k = 0; k < words_; ++k) back_[k * words_ + i] = moves_[i * words_ + k] /= total;
        }
    }

    void forward() {
        real_.assign(words_ * length_, 0);
        null_.assign(words_ * length_, 0);
        std::vector<double>& arrived = arrived_;
        for (std::size_t j = 0; j < length_; ++j) {
            double* const real = real_.data() + j * words_;
            double* const null = null_.data() + j * words_;
            arrived.assign(words_, j == 0 ? 1.0 / static_cast<double>(words_) : 0.0);
            stayed_.assign(words_, 1.0 / static_cast<double>(words_));
            if (j > 0) {
                const double* const before = real - words_;
                const double* const idle = null - words_;
                for (std::size_t i = 0; i < words_; ++i) {
                    stayed_[i] = before[i] + idle[i];
                    const double* const move = moves_.data() + i * words_;
                    for (std::size_t k = 0; k < words_; ++k) arrived[k] += stayed_[i] * move[k];
                }
            }
            double total = 0;
            for (std::size_t i = 0; i < words_; ++i) {
                real[i] = arrived[i] * (1 - null_share) * emission(j)[i];
                null[i] = stayed_[i] * null_share * emission(j)[words_];
                total += real[i] + null[i];
            }
            scale_[j] = total;
            for (std::size_t i = 0; i < words_; ++i) {
                real[i] /= total;
                null[i] /= total;
            }
        }
    }

    void backward() {
        beta_.assign(words_ * length_, 1.0);
        for (std::size_t j = length_; j-- > 1;) {
            const double* const next = beta_.data() + j * words_;
            double* const own = beta_.data() + (j - 1) * words_;
            fill_arriving(j);
            const double idle = null_share * emission(j)[words_] / scale_[j];
            for (std::size_t i = 0; i < words_; ++i) own[i] = idle * next[i];
            for (std::size_t k = 0; k < words_; ++k) {
                const double* const move = back_.data() + k * words_;
                for (std::size_t i = 0; i < words_; ++i) own[i] += move[i] * arriving_[k];
            }
        }
    }

    // What becomes of a place where word j stands for it, beside all that it may be.
    void fill_arriving(std::size_t j) {
        arriving_.resize(words_);
        for (std::size_t k = 0; k < words_; ++k)
            arriving_[k] = (1 - null_share) * emission(j)[k] * beta_[j * words_ + k] / scale_[j];
    }

    const Jumps& jumps_;
    std::size_t words_ = 0, length_ = 0;
    std::vector<double> emission_;            // length × (words + 1)
    std::vector<double> moves_, back_;        // from × to, to × from
    std::vector<double> together_;            // from × to, summed over words
    std::vector<double> real_, null_, beta_;  // length × words
    std::vector<double> scale_, arrived_, stayed_, arriving_;
};

}  // namespace adjudge
