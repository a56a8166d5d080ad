// TrueSkill (Herbrich, Minka & Graepel 2007) for rankings of systems, played as WMT14-16 did (Sakaguchi, Post & Van
// Durme 2014).
//
// In each run, the pairwise judgements are drawn anew with replacement, then as many matches are played as there are
// judgements: the system that is least certain meets another, likelier one with a near mean (probability proportional to
// exp(-|difference|)), and one of their judgements is drawn. Only counts of outcomes matter, so a judgement is drawn from
// three numbers. Run r has its own generator, so runs are the same on any number of threads.
// Cost: O(runs x judgements x systems), where the last is a search for the least certain.
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
  double sigma = 0.5;           // of every system before the first match; its mean is 0
  double beta_divisor = 40.0;   // beta = sigma * matches / beta_divisor
  double draw_margin = 0.0;     // in units of beta: the normal quantile of (draw rate + 1) / 2, times sqrt(2)
  bool resample = true;
};

// v and w of Herbrich et al.: what a match changes, the mean and the share of the variance.
struct SkillChange {
  double mean, variance;
};

namespace skill {

// Beyond here the normal tail runs out of digits, and v and w are close to their limits.
inline constexpr double kTail = -37;

inline double pdf(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }
inline double cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// t: by how much the winner was ahead, e: the margin of a draw.
inline SkillChange after_win(double t, double e) {
  const double x = t - e;
  if (x < kTail) return {-x, 1};
  const double v = pdf(x) / cdf(x);
  return {v, v * (v + x)};
}

// v is odd and w is even in t: with t >= 0 the difference below is one of small numbers, which keeps its digits.
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
      if (opponents_[a].empty()) variances_[a] = 0;  // nobody met it: nothing to be uncertain of
    }
    beta_squared_ = std::pow(settings.sigma * static_cast<double>(matches_ + 1) / settings.beta_divisor, 2);
    margin_ = settings.draw_margin * std::sqrt(beta_squared_);
  }

  // means: one for each system after all matches; NaN for a system that nobody met in this draw.
  void play(double* means) {
    for (std::int64_t match = 0; match <= matches_; ++match) {
      const std::size_t a = least_certain();
      if (opponents_[a].empty()) break;  // there is no judgement at all
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

  // As many judgements, drawn from all with replacement.
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

  // By rejection: the nearer the mean, the likelier. Where all are far, the nearest one is accepted for certain, which
  // changes no proportion and makes an end.
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
