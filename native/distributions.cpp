#include "distributions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace adjudge {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <std::size_t Count>
double polynomial(const std::array<double, Count>& coefficients, double x) {
    double value = 0.0;
    for (std::size_t i = Count; i-- > 0;) value = value * x + coefficients[i];
    return value;
}

// What Stirling's formula leaves of log Gamma(x + 1): log x! - (x + 1/2) log x + x - log(2 pi) / 2.
double stirling_error(double x) {
    double error = 0.0;
    // log1p keeps each step exact to the last digit of 1, whatever x is.
    for (; x < 16; x += 1) error += (x + 0.5) * std::log1p(1 / x) - 1;
    static constexpr std::array<double, 7> series{1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                                  1.0 / 1188, -691.0 / 360360, 1.0 / 156};
    return error + polynomial(series, 1 / (x * x)) / x;
}

// x log(x / mean) + mean - x without loss where the two are close (Loader 2000).
double deviance(double x, double mean) {
    if (std::abs(x - mean) >= 0.1 * (x + mean)) return x * std::log(x / mean) + mean - x;
    const double v = (x - mean) / (x + mean);
    double sum = (x - mean) * v;
    double term = 2 * x * v;
    for (int j = 3;; j += 2) {
        term *= v * v;
        const double next = sum + term / j;
        if (next == sum) return sum;
        sum = next;
    }
}

// The fraction below x^a y^b / B(a, b) in the incomplete beta function I_x(a, b) (DiDonato and Morris 1992,
// 9), by Lentz's method. It converges fast for x up to about a / (a + b).
double beta_fraction(double a, double b, double x, double y) {
    constexpr double tiny = 1e-300;
    const auto denominator = [&](double n) {
        return n + n * (b - n) * x / (a + 2 * n - 1) +
               (a + n) * (a * y - b * x + 1 + n * (2 - x)) / (a + 2 * n + 1);
    };
    double value = a * (a * y - b * x + 1) / (a + 1);
    if (value == 0) value = tiny;
    double above = value;
    double below = 0.0;
    for (double n = 1; n < 100'000; n += 1) {
        const double scale = (a + n - 1) / (a + 2 * n - 1) * ((a + b + n - 1) / (a + 2 * n - 1));
        const double numerator = scale * n * (b - n) * x * x;
        const double next = denominator(n);
        below = next + numerator * below;
        if (below == 0) below = tiny;
        above = next + numerator / above;
        if (above == 0) above = tiny;
        below = 1 / below;
        const double change = above * below;
        value *= change;
        if (std::abs(change - 1) < std::numeric_limits<double>::epsilon()) break;
    }
    return value;
}

// log(Gamma(a + 1/2) / Gamma(a)) - log(a) / 2, which goes to 0 for large a.
double half_step(double a) {
    return a * std::log1p(0.5 / a) - 0.5 + stirling_error(a + 0.5) - stirling_error(a);
}

// log(1 + t^2 / freedom), for any t that can be written.
double log_stretch(double freedom, double t) {
    const double u = t / freedom * t;
    return std::isinf(u) ? 2 * std::log(t) - std::log(freedom) : std::log1p(u);
}

constexpr double nearly_normal = 1e6;

// Beyond it the chance of more is that of a normal variable beyond t with so many degrees of freedom: Hill
// (1970), who leaves out what is of the order freedom^-3.
double nearly_normal_deviate(double freedom, double t) {
    const double a = freedom - 0.5;
    const double b = 48 * a * a;
    if (std::isinf(b)) return t;
    const double w2 = a * log_stretch(freedom, t);
    const double third = (((4 * w2 + 33) * w2 + 240) * w2 + 855) / (10 * b * (b + 0.8 * w2 * w2 + 100));
    return std::sqrt(w2) * (1 + (w2 + 3) / b - third);
}

// The chance of more than t >= 0, and that of less than t but more than 0: each as exact as its size allows.
struct Halves {
    double beyond;
    double within;
};

