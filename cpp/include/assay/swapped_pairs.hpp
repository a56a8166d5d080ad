// Kendall's tau and pairwise accuracy by group after scores were swapped between two metrics, for all pairs of metrics.
//
// A swap gives the first metric's score of an item to the second metric and back. Whether two items are concordant then
// depends on both their coins: for coins s and t it is one of four bits, aa, ab, ba or bb. As a polynomial over bits,
//   aa ^ s (aa ^ ba) ^ t (aa ^ ab) ^ s t (aa ^ ab ^ ba ^ bb),
// so that 64 pairs of items are counted with three ANDs, three XORs and one population count. The words of s, t and s t
// are the same for all pairs of metrics. Cost: O(pairs of metrics x resamples x groups x items^2 / 64).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/parallel.hpp"
#include "assay/processor.hpp"

namespace assay {

enum class PairStatistic { tau_a, tau_b, accuracy };

struct SwappedScores {
  const double* metrics;   // (metric, group, item), on a common scale
  const double* human;     // (group, item)
  const bool* mask;        // (group, item)
  const bool* pairs;       // (item, item): which pairs of items count; null: all
  const double* weights;   // of each group in the mean
  const bool* swaps;       // (resample, group, item)
  std::size_t metric_count, groups, items, resamples;
};

inline constexpr std::size_t kMaxSwappedItems = 64;

namespace detail {

inline std::size_t words_of_pairs(std::size_t items) { return (items * (items - 1) / 2 + 63) / 64; }

// The coins of one group, spread over pairs of items: three planes (s, t, s t) of (word, resample).
class PairCoins {
 public:
  PairCoins(std::size_t items, std::size_t resamples)
      : items_(items), words_(words_of_pairs(items)), resamples_(resamples), planes_(3 * words_ * resamples) {}

  // `swaps` is that of the first resample of the group; resamples are `stride` apart.
  void spread(const bool* swaps, std::size_t stride) {
    std::vector<std::uint64_t> first(words_), second(words_);
    for (std::size_t r = 0; r < resamples_; ++r, swaps += stride) {
      std::uint64_t coins = 0;
      for (std::size_t i = 0; i < items_; ++i) coins |= static_cast<std::uint64_t>(swaps[i]) << i;
      std::fill(first.begin(), first.end(), 0);
      std::fill(second.begin(), second.end(), 0);
      std::size_t at = 0;
      for (std::size_t i = 0; i + 1 < items_; ++i) {
        const std::size_t length = items_ - 1 - i;
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - length);
        if (coins >> i & 1u) put(first, at, all, length);
        put(second, at, coins >> (i + 1) & all, length);
        at += length;
      }
      for (std::size_t w = 0; w < words_; ++w) {
        planes_[w * resamples_ + r] = first[w];
        planes_[(words_ + w) * resamples_ + r] = second[w];
        planes_[(2 * words_ + w) * resamples_ + r] = first[w] & second[w];
      }
    }
  }

  const std::uint64_t* plane(std::size_t which, std::size_t word) const {
    return &planes_[(which * words_ + word) * resamples_];
  }

 private:
  static void put(std::vector<std::uint64_t>& words, std::size_t at, std::uint64_t bits, std::size_t length) {
    words[at / 64] |= bits << (at % 64);
    if (at % 64 + length > 64) words[at / 64 + 1] |= bits >> (64 - at % 64);
  }

  std::size_t items_, words_, resamples_;
  std::vector<std::uint64_t> planes_;
};

// One property of pairs of items, such as "concordant", under the four combinations of coins.
struct Property {
  std::vector<std::uint64_t> aa, ab, ba, bb;  // by word

  explicit Property(std::size_t words) : aa(words), ab(words), ba(words), bb(words) {}

  void clear() {
    for (auto* bits : {&aa, &ab, &ba, &bb}) std::fill(bits->begin(), bits->end(), 0);
  }
};

[[gnu::always_inline]] inline void count_inlined(const Property& property, const PairCoins& coins, std::size_t words,
                                                 std::size_t first, std::size_t last, std::int32_t* straight,
                                                 std::int32_t* crossed) {
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t aa = property.aa[w], ab = property.ab[w], ba = property.ba[w], bb = property.bb[w];
    const std::uint64_t *s = coins.plane(0, w), *t = coins.plane(1, w), *st = coins.plane(2, w);
    const std::uint64_t both = aa ^ ab ^ ba ^ bb;
    for (std::size_t r = first; r < last; ++r) {
      const std::uint64_t shared = st[r] & both;
      straight[r - first] += std::popcount(aa ^ (s[r] & (aa ^ ba)) ^ (t[r] & (aa ^ ab)) ^ shared);
      crossed[r - first] += std::popcount(bb ^ (s[r] & (bb ^ ab)) ^ (t[r] & (bb ^ ba)) ^ shared);
    }
  }
}

