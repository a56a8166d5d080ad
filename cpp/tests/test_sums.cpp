// Compares weighted sums with 128-bit integers and with real sums in plain order, on every path.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/sums.hpp"
#include "reference/sums.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::reference::Shape;
using Weights = std::vector<std::uint32_t>;

template <class Value>
struct Problem {
  Shape shape;
  std::vector<Value> table;  // (system, segment, column)
  Weights weights;           // (row, segment)
};

using Sums = std::vector<assay::AnySum>;

template <class Value>
using TableOf = std::conditional_t<std::is_same_v<Value, double>, assay::RealTable, assay::IntegerTable>;

template <class Value>
std::vector<Value> fast(const Problem<Value>& problem, int threads) {
  const auto& [systems, segments, columns, rows] = problem.shape;
  std::vector<Value> totals(systems * rows * columns);
  const TableOf<Value> table(problem.table.data(), {systems, segments, columns});
  Sums sums;
  sums.push_back(assay::TableSum<TableOf<Value>>(table, rows, totals.data()));
  assay::weighted_sums<assay::WeightMatrix>(sums, {problem.weights.data(), segments}, rows, threads);
  return totals;
}

enum class Outcome { summed, refused };

// An integer problem is summed exactly or refused, depending on the bounds.
Outcome check_integers(const Problem<std::int64_t>& problem) {
  const bool may_refuse = assay::reference::may_leave_64_bits(problem.table, problem.weights, problem.shape);
  std::optional<std::vector<std::int64_t>> totals;
  try {
    totals = fast(problem, 1);
  } catch (const std::overflow_error&) {
  }
  CHECK_EQUAL(!totals.has_value(), may_refuse, problem.shape.segments, problem.table, problem.weights);
  if (!totals.has_value()) return Outcome::refused;
  const auto exact =
      assay::reference::weighted_sums<assay::reference::Int128>(problem.table, problem.weights, problem.shape);
  for (std::size_t i = 0; i < exact.size(); ++i)
    CHECK_EQUAL(assay::reference::Int128{(*totals)[i]}, exact[i], i, problem.table, problem.weights);
  for (const int threads : {2, 4}) CHECK_EQUAL(fast(problem, threads), *totals, threads);
  return Outcome::summed;
}

Problem<std::int64_t> constant_problem(const Shape& shape, std::int64_t statistic, const Weights& one_row) {
  Problem<std::int64_t> problem{
      shape, std::vector<std::int64_t>(shape.systems * shape.segments * shape.columns, statistic), {}};
  for (std::size_t row = 0; row < shape.rows; ++row)
    problem.weights.insert(problem.weights.end(), one_row.begin(), one_row.end());
  return problem;
}

// The largest problems of the 16-bit path and the smallest beyond it, all statistics at the limit and of one sign.
// If the bound were too lax, the undefined-behaviour sanitizer would report an overflow of the 32-bit sum.
void limits_of_the_16_bit_path() {
  const std::vector<Weights> rows{
      {32767, 32767, 4},  // their sum times 32767 is just below 2^31,
      {32767, 32767, 5},  // and here it is not
      {32768, 1, 1},      // a weight too large for signed 16 bits
      {32767, 0, 0},
      {0, 0, 0},
      {0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu},
  };
  for (const Weights& row : rows)
    for (const std::int64_t magnitude : {0, 1, 2, 32766, 32767, 32768, 65535, 65536, 1 << 30})
      for (const std::int64_t sign : {1, -1}) check_integers(constant_problem({2, 3, 2, 5}, sign * magnitude, row));
  // Statistics of 1 reach the bound through the number of segments, with the largest 15-bit weights: 65538 of them plus 1
  // give 2^31 - 1, and 131077 is the first number whose sum exceeds 32 bits.
  for (const std::size_t segments : {65539, 131072, 131073, 131076, 131077, 140000})
    for (const std::uint32_t last : {1u, 2u, 32767u}) {
      Weights row(segments, 32767);
      row.back() = last;
      check_integers(constant_problem({1, segments, 1, 2}, -1, row));
    }
}

