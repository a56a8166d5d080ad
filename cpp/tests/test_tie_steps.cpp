// Compares the calibration of resamples with trying every epsilon for each of them.
#include <cstdint>
#include <vector>

#include "assay/tie_steps.hpp"
#include "reference/rank.hpp"
#include "reference/tie_calibration.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/random_scores.hpp"

namespace {

void check_sample(const Sample& sample, const std::vector<std::int64_t>& weights, std::size_t resamples, int threads) {
  std::vector<double> epsilons(resamples);
  std::vector<std::int64_t> hits(resamples * sample.groups);
  assay::TieSteps(sample.input()).calibrate(weights.data(), resamples, threads, epsilons.data(), hits.data());
  for (std::size_t r = 0; r < resamples; ++r) {
    const double slow = assay::reference::best_epsilon(sample.input(), weights.data() + r * sample.groups);
    CHECK_EQUAL(epsilons[r], slow, sample.groups, sample.items, sample.x, sample.y);
    for (std::size_t group = 0; group < sample.groups; ++group) {
      const auto counts = assay::reference::pair_counts(sample.input(), group, slow);
      CHECK_EQUAL(hits[r * sample.groups + group], counts.concordant + counts.tied_both, sample.x, sample.y);
    }
  }
}

// Weights are small, or too large for 32 bits; a group that was not drawn has weight 0.
void random_samples(Random& random) {
  for (int i = 0; i < 3000; ++i) {
    const auto scores = sample(random, random.below(8), random.below(random.chance(95) ? 9 : 24));
    const std::size_t resamples = random.below(random.chance(80) ? 4 : 40);
    const std::int64_t unit = random.chance(50) ? 1 : std::int64_t{1} << random.between(20, 40);
    std::vector<std::int64_t> weights(resamples * scores.groups);
    for (auto& weight : weights) weight = static_cast<std::int64_t>(random.below(4)) * unit;
    check_sample(scores, weights, resamples, static_cast<int>(random.between(1, 3)));
  }
}

// Weights around the largest sum that fits in 32 bits: four tied pairs in each of two groups.
void around_32_bits() {
  const Sample sample{2, 4, {0, 1, 2, 4, 0, 2, 6, 8}, {1, 1, 1, 4, 2, 2, 2, 2},
                      Flags(new bool[8]{true, true, true, true, true, true, true, true}), nullptr};
  for (std::int64_t weight = 0x7FFFFFFF / 12 - 2; weight <= 0x7FFFFFFF / 6 + 2; weight += 1 + weight % 7919 * 100)
    check_sample(sample, {weight, weight, weight, 0, 0, weight}, 3, 1);
}

}  // namespace

int main() {
  Random random(14);
  random_samples(random);
  around_32_bits();
  return check::finish("steps");
}
