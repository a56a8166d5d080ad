// Compares tie calibration with trying every epsilon.
#include <cstdint>
#include <vector>

#include "assay/tie_calibration.hpp"
#include "reference/tie_calibration.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/random_scores.hpp"

namespace {

void check_sample(const Sample& sample, const std::vector<std::int64_t>& weights, std::size_t room) {
  CHECK_EQUAL(assay::TieCalibration(sample.input(), weights.data(), room).best_epsilon(),
              assay::reference::best_epsilon(sample.input(), weights.data()), sample.groups, sample.items, sample.x,
              sample.y);
}

void random_samples(Random& random) {
  for (int i = 0; i < 20000; ++i) {
    const auto scores = sample(random, random.below(8), random.below(random.chance(95) ? 9 : 24));
    std::vector<std::int64_t> weights(scores.groups, 1);
    if (random.chance(50))
      for (auto& weight : weights) weight = static_cast<std::int64_t>(random.between(1, random.chance(50) ? 3 : 100000));
    check_sample(scores, weights, random.chance(50) ? 1 << 20 : random.between(1, 40));
  }
}

// m = [0, 2, 6, 8]: with human scores [1, 1, 1, 4], 3, 3, 4, 4, 3 of 6 pairs are correct at epsilon 0, 2, 4, 6, 8.
void a_worked_example() {
  Sample sample{1, 4, {0, 2, 6, 8}, {1, 1, 1, 4}, Flags(new bool[4]{true, true, true, true}), nullptr};
  const std::int64_t weight = 1;
  CHECK_EQUAL(assay::TieCalibration(sample.input(), &weight).best_epsilon(), 4.0);
  sample.y = {1, 2, 3, 4};
  CHECK_EQUAL(assay::TieCalibration(sample.input(), &weight).best_epsilon(), 0.0);
}

}  // namespace

int main() {
  Random random(13);
  a_worked_example();
  random_samples(random);
  return check::finish("calibration");
}