// The largest statistics that are summed and the smallest that are refused.
void limits_of_64_bits() {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                         least = std::numeric_limits<std::int64_t>::min();
  const Shape one{1, 1, 1, 1};
  CHECK(check_integers(constant_problem(one, most, {1})) == Outcome::summed);
  CHECK(check_integers(constant_problem(one, -most, {1})) == Outcome::summed);
  CHECK(check_integers(constant_problem(one, least, {0})) == Outcome::summed);
  CHECK(check_integers(constant_problem(one, least, {1})) == Outcome::refused);
  CHECK(check_integers(constant_problem(one, most, {2})) == Outcome::refused);
  CHECK(check_integers(constant_problem(one, most / 2, {2})) == Outcome::summed);
  CHECK(check_integers(constant_problem(one, most / 2 + 1, {2})) == Outcome::refused);
  for (const std::uint32_t weight : {3u, 7u, 1000u, 0x7FFFFFFFu, 0xFFFFFFFFu})
    for (const std::size_t segments : {1, 2, 9}) {
      const std::int64_t limit = most / (static_cast<std::int64_t>(weight) * static_cast<std::int64_t>(segments));
      const Weights row(segments, weight);
      for (const std::int64_t sign : {1, -1}) {
        CHECK(check_integers(constant_problem({2, segments, 1, 3}, sign * limit, row)) == Outcome::summed, weight,
              segments);
        CHECK(check_integers(constant_problem({2, segments, 1, 3}, sign * (limit + 1), row)) == Outcome::refused,
              weight, segments);
      }
    }
}

Shape random_shape(Random& random) {
  const std::size_t segments = random.chance(20) ? random.between(1000, 2100) : random.between(1, 40);
  return {random.between(1, 3), segments, random.between(1, 6), random.between(1, segments > 100 ? 3 : 20)};
}

std::uint32_t random_weight(Random& random, int bits) {
  return static_cast<std::uint32_t>(random.bits() >> (64 - bits));
}

void random_integers(Random& random) {
  std::size_t summed = 0, refused = 0;
  for (int i = 0; i < 1500; ++i) {
    Problem<std::int64_t> problem{random_shape(random), {}, {}};
    const Shape& shape = problem.shape;
    const auto statistic_bits = static_cast<int>(random.between(1, 62)),
               weight_bits = static_cast<int>(random.between(1, 32));
    for (std::size_t cell = 0; cell < shape.systems * shape.segments * shape.columns; ++cell) {
      const auto magnitude = static_cast<std::int64_t>(random.bits() >> (64 - statistic_bits));
      problem.table.push_back(random.chance(30) ? -magnitude : magnitude);
    }
    for (std::size_t cell = 0; cell < shape.rows * shape.segments; ++cell)
      problem.weights.push_back(random_weight(random, weight_bits));
    (check_integers(problem) == Outcome::summed ? summed : refused) += 1;
  }
  CHECK(summed > 100);
  CHECK(refused > 100);
}

// Equal bits, or both NaN: the bits of a NaN depend on the processor.
bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

void check_reals(const Problem<double>& problem, bool exact) {
  const auto totals = fast(problem, 1);
  const auto by_block = assay::reference::weighted_sums_by_block(problem.table, problem.weights, problem.shape);
  const auto plain = assay::reference::weighted_sums<double>(problem.table, problem.weights, problem.shape);
  std::vector<double> magnitudes;
  for (const double statistic : problem.table) magnitudes.push_back(std::abs(statistic));
  const auto scale = assay::reference::weighted_sums<double>(magnitudes, problem.weights, problem.shape);
  // Error bound for any order of summation (Higham 2002, section 4.2).
  const double rounding = static_cast<double>(problem.shape.segments + 1) * std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < totals.size(); ++i) {
    CHECK(same_bits(totals[i], by_block[i]), totals[i], by_block[i], problem.shape.segments);
    if (exact) CHECK_EQUAL(totals[i], plain[i], problem.shape.segments);
    else if (std::isfinite(scale[i]))
      CHECK(std::abs(totals[i] - plain[i]) <= 2 * rounding * scale[i], totals[i], plain[i]);
  }
  for (const int threads : {2, 4}) {
    const auto others = fast(problem, threads);
    for (std::size_t i = 0; i < totals.size(); ++i) CHECK(same_bits(others[i], totals[i]), threads, i);
  }
}

