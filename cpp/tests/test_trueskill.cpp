// Compares TrueSkill with a reference implementation that keeps every judgement in a list: bit by bit if the two share the
// generator, on average if not. All numbers of threads give the same bytes.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "assay/trueskill.hpp"
#include "reference/trueskill.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::TrueSkillSettings;
using assay::reference::Judgement;

struct Field {
  std::size_t systems;
  std::vector<Judgement> judgements;

  std::vector<std::int64_t> counts() const {
    std::vector<std::int64_t> found(systems * systems * 3, 0);
    for (const auto& j : judgements) ++found[(j.first * systems + j.second) * 3 + static_cast<std::size_t>(j.outcome)];
    return found;
  }
};

std::vector<double> fast(const Field& field, const TrueSkillSettings& settings, std::size_t runs, std::uint64_t seed,
                         int threads) {
  std::vector<double> means(runs * field.systems, -1);
  assay::trueskill(field.counts(), field.systems, settings, runs, seed, threads, means.data());
  return means;
}

bool same_bytes(const std::vector<double>& one, const std::vector<double>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

// Systems in order of skill, judged with noise; some pairs, and some systems, have no judgements.
Field random_field(Random& random, std::size_t most_judgements) {
  Field field{random.between(1, 7), {}};
  if (field.systems < 2) return field;
  const std::size_t tie_percent = random.pick(std::vector<std::size_t>{0, 10, 40, 100});
  const std::size_t noise = random.between(1, 50);
  const std::size_t judged = random.chance(20) ? random.between(2, field.systems) : field.systems;
  for (std::size_t left = random.below(most_judgements + 1); left > 0; --left) {
    const std::size_t second = random.between(1, judged - 1), first = random.below(second);
    field.judgements.push_back({first, second, random.chance(tie_percent) ? 1 : random.chance(noise) ? 2 : 0});
  }
  return field;
}

TrueSkillSettings random_settings(Random& random) {
  TrueSkillSettings settings;
  settings.sigma = random.pick(std::vector<double>{0.5, 0.5, 0.1, 25.0 / 3});
  settings.beta_divisor = random.pick(std::vector<double>{40, 40, 10, 100});
  settings.draw_margin = random.pick(std::vector<double>{0.45, 0.45, 0.01, 1.5});
  settings.resample = random.chance(50);
  return settings;
}

void shared_generator(Random& random) {
  for (int i = 0; i < 200; ++i) {
    const Field field = random_field(random, random.chance(50) ? 6 : 60);
    const TrueSkillSettings settings = random_settings(random);
    const std::uint64_t seed = random.chance(10) ? ~std::uint64_t{0} : random.bits();
    const std::size_t runs = random.chance(80) ? random.between(0, 5) : random.between(14, 35);  // blocks of 16
    const auto means = fast(field, settings, runs, seed, 1);
    for (std::size_t run = 0; run < runs; ++run) {
      const auto slow = assay::reference::trueskill(field.judgements, field.systems, settings,
                                                    assay::reference::SharedDice(seed, run));
      const auto begin = means.begin() + static_cast<std::ptrdiff_t>(run * field.systems);
      const std::vector<double> found(begin, begin + static_cast<std::ptrdiff_t>(field.systems));
      CHECK(same_bytes(found, slow), found, slow, settings.sigma, settings.beta_divisor, settings.draw_margin,
            settings.resample, seed, run);
    }
    for (const int threads : {2, 4}) CHECK(same_bytes(fast(field, settings, runs, seed, threads), means), seed, threads);
  }
}

// Means over runs agree to five standard errors.
void own_generator(Random& random) {
  const std::size_t runs = 1500;
  for (int i = 0; i < 8; ++i) {
    Field field = random_field(random, 60);
    for (std::size_t s = 0; s + 1 < field.systems; ++s) field.judgements.push_back({s, s + 1, static_cast<int>(s % 3)});
    TrueSkillSettings settings = random_settings(random);
    settings.resample = false;  // so that every system has judgements in every run
    const auto means = fast(field, settings, runs, 5, 2);
    std::vector<double> sum(field.systems), square(field.systems), slow_sum(field.systems), slow_square(field.systems);
    for (std::size_t run = 0; run < runs; ++run) {
      const auto slow = assay::reference::trueskill(field.judgements, field.systems, settings,
                                                    assay::reference::OwnDice(static_cast<std::uint64_t>(i), run));
      for (std::size_t s = 0; s < field.systems; ++s) {
        const double value = means[run * field.systems + s];
        sum[s] += value, square[s] += value * value, slow_sum[s] += slow[s], slow_square[s] += slow[s] * slow[s];
      }
    }
    for (std::size_t s = 0; s < field.systems; ++s) {
      const double n = runs, mean = sum[s] / n, slow_mean = slow_sum[s] / n;
      const double variance = (square[s] / n - mean * mean + slow_square[s] / n - slow_mean * slow_mean) / n;
      CHECK(field.systems == 1 || std::abs(mean - slow_mean) <= 5 * std::sqrt(std::max(variance, 0.0)) + 1e-12, mean,
            slow_mean, variance, field.judgements.size());
    }
  }
}

bool near(double found, long double expected, double tolerance) {
  return std::abs(found - expected) <= tolerance * std::max(std::abs(expected), 1e-3L);
}

long double precise_pdf(long double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<long double>); }
long double precise_cdf(long double x) { return std::erfc(-x / std::numbers::sqrt2_v<long double>) / 2; }

