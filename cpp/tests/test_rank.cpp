// Compares pair counts with a loop over all pairs, for short and long vectors; all numbers of threads give the same counts.
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "assay/rank.hpp"
#include "reference/rank.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/random_scores.hpp"

namespace {

using assay::PairCounts;

std::vector<std::int64_t> numbers(const PairCounts& c) {
  return {c.concordant, c.discordant, c.tied_x, c.tied_y, c.tied_both};
}

double epsilon(Random& random) {
  switch (random.below(6)) {
    case 0: return 0.1;
    case 1: return 0.30000000000000004;
    case 2: return static_cast<double>(random.below(4));
    case 3: return random.chance(50) ? std::numeric_limits<double>::infinity() : 5e-324;
    default: return 0.0;
  }
}

double tolerance(Random& random) { return random.pick(std::vector<double>{0, 1e-10, 0.01, 0.3}); }

void check_sample(const Sample& sample, double epsilon, double tolerance = 0) {
  std::vector<PairCounts> counts(sample.groups);
  auto input = sample.input();
  input.tolerance = tolerance;
  assay::pair_counts(input, epsilon, 1, counts.data());
  for (std::size_t g = 0; g < sample.groups; ++g)
    CHECK_EQUAL(numbers(counts[g]), numbers(assay::reference::pair_counts(input, g, epsilon)), sample.items, epsilon,
                tolerance, sample.x, sample.y);
  for (const int threads : {2, 4}) {
    std::vector<PairCounts> again(sample.groups);
    assay::pair_counts(input, epsilon, threads, again.data());
    CHECK(again == counts, sample.groups, sample.items, threads);
  }
}

void random_samples(Random& random) {
  for (int i = 0; i < 15000; ++i)
    check_sample(sample(random, random.below(14), random.below(random.chance(80) ? 16 : 60)), epsilon(random),
                 tolerance(random));
  for (int i = 0; i < 700; ++i)
    check_sample(sample(random, random.below(3), random.between(120, 400)), epsilon(random), tolerance(random));
}

// x = [1,1,1,2,2,3,4], y = [1,1,2,2,4,3,3]: computed by hand.
void a_worked_example() {
  const std::vector<double> x{1, 1, 1, 2, 2, 3, 4}, y{1, 1, 2, 2, 4, 3, 3};
  const bool mask[7] = {true, true, true, true, true, true, true};
  PairCounts counts;
  assay::pair_counts({x.data(), y.data(), mask, nullptr, 1, 7}, 0, 1, &counts);
  CHECK_EQUAL(numbers(counts), (std::vector<std::int64_t>{13, 2, 3, 2, 1}));
}

// More pairs than 32 bits can count, with a known answer.
void many_items() {
  const std::size_t n = 300000;
  const auto count = static_cast<std::int64_t>(n);
  std::vector<double> up(n), down(n), same(n, 7.0);
  for (std::size_t i = 0; i < n; ++i) up[i] = down[n - 1 - i] = static_cast<double>(i);
  const Flags mask(new bool[n]);
  std::fill_n(mask.get(), n, true);
  const auto counts = [&](const std::vector<double>& x, const std::vector<double>& y, double epsilon) {
    PairCounts found;
    assay::pair_counts({x.data(), y.data(), mask.get(), nullptr, 1, n}, epsilon, 1, &found);
    return numbers(found);
  };
  const std::int64_t pairs = count * (count - 1) / 2;
  CHECK_EQUAL(counts(up, up, 0), (std::vector<std::int64_t>{pairs, 0, 0, 0, 0}));
  CHECK_EQUAL(counts(up, down, 0), (std::vector<std::int64_t>{0, pairs, 0, 0, 0}));
  CHECK_EQUAL(counts(up, same, 0), (std::vector<std::int64_t>{0, 0, 0, pairs, 0}));
  CHECK_EQUAL(counts(same, up, 0), (std::vector<std::int64_t>{0, 0, pairs, 0, 0}));
  CHECK_EQUAL(counts(same, same, 0), (std::vector<std::int64_t>{0, 0, 0, 0, pairs}));
  CHECK_EQUAL(counts(up, up, 1), (std::vector<std::int64_t>{pairs - count + 1, 0, count - 1, 0, 0}));
}

// Scores that differ only in their last bits, together with scores so far away that the leading bits of the former are all equal.
void close_and_far(Random& random) {
  for (int i = 0; i < 40; ++i) {
    Sample scores = sample(random, 1, random.between(130, 300));
    for (double& value : scores.x) {
      if (random.chance(90)) value = 1 + static_cast<double>(random.below(1000)) * std::numeric_limits<double>::epsilon();
      else value = random.chance(50) ? -1e300 : 1e300;
    }
    check_sample(scores, 0);
    check_sample(scores, 0, 1e-14);
  }
}

void epsilon_must_not_be_negative() {
  for (const double epsilon : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    bool is_refused = false;
    try {
      assay::pair_counts({nullptr, nullptr, nullptr, nullptr, 0, 0}, epsilon, 1, nullptr);
    } catch (const std::invalid_argument&) {
      is_refused = true;
    }
    CHECK(is_refused, epsilon);
  }
}

}  // namespace

int main() {
  Random random(11);
  a_worked_example();
  random_samples(random);
  many_items();
  close_and_far(random);
  epsilon_must_not_be_negative();
  return check::finish("rank");
}
