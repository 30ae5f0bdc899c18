// Powers of one number, each computed once.
#pragma once

#include <cstddef>
#include <vector>

namespace adjudge {

class Powers {
  public:
    explicit Powers(double base) : base_(base), powers_(1, 1.0) {}

    double operator()(std::size_t exponent) {
        while (powers_.size() <= exponent) powers_.push_back(powers_.back() * base_);
        return powers_[exponent];
    }

  private:
    double base_;
    std::vector<double> powers_;
};

}  // namespace adjudge