// Compares with extended precision and range, far into the tails.
void changes() {
  for (long double t = -90; t <= 90; t += 0.25L)
    for (const long double e : {1e-4L, 0.3L, 2.0L}) {
      const double points[] = {static_cast<double>(t - e), static_cast<double>(-e - std::abs(t)),
                               static_cast<double>(e - std::abs(t))};
      std::array<double, 3> pdf, cdf;
      assay::skill::normal(points, pdf.data(), cdf.data());
      const auto win = assay::skill::after_win(points[0], pdf[0], cdf[0]);
      const auto draw = assay::skill::after_draw(static_cast<double>(t), points[1], points[2], pdf[1], pdf[2], cdf[1], cdf[2]);
      const long double x = t - e, v = precise_pdf(x) / precise_cdf(x);
      const double of_win = x < -36 ? 1e-3 : 1e-8;  // distance to the limits; squares lose precision
      CHECK(near(win.mean, v, of_win), static_cast<double>(t), static_cast<double>(e), win.mean);
      CHECK(near(win.variance, v * (v + x), of_win), static_cast<double>(t), static_cast<double>(e), win.variance);

      const long double low = -e - std::abs(t), high = e - std::abs(t);
      const long double mass = precise_cdf(high) - precise_cdf(low);
      const long double shift = (precise_pdf(low) - precise_pdf(high)) / mass;
      const long double shrink = shift * shift + (high * precise_pdf(high) - low * precise_pdf(low)) / mass;
      const double of_draw = high < -36 ? 2e-3 : e < 0.01L ? 1e-5 : 1e-8;  // narrow margins lose more precision
      CHECK(near(draw.mean, t < 0 ? -shift : shift, of_draw), static_cast<double>(t), static_cast<double>(e), draw.mean);
      CHECK(near(draw.variance, shrink, of_draw), static_cast<double>(t), static_cast<double>(e), draw.variance);
    }
}

// Numbers far from the exponential, next to it and equal to it; distances from 0 to infinity.
void comparisons_with_exp(Random& random) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20000; ++i) {
    const double uniform = static_cast<double>(random.bits() >> 11) * 0x1p-53;
    const double x = i == 0 ? 0 : i == 1 ? infinity : std::pow(10.0, 8 * uniform - 6), power = std::exp(-x);
    for (const double u : {uniform, power, std::nextafter(power, 0.0), std::nextafter(power, 1.0), power - x * x * x * x / 24,
                           power + x * x * x * x / 24, power - 1e-10, power + 1e-10, 0.0, 1 - 0x1p-53})
      CHECK_EQUAL(assay::skill::is_below_exp(u, x), u < power, u, x);
  }
}

// Contradictory results with hardly any noise; and skills so far apart that no opponent is close.
void contradictions() {
  for (const double divisor : {1e3, 1e6, 1e12})
    for (const double sigma : {0.5, 1000.0})
      for (const int outcome : {0, 1, 2}) {
        Field field{3, {}};
        for (int i = 0; i < 60; ++i)
          for (std::size_t s = 0; s < 2; ++s) field.judgements.push_back({s, s + 1, i % 3 == 0 ? outcome : 0});
        for (const double mean : fast(field, {sigma, divisor, 0.45, true}, 20, 3, 1))
          CHECK(std::isfinite(mean) && std::abs(mean) < 100 * sigma, mean, divisor, sigma, outcome);
      }
}

void nobody_met() {
  CHECK_EQUAL(fast({0, {}}, {}, 3, 1, 1).size(), std::size_t{0});
  for (const double mean : fast({3, {}}, {}, 2, 1, 1)) CHECK(std::isnan(mean));
  const auto means = fast({3, {{0, 2, 0}}}, {}, 1, 1, 1);
  CHECK(means[0] > 0 && std::isnan(means[1]) && means[2] < 0, means);
}

}  // namespace

int main() {
  Random random(11);
  shared_generator(random);
  own_generator(random);
  changes();
  comparisons_with_exp(random);
  contradictions();
  nobody_met();
  return check::finish("trueskill");
}
