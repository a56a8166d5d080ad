// Compares bootstrap weights with drawing one index at a time, and coin flips with single bits; all numbers of threads give
// the same bytes.
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "assay/resample.hpp"
#include "reference/resample.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

struct Draw {
  std::size_t first, resamples, segments, size;
  std::uint64_t seed;
};

std::vector<std::uint32_t> fast(const Draw& draw, int threads) {
  std::vector<std::uint32_t> weights(draw.resamples * draw.segments, 0);
  assay::bootstrap_weights(draw.first, draw.resamples, draw.segments, draw.size, draw.seed, threads, weights.data());
  return weights;
}

// Returns how many words the reference implementation rejected.
std::size_t check_draw(const Draw& draw) {
  const auto weights = fast(draw, 1);
  std::size_t rejected = 0;
  auto row = weights.begin();
  for (std::size_t j = 0; j < draw.resamples; ++j) {
    const auto end = row + static_cast<std::ptrdiff_t>(draw.segments);
    const auto slow = assay::reference::bootstrap_weights(draw.first + j, draw.segments, draw.size, draw.seed);
    CHECK(std::equal(row, end, slow.weights.begin(), slow.weights.end()), draw.first + j, draw.segments, draw.size,
          draw.seed);
    CHECK_EQUAL(std::accumulate(row, end, std::size_t{0}), draw.size);
    rejected += slow.rejected;
    row = end;
  }
  for (const int threads : {2, 4}) CHECK(fast(draw, threads) == weights, draw.segments, draw.size, draw.seed, threads);
  return rejected;
}

// Published results are reproducible only if the stream never changes.
void the_stream_is_pinned() {
  assay::Xoshiro256 random(12345, 0);
  for (const std::uint64_t word : {0xDC6E8C9C5D1C107Fu, 0xF70510CD2AE7A196u, 0x66123026DEEE507Fu, 0xDB4B44B738F433EBu})
    CHECK_EQUAL(random(), word);
  CHECK_EQUAL(fast({7, 1, 10, 25, 12345}, 1), (std::vector<std::uint32_t>{2, 3, 1, 6, 0, 3, 3, 2, 3, 2}));
  std::vector<std::uint32_t> coin(8, 7);
  assay::coin_weights(0, 1, 8, 12345, 1, coin.data());
  CHECK_EQUAL(coin, (std::vector<std::uint32_t>{1, 1, 1, 1, 1, 1, 1, 0}));  // 0x7F, low bit first
}

void random_draws(Random& random) {
  for (int i = 0; i < 600; ++i) {
    const std::size_t segments = random.between(1, random.chance(50) ? 5 : 300);
    check_draw({random.chance(50) ? 0 : random.below(1u << 20), random.between(0, 70), segments,
                random.chance(50) ? segments : random.below(400),
                random.chance(10) ? ~std::uint64_t{0} : random.bits()});
  }
}

// Resamples drawn in shards equal those drawn at once.
void shards(Random& random) {
  for (int i = 0; i < 100; ++i) {
    const Draw whole{random.below(50), random.between(1, 60), random.between(1, 90), random.between(1, 90),
                     random.bits()};
    const auto weights = fast(whole, 2);
    const std::size_t cut = random.below(whole.resamples);
    Draw upper = whole;
    upper.first += cut;
    upper.resamples -= cut;
    CHECK_EQUAL(fast(upper, 1),
                (std::vector<std::uint32_t>(weights.begin() + static_cast<std::ptrdiff_t>(cut * whole.segments),
                                            weights.end())));
  }
}

// A word is rejected with a probability below segments / 2^32; many segments and large samples ensure that some are.
// If the number of segments divides 2^32, none is rejected, not even words next to the bound.
void rejections() {
  const std::size_t unfavourable = 1354025, power_of_two = std::size_t{1} << 20;
  CHECK_EQUAL((std::uint64_t{1} << 32) % unfavourable, unfavourable - 4);
  std::size_t rejected = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    rejected += check_draw({seed, 1, unfavourable, 60000, seed});
    CHECK_EQUAL(check_draw({seed, 1, power_of_two, 60000, seed}), std::size_t{0});
  }
  CHECK(rejected > 0);
}

std::vector<std::uint32_t> coins(std::size_t first, std::size_t draws, std::size_t segments, std::uint64_t seed,
                                 int threads) {
  std::vector<std::uint32_t> weights(draws * segments, 7);
  assay::coin_weights(first, draws, segments, seed, threads, weights.data());
  return weights;
}

void random_coins(Random& random) {
  std::size_t heads = 0, all = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t first = random.chance(50) ? 0 : random.below(1u << 20), draws = random.between(0, 40),
                      segments = random.chance(50) ? random.pick(std::vector<std::size_t>{0, 1, 63, 64, 65, 128})
                                                   : random.below(300);
    const std::uint64_t seed = random.bits();
    const auto weights = coins(first, draws, segments, seed, 1);
    for (std::size_t j = 0; j < draws; ++j) {
      const auto row = weights.begin() + static_cast<std::ptrdiff_t>(j * segments);
      const auto slow = assay::reference::coin_weights(first + j, segments, seed);
      CHECK(std::equal(slow.begin(), slow.end(), row), first + j, segments, seed);
      heads += std::accumulate(slow.begin(), slow.end(), std::size_t{0});
      all += segments;
    }
    for (const int threads : {2, 4}) CHECK(coins(first, draws, segments, seed, threads) == weights, seed, threads);
  }
  const double standard_error = std::sqrt(static_cast<double>(all)) / 2;
  CHECK(std::abs(static_cast<double>(heads) - static_cast<double>(all) / 2) < 5 * standard_error, heads, all);
}

}  // namespace

int main() {
  Random random(7);
  the_stream_is_pinned();
  random_draws(random);
  shards(random);
  rejections();
  random_coins(random);
  return check::finish("resample");
}
