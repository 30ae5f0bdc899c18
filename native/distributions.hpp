// The normal, Student's t and binomial distribution: what p-values, intervals and power are made of.
#pragma once

namespace adjudge {

// The chance of at most x.
double normal_cdf(double x);
// The value below which the chance p lies; infinite at 0 and 1, NaN outside.
double normal_quantile(double p);

// Student's t with any positive degrees of freedom, infinite ones included; NaN for others.
double t_cdf(double freedom, double t);
double t_quantile(double freedom, double p);

// The chance of at most k successes in n trials that succeed with the chance p each.
double binomial_cdf(double k, double n, double p);
// The largest number of successes in n even trials with binomial_cdf of at most `chance`; -1 without any.
double most_even_successes(double chance, double n);

// Owen's T for 0 <= a <= 1: the chance that 0 < Y < a X and X > h of independent standard normal X and Y.
double owens_t(double h, double a);

}  // namespace adjudge
