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
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "assay/parallel.hpp"
#include "assay/processor.hpp"
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

// The standard normal density and distribution function at points x[i]. Each function is called for all points before the
// next, so that the processor overlaps the calls.
inline void normal(std::span<const double> x, double* pdf, double* cdf) {
  for (std::size_t i = 0; i < x.size(); ++i) pdf[i] = -x[i] * x[i] / 2;
  for (std::size_t i = 0; i < x.size(); ++i) pdf[i] = std::exp(pdf[i]);
  for (std::size_t i = 0; i < x.size(); ++i) pdf[i] /= std::sqrt(2 * std::numbers::pi);
  for (std::size_t i = 0; i < x.size(); ++i) cdf[i] = -x[i] / std::numbers::sqrt2;
  for (std::size_t i = 0; i < x.size(); ++i) cdf[i] = std::erfc(cdf[i]);
  for (std::size_t i = 0; i < x.size(); ++i) cdf[i] /= 2;
}

// Whether u < exp(-x) for x >= 0, in most cases without computing the exponential: the fourth-order Taylor polynomial is
// above exp(-x) and the third-order one below it, and the slack is larger than any error of rounding.
inline bool is_below_exp(double u, double x) {
  const double term = x * x * x * x * (1.0 / 48), middle = 1 - x * (1 - x / 2 * (1 - x * (1.0 / 3))) + term;
  return std::abs(u - middle) > term * (1 + 1e-10) + 1e-10 ? u < middle : u < std::exp(-x);
}

// At x = t - e, where t is how far the winner was ahead, and e the draw margin.
inline SkillChange after_win(double x, double pdf, double cdf) {
  const double v = pdf / cdf, w = v * (v + x);
  return {x < kTail ? -x : v, x < kTail ? 1 : w};
}

// At low = -e - |t| and high = e - |t|, where the difference below is between small numbers, which preserves precision: v is
// odd and w is even in t.
inline SkillChange after_draw(double t, double low, double high, double pdf_low, double pdf_high, double cdf_low,
                              double cdf_high) {
  const double sign = std::copysign(1.0, t);
  if (high < kTail) return {sign * high, 1};
  const double between = cdf_high - cdf_low, v = (pdf_low - pdf_high) / between;
  return {sign * v, v * v + (high * pdf_high - low * pdf_low) / between};
}

}  // namespace skill

// Some runs, which play their matches in step: what depends on chance is decided for all of them before the next step, so
// that the processor overlaps the runs, and no branch depends on the outcome of one.
class TrueSkillRuns {
 public:
  static constexpr std::size_t kLanes = 16;

  // outcomes: (system, system, 3) for first < second: first better, tie, second better; zero elsewhere. Lane i is run
  // `first + i`, i < runs <= kLanes. Fewer than 2^32 judgements.
  TrueSkillRuns(std::span<const std::int64_t> outcomes, std::size_t systems, const TrueSkillSettings& settings,
                std::uint64_t seed, std::uint64_t first, std::size_t runs)
      : systems_(systems), runs_(runs), matches_(std::accumulate(outcomes.begin(), outcomes.end(), std::int64_t{1})),
        means_(systems * kLanes),
        variances_(systems * kLanes), outcomes_(runs * systems * systems), opponents_(runs * systems * systems),
        opponent_counts_(runs * systems) {
    beta_squared_ = std::pow(settings.sigma * static_cast<double>(matches_) / settings.beta_divisor, 2);
    margin_ = settings.draw_margin * std::sqrt(beta_squared_);
    for (std::size_t lane = 0; lane < runs; ++lane) {
      random_.emplace_back(seed, first + lane);
      std::vector<std::int64_t> counts(outcomes.begin(), outcomes.end());
      if (settings.resample) redraw(counts, random_[lane]);
      prepare(lane, counts, settings.sigma * settings.sigma);
    }
  }

  void play() {
#ifdef ASSAY_HAS_AVX2_TARGET
    if (has_avx2()) return play_avx2();
#endif
    play_inlined();
  }

  // Of a run, one for each system; NaN for a system without judgements in this resample.
  void means(std::size_t lane, double* means) const {
    for (std::size_t s = 0; s < systems_; ++s)
      means[s] = opponent_counts_[lane * systems_ + s] == 0 ? std::numeric_limits<double>::quiet_NaN() : means_[s * kLanes + lane];
  }

 private:
  static constexpr int kPatience = 1000;

  // One number for each lane.
  template <class T>
  using PerLane = std::array<T, kLanes>;

  static constexpr std::size_t kVector = 4;  // lanes that are compared at once
  typedef double Doubles __attribute__((vector_size(8 * kVector)));
  typedef std::int64_t Integers __attribute__((vector_size(8 * kVector)));

  // Judgements of two systems, as numbers of the outcomes of the first in the order of the systems against the second.
  struct Outcomes {
    std::uint32_t first_better, ties, total;
  };

