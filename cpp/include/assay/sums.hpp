// Weighted sums of a statistics table: totals[system][row of weights][column] = sum of weight x statistic.
//
// Integer tables are summed exactly: as 16-bit products in 32-bit lanes if the bounds prove that nothing can overflow,
// otherwise in 64 bits. Real tables are summed lane by lane within blocks of kSumBlock segments, and then block by block.
// This order does not depend on threads, and shards that end at block boundaries can continue it.
// Cost: O(rows x segments x columns).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "assay/parallel.hpp"

namespace assay {

inline constexpr std::size_t kSumBlock = 1024;

struct SumShape {
  std::size_t systems, segments, columns, rows;
};

// (system, segment, column) -> (system, column, segment), so that sums read contiguous memory.
template <class Out, class In>
std::vector<Out> column_major(const In* table, std::size_t systems, std::size_t segments, std::size_t columns) {
  std::vector<Out> out(systems * segments * columns);
  for (std::size_t s = 0; s < systems; ++s)
    for (std::size_t i = 0; i < segments; ++i)
      for (std::size_t k = 0; k < columns; ++k) out[(s * columns + k) * segments + i] = static_cast<Out>(*table++);
  return out;
}

class RealTable {
 public:
  using Total = double;

  RealTable(const double* table, std::size_t systems, std::size_t segments, std::size_t columns)
      : values_(column_major<double>(table, systems, segments, columns)), segments_(segments), columns_(columns) {}

  // emit(system, column, sum) for one row of weights.
  template <class Emit>
  void sum(const std::uint32_t* weights, Emit emit) const {
    thread_local std::vector<double> real_weights;
    real_weights.resize(segments_);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < segments_; ++i) {
      bits |= weights[i];
      real_weights[i] = static_cast<std::int32_t>(weights[i]);  // signed, because processors convert signed integers faster
    }
    if (bits >> 31 != 0) std::copy_n(weights, segments_, real_weights.begin());
    for (std::size_t c = 0; c < values_.size() / segments_; ++c)
      emit(c / columns_, c % columns_, dot(real_weights.data(), &values_[c * segments_]));
  }

 private:
  typedef double Pair __attribute__((vector_size(16)));

  static Pair load(const double* values) {
    Pair pair;
    std::memcpy(&pair, values, sizeof pair);
    return pair;
  }

  // Eight partial sums, added up in order at the end of each block.
  double dot(const double* weights, const double* values) const {
    double total = 0;
    for (std::size_t begin = 0; begin < segments_; begin += kSumBlock) {
      const std::size_t end = std::min(segments_, begin + kSumBlock);
      Pair a{}, b{}, c{}, d{};
      std::size_t i = begin;
      for (; i + 8 <= end; i += 8) {
        a += load(weights + i) * load(values + i);
        b += load(weights + i + 2) * load(values + i + 2);
        c += load(weights + i + 4) * load(values + i + 4);
        d += load(weights + i + 6) * load(values + i + 6);
      }
      std::array<double, 8> lanes{a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]};
      for (std::size_t lane = 0; i < end; ++i, ++lane) lanes[lane] += weights[i] * values[i];
      double block = 0;
      for (const double lane : lanes) block += lane;
      total += block;
    }
    return total;
  }

  std::vector<double> values_;
  std::size_t segments_, columns_;
};

class IntegerTable {
 public:
  using Total = std::int64_t;

  IntegerTable(const std::int64_t* table, std::size_t systems, std::size_t segments, std::size_t columns)
      : segments_(segments), columns_(columns) {
    std::int64_t largest = 0, smallest = 0;
    for (std::size_t i = 0; i < systems * segments * columns; ++i) {
      largest = std::max(largest, table[i]);
      smallest = std::min(smallest, table[i]);
    }
    magnitude_ = std::max(static_cast<std::uint64_t>(largest), 0 - static_cast<std::uint64_t>(smallest));
    if (magnitude_ <= kNarrow) narrow_ = column_major<std::int16_t>(table, systems, segments, columns);
    else wide_ = column_major<std::int64_t>(table, systems, segments, columns);
  }

