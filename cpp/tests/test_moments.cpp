// Compares co-moments with extended precision, at both ends of the range; all numbers of threads give the same bytes.
#include <cmath>
#include <limits>
#include <vector>

#include "assay/moments.hpp"
#include "reference/moments.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/random_scores.hpp"

namespace {

std::vector<assay::CoMoments> fast(const Sample& sample, int threads) {
  std::vector<assay::CoMoments> found(sample.groups);
  assay::co_moments(sample.x.data(), sample.y.data(), sample.mask.get(), sample.groups, sample.items, threads,
                    found.data());
  return found;
}

std::vector<double> numbers(const assay::CoMoments& m) { return {m.xx, m.yy, m.xy, m.x_exponent, m.y_exponent}; }

bool is_near(double found, double expected, double scale) { return std::fabs(found - expected) <= 1e-13 * scale; }

void against_the_twin(const Sample& sample, const std::vector<assay::CoMoments>& found) {
  for (std::size_t group = 0; group < sample.groups; ++group) {
    std::vector<double> x, y;
    for (std::size_t cell = group * sample.items; cell < (group + 1) * sample.items; ++cell) {
      if (!sample.mask[cell]) continue;
      x.push_back(sample.x[cell]);
      y.push_back(sample.y[cell]);
    }
    const auto& m = found[group];
    const auto slow = assay::reference::co_moments(x, y);
    if (x.empty() || !std::isfinite(slow.xx) || !std::isfinite(slow.yy) || m.x_exponent < -400 || m.y_exponent < -400)
      continue;  // outside the range of the reference implementation
    const int ex = static_cast<int>(m.x_exponent), ey = static_cast<int>(m.y_exponent);
    CHECK(is_near(std::ldexp(m.xx, 2 * ex), slow.xx, slow.xx + 1e-30), m.xx, slow.xx, x);
    CHECK(is_near(std::ldexp(m.yy, 2 * ey), slow.yy, slow.yy + 1e-30), m.yy, slow.yy, y);
    CHECK(is_near(std::ldexp(m.xy, ex + ey), slow.xy, std::sqrt(slow.xx * slow.yy) + 1e-30), m.xy, slow.xy, x, y);
  }
}

void random_samples(Random& random) {
  for (int i = 0; i < 4000; ++i) {
    const auto scores = sample(random, random.below(140), random.below(random.chance(90) ? 16 : 400));
    const auto found = fast(scores, 1);
    against_the_twin(scores, found);
    for (const int threads : {2, 4}) {
      const auto again = fast(scores, threads);
      for (std::size_t g = 0; g < scores.groups; ++g) CHECK_EQUAL(numbers(again[g]), numbers(found[g]), threads);
    }
  }
}

// Scaling by a power of two changes only the exponent, except near the ends of the range, where it also changes the sums.
void ends_of_the_range() {
  const std::vector<double> x{1, 2, 4, 4.5}, y{3, 1, 1, 0};
  const bool mask[4] = {true, true, true, true};
  const auto in_common_units = [&](int exponent) {
    std::vector<double> far = x;
    for (double& value : far) value = std::ldexp(value - 2, exponent);
    assay::CoMoments found;
    assay::co_moments(far.data(), y.data(), mask, 1, 4, 1, &found);
    const int left = static_cast<int>(found.x_exponent) - exponent;
    return std::vector<double>{std::ldexp(found.xx, 2 * left), found.yy, std::ldexp(found.xy, left)};
  };
  for (const int exponent : {-1070, -1000, -500, 500, 1000, 1021})
    CHECK_EQUAL(in_common_units(exponent), in_common_units(0), exponent);
  const double largest = std::numeric_limits<double>::max();
  const std::vector<double> widest{-largest, largest, 0, 0};
  assay::CoMoments found;
  assay::co_moments(widest.data(), y.data(), mask, 1, 4, 1, &found);
  CHECK(std::isfinite(found.xx) && found.xx > 0.1, found.xx);
}

void constants() {
  const std::vector<double> x{0.1, 0.1, 0.1}, y{1, 2, 3};
  const bool mask[3] = {true, true, true};
  assay::CoMoments found;
  assay::co_moments(x.data(), y.data(), mask, 1, 3, 1, &found);
  CHECK_EQUAL(found.xx, 0.0);
  CHECK_EQUAL(found.xy, 0.0);
  CHECK(found.yy > 0, found.yy);
}

}  // namespace

int main() {
  Random random(17);
  random_samples(random);
  ends_of_the_range();
  constants();
  return check::finish("moments");
}
