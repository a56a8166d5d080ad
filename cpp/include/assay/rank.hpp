// Counts concordant, discordant and tied pairs of two score vectors, for Kendall's tau and related statistics.
//
// Items i, j of a group are tied in x if |x_i - x_j| <= epsilon (in double arithmetic) and in y if y_i = y_j. Short
// vectors compare all pairs, several groups at once, in O(n^2). Long vectors are processed in order of x: items that are
// more than epsilon below the current one enter a tree of counts over the ranks of y, O(n log n). This follows Knight
// (1966), whose merge sort cannot handle epsilon. All counts are exact integers. Before that, numbers that differ only by
// rounding become equal (see merge_classes).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "assay/parallel.hpp"
#include "assay/processor.hpp"

namespace assay {

struct PairCounts {
  std::int64_t concordant = 0, discordant = 0, tied_x = 0, tied_y = 0, tied_both = 0;  // tied_x: tied in x only

  bool operator==(const PairCounts&) const = default;
};

// Sorts doubles, each with a payload: a least-significant-digit radix sort on the leading bits in which they differ, 11 bits
// at a time; the few that agree in all of those bits are then sorted by comparison.
class RadixSort {
 public:
  struct Item {
    std::uint64_t key;
    std::uint32_t payload;
  };

  // Keys have the same order as the numbers; -0 equals 0. Branchless, because signs are unpredictable.
  static std::uint64_t key(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
    return bits ^ (all_ones_if_negative(bits) | kSign);
  }

  static double number(std::uint64_t key) { return std::bit_cast<double>(key ^ (all_ones_if_negative(~key) | kSign)); }

  void operator()(std::vector<Item>& items) {
    std::uint64_t high = 0;
    low_ = ~high;
    for (const Item& item : items) {
      low_ = std::min(low_, item.key);
      high = std::max(high, item.key);
    }
    shift_ = std::max(0, static_cast<int>(std::bit_width(high - low_)) - kLeading);
    for (auto& digits : starts_) digits.fill(0);
    for (const Item& item : items)
      for (int d = 0; d < kDigits; ++d) ++starts_[d][digit(item, d)];
    spare_.resize(items.size());
    for (int d = 0; d < kDigits; ++d) {
      auto& starts = starts_[d];
      if (items.empty() || starts[digit(items[0], d)] == items.size()) continue;  // all equal in this digit
      std::uint32_t sum = 0;
      for (auto& start : starts) sum += std::exchange(start, sum);
      checkpoint(static_cast<std::int64_t>(8 * items.size()));
      for (const Item& item : items) spare_[starts[digit(item, d)]++] = item;
      items.swap(spare_);
    }
    if (shift_ > 0) finish(items);
  }

 private:
  static constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  static constexpr int kBits = 11, kDigits = 3, kLeading = kBits * kDigits;

  static std::uint64_t all_ones_if_negative(std::uint64_t bits) { return -(bits >> 63); }
  std::size_t digit(const Item& item, int d) const { return leading(item) >> (d * kBits) & ((1u << kBits) - 1); }
  std::uint64_t leading(const Item& item) const { return (item.key - low_) >> shift_; }

  void finish(std::vector<Item>& items) const {
    for (std::size_t i = 1; i < items.size(); ++i) {
      if (items[i - 1].key <= items[i].key) continue;
      std::size_t first = i - 1, last = i;
      while (first > 0 && leading(items[first - 1]) == leading(items[i])) --first;
      while (last < items.size() && leading(items[last]) == leading(items[i])) ++last;
      std::sort(items.begin() + static_cast<std::ptrdiff_t>(first), items.begin() + static_cast<std::ptrdiff_t>(last),
                [](const Item& one, const Item& other) { return one.key < other.key; });
      i = last;
    }
  }

  std::array<std::array<std::uint32_t, 1u << kBits>, kDigits> starts_;
  std::uint64_t low_ = 0;
  int shift_ = 0;
  std::vector<Item> spare_;
};

// Sorted neighbours at most `tolerance` times the largest absolute number apart are of one class, and every class gets its
// lowest number. Returns whether anything changed.
inline bool merge_classes(std::span<RadixSort::Item> sorted, double tolerance) {
  if (sorted.empty()) return false;
  double last = RadixSort::number(sorted.front().key);
  const double bound = tolerance * std::max(std::abs(last), std::abs(RadixSort::number(sorted.back().key)));
  bool has_changed = false;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double here = RadixSort::number(sorted[i].key);
    const std::uint64_t key = here - last <= bound ? sorted[i - 1].key : sorted[i].key;
    has_changed |= here > last && here - last <= bound;
    sorted[i].key = key;
    last = here;
  }
  return has_changed;
}

