// TrueSkill (Herbrich, Minka & Graepel 2007) for rankings of systems, as used in WMT14-16 (Sakaguchi, Post & Van Durme
// 2014).
//
// Each run resamples the pairwise judgements with replacement and then plays as many matches as there are judgements. In a
// match, the system with the largest variance meets an opponent, which is chosen with a probability proportional to
// exp(-|difference of means|), and one of their judgements is sampled. Only the counts of the three outcomes matter, so
// sampling a judgement needs three numbers. Each run has its own generator, so results do not depend on the number of
// threads. Cost: O(runs x judgements x systems); the last factor is the search for the largest variance. Branches that depend
// on chance are avoided where possible.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "assay/parallel.hpp"
#include "assay/resample.hpp"

namespace assay {

struct TrueSkillSettings {
  double sigma = 0.5;           // initial standard deviation of every system; the initial mean is 0
  double beta_divisor = 40.0;   // beta = sigma * matches / beta_divisor
  double draw_margin = 0.0;     // in units of beta: the normal quantile of (draw rate + 1) / 2, times sqrt(2)
  bool resample = true;
};

// v and w of Herbrich et al.: the changes of the mean and of the variance after a match.
struct SkillChange {
  double mean, variance;
};

namespace skill {

// Beyond this point the normal tail loses precision, and v and w are close to their limits.
inline constexpr double kTail = -37;

inline double pdf(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }
inline double cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// Whether u < exp(-x) for x >= 0, in most cases without computing the exponential: the fourth-order Taylor polynomial is
// above exp(-x) and the third-order one below it, and the slack is larger than any error of rounding.
inline bool is_below_exp(double u, double x) {
  const double term = x * x * x * x * (1.0 / 48), middle = 1 - x * (1 - x / 2 * (1 - x * (1.0 / 3))) + term;
  return std::abs(u - middle) > term * (1 + 1e-10) + 1e-10 ? u < middle : u < std::exp(-x);
}

// t: how far the winner was ahead; e: the draw margin.
inline SkillChange after_win(double t, double e) {
  const double x = t - e;
  if (x < kTail) return {-x, 1};
  const double v = pdf(x) / cdf(x);
  return {v, v * (v + x)};
}

// v is odd and w is even in t; with t >= 0, the difference below is between small numbers, which preserves precision.
inline SkillChange after_draw(double t, double e) {
  const double size = std::abs(t), sign = std::copysign(1.0, t), low = -e - size, high = e - size;
  if (high < kTail) return {sign * high, 1};
  const double between = cdf(high) - cdf(low), pdf_low = pdf(low), pdf_high = pdf(high);
  const double v = (pdf_low - pdf_high) / between;
  return {sign * v, v * v + (high * pdf_high - low * pdf_low) / between};
}

}  // namespace skill

class TrueSkillRun {
 public:
  // outcomes: (system, system, 3) for first < second: first better, tie, second better; zero elsewhere.
  TrueSkillRun(std::span<const std::int64_t> outcomes, std::size_t systems, const TrueSkillSettings& settings,
               std::uint64_t seed, std::uint64_t run)
      : systems_(systems), means_(systems, 0.0), variances_((systems + kStep - 1) / kStep * kStep, -1.0),
        opponents_(systems * systems), opponent_counts_(systems), random_(seed, run) {
    std::vector<std::int64_t> counts(outcomes.begin(), outcomes.end());
    const auto matches = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{1}));
    beta_squared_ = std::pow(settings.sigma * matches / settings.beta_divisor, 2);
    margin_ = settings.draw_margin * std::sqrt(beta_squared_);
    if (settings.resample) redraw(counts);
    for (std::size_t a = 0; a < systems; ++a) {
      for (std::size_t b = 0; b < systems; ++b) {
        const std::int64_t* const c = counts.data() + (std::min(a, b) * systems + std::max(a, b)) * 3;
        outcomes_.push_back({static_cast<std::uint64_t>(c[0]), static_cast<std::uint64_t>(c[1]),
                             static_cast<std::uint64_t>(c[0] + c[1] + c[2])});
        if (a != b && outcomes_.back().total > 0) opponents_[a * systems + opponent_counts_[a]++] = b;
      }
      variances_[a] = opponent_counts_[a] > 0 ? settings.sigma * settings.sigma : 0;  // 0: never selected
    }
  }

  void play_match() {
    const std::size_t a = least_certain();
    if (opponent_counts_[a] == 0) return;  // there are no judgements
    const std::size_t b = opponent(a);
    const Outcomes& outcomes = outcomes_[a * systems_ + b];
    const std::uint64_t draw = below(outcomes.total);
    if (draw - outcomes.first_better < outcomes.ties) return update<true>(a, b);
    const bool a_wins = (draw < outcomes.first_better) == (a < b);
    const std::size_t winner = b ^ ((a ^ b) & -std::size_t{a_wins});  // a branch would be unpredictable
    update<false>(winner, a ^ b ^ winner);
  }

  // One for each system; NaN for a system without judgements in this resample.
  void means(double* means) const {
    for (std::size_t s = 0; s < systems_; ++s)
      means[s] = opponent_counts_[s] == 0 ? std::numeric_limits<double>::quiet_NaN() : means_[s];
  }

 private:
  static constexpr int kPatience = 1000;
  static constexpr std::size_t kStep = 4;  // variances are padded to a multiple of this, with -1

  // Judgements of two systems, as numbers of the outcomes of the first in the order of the systems against the second.
  struct Outcomes {
    std::uint64_t first_better, ties, total;
  };

  // Resamples the same number of judgements with replacement.
  void redraw(std::vector<std::int64_t>& counts) {
    std::vector<std::uint32_t> kinds;
    for (std::size_t k = 0; k < counts.size(); ++k)
      kinds.insert(kinds.end(), static_cast<std::size_t>(std::exchange(counts[k], 0)), static_cast<std::uint32_t>(k));
    for (std::size_t i = 0; i < kinds.size(); ++i) ++counts[kinds[below(kinds.size())]];
  }

  std::uint64_t below(std::uint64_t range) {  // Lemire's method on 64-bit words
    for (;;) {
      const auto product = static_cast<unsigned __int128>(random_()) * range;
      const auto low = static_cast<std::uint64_t>(product);
      if (low >= range || low >= (0 - range) % range) return static_cast<std::uint64_t>(product >> 64);  // division is rare
    }
  }

  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  // The first of the systems with the largest variance. Numbers that are not negative have the same order as their bits, and
  // integers are compared without branches, which would be unpredictable.
  std::size_t least_certain() const {
    std::size_t found = 0;
    std::int64_t largest = -1;
    for (std::size_t s = 0; s < variances_.size(); s += kStep)
#pragma GCC unroll 4
      for (std::size_t i = s; i < s + kStep; ++i) {
        const auto variance = std::bit_cast<std::int64_t>(variances_[i]);
        found = variance > largest ? i : found;
        largest = variance > largest ? variance : largest;
      }
    return found;
  }

  // Rejection sampling: opponents with a closer mean are more likely. If all are far away, the closest one is always
  // accepted, which does not change the proportions and guarantees termination.
  std::size_t opponent(std::size_t a) {
    double nearest = 0;
    for (int rejected = 0;; ++rejected) {
      if (rejected == kPatience) nearest = distance_to_nearest(a);
      const std::size_t b = opponents_[a * systems_ + below(opponent_counts_[a])];
      if (skill::is_below_exp(uniform(), std::abs(means_[a] - means_[b]) - nearest)) return b;
    }
  }

  double distance_to_nearest(std::size_t a) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < opponent_counts_[a]; ++k)
      nearest = std::min(nearest, std::abs(means_[a] - means_[opponents_[a * systems_ + k]]));
    return nearest;
  }

  template <bool is_draw>
  void update(std::size_t winner, std::size_t loser) {
    const double variance = variances_[winner], other_variance = variances_[loser];
    const double c = std::sqrt(2 * beta_squared_ + variance + other_variance);
    const double t = (means_[winner] - means_[loser]) / c, e = margin_ / c;
    const auto [v, w] = is_draw ? skill::after_draw(t, e) : skill::after_win(t, e);
    means_[winner] += variance / c * v;
    means_[loser] -= other_variance / c * v;
    variances_[winner] = variance * (1 - variance / (c * c) * w);
    variances_[loser] = other_variance * (1 - other_variance / (c * c) * w);
  }

  std::size_t systems_;
  std::vector<double> means_, variances_;
  std::vector<Outcomes> outcomes_;              // (system, system)
  std::vector<std::size_t> opponents_;          // (system, system): the opponents come first in each row
  std::vector<std::size_t> opponent_counts_;
  Xoshiro256 random_;
  double beta_squared_ = 0, margin_ = 0;
};

// means: (run, system).
inline void trueskill(std::span<const std::int64_t> outcomes, std::size_t systems, const TrueSkillSettings& settings,
                      std::size_t runs, std::uint64_t seed, int threads, double* means) {
  // A match depends on the one before it, so a thread takes turns at several runs: the processor overlaps them.
  constexpr std::size_t together = 4;
  if (systems == 0) return;
  const auto matches = std::accumulate(outcomes.begin(), outcomes.end(), std::int64_t{1});
  parallel_blocks(runs, together, threads, [&] {
    return [&](std::size_t begin, std::size_t end) {
      std::vector<TrueSkillRun> block;
      for (std::size_t run = begin; run < end; ++run) block.emplace_back(outcomes, systems, settings, seed, run);
      for (std::int64_t match = 0; match < matches; ++match)
        for (auto& run : block) run.play_match();
      for (std::size_t run = begin; run < end; ++run) block[run - begin].means(means + run * systems);
    };
  });
}

}  // namespace assay
