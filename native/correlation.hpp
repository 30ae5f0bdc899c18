// What rank correlations are made from, for many lists of scores against one target at once.
#pragma once

#include <cstddef>

namespace adjudge {

// A matrix of finite numbers, a list a row.
struct Lists {
    const double* values;
    std::size_t count;
    std::size_t length;
};

// Three columns a list: concordant minus discordant pairs with the target, pairs that the list orders, and
// pairs that the target orders (Kendall's tau-b is the first over the root of the product of the others).
void concordance(Lists lists, const double* target, unsigned threads, double* rows);

// The rank of every number within its list, from 1; those that are equal share the mean of their places.
void average_ranks(Lists lists, unsigned threads, double* ranks);

}  // namespace adjudge
