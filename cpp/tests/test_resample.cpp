// Compares bootstrap weights with deciding every trial and drawing every index on its own, and swaps with single bits;
// all numbers of threads give the same bytes.
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
  assay::bootstrap_weights(draw.first, draw.resamples, {draw.segments, draw.size, draw.seed}, threads, weights.data());
  return weights;
}

// Returns how many words the reference implementation rejected.
std::size_t check_draw(const Draw& draw) {
  const auto weights = fast(draw, 1);
  std::size_t rejected = 0;
  auto row = weights.begin();
  for (std::size_t j = 0; j < draw.resamples; ++j) {
    const auto end = row + static_cast<std::ptrdiff_t>(draw.segments);
    const auto slow = assay::reference::bootstrap_weights(draw.first + j, {draw.segments, draw.size, draw.seed});
    CHECK(std::equal(row, end, slow.weights.begin(), slow.weights.end()), draw.first + j, draw.segments, draw.size,
          draw.seed);
    CHECK_EQUAL(std::accumulate(row, end, std::size_t{0}), draw.size);
    rejected += slow.rejected;
    row = end;
  }
  for (const int threads : {2, 4}) CHECK(fast(draw, threads) == weights, draw.segments, draw.size, draw.seed, threads);
  return rejected;
}

std::vector<std::uint32_t> swaps(std::size_t first, std::size_t resamples, std::size_t segments, std::uint64_t seed,
                                 int threads) {
  std::vector<std::uint32_t> weights(resamples * segments, 7);
  assay::swap_weights(first, resamples, {segments, seed}, threads, weights.data());
  return weights;
}

// Published results are reproducible only if the stream never changes.
void the_stream_is_pinned() {
  assay::Xoshiro256 random(12345, 0);
  for (const std::uint64_t word : {0xDC6E8C9C5D1C107Fu, 0xF70510CD2AE7A196u, 0x66123026DEEE507Fu, 0xDB4B44B738F433EBu})
    CHECK_EQUAL(random(), word);
  CHECK_EQUAL(fast({7, 1, 10, 25, 12345}, 1), (std::vector<std::uint32_t>{1, 5, 2, 2, 1, 3, 2, 3, 3, 3}));
  CHECK_EQUAL(swaps(0, 1, 8, 12345, 1), (std::vector<std::uint32_t>{1, 1, 1, 1, 1, 1, 1, 0}));  // 0x7F, low bit first
}

void random_draws(Random& random) {
  for (int i = 0; i < 600; ++i) {
    const std::size_t segments = random.chance(3) ? random.between(4000, 20000) : random.between(1, random.chance(50) ? 5 : 300);
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

// Sizes around the borders of chunks and of batches of values, with many and with no rejections.
void borders() {
  std::size_t rejected = 0;
  for (const std::size_t segments : {1, 2, 63, 64, 65, 3000, 4095, 4096, 4097, 8191, 8192, 8193, 12288, 30000})
    for (const std::size_t size : {0, 1, 63, 64, 65, 127, 128, 129, 5000, 70000})
      rejected += check_draw({segments % 7, 3, segments, size, segments + size});
  CHECK(rejected > 1000);
  CHECK_EQUAL(check_draw({0, 4, 4096, 50000, 1}), std::size_t{0});
}

// The split is binomial: its mean and variance over many resamples are within five standard errors.
void splits_are_binomial() {
  for (const std::size_t segments : {5000, 9000, 12288, 20000}) {
    const double p = 4096.0 / static_cast<double>(segments), size = 1000, resamples = 4000;
    const assay::Bootstrap bootstrap{segments, 1000, 99};
    std::vector<std::uint32_t> shares(assay::chunks_of(segments));
    double sum = 0, squares = 0;
    for (std::uint64_t b = 0; b < 4000; ++b) {
      bootstrap.split(b, shares.data());
      CHECK_EQUAL(std::accumulate(shares.begin(), shares.end(), 0u), 1000u);
      const double deviation = shares[0] - size * p;
      sum += deviation;
      squares += deviation * deviation;
    }
    const double variance = size * p * (1 - p);
    CHECK(std::abs(sum / resamples) < 5 * std::sqrt(variance / resamples), segments, sum / resamples);
    CHECK(std::abs(squares / resamples - variance) < 5 * variance * std::sqrt(2 / resamples), segments, squares / resamples);
  }
}

void random_swaps(Random& random) {
  std::size_t swapped = 0, all = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t first = random.chance(50) ? 0 : random.below(1u << 20), draws = random.between(0, 40),
                      segments = random.chance(50) ? random.pick(std::vector<std::size_t>{0, 1, 63, 64, 65, 128})
                                                   : random.below(300);
    const std::uint64_t seed = random.bits();
    const auto weights = swaps(first, draws, segments, seed, 1);
    for (std::size_t j = 0; j < draws; ++j) {
      const auto row = weights.begin() + static_cast<std::ptrdiff_t>(j * segments);
      const auto slow = assay::reference::swap_weights(first + j, segments, seed);
      CHECK(std::equal(slow.begin(), slow.end(), row), first + j, segments, seed);
      swapped += std::accumulate(slow.begin(), slow.end(), std::size_t{0});
      all += segments;
    }
    for (const int threads : {2, 4}) CHECK(swaps(first, draws, segments, seed, threads) == weights, seed, threads);
  }
  const double standard_error = std::sqrt(static_cast<double>(all)) / 2;
  CHECK(std::abs(static_cast<double>(swapped) - static_cast<double>(all) / 2) < 5 * standard_error, swapped, all);
}

}  // namespace

int main() {
  Random random(7);
  the_stream_is_pinned();
  random_draws(random);
  shards(random);
  borders();
  splits_are_binomial();
  random_swaps(random);
  return check::finish("resample");
}