  // emit(system, column, sum) for one row of weights.
  template <class Emit>
  void sum(const std::uint32_t* weights, Emit emit) const {
    thread_local std::vector<std::int16_t> narrow_weights;
    narrow_weights.resize(segments_);
    std::int16_t* const narrow = narrow_weights.data();
    std::uint32_t bits = 0, drawn_narrow = 0;
    for (std::size_t i = 0; i < segments_; ++i) {
      bits |= weights[i];
      drawn_narrow += weights[i];
      narrow[i] = static_cast<std::int16_t>(weights[i]);
    }
    std::uint64_t drawn = drawn_narrow;
    if (bits > kNarrow || segments_ > kMaxNarrowSegments) {  // the 32-bit sum may have wrapped
      drawn = 0;
      for (std::size_t i = 0; i < segments_; ++i) drawn += weights[i];
    }
    if (drawn != 0 && magnitude_ > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / drawn)
      throw std::overflow_error("the statistics are too large to be summed in 64 bits");
    if (bits <= kNarrow && magnitude_ <= kNarrow && drawn * magnitude_ <= std::numeric_limits<std::int32_t>::max())
      sum_columns<std::int32_t>(narrow, narrow_, emit);
    else if (magnitude_ <= kNarrow)
      sum_columns<std::int64_t>(weights, narrow_, emit);
    else
      sum_columns<std::int64_t>(weights, wide_, emit);
  }

 private:
  static constexpr std::uint64_t kNarrow = std::numeric_limits<std::int16_t>::max();
  static constexpr std::size_t kMaxNarrowSegments = std::size_t{1} << 17;  // times kNarrow still fits in 32 bits

  // Two columns at a time share the loads of the weights.
  template <class Accumulator, class Weight, class Value, class Emit>
  void sum_columns(const Weight* weights, const std::vector<Value>& columns, Emit emit) const {
    const std::size_t count = columns.size() / segments_;
    for (std::size_t c = 0; c < count; c += 2) {
      const Value* const first = &columns[c * segments_];
      const Value* const second = c + 1 < count ? first + segments_ : first;
      Accumulator first_sum = 0, second_sum = 0;
      for (std::size_t i = 0; i < segments_; ++i) {
        first_sum += Accumulator{weights[i]} * first[i];
        second_sum += Accumulator{weights[i]} * second[i];
      }
      emit(c / columns_, c % columns_, std::int64_t{first_sum});
      if (c + 1 < count) emit((c + 1) / columns_, (c + 1) % columns_, std::int64_t{second_sum});
    }
  }

  std::vector<std::int16_t> narrow_;  // the table, if its values fit;
  std::vector<std::int64_t> wide_;    // otherwise here
  std::size_t segments_, columns_;
  std::uint64_t magnitude_ = 0;
};

// Processes one row of weights after another.
template <class Table>
void weighted_sums(const Table& table, const std::uint32_t* weights, const SumShape& shape, int threads,
                   typename Table::Total* totals) {
  if (shape.segments == 0) return;
  parallel_blocks(shape.rows, 4, threads, [&] {
    return [&](std::size_t first, std::size_t last) {
      for (std::size_t b = first; b < last; ++b)
        table.sum(weights + b * shape.segments, [&](std::size_t system, std::size_t column, auto sum) {
          totals[(system * shape.rows + b) * shape.columns + column] = sum;
        });
    };
  });
}

inline void weighted_sums(const double* table, const std::uint32_t* weights, const SumShape& shape, int threads,
                          double* totals) {
  weighted_sums(RealTable(table, shape.systems, shape.segments, shape.columns), weights, shape, threads, totals);
}

inline void weighted_sums(const std::int64_t* table, const std::uint32_t* weights, const SumShape& shape, int threads,
                          std::int64_t* totals) {
  weighted_sums(IntegerTable(table, shape.systems, shape.segments, shape.columns), weights, shape, threads, totals);
}

}  // namespace assay
