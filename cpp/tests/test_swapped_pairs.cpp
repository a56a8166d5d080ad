// Compares the pair statistics of swapped scores with pair counts of each of them; threads do not change a bit.
#include <cmath>
#include <cstring>
#include <vector>

#include "assay/swapped_pairs.hpp"
#include "reference/swapped_pairs.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/random_scores.hpp"

namespace {

Flags coins(Random& random, std::size_t size) {
  Flags flags(new bool[size + 1]);
  for (std::size_t i = 0; i < size; ++i) flags[i] = random.chance(50);
  return flags;
}

bool is_near(double found, double expected) {
  return std::isnan(expected) ? std::isnan(found) : std::fabs(found - expected) <= 1e-12;
}

void check_case(Random& random, std::size_t metrics, std::size_t groups, std::size_t items, std::size_t resamples) {
  const auto given = sample(random, groups, items);
  std::vector<double> scores, weights;
  const std::size_t flavour = random.below(7);
  for (std::size_t cell = 0; cell < metrics * groups * items; ++cell) scores.push_back(score(random, flavour));
  for (std::size_t group = 0; group < groups; ++group) weights.push_back(static_cast<double>(random.between(1, 3)));
  const auto swaps = coins(random, resamples * groups * items);
  const assay::SwappedScores in{scores.data(), given.y.data(), given.mask.get(), given.pairs.get(), weights.data(),
                                swaps.get(), metrics, groups, items, resamples};
  const auto statistic = static_cast<assay::PairStatistic>(random.below(3));
  std::vector<double> found(metrics * (metrics - 1) / 2 * resamples), again = found;
  assay::swapped_pairs(in, statistic, 1, found.data());
  assay::swapped_pairs(in, statistic, 3, again.data());
  CHECK(found.empty() || std::memcmp(found.data(), again.data(), found.size() * sizeof(double)) == 0, groups, items);
  std::size_t at = 0;
  for (std::size_t i = 0; i < metrics; ++i)
    for (std::size_t j = i + 1; j < metrics; ++j)
      for (std::size_t r = 0; r < resamples; ++r, ++at) {
        const double slow = assay::reference::swapped_pair(in, statistic, i, j, r);
        CHECK(is_near(found[at], slow), found[at], slow, items, groups, scores);
      }
}

}  // namespace

int main() {
  Random random(31);
  for (int i = 0; i < 600; ++i)
    check_case(random, random.between(2, 4), random.between(1, 40), random.between(2, 18), random.between(1, 6));
  for (const std::size_t items : {2, 11, 12, 16, 63, 64}) check_case(random, 2, 3, items, 300);  // words and blocks that end
  return check::finish("swapped_pairs");
}