// Counts how many of the inserted ranks are lower than a given one. A tree with sixteen branches per node; each branch
// stores how many ranks were inserted into the branches before it.
class LowerRanks {
 public:
  void reset(std::size_t ranks) {
    levels_.clear();
    do levels_.emplace_back(ranks = (ranks + kBranches - 1) / kBranches * kBranches, 0);
    while ((ranks /= kBranches) > 1);
  }

  void insert(std::uint32_t rank) {
    for (auto& level : levels_) {
      std::uint32_t* const node = level.data() + (rank & ~(kBranches - 1));
      const auto mine = static_cast<std::int32_t>(rank & (kBranches - 1));  // signed, because vector comparisons are signed
      for (std::int32_t branch = 0; branch < std::int32_t{kBranches}; ++branch) node[branch] += branch > mine;
      rank /= kBranches;
    }
  }

  std::int64_t operator()(std::uint32_t rank) const {
    std::int64_t sum = 0;
    for (const auto& level : levels_) {
      sum += level[rank];
      rank /= kBranches;
    }
    return sum;
  }

 private:
  static constexpr std::uint32_t kBranches = 16;
  std::vector<std::vector<std::uint32_t>> levels_;
};

// Counts of one long vector. Owns its memory, which is reused for the next vector.
class LongPairCounter {
 public:
  PairCounts operator()(std::span<const double> x, std::span<const double> y, double epsilon, double tolerance) {
    const std::int64_t pairs_tied_in_y = rank(y, tolerance);
    items_.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) items_[i] = {RadixSort::key(x[i]), ranks_[i]};
    sort_(items_);
    merge_classes(items_, tolerance);
    PairCounts counts;
    std::int64_t pairs_tied_in_x = 0;
    std::size_t below = 0;  // items before this index are more than epsilon below the current one, and in the tree
    Progress progress;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      progress.spend(64);
      const double here = RadixSort::number(items_[i].key);
      while (here - RadixSort::number(items_[below].key) > epsilon) insert(items_[below++].payload);
      const std::uint32_t mine = items_[i].payload;
      const std::int64_t lower = lower_than_(mine), equal = present_[mine], inserted = static_cast<std::int64_t>(below);
      counts.concordant += lower;
      counts.discordant += inserted - lower - equal;
      counts.tied_y += equal;
      pairs_tied_in_x += static_cast<std::int64_t>(i) - inserted;
    }
    counts.tied_both = pairs_tied_in_y - counts.tied_y;
    counts.tied_x = pairs_tied_in_x - counts.tied_both;
    return counts;
  }

 private:
  // Fills ranks_ (from 0, equal values share a rank) and empties the tree. Returns the number of equal pairs.
  std::int64_t rank(std::span<const double> y, double tolerance) {
    items_.resize(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) items_[i] = {RadixSort::key(y[i]), static_cast<std::uint32_t>(i)};
    sort_(items_);
    merge_classes(items_, tolerance);
    ranks_.resize(y.size());
    std::uint32_t rank = 0;
    std::int64_t run = 0, pairs = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const bool is_new = i > 0 && items_[i].key != items_[i - 1].key;
      rank += is_new;
      run = is_new ? 0 : run;
      pairs += run++;
      ranks_[items_[i].payload] = rank;
    }
    lower_than_.reset(std::size_t{rank} + 1);
    present_.assign(std::size_t{rank} + 1, 0);
    return pairs;
  }

  void insert(std::uint32_t rank) {
    ++present_[rank];
    lower_than_.insert(rank);
  }

  RadixSort sort_;
  std::vector<RadixSort::Item> items_;
  std::vector<std::uint32_t> ranks_, present_;
  LowerRanks lower_than_;
};

// Counts of four groups of short vectors at once, one in each lane of a vector register.
class ShortPairCounter {
 public:
  static constexpr std::size_t kLanes = 4;
  using Counts = std::array<PairCounts, kLanes>;

  explicit ShortPairCounter(std::size_t items) : items_(items), x_(items * kLanes), y_(items * kLanes) {}

