// Compares soft pairwise accuracies of swapped scores with sums of every flip; threads do not change a bit.
#include <cstring>
#include <vector>

#include "assay/swapped_spa.hpp"
#include "reference/swapped_spa.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/random_scores.hpp"

namespace {

void check_case(Random& random, std::size_t metrics, std::size_t systems, std::size_t segments, std::size_t flips,
                std::size_t resamples) {
  const std::size_t cells = systems * segments;
  std::vector<double> scores(metrics * cells);
  std::vector<std::int64_t> human(systems * systems);
  std::vector<std::uint32_t> coins(flips * segments);
  Flags mask(new bool[cells + 1]), pairs(new bool[systems * systems]), swaps(new bool[resamples * cells + 1]);
  const std::size_t range = random.chance(50) ? 3 : 100, gaps = random.chance(50) ? 0 : random.below(60);
  for (std::size_t cell = 0; cell < cells; ++cell) mask[cell] = !random.chance(gaps);
  for (std::size_t cell = 0; cell < scores.size(); ++cell)
    scores[cell] = mask[cell % cells] ? static_cast<double>(random.below(range)) - 1 : 0;
  for (auto& count : human) count = static_cast<std::int64_t>(random.below(2 * flips + 1));
  for (auto& coin : coins) coin = static_cast<std::uint32_t>(random.below(2));
  for (std::size_t i = 0; i < systems * systems; ++i) pairs[i] = random.chance(80);
  for (std::size_t i = 0; i < resamples * cells; ++i) swaps[i] = random.chance(50);
  pairs[1] = true;  // at least one pair counts
  const assay::SwappedSystems in{scores.data(), mask.get(), pairs.get(), human.data(), coins.data(), swaps.get(), metrics,
                                 systems, segments, flips, resamples, random.chance(30)};
  std::vector<double> found(metrics * (metrics - 1) / 2 * resamples), again = found;
  assay::swapped_spa(in, 1, found.data());
  assay::swapped_spa(in, 3, again.data());
  CHECK(std::memcmp(found.data(), again.data(), found.size() * sizeof(double)) == 0, systems, segments);
  std::size_t at = 0;
  for (std::size_t i = 0; i < metrics; ++i)
    for (std::size_t j = i + 1; j < metrics; ++j)
      for (std::size_t r = 0; r < resamples; ++r, ++at)
        CHECK_EQUAL(found[at], assay::reference::swapped_spa(in, i, j, r), systems, segments, flips, scores);
}

}  // namespace

int main() {
  Random random(32);
  for (int i = 0; i < 400; ++i)
    check_case(random, random.between(2, 3), random.between(2, 9), random.between(1, 70), random.between(1, 40),
               random.between(1, 3));
  for (const std::size_t systems : {8, 16, 17, 24, 25}) check_case(random, 2, systems, 33, 20, 1);  // widths of a row
  return check::finish("swapped_spa");
}
