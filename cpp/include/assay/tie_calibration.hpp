// Tie calibration (Deutsch, Foster & Freitag 2023): the smallest epsilon with the highest accuracy, if metric differences of at
// most epsilon count as ties.
//
// When epsilon reaches the difference of a pair, the pair becomes a tie. This gains the weight of its group if the human
// scores are tied, loses it if the pair was concordant, and changes nothing if it was discordant. The best epsilon is where
// the running sum of gains minus losses, in order of differences, first reaches its maximum. Instead of sorting all pairs,
// the code counts them in buckets of differences and examines only the buckets that can contain the maximum. All sums are
// integers. Cost: O(pairs), plus sorting the examined pairs. Equal differences are merged on the fly, so memory grows only
// with the number of distinct differences in these buckets, which is small for a metric with few distinct scores.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/rank.hpp"

namespace assay {

namespace detail {

// Calls emit(group, |x_i - x_j|, whether y ties, whether the pair is concordant) for every pair that counts. Branchless,
// because branches would be unpredictable.
template <class Emit>
void each_pair(const PairCountInput& in, Emit emit) {
  std::vector<double> x, y;
  std::vector<std::size_t> items;
  Progress progress;
  for (std::size_t group = 0; group < in.groups; ++group) {
    x.clear();
    y.clear();
    items.clear();
    for (std::size_t item = 0, cell = group * in.items; item < in.items; ++item, ++cell) {
      if (!in.mask[cell]) continue;
      x.push_back(in.x[cell]);
      y.push_back(in.y[cell]);
      items.push_back(item);
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      progress.spend(static_cast<std::int64_t>(4 * (x.size() - i)));
      for (std::size_t j = i + 1; j < x.size(); ++j) {
        if (in.pairs != nullptr && !in.pairs[items[i] * in.items + items[j]]) continue;
        const double dx = x[i] - x[j], dy = y[i] - y[j];
        emit(group, std::fabs(dx), dy == 0, ((dx > 0) & (dy > 0)) | ((dx < 0) & (dy < 0)));
      }
    }
  }
}

}  // namespace detail

class TieCalibration {
 public:
  // weights: one per group; their sum over all pairs must fit in 64 bits. room: the number of differences to keep before
  // merging equal ones.
  TieCalibration(const PairCountInput& in, const std::int64_t* weights, std::size_t room = 1 << 20)
      : in_(in), weights_(weights), room_(room) {
    const double widest = widest_difference(), per_unit = kBuckets / widest;
    per_unit_ = std::isfinite(widest) && std::isfinite(per_unit) ? per_unit : 0;  // otherwise use a single bucket
  }

  double best_epsilon() const {
    std::vector<Bucket> buckets(kBuckets);
    std::int64_t at_zero = 0;
    each_pair([&](double difference, std::int64_t gain, std::int64_t loss) {
      Bucket& here = buckets[bucket(difference)];
      here.gain += gain;
      here.change += gain - loss;
      if (difference == 0) at_zero += gain;
    });
    std::int64_t sum = 0, reached = at_zero;
    for (const Bucket& b : buckets) reached = std::max(reached, sum += b.change);
    sum = 0;
    for (Bucket& b : buckets) {
      b.is_open = b.gain > 0 && sum + b.gain >= reached;
      sum += b.change;
    }
    return first_highest(buckets, at_zero);
  }

 private:
  static constexpr std::size_t kBuckets = 4096;

  struct Bucket {
    std::int64_t gain = 0, change = 0;
    bool is_open = false;  // may contain the maximum
  };

  struct Change {
    double difference;
    std::int64_t by;
  };

  // Multiplying and rounding down preserve the order. An infinite difference times 0 is NaN, which goes to the last bucket.
  std::size_t bucket(double difference) const {
    return static_cast<std::size_t>(
        static_cast<std::int64_t>(std::min(static_cast<double>(kBuckets - 1), difference * per_unit_)));
  }

  double first_highest(const std::vector<Bucket>& buckets, std::int64_t at_zero) const {
    std::vector<Change> changes;
    std::size_t room = room_;
    each_pair([&](double difference, std::int64_t gain, std::int64_t loss) {
      if (!buckets[bucket(difference)].is_open) return;
      changes.push_back({difference, gain - loss});
      if (changes.size() < room) return;
      add_up(changes);
      room = std::max(room_, 2 * changes.size());
    });
    add_up(changes);
    double best = 0;
    std::int64_t highest = at_zero, sum = 0;
    std::size_t passed = 0;  // buckets below the current one; those that are not open are added as a whole
    for (const Change& change : changes) {
      for (const std::size_t here = bucket(change.difference); passed < here; ++passed)
        if (!buckets[passed].is_open) sum += buckets[passed].change;
      sum += change.by;
      if (sum <= highest) continue;
      highest = sum;
      best = change.difference;
    }
    return best;
  }

  // Sorts, and merges equal differences.
  static void add_up(std::vector<Change>& changes) {
    std::sort(changes.begin(), changes.end(),
              [](const Change& a, const Change& b) { return a.difference < b.difference; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < changes.size(); ++i) {
      if (changes[i].difference == changes[last].difference)
        changes[last].by += changes[i].by;
      else
        changes[++last] = changes[i];
    }
    if (!changes.empty()) changes.resize(last + 1);
  }

  template <class Emit>
  void each_pair(Emit emit) const {
    detail::each_pair(in_, [&](std::size_t group, double difference, bool is_tied, bool is_concordant) {
      emit(difference, weights_[group] & -static_cast<std::int64_t>(is_tied),
           weights_[group] & -static_cast<std::int64_t>(is_concordant));
    });
  }

  double widest_difference() const {
    double widest = 0;
    for (std::size_t group = 0; group < in_.groups; ++group) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t cell = group * in_.items; cell < (group + 1) * in_.items; ++cell) {
        if (!in_.mask[cell]) continue;
        low = std::min(low, in_.x[cell]);
        high = std::max(high, in_.x[cell]);
      }
      if (high >= low) widest = std::max(widest, high - low);
    }
    return widest;
  }

  PairCountInput in_;
  const std::int64_t* weights_;
  std::size_t room_;
  double per_unit_;
};

}  // namespace assay