#ifdef ASSAY_HAS_AVX2_TARGET
[[gnu::target("avx2,popcnt")]] inline void count_avx2(const Property& property, const PairCoins& coins,
                                                      std::size_t words, std::size_t first, std::size_t last,
                                                      std::int32_t* straight, std::int32_t* crossed) {
  count_inlined(property, coins, words, first, last, straight, crossed);
}
#endif

// In how many pairs of items the first metric (`straight`) and the second (`crossed`) have a property after each resample.
inline void count(const Property& property, const PairCoins& coins, std::size_t words, std::size_t first,
                  std::size_t last, std::int32_t* straight, std::int32_t* crossed) {
#ifdef ASSAY_HAS_AVX2_TARGET
  if (has_avx2()) return count_avx2(property, coins, words, first, last, straight, crossed);
#endif
  count_inlined(property, coins, words, first, last, straight, crossed);
}

// Sums over groups of weight x value and of weight, by resample.
struct SwappedMeans {
  std::vector<double> values, weights;

  explicit SwappedMeans(std::size_t resamples) : values(resamples), weights(resamples) {}
  double mean(std::size_t resample) const {
    return weights[resample] > 0 ? values[resample] / weights[resample] : std::numeric_limits<double>::quiet_NaN();
  }
};

// Adds the values of a group to the means of two metrics.
class SwappedPairCounter {
 public:
  SwappedPairCounter(const SwappedScores& scores, PairStatistic statistic)
      : scores_(scores), statistic_(statistic), words_(words_of_pairs(scores.items)), concordant_(words_),
        discordant_(words_), untied_(words_), counts_(6 * kBlock) {
    for (std::size_t n = 1; n < roots_.size(); ++n) roots_[n] = 1 / std::sqrt(static_cast<double>(n));
  }

  void add(std::size_t group, const double* a, const double* b, const PairCoins& coins, SwappedMeans& straight,
           SwappedMeans& crossed) {
    compare(group, a, b);
    const std::int32_t all = preferences_ + ties_;
    if (all == 0 || (statistic_ == PairStatistic::tau_b && preferences_ == 0)) return;
    const double weight = scores_.weights[group];
    for (std::size_t first = 0; first < scores_.resamples; first += kBlock) {
      const std::size_t last = std::min(scores_.resamples, first + kBlock);
      std::fill(counts_.begin(), counts_.end(), 0);
      detail::count(concordant_, coins, words_, first, last, &counts_[0], &counts_[kBlock]);
      if (has_ties_) {
        detail::count(discordant_, coins, words_, first, last, &counts_[2 * kBlock], &counts_[3 * kBlock]);
        detail::count(untied_, coins, words_, first, last, &counts_[4 * kBlock], &counts_[5 * kBlock]);
      }
      add_values(weight, first, last, 0, straight);
      add_values(weight, first, last, 1, crossed);
    }
  }

 private:
  static constexpr std::size_t kBlock = 256;

  // The bits of all pairs of items: concordant, discordant, and apart in the metric where the human scores tie.
  void compare(std::size_t group, const double* a, const double* b) {
    for (Property* property : {&concordant_, &discordant_, &untied_}) property->clear();
    preferences_ = ties_ = 0;
    has_ties_ = false;
    const double* const human = scores_.human + group * scores_.items;
    const bool* const mask = scores_.mask + group * scores_.items;
    std::size_t at = 0;
    for (std::size_t i = 0; i < scores_.items; ++i)
      for (std::size_t j = i + 1; j < scores_.items; ++j, ++at) {
        if (!mask[i] || !mask[j] || (scores_.pairs != nullptr && !scores_.pairs[i * scores_.items + j])) continue;
        const int preference = (human[i] > human[j]) - (human[i] < human[j]);
        ++(preference == 0 ? ties_ : preferences_);
        const std::size_t word = at / 64;
        const int shift = static_cast<int>(at % 64);
        put(preference, a[i], a[j], &Property::aa, word, shift);
        put(preference, a[i], b[j], &Property::ab, word, shift);
        put(preference, b[i], a[j], &Property::ba, word, shift);
        put(preference, b[i], b[j], &Property::bb, word, shift);
      }
  }