  // A list of lanes.
  struct Lanes {
    PerLane<std::uint32_t> lanes;
    std::uint32_t size = 0;

    void append_if(bool condition, std::size_t lane) {  // a branch would be unpredictable
      lanes[size] = static_cast<std::uint32_t>(lane);
      size += condition;
    }
    auto begin() const { return lanes.data(); }
    auto end() const { return lanes.data() + size; }
  };

  // Resamples the same number of judgements with replacement.
  static void redraw(std::vector<std::int64_t>& counts, Xoshiro256& random) {
    std::vector<std::uint32_t> kinds;
    for (std::size_t k = 0; k < counts.size(); ++k)
      kinds.insert(kinds.end(), static_cast<std::size_t>(std::exchange(counts[k], 0)), static_cast<std::uint32_t>(k));
    for (std::size_t i = 0; i < kinds.size(); ++i) ++counts[kinds[below(random, kinds.size())]];
  }

  void prepare(std::size_t lane, const std::vector<std::int64_t>& counts, double variance) {
    for (std::size_t a = 0; a < systems_; ++a) {
      std::uint32_t& opponents = opponent_counts_[lane * systems_ + a];
      for (std::size_t b = 0; b < systems_; ++b) {
        const std::int64_t* const c = counts.data() + (std::min(a, b) * systems_ + std::max(a, b)) * 3;
        Outcomes& outcomes = outcomes_[at(lane, a, b)];
        outcomes = {static_cast<std::uint32_t>(c[0]), static_cast<std::uint32_t>(c[1]),
                    static_cast<std::uint32_t>(c[0] + c[1] + c[2])};
        if (a != b && outcomes.total > 0) opponents_[at(lane, a, opponents++)] = static_cast<std::uint32_t>(b);
      }
      variances_[a * kLanes + lane] = opponents > 0 ? variance : 0;  // 0: never selected
    }
  }

#ifdef ASSAY_HAS_AVX2_TARGET
  [[gnu::target("avx2")]] void play_avx2() { play_inlined(); }
#endif

  [[gnu::always_inline]] void play_inlined() {
    Progress progress;
    for (std::int64_t match = 0; match < matches_; ++match) {
      play_match();
      progress.spend(static_cast<std::int64_t>(16 * runs_ + systems_ * kLanes));
    }
  }

  [[gnu::always_inline]] void play_match() {
    PerLane<std::size_t> winners, losers{};
    find_least_certain(winners);
    Lanes playing, draws;
    for (std::size_t lane = 0; lane < runs_; ++lane)
      playing.append_if(opponent_counts_[lane * systems_ + winners[lane]] > 0, lane);
    choose_opponents(playing, winners, losers);
    for (const std::size_t lane : playing) {
      const std::size_t a = winners[lane], b = losers[lane];
      const Outcomes& outcomes = outcomes_[at(lane, a, b)];
      const auto draw = static_cast<std::uint32_t>(below(random_[lane], outcomes.total));
      const bool is_draw = draw - outcomes.first_better < outcomes.ties;
      const bool a_wins = is_draw | ((draw < outcomes.first_better) == (a < b));  // a branch would be unpredictable
      winners[lane] = b ^ ((a ^ b) & -std::size_t{a_wins});
      losers[lane] = a ^ b ^ winners[lane];
      draws.append_if(is_draw, lane);
    }
    update(winners, losers, playing, draws);
  }

  // The first of the systems with the largest variance.
  [[gnu::always_inline]] void find_least_certain(PerLane<std::size_t>& systems) const {
    static_assert(sizeof(std::size_t) == sizeof(std::int64_t));
    for (std::size_t lane = 0; lane < runs_; lane += kVector) {
      Doubles largest = Doubles{} - 1, variance;
      Integers found{}, system{};
      for (std::size_t s = 0; s < systems_; ++s, system += 1) {
        std::memcpy(&variance, &variances_[s * kLanes + lane], sizeof variance);
        const Integers is_larger = variance > largest;
        found = is_larger ? system : found;
        largest = is_larger ? variance : largest;
      }
      std::memcpy(&systems[lane], &found, sizeof found);
    }
  }

  // Rejection sampling: opponents with a closer mean are more likely. If all are far away, the closest one is always
  // accepted, which does not change the proportions and guarantees termination.
  [[gnu::always_inline]] void choose_opponents(Lanes waiting, const PerLane<std::size_t>& systems,
                                               PerLane<std::size_t>& opponents) {
    for (int rejected = 0; waiting.size > 0; ++rejected) {
      Lanes still_waiting;
      for (const std::size_t lane : waiting) {
        const std::size_t a = systems[lane];
        const double nearest = rejected < kPatience ? 0 : distance_to_nearest(lane, a);
        const std::size_t b = opponents_[at(lane, a, below(random_[lane], opponent_counts_[lane * systems_ + a]))];
        opponents[lane] = b;
        const double distance = std::abs(means_[a * kLanes + lane] - means_[b * kLanes + lane]) - nearest;
        still_waiting.append_if(!skill::is_below_exp(uniform(random_[lane]), distance), lane);
      }
      waiting = still_waiting;
    }
  }

