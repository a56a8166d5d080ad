// Tie calibration (see tie_calibration.hpp) of many resamples that draw whole groups.
//
// A resample changes only how often each group counts: the differences at which accuracy changes, and which group gains or
// loses a pair there, stay the same. So the pairs are sorted once, and each resample is one pass over them that adds up
// weights. Several resamples go through the pairs together, one in each lane of vector registers, in 32 bits if all sums
// fit. All sums are integers, so the result does not depend on threads or lanes. Cost: O(pairs log pairs) once, then
// O(pairs) per resample; 32 bytes for each pair that is not discordant while sorting, 16 afterwards.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "assay/parallel.hpp"
#include "assay/processor.hpp"
#include "assay/rank.hpp"
#include "assay/tie_calibration.hpp"

namespace assay {

class TieSteps {
 public:
  explicit TieSteps(const PairCountInput& in) : groups_(in.groups), steps_of_group_(in.groups), hits_at_zero_(in.groups) {
    if (in.groups >= std::size_t{1} << 31) throw std::invalid_argument("there must be fewer than 2^31 groups");
    std::vector<RadixSort::Item> steps;
    detail::each_pair(in, [&](std::size_t group, double difference, bool is_tied, bool is_concordant) {
      hits_at_zero_[group] += is_concordant | (is_tied & (difference == 0));
      if (difference == 0 || !(is_tied | is_concordant)) return;
      steps.push_back({RadixSort::key(difference), row(group, is_concordant)});
      ++steps_of_group_[group];
    });
    if (steps.size() >= std::size_t{1} << 31) throw std::invalid_argument("there must be fewer than 2^31 pairs");
    RadixSort()(steps);
    rows_.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      rows_.push_back(steps[i].payload);
      if (i + 1 < steps.size() && steps[i].key == steps[i + 1].key) continue;
      differences_.push_back(RadixSort::number(steps[i].key));
      ends_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }

  std::size_t groups() const { return groups_; }

  // weights: (resample, group), not negative. Their sum over all pairs of a resample, at least one for each group, must fit
  // in 64 bits.
  // epsilons: the smallest epsilon with the highest weighted accuracy of each resample.
  // hits: (resample, group), the correct pairs at that epsilon, of a group that is drawn once.
  void calibrate(const std::int64_t* weights, std::size_t resamples, int threads, double* epsilons,
                 std::int64_t* hits) const {
    std::vector<std::int32_t> best(resamples);
    if (fits_in_32_bits(weights, resamples))
      find_best<std::int32_t>(weights, resamples, threads, best.data());
    else
      find_best<std::int64_t>(weights, resamples, threads, best.data());
    for (std::size_t r = 0; r < resamples; ++r)
      epsilons[r] = best[r] == kZero ? 0 : differences_[static_cast<std::size_t>(best[r])];
    count_hits(best, hits);
  }

 private:
  static constexpr std::int32_t kZero = -1;  // epsilon 0, before the first difference
  static constexpr std::size_t kVectors = 2;

  template <class Word>
  static constexpr std::size_t kLanes = kVectors * 32 / sizeof(Word);

  // The row of a table with two rows for each group: its weights, and their negatives.
  static std::uint32_t row(std::size_t group, bool is_loss) { return static_cast<std::uint32_t>(2 * group + is_loss); }

  bool fits_in_32_bits(const std::int64_t* weights, std::size_t resamples) const {
    for (std::size_t r = 0; r < resamples; ++r) {
      std::int64_t sum = 0;
      for (const std::int64_t steps : steps_of_group_) sum += *weights++ * std::max(steps, std::int64_t{1});
      if (sum > std::numeric_limits<std::int32_t>::max()) return false;
    }
    return true;
  }

  template <class Word>
  void find_best(const std::int64_t* weights, std::size_t resamples, int threads, std::int32_t* best) const {
    constexpr std::size_t lanes = kLanes<Word>;
    parallel_blocks(resamples, lanes, threads, [&] {
      return [&, table = std::vector<Word>(2 * groups_ * lanes)](std::size_t first, std::size_t last) mutable {
        for (std::size_t group = 0; group < groups_; ++group)
          for (std::size_t r = first; r < last; ++r) {
            const Word weight = static_cast<Word>(weights[r * groups_ + group]);
            table[row(group, false) * lanes + r - first] = weight;
            table[row(group, true) * lanes + r - first] = -weight;
          }
        std::array<Word, lanes> found;
        pass(table.data(), found);
        std::copy_n(found.begin(), last - first, best + first);
      };
    });
  }

  template <class Word>
  void pass(const Word* table, std::array<Word, kLanes<Word>>& found) const {
#ifdef ASSAY_HAS_AVX2_TARGET
    if (has_avx2()) return pass_avx2(table, found);
#endif
    pass_inline(table, found);
  }

#ifdef ASSAY_HAS_AVX2_TARGET
  template <class Word>
  [[gnu::target("avx2")]] void pass_avx2(const Word* table, std::array<Word, kLanes<Word>>& found) const {
    pass_inline(table, found);
  }
#endif

  // For each lane, the difference at which the running sum first reaches its maximum.
  template <class Word>
  [[gnu::always_inline]] void pass_inline(const Word* table, std::array<Word, kLanes<Word>>& found) const {
    typedef Word Words __attribute__((vector_size(32)));
    constexpr std::size_t width = kLanes<Word> / kVectors;
    Words sum[kVectors] = {}, highest[kVectors] = {}, best[kVectors];
    for (auto& lanes : best) lanes = Words{} + Word{kZero};
    std::size_t step = 0;
    for (std::size_t k = 0; k < ends_.size(); ++k) {
      for (; step < ends_[k]; ++step) {
        const Word* const changes = table + rows_[step] * kLanes<Word>;
        for (std::size_t v = 0; v < kVectors; ++v) {
          Words change;
          std::memcpy(&change, changes + v * width, sizeof change);
          sum[v] += change;
        }
      }
      for (std::size_t v = 0; v < kVectors; ++v) {
        const Words is_higher = sum[v] > highest[v];
        highest[v] ^= (highest[v] ^ sum[v]) & is_higher;
        best[v] ^= (best[v] ^ static_cast<Word>(k)) & is_higher;
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) std::memcpy(found.data() + v * width, &best[v], sizeof best[v]);
  }

  // One pass for all resamples, in order of their epsilons.
  void count_hits(const std::vector<std::int32_t>& best, std::int64_t* hits) const {
    std::vector<std::size_t> order(best.size());
    for (std::size_t r = 0; r < order.size(); ++r) order[r] = r;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return best[a] < best[b]; });
    std::vector<std::int64_t> here = hits_at_zero_;
    std::size_t step = 0;
    for (const std::size_t r : order) {
      for (const std::size_t end = best[r] == kZero ? 0 : ends_[static_cast<std::size_t>(best[r])]; step < end; ++step)
        here[rows_[step] / 2] += rows_[step] % 2 == 0 ? 1 : -1;
      std::copy(here.begin(), here.end(), hits + r * groups_);
    }
  }

  std::size_t groups_;
  std::vector<std::int64_t> steps_of_group_, hits_at_zero_;
  std::vector<std::uint32_t> rows_;   // of all steps, in order of their differences
  std::vector<double> differences_;   // distinct
  std::vector<std::uint32_t> ends_;   // for each difference: the end of its steps
};

}  // namespace assay