  void put(int preference, double x, double y, std::vector<std::uint64_t> Property::* combination, std::size_t word,
           int shift) {
    const int order = (x > y) - (x < y);
    has_ties_ |= order == 0;
    const auto bit = [&](bool is_set) { return static_cast<std::uint64_t>(is_set) << shift; };
    (concordant_.*combination)[word] |= bit(order * preference > 0);
    (discordant_.*combination)[word] |= bit(order * preference < 0);
    (untied_.*combination)[word] |= bit(order != 0 && preference == 0);
  }

  void add_values(double weight, std::size_t first, std::size_t last, std::size_t side, SwappedMeans& means) const {
    const std::int32_t *concordant = &counts_[side * kBlock], *discordant = &counts_[(2 + side) * kBlock],
                       *untied = &counts_[(4 + side) * kBlock];
    const double all = preferences_ + ties_;
    if (!has_ties_) {  // the metric never ties: discordant = preferences - concordant, and a human tie is never right
      const double scale = statistic_ == PairStatistic::tau_b ? roots_[preferences_] * roots_[preferences_ + ties_]
                                                              : 1 / all;
      const double slope = statistic_ == PairStatistic::accuracy ? scale : 2 * scale;
      const double start = statistic_ == PairStatistic::accuracy ? 0 : -preferences_ * scale;
      for (std::size_t r = first; r < last; ++r) {
        means.values[r] += weight * (start + slope * concordant[r - first]);
        means.weights[r] += weight;
      }
      return;
    }
    for (std::size_t r = first; r < last; ++r) {
      const std::int32_t c = concordant[r - first], d = discordant[r - first], u = untied[r - first];
      if (statistic_ == PairStatistic::tau_b && c + d + u == 0) continue;  // the metric ties all items
      double value = 0;
      if (statistic_ == PairStatistic::accuracy) value = (c + ties_ - u) / all;
      else value = (c - d) * (statistic_ == PairStatistic::tau_b ? roots_[preferences_] * roots_[c + d + u] : 1 / all);
      means.values[r] += weight * value;
      means.weights[r] += weight;
    }
  }

  const SwappedScores& scores_;
  PairStatistic statistic_;
  std::size_t words_;
  Property concordant_, discordant_, untied_;
  std::int32_t preferences_ = 0, ties_ = 0;  // pairs of items whose human scores differ, and the others
  bool has_ties_ = false;                    // of the metrics, in any combination
  std::vector<std::int32_t> counts_;
  std::array<double, kMaxSwappedItems*(kMaxSwappedItems - 1) / 2 + 1> roots_{};  // 1 / sqrt(n)
};

}  // namespace detail

// differences: (pair of metrics, resample): the first metric's mean over groups minus the second's, after the resample.
// Pairs are (0, 1), (0, 2), ... NaN where a mean has no group.
inline void swapped_pairs(const SwappedScores& scores, PairStatistic statistic, int threads, double* differences) {
  std::vector<std::array<std::size_t, 2>> pairs;
  for (std::size_t i = 0; i < scores.metric_count; ++i)
    for (std::size_t j = i + 1; j < scores.metric_count; ++j) pairs.push_back({i, j});
  std::vector<detail::SwappedMeans> straight(pairs.size(), detail::SwappedMeans(scores.resamples));
  std::vector<detail::SwappedMeans> crossed = straight;
  // Coins of some groups at a time, so that they stay in cache; each pair adds the groups in order.
  constexpr std::size_t kGroups = 16;
  std::vector<detail::PairCoins> coins(std::min(kGroups, scores.groups), detail::PairCoins(scores.items, scores.resamples));
  const std::size_t cells = scores.groups * scores.items;
  for (std::size_t begin = 0; begin < scores.groups; begin += kGroups) {
    const std::size_t end = std::min(scores.groups, begin + kGroups);
    parallel_blocks(end - begin, 1, threads, [&] {
      return [&](std::size_t first, std::size_t last) {
        for (std::size_t g = first; g < last; ++g) coins[g].spread(scores.swaps + (begin + g) * scores.items, cells);
      };
    });
    parallel_blocks(pairs.size(), 1, threads, [&] {
      return [&, counter = detail::SwappedPairCounter(scores, statistic)](std::size_t first, std::size_t last) mutable {
        for (std::size_t p = first; p < last; ++p)
          for (std::size_t g = begin; g < end; ++g)
            counter.add(g, scores.metrics + pairs[p][0] * cells + g * scores.items,
                        scores.metrics + pairs[p][1] * cells + g * scores.items, coins[g - begin], straight[p], crossed[p]);
      };
    });
  }
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (std::size_t r = 0; r < scores.resamples; ++r)
      differences[p * scores.resamples + r] = straight[p].mean(r) - crossed[p].mean(r);
}

}  // namespace assay