Halves t_halves(double freedom, double t) {
    if (std::isinf(t)) return {0.0, 0.5};
    if (freedom > nearly_normal) {
        const double z = nearly_normal_deviate(freedom, t);
        return {normal_cdf(-z), 0.5 * std::erf(z * std::sqrt(0.5))};
    }
    const double a = freedom / 2;
    const double u = t / freedom * t;
    const double x = 1 / (1 + u);
    const double y = std::isinf(u) ? 1.0 : u / (1 + u);
    const double density = std::exp(half_step(a) - a * log_stretch(freedom, t)) * std::sqrt(a * y / pi);
    if (t >= 1) {
        const double beyond = 0.5 * density / beta_fraction(a, 0.5, x, y);
        return {beyond, 0.5 - beyond};
    }
    const double within = t == 0 ? 0.0 : 0.5 * density / beta_fraction(0.5, a, y, x);
    return {0.5 - within, within};
}

double t_density(double freedom, double t) {
    if (std::isinf(freedom)) return std::exp(-t * t / 2) / std::sqrt(2 * pi);
    const double a = freedom / 2;
    return std::exp(half_step(a) - (a + 0.5) * log_stretch(freedom, t)) / std::sqrt(2 * pi);
}

// The t that is exceeded with the chance q < 1/2, by Newton's method: from 0 where the chance within it is
// concave all the way, and for smaller chances on logarithms, on which a tail is nearly straight.
double t_above(double freedom, double q) {
    const bool tail = q < 0.1;
    double t = tail ? -normal_quantile(q) : 0.0;
    if (tail) t *= 1 + (t * t + 1) / (4 * freedom);
    double moved = infinity;
    for (int step = 0; step < 200; ++step) {
        const Halves halves = t_halves(freedom, t);
        const double slope = t_density(freedom, t);
        const double next = tail ? t * std::exp(std::log(halves.beyond / q) * halves.beyond / (t * slope))
                                 : t + ((0.5 - q) - halves.within) / slope;
        const double change = std::abs(next - t);
        t = next;
        // Rounding moves it for ever; what no longer gets closer is there.
        if (!(change > 1e-15 * t) || (change < 1e-12 * t && change >= moved)) break;
        moved = change;
    }
    return t;
}

// The chance of k in n trials for any positive numbers, k < n (Loader 2000).
double binomial_chance(double k, double n, double p, double q) {
    const double exponent = stirling_error(n) - stirling_error(k) - stirling_error(n - k) -
                            deviance(k, n * p) - deviance(n - k, n * q);
    return std::exp(exponent) * std::sqrt(n / (2 * pi * k * (n - k)));
}

struct Legendre {
    static constexpr std::size_t count = 32;
    std::array<double, count> nodes{};
    std::array<double, count> weights{};

    // Nodes and weights of Gauss's quadrature from 0 to 1.
    Legendre() {
        for (std::size_t i = 0; i < count; ++i) {
            double x = std::cos(pi * (static_cast<double>(i) + 0.75) / (count + 0.5));
            double slope = 1.0;
            for (int step = 0; step < 20; ++step) {
                double value = x;
                double before = 1.0;
                for (std::size_t n = 2; n <= count; ++n) {
                    const auto order = static_cast<double>(n);
                    before =
                        std::exchange(value, ((2 * order - 1) * x * value - (order - 1) * before) / order);
                }
                slope = count * (x * value - before) / (x * x - 1);
                x -= value / slope;
            }
            nodes[i] = (1 + x) / 2;
            weights[i] = 1 / ((1 - x * x) * slope * slope);
        }
    }
};

}  // namespace

double normal_cdf(double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); }

