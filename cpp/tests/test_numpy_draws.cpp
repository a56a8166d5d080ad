// Compares draws from random words, and their counts, with plain arithmetic.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "assay/numpy_draws.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

// A word stands for its quotient by 2^32 / bound, if as many words stand for every draw.
void bounded_draws(Random& random) {
  for (int i = 0; i < 300; ++i) {
    const std::uint32_t bound = random.chance(30) ? random.pick(std::vector<std::uint32_t>{1, 2, 3, 0x80000001u, 0xFFFFFFFFu})
                                                  : static_cast<std::uint32_t>(1 + random.below(5000));
    std::vector<std::uint32_t> words(random.below(200)), slow;
    for (auto& word : words) {
      word = static_cast<std::uint32_t>(random.bits());
      if (random.chance(30)) word = random.pick(std::vector<std::uint32_t>{0, 1, 0x80000000u, 0xFFFFFFFFu});
      const std::uint64_t product = std::uint64_t{word} * bound, values = std::uint64_t{1} << 32;
      if (product % values >= values % bound) slow.push_back(static_cast<std::uint32_t>(product / values));
    }
    std::vector<std::uint32_t> draws(words.size());
    draws.resize(assay::bounded_draws(words.data(), words.size(), bound, draws.data()));
    CHECK(draws == slow, bound);
    if (bound > 5000 || draws.empty()) continue;
    std::vector<float> weights(bound), counted(bound);
    assay::count_draws(draws.data(), 1, draws.size(), bound, weights.data());
    for (std::uint32_t s = 0; s < bound; ++s) counted[s] = static_cast<float>(std::count(slow.begin(), slow.end(), s));
    CHECK(weights == counted, bound);
  }
}

}  // namespace

int main() {
  Random random(7);
  bounded_draws(random);
  return check::finish("numpy_draws");
}