void random_reals(Random& random) {
  for (int i = 0; i < 900; ++i) {
    Problem<double> problem{random_shape(random), {}, {}};
    const Shape& shape = problem.shape;
    // Small integers, whose sums are exact; fractions; fractions with an occasional NaN.
    const std::size_t kind = random.below(3);
    for (std::size_t cell = 0; cell < shape.systems * shape.segments * shape.columns; ++cell) {
      const auto integer = static_cast<double>(random.below(2000)) - 1000;
      const double fraction = std::ldexp(static_cast<double>(random.bits()), -static_cast<int>(random.between(40, 90)));
      problem.table.push_back(kind == 0 ? integer : integer * fraction);
      if (kind == 2 && random.chance(3))
        problem.table.back() =
            random.chance(50) ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    }
    const int weight_bits = kind == 0 ? 12 : random.pick(std::vector<int>{1, 12, 31, 32});
    for (std::size_t cell = 0; cell < shape.rows * shape.segments; ++cell)
      problem.weights.push_back(random_weight(random, weight_bits));
    check_reals(problem, kind == 0);
  }
}

// Sizes close to the blocks of 1024 segments and the lanes of 8 within them.
void real_sums_around_blocks(Random& random) {
  for (const std::size_t segments :
       {1, 7, 8, 9, 1023, 1024, 1025, 1031, 1032, 1033, 2047, 2048, 2049, 3072, 4095, 4096, 4097, 9000}) {
    Problem<double> problem{{1, segments, 2, 4}, {}, {}};
    for (std::size_t cell = 0; cell < segments * 2; ++cell)
      problem.table.push_back(1.0 / static_cast<double>(random.between(1, 1000)));
    for (std::size_t cell = 0; cell < segments * 4; ++cell) problem.weights.push_back(random_weight(random, 5));
    check_reals(problem, false);
  }
}

// Sums whose weights are drawn on the spot equal sums with the weights of the bootstrap, for several tables at once. Tables
// cut at a chunk border give the same totals if the second part continues those of the first.
void bootstrap_sums(Random& random) {
  for (const std::size_t segments : {1, 5, 100, 4096, 4097, 13000}) {
    const assay::Bootstrap bootstrap{segments, random.chance(50) ? segments : random.between(1, 20000), random.bits()};
    const std::size_t first = random.below(100), rows = random.between(1, 21);
    Problem<std::int64_t> integers{{2, segments, 3, rows}, {}, {}};
    Problem<double> reals{{1, segments, 2, rows}, {}, {}};
    for (std::size_t cell = 0; cell < 6 * segments; ++cell) integers.table.push_back(static_cast<std::int64_t>(random.below(300)));
    for (std::size_t cell = 0; cell < 2 * segments; ++cell) reals.table.push_back(1.0 / static_cast<double>(random.between(1, 999)));
    integers.weights.resize(rows * segments);
    assay::bootstrap_weights(first, rows, bootstrap, 1, integers.weights.data());
    reals.weights = integers.weights;
    const assay::IntegerTable integer_table(integers.table.data(), {2, segments, 3});
    const assay::RealTable real_table(reals.table.data(), {1, segments, 2});
    for (const int threads : {1, 3}) {
      std::vector<std::int64_t> integer_totals(6 * rows);
      std::vector<double> real_totals(2 * rows);
      Sums sums;
      sums.push_back(assay::TableSum<assay::IntegerTable>(integer_table, rows, integer_totals.data()));
      sums.push_back(assay::TableSum<assay::RealTable>(real_table, rows, real_totals.data()));
      assay::weighted_sums<assay::BootstrapRows>(sums, {bootstrap, first}, rows, threads);
      CHECK_EQUAL(integer_totals, fast(integers, 1), segments);
      CHECK_EQUAL(real_totals, fast(reals, 1), segments);
    }
  }
}