double normal_quantile(double p) {
    // Wichura's (1988) PPND16: 16 digits.
    static constexpr std::array<double, 8> near_above{
        3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
        4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3};
    static constexpr std::array<double, 8> near_below{1.0,
                                                      4.2313330701600911252e1,
                                                      6.8718700749205790830e2,
                                                      5.3941960214247511077e3,
                                                      2.1213794301586595867e4,
                                                      3.9307895800092710610e4,
                                                      2.8729085735721942674e4,
                                                      5.2264952788528545610e3};
    static constexpr std::array<double, 8> middle_above{1.42343711074968357734e0,  4.63033784615654529590e0,
                                                        5.76949722146069140550e0,  3.64784832476320460504e0,
                                                        1.27045825245236838258e0,  2.41780725177450611770e-1,
                                                        2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static constexpr std::array<double, 8> middle_below{1.0,
                                                        2.05319162663775882187e0,
                                                        1.67638483018380384940e0,
                                                        6.89767334985100004550e-1,
                                                        1.48103976427480074590e-1,
                                                        1.51986665636164571966e-2,
                                                        5.47593808499534494600e-4,
                                                        1.05075007164441684324e-9};
    static constexpr std::array<double, 8> far_above{6.65790464350110377720e0,  5.46378491116411436990e0,
                                                     1.78482653991729133580e0,  2.96560571828504891230e-1,
                                                     2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                                     2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static constexpr std::array<double, 8> far_below{1.0,
                                                     5.99832206555887937690e-1,
                                                     1.36929880922735805310e-1,
                                                     1.48753612908506148525e-2,
                                                     7.86869131145613259100e-4,
                                                     1.84631831751005468180e-5,
                                                     1.42151175831644588870e-7,
                                                     2.04426310338993978564e-15};
    if (!(p >= 0 && p <= 1)) return nan;
    const double q = p - 0.5;
    if (std::abs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(near_above, r) / polynomial(near_below, r);
    }
    const double tail = q < 0 ? p : 1 - p;
    if (tail == 0) return std::copysign(infinity, q);
    const double r = std::sqrt(-std::log(tail));
    const double value = r <= 5 ? polynomial(middle_above, r - 1.6) / polynomial(middle_below, r - 1.6)
                                : polynomial(far_above, r - 5) / polynomial(far_below, r - 5);
    return std::copysign(value, q);
}

double t_cdf(double freedom, double t) {
    if (!(freedom > 0) || std::isnan(t)) return nan;
    const Halves halves = t_halves(freedom, std::abs(t));
    return t < 0 ? halves.beyond : 0.5 + halves.within;
}

double t_quantile(double freedom, double p) {
    if (!(freedom > 0) || !(p >= 0 && p <= 1)) return nan;
    const double tail = p < 0.5 ? p : 1 - p;
    if (tail == 0 || tail == 0.5) return tail == 0 ? std::copysign(infinity, p - 0.5) : 0.0;
    if (std::isinf(freedom)) return normal_quantile(p);
    return std::copysign(t_above(freedom, tail), p - 0.5);
}

double binomial_cdf(double k, double n, double p) {
    k = std::floor(k);
    if (!(k >= 0 && k <= n && p >= 0 && p <= 1)) return nan;
    if (k == n || p == 0) return 1.0;
    if (p == 1) return 0.0;
    const double q = 1 - p;
    const double a = n - k;
    const double b = k + 1;
    const double density = binomial_chance(a, a + b, q, p) * a * b / (a + b);
    if (q * (a + b) <= a) return density / beta_fraction(a, b, q, p);
    return 1 - density / beta_fraction(b, a, p, q);
}

double most_even_successes(double chance, double n) {
    if (!(chance > 0) || !(n >= 0)) return -1.0;
    if (chance >= 1) return n;
    double k = std::floor((n - 1 + std::sqrt(n) * normal_quantile(chance)) / 2);
    k = std::clamp(k, -1.0, n);
    while (k < n && binomial_cdf(k + 1, n, 0.5) <= chance) k += 1;
    while (k >= 0 && binomial_cdf(k, n, 0.5) > chance) k -= 1;
    return k;
}

double owens_t(double h, double a) {
    static const Legendre quadrature;
    double sum = 0.0;
    for (std::size_t i = 0; i < Legendre::count; ++i) {
        const double stretch = 1 + a * a * quadrature.nodes[i] * quadrature.nodes[i];
        sum += quadrature.weights[i] * std::exp(-h * h * stretch / 2) / stretch;
    }
    return a * sum / (2 * pi);
}

}  // namespace adjudge
