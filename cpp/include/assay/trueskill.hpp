// TrueSkill (Herbrich, Minka & Graepel 2007) for rankings of systems, as used in WMT14-16 (Sakaguchi, Post & Van Durme
// 2014).
//
// Each run resamples the pairwise judgements with replacement and then plays as many matches as there are judgements. In a
// match, the system with the largest variance meets an opponent, which is chosen with a probability proportional to
// exp(-|difference of means|), and one of their judgements is sampled. Only the counts of the three outcomes matter, so
// sampling a judgement needs three numbers. Each run has its own generator, so results do not depend on the number of
// threads. Cost: O(runs x judgements x systems); the last factor is the search for the largest variance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
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

// t: how far the winner was ahead; e: the draw margin.
inline SkillChange after_win(double t, double e) {
  const double x = t - e;
  if (x < kTail) return {-x, 1};
  const double v = pdf(x) / cdf(x);
  return {v, v * (v + x)};
}

// v is odd and w is even in t; with t >= 0, the difference below is between small numbers, which preserves precision.
inline SkillChange after_draw(double t, double e) {
  const double size = std::abs(t), sign = t < 0 ? -1 : 1, low = -e - size, high = e - size;
  if (high < kTail) return {sign * high, 1};
  const double between = cdf(high) - cdf(low);
  const double v = (pdf(low) - pdf(high)) / between;
  return {sign * v, v * v + (high * pdf(high) - low * pdf(low)) / between};
}

}  // namespace skill

class TrueSkillRun {
 public:
  // outcomes: (system, system, 3) for first < second: first better, tie, second better; zero elsewhere.
  TrueSkillRun(std::span<const std::int64_t> outcomes, std::size_t systems, const TrueSkillSettings& settings,
               std::uint64_t seed, std::uint64_t run)
      : systems_(systems), counts_(outcomes.begin(), outcomes.end()), means_(systems, 0.0),
        variances_(systems, settings.sigma * settings.sigma), opponents_(systems), random_(seed, run) {
    for (const auto count : counts_) matches_ += count;
    if (settings.resample) redraw();
    for (std::size_t a = 0; a < systems; ++a) {
      for (std::size_t b = 0; b < systems; ++b)
        if (a != b && total(a, b) > 0) opponents_[a].push_back(b);
      if (opponents_[a].empty()) variances_[a] = 0;  // no opponents: never selected
    }
    beta_squared_ = std::pow(settings.sigma * static_cast<double>(matches_ + 1) / settings.beta_divisor, 2);
    margin_ = settings.draw_margin * std::sqrt(beta_squared_);
  }

  // means: one per system after all matches; NaN for a system without judgements in this resample.
  void play(double* means) {
    for (std::int64_t match = 0; match <= matches_; ++match) {
      const std::size_t a = least_certain();
      if (opponents_[a].empty()) break;  // there are no judgements
      const std::size_t b = opponent(a);
      const int result = outcome(a, b);
      if (result == 1) update(a, b, true);
      else if (result == 0) update(a, b, false);
      else update(b, a, false);
    }
    for (std::size_t s = 0; s < systems_; ++s)
      means[s] = opponents_[s].empty() ? std::numeric_limits<double>::quiet_NaN() : means_[s];
  }

 private:
  std::int64_t* cell(std::size_t a, std::size_t b) { return counts_.data() + (a * systems_ + b) * 3; }

  std::int64_t total(std::size_t a, std::size_t b) {
    const std::int64_t* c = a < b ? cell(a, b) : cell(b, a);
    return c[0] + c[1] + c[2];
  }

  // Resamples the same number of judgements with replacement.
  void redraw() {
    std::vector<std::int64_t> ends(counts_.size());
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < counts_.size(); ++k) ends[k] = sum += counts_[k];
    std::vector<std::uint32_t> kind(static_cast<std::size_t>(sum));
    for (std::size_t k = 0, i = 0; k < counts_.size(); ++k)
      for (; i < static_cast<std::size_t>(ends[k]); ++i) kind[i] = static_cast<std::uint32_t>(k);
    counts_.assign(counts_.size(), 0);
    for (std::int64_t i = 0; i < sum; ++i) ++counts_[kind[below(static_cast<std::uint64_t>(sum))]];
  }

  std::uint64_t below(std::uint64_t range) {  // Lemire's method on 64-bit words
    const std::uint64_t reject = (0 - range) % range;
    for (;;) {
      const auto product = static_cast<unsigned __int128>(random_()) * range;
      if (static_cast<std::uint64_t>(product) >= reject) return static_cast<std::uint64_t>(product >> 64);
    }
  }

  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  std::size_t least_certain() const {
    std::size_t found = 0;
    for (std::size_t s = 1; s < systems_; ++s)
      if (variances_[s] > variances_[found]) found = s;
    return found;
  }

  // Rejection sampling: opponents with a closer mean are more likely. If all are far away, the closest one is always
  // accepted, which does not change the proportions and guarantees termination.
  std::size_t opponent(std::size_t a) {
    double nearest = 0;
    for (int rejected = 0;; ++rejected) {
      if (rejected == kPatience) nearest = distance_to_nearest(a);
      const std::size_t b = opponents_[a][below(opponents_[a].size())];
      if (uniform() < std::exp(nearest - std::abs(means_[a] - means_[b]))) return b;
    }
  }

  double distance_to_nearest(std::size_t a) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto b : opponents_[a]) nearest = std::min(nearest, std::abs(means_[a] - means_[b]));
    return nearest;
  }

  // 0: a is better, 1: tie, 2: b is better.
  int outcome(std::size_t a, std::size_t b) {
    const std::int64_t* c = a < b ? cell(a, b) : cell(b, a);
    auto draw = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(c[0] + c[1] + c[2])));
    const int result = draw < c[0] ? 0 : draw < c[0] + c[1] ? 1 : 2;
    return a < b ? result : 2 - result;
  }

  void update(std::size_t winner, std::size_t loser, bool is_draw) {
    const double c = std::sqrt(2 * beta_squared_ + variances_[winner] + variances_[loser]);
    const double t = (means_[winner] - means_[loser]) / c, e = margin_ / c;
    const auto [v, w] = is_draw ? skill::after_draw(t, e) : skill::after_win(t, e);
    for (const auto& [s, sign] : {std::pair{winner, 1.0}, std::pair{loser, -1.0}}) {
      means_[s] += sign * variances_[s] / c * v;
      variances_[s] *= 1 - variances_[s] / (c * c) * w;
    }
  }

  static constexpr int kPatience = 1000;

  std::size_t systems_;
  std::vector<std::int64_t> counts_;
  std::vector<double> means_, variances_;
  std::vector<std::vector<std::size_t>> opponents_;
  Xoshiro256 random_;
  std::int64_t matches_ = 0;
  double beta_squared_ = 0, margin_ = 0;
};

// means: (run, system).
inline void trueskill(std::span<const std::int64_t> outcomes, std::size_t systems, const TrueSkillSettings& settings,
                      std::size_t runs, std::uint64_t seed, int threads, double* means) {
  if (systems == 0) return;
  parallel_blocks(runs, 1, threads, [&] {
    return [&](std::size_t begin, std::size_t end) {
      for (std::size_t run = begin; run < end; ++run)
        TrueSkillRun(outcomes, systems, settings, seed, run).play(means + run * systems);
    };
  });
}

}  // namespace assay