  void put(std::size_t lane, std::size_t item, double x, double y) {
    x_[item * kLanes + lane] = x;
    y_[item * kLanes + lane] = y;
  }

  // A missing item is NaN, and every comparison with NaN is false.
  void leave_out(std::size_t lane, std::size_t item) {
    put(lane, item, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN());
  }

  // Whether two different numbers of a lane are of one class (see merge_classes).
  bool has_classes(double tolerance) const {
#ifdef ASSAY_HAS_AVX2_TARGET
    if (has_avx2()) return has_classes_avx2(tolerance);
#endif
    return has_classes_inlined(tolerance);
  }

  // `pairs`: (item, item), which pairs count, or null for all.
  Counts operator()(double epsilon, const bool* pairs) const {
#ifdef ASSAY_HAS_AVX2_TARGET
    if (has_avx2()) return count_avx2(epsilon, pairs);
#endif
    return count(epsilon, pairs);
  }

 private:
  typedef double Reals __attribute__((vector_size(32)));
  typedef std::int64_t Words __attribute__((vector_size(32)));

#ifdef ASSAY_HAS_AVX2_TARGET
  [[gnu::target("avx2")]] bool has_classes_avx2(double tolerance) const { return has_classes_inlined(tolerance); }
  [[gnu::target("avx2")]] Counts count_avx2(double epsilon, const bool* pairs) const { return count(epsilon, pairs); }
#endif

  [[gnu::always_inline]] bool has_classes_inlined(double tolerance) const {
    return has_classes_inlined(x_, tolerance) || has_classes_inlined(y_, tolerance);
  }

  [[gnu::always_inline]] bool has_classes_inlined(const std::vector<double>& values, double tolerance) const {
    const Reals zero{};
    Reals bound = zero, value, other;
    for (std::size_t i = 0; i < items_; ++i) {
      load(values, i, value);
      bound = value > bound ? value : bound;
      bound = -value > bound ? -value : bound;
    }
    bound *= tolerance;
    Words found{};
    for (std::size_t i = 0; i < items_; ++i) {
      load(values, i, value);
      for (std::size_t j = i + 1; j < items_; ++j) {
        load(values, j, other);
        const Reals difference = value - other;
        found |= (difference <= bound) & (difference >= -bound) & (difference != zero);
      }
    }
    return (found[0] | found[1] | found[2] | found[3]) != 0;
  }

  [[gnu::always_inline]] Counts count(double epsilon, const bool* pairs) const {
    const Reals zero{}, threshold = zero + epsilon;
    Words all{}, apart_x{}, apart_y{}, apart{}, discordant{};  // a true comparison is -1
    for (std::size_t i = 0; i < items_; ++i) {
      Reals x, y;
      load(x_, i, x);
      load(y_, i, y);
      for (std::size_t j = i + 1; j < items_; ++j) {
        if (pairs != nullptr && !pairs[i * items_ + j]) continue;
        Reals other_x, other_y;
        load(x_, j, other_x);
        load(y_, j, other_y);
        const Reals dx = x - other_x, dy = y - other_y;
        const Words y_is_up = dy > zero;
        const Words x_differs = (dx > threshold) | (dx < -threshold), y_differs = y_is_up | (dy < zero);
        const Words differ = x_differs & y_differs;
        all -= dx == dx;
        apart_x -= x_differs;
        apart_y -= y_differs;
        apart -= differ;
        discordant -= differ & ((dx > zero) ^ y_is_up);
      }
    }
    Counts counts;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      counts[lane] = {apart[lane] - discordant[lane], discordant[lane], apart_y[lane] - apart[lane],
                      apart_x[lane] - apart[lane], all[lane] - apart_x[lane] - apart_y[lane] + apart[lane]};
    return counts;
  }

  // Not a return value, because the calling convention for 32 bytes depends on the processor.
  [[gnu::always_inline]] static void load(const std::vector<double>& values, std::size_t item, Reals& lanes) {
    std::memcpy(&lanes, values.data() + item * kLanes, sizeof lanes);
  }

  std::size_t items_;
  std::vector<double> x_, y_;  // (item, lane)
};

struct PairCountInput {
  const double *x, *y;  // (group, item), finite where the mask is set
  const bool* mask;     // (group, item)
  const bool* pairs;    // (item, item), symmetric: which pairs count; null: all
  std::size_t groups, items;
  double tolerance = 0;  // numbers at most this share of the largest absolute one of their group apart are equal
};