void swap_sums(Random& random) {
  for (const std::size_t segments : {1, 63, 64, 100, 4096, 4097, 9000}) {
    const std::size_t first = random.below(100), rows = random.between(1, 40);
    const std::uint64_t seed = random.bits();
    Problem<std::int64_t> problem{{2, segments, 3, rows}, {}, Weights(rows * segments)};
    for (std::size_t cell = 0; cell < 6 * segments; ++cell) problem.table.push_back(static_cast<std::int64_t>(random.below(300)));
    assay::swap_weights(first, rows, {segments, seed}, 1, problem.weights.data());
    const assay::IntegerTable table(problem.table.data(), {2, segments, 3});
    for (const int threads : {1, 3}) {
      std::vector<std::int64_t> totals(6 * rows);
      Sums sums;
      sums.push_back(assay::TableSum<assay::IntegerTable>(table, rows, totals.data()));
      assay::weighted_sums<assay::SwapRows>(sums, {{segments, seed}, first}, rows, threads);
      CHECK_EQUAL(totals, fast(problem, 1), segments);
    }
  }
}

void shards_continue(Random& random) {
  const std::size_t segments = 2 * assay::kChunk + 77, cut = assay::kChunk, rows = 3;
  Problem<double> whole{{1, segments, 1, rows}, {}, {}};
  for (std::size_t i = 0; i < segments; ++i) whole.table.push_back(1.0 / static_cast<double>(random.between(1, 999)));
  for (std::size_t i = 0; i < rows * segments; ++i) whole.weights.push_back(random_weight(random, 3));
  std::vector<double> totals(rows);
  for (const auto& [begin, end] : {std::pair(std::size_t{0}, cut), std::pair(cut, segments)}) {
    const assay::RealTable table(whole.table.data() + begin, {1, end - begin, 1});
    Weights weights;
    for (std::size_t row = 0; row < rows; ++row)
      weights.insert(weights.end(), &whole.weights[row * segments + begin], &whole.weights[row * segments] + end);
    Sums sums;
    sums.push_back(assay::TableSum<assay::RealTable>(table, rows, totals.data()));
    assay::weighted_sums<assay::WeightMatrix>(sums, {weights.data(), end - begin}, rows, 1);
  }
  CHECK_EQUAL(totals, fast(whole, 1));
}

// Nothing to sum: every total is zero, or there are no totals.
void empty_problems() {
  for (const Shape& shape :
       {Shape{0, 3, 2, 2}, Shape{2, 3, 0, 2}, Shape{2, 3, 2, 0}, Shape{2, 0, 2, 2}}) {
    check_integers({shape, std::vector<std::int64_t>(shape.systems * shape.segments * shape.columns, 5),
                    Weights(shape.rows * shape.segments, 3)});
    check_reals({shape, std::vector<double>(shape.systems * shape.segments * shape.columns, 0.5),
                 Weights(shape.rows * shape.segments, 3)},
                false);
  }
}

}  // namespace

int main() {
  Random random(8);
  limits_of_the_16_bit_path();
  limits_of_64_bits();
  random_integers(random);
  random_reals(random);
  real_sums_around_blocks(random);
  bootstrap_sums(random);
  swap_sums(random);
  shards_continue(random);
  empty_problems();
  return check::finish("sums");
}