  [[gnu::noinline]] double distance_to_nearest(std::size_t lane, std::size_t a) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < opponent_counts_[lane * systems_ + a]; ++k)
      nearest = std::min(nearest, std::abs(means_[a * kLanes + lane] - means_[opponents_[at(lane, a, k)] * kLanes + lane]));
    return nearest;
  }

  [[gnu::always_inline]] void update(const PerLane<std::size_t>& winners, const PerLane<std::size_t>& losers,
                                     const Lanes& playing, const Lanes& draws) {
    PerLane<double> variance, other_variance, c, t, e, v, w;
    std::array<double, 2 * kLanes> x, pdf, cdf;  // of all lanes, then the lower points of draws
    for (std::size_t lane = 0; lane < runs_; ++lane) {
      t[lane] = means_[winners[lane] * kLanes + lane] - means_[losers[lane] * kLanes + lane];
      variance[lane] = variances_[winners[lane] * kLanes + lane];
      other_variance[lane] = variances_[losers[lane] * kLanes + lane];
      c[lane] = std::sqrt(2 * beta_squared_ + variance[lane] + other_variance[lane]);
    }
    for (std::size_t lane = 0; lane < runs_; ++lane) {
      t[lane] /= c[lane];
      e[lane] = margin_ / c[lane];
      x[lane] = t[lane] - e[lane];
    }
    std::size_t points = runs_;
    for (const std::size_t lane : draws) {
      x[lane] = e[lane] - std::abs(t[lane]);
      x[points++] = -e[lane] - std::abs(t[lane]);
    }
    skill::normal({x.data(), points}, pdf.data(), cdf.data());
    for (std::size_t lane = 0; lane < runs_; ++lane) {
      const SkillChange change = skill::after_win(x[lane], pdf[lane], cdf[lane]);
      v[lane] = change.mean;
      w[lane] = change.variance;
    }
    std::size_t low = runs_;
    for (const std::size_t lane : draws) {
      const SkillChange change = skill::after_draw(t[lane], x[low], x[lane], pdf[low], pdf[lane], cdf[low], cdf[lane]);
      v[lane] = change.mean;
      w[lane] = change.variance;
      ++low;
    }
    PerLane<double> gain, loss;
    for (std::size_t lane = 0; lane < runs_; ++lane) {
      gain[lane] = variance[lane] / c[lane] * v[lane];
      loss[lane] = other_variance[lane] / c[lane] * v[lane];
      variance[lane] *= 1 - variance[lane] / (c[lane] * c[lane]) * w[lane];
      other_variance[lane] *= 1 - other_variance[lane] / (c[lane] * c[lane]) * w[lane];
    }
    for (const std::size_t lane : playing) {
      means_[winners[lane] * kLanes + lane] += gain[lane];
      means_[losers[lane] * kLanes + lane] -= loss[lane];
      variances_[winners[lane] * kLanes + lane] = variance[lane];
      variances_[losers[lane] * kLanes + lane] = other_variance[lane];
    }
  }

  static std::uint64_t below(Xoshiro256& random, std::uint64_t range) {  // Lemire's method on 64-bit words
    for (;;) {
      const auto product = static_cast<unsigned __int128>(random()) * range;
      const auto low = static_cast<std::uint64_t>(product);
      if (low >= range || low >= (0 - range) % range) return static_cast<std::uint64_t>(product >> 64);  // division is rare
    }
  }

  static double uniform(Xoshiro256& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

  std::size_t at(std::size_t lane, std::size_t a, std::size_t b) const { return (lane * systems_ + a) * systems_ + b; }

  std::size_t systems_, runs_;
  std::int64_t matches_;
  std::vector<double> means_, variances_;       // (system, lane)
  std::vector<Outcomes> outcomes_;              // (lane, system, system)
  std::vector<std::uint32_t> opponents_;        // (lane, system, system): the opponents come first in each row
  std::vector<std::uint32_t> opponent_counts_;  // (lane, system)
  std::vector<Xoshiro256> random_;              // by lane
  double beta_squared_ = 0, margin_ = 0;
};

// means: (run, system).
inline void trueskill(std::span<const std::int64_t> outcomes, std::size_t systems, const TrueSkillSettings& settings,
                      std::size_t runs, std::uint64_t seed, int threads, double* means) {
  if (systems == 0) return;
  parallel_blocks(runs, TrueSkillRuns::kLanes, threads, [&] {
    return [&](std::size_t begin, std::size_t end) {
      TrueSkillRuns block(outcomes, systems, settings, seed, begin, end - begin);
      block.play();
      for (std::size_t run = begin; run < end; ++run) block.means(run - begin, means + run * systems);
    };
  });
}

}  // namespace assay