namespace detail {

inline constexpr std::size_t kLongItems = 128;  // from this size on, sorting is faster than comparing all pairs

// A copy of a row of numbers with classes merged; only cells in the mask are read.
class MergedRow {
 public:
  const double* operator()(const double* row, const bool* mask, std::size_t size, double tolerance) {
    items_.clear();
    for (std::size_t i = 0; i < size; ++i)
      if (mask[i]) items_.push_back({RadixSort::key(row[i]), static_cast<std::uint32_t>(i)});
    std::sort(items_.begin(), items_.end(), [](const auto& one, const auto& other) { return one.key < other.key; });
    if (!merge_classes(items_, tolerance)) return row;
    values_.assign(row, row + size);
    for (const auto& item : items_) values_[item.payload] = RadixSort::number(item.key);
    return values_.data();
  }

 private:
  std::vector<RadixSort::Item> items_;
  std::vector<double> values_;
};

inline void count_short(const PairCountInput& in, double epsilon, int threads, PairCounts* counts) {
  constexpr std::size_t lanes = ShortPairCounter::kLanes;
  parallel_blocks((in.groups + lanes - 1) / lanes, 16, threads, [&] {
    return [&, counter = ShortPairCounter(in.items), merged_x = MergedRow(), merged_y = MergedRow(), progress = Progress()](
               std::size_t first, std::size_t last) mutable {
      for (std::size_t group = first * lanes; group < std::min(last * lanes, in.groups); group += lanes) {
        const std::size_t filled = std::min(lanes, in.groups - group);
        progress.spend(static_cast<std::int64_t>(in.items * in.items));
        for (std::size_t lane = 0; lane < lanes; ++lane)
          for (std::size_t item = 0; item < in.items; ++item) {
            const std::size_t cell = (group + lane) * in.items + item;
            if (lane < filled && in.mask[cell])
              counter.put(lane, item, in.x[cell], in.y[cell]);
            else
              counter.leave_out(lane, item);
          }
        if (in.tolerance > 0 && counter.has_classes(in.tolerance))
          for (std::size_t lane = 0; lane < filled; ++lane) {
            const std::size_t row = (group + lane) * in.items;
            const double* const x = merged_x(in.x + row, in.mask + row, in.items, in.tolerance);
            const double* const y = merged_y(in.y + row, in.mask + row, in.items, in.tolerance);
            for (std::size_t item = 0; item < in.items; ++item)
              if (in.mask[row + item]) counter.put(lane, item, x[item], y[item]);
          }
        const auto found = counter(epsilon, in.pairs);
        std::copy_n(found.begin(), filled, counts + group);
      }
    };
  });
}

inline void count_long(const PairCountInput& in, double epsilon, int threads, PairCounts* counts) {
  parallel_blocks(in.groups, 1, threads, [&] {
    return [&, counter = LongPairCounter(), x = std::vector<double>(), y = std::vector<double>()](
               std::size_t first, std::size_t last) mutable {
      for (std::size_t group = first; group < last; ++group) {
        const std::size_t row = group * in.items;
        if (std::all_of(in.mask + row, in.mask + row + in.items, [](bool is_set) { return is_set; })) {
          counts[group] = counter({in.x + row, in.items}, {in.y + row, in.items}, epsilon, in.tolerance);
          continue;
        }
        x.clear();
        y.clear();
        for (std::size_t cell = row; cell < row + in.items; ++cell) {
          if (!in.mask[cell]) continue;
          x.push_back(in.x[cell]);
          y.push_back(in.y[cell]);
        }
        counts[group] = counter(x, y, epsilon, in.tolerance);
      }
    };
  });
}

}  // namespace detail

// One count per group. epsilon >= 0. Fewer than 2^32 items, so that no count of pairs can overflow.
inline void pair_counts(const PairCountInput& in, double epsilon, int threads, PairCounts* counts) {
  if (!(epsilon >= 0)) throw std::invalid_argument("epsilon must not be negative");
  if (in.items > 0xFFFFFFFFu) throw std::invalid_argument("a group must have fewer than 2^32 items");
  if (in.items >= detail::kLongItems && in.pairs == nullptr)
    detail::count_long(in, epsilon, threads, counts);
  else
    detail::count_short(in, epsilon, threads, counts);
}

}  // namespace assay
