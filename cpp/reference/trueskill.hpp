// TrueSkill with all judgements in a list, which is scanned to choose opponents and outcomes.
//
// `Dice` is the source of randomness. `SharedDice` requests the same numbers in the same order from the core's generator, so
// runs must be equal bit by bit. `OwnDice` has a different generator and chooses opponents by cumulative probabilities, so
// only averages over many runs can agree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <tuple>
#include <vector>

#include "assay/resample.hpp"
#include "assay/trueskill.hpp"

namespace assay::reference {

struct Judgement {
  std::size_t first, second;  // first < second
  int outcome;                // 0: first is better, 1: tie, 2: second is better
};

class SharedDice {
 public:
  SharedDice(std::uint64_t seed, std::uint64_t run) : random_(seed, run) {}

  // Lemire (2019) on 64-bit words: words that would cause bias are drawn again.
  std::size_t below(std::size_t range) {
    const auto words = static_cast<unsigned __int128>(1) << 64;
    while (true) {
      const auto product = static_cast<unsigned __int128>(random_()) * range;
      if (product % words >= words % range) return static_cast<std::size_t>(product / words);
    }
  }

  // An index, with a probability proportional to exp(-distance).
  std::size_t pick_near(const std::vector<double>& distances) {
    const double nearest = *std::min_element(distances.begin(), distances.end());
    for (int rejected = 0;; ++rejected) {
      const double certain = rejected < 1000 ? 0 : nearest;  // the distance at which no opponent is rejected
      const std::size_t candidate = below(distances.size());
      const double uniform = static_cast<double>(random_() / 2048) / 9007199254740992.0;  // 53 bits
      if (uniform < std::exp(certain - distances[candidate])) return candidate;
    }
  }

 private:
  Xoshiro256 random_;
};

class OwnDice {
 public:
  OwnDice(std::uint64_t seed, std::uint64_t run) : engine_(seed * 1000003 + run) {}

  std::size_t below(std::size_t range) { return static_cast<std::size_t>(engine_() % range); }

  std::size_t pick_near(const std::vector<double>& distances) {
    double sum = 0;
    for (const double distance : distances) sum += std::exp(-distance);
    double left = sum * (static_cast<double>(engine_() >> 11) / 9007199254740992.0);
    for (std::size_t i = 0; i + 1 < distances.size(); ++i)
      if ((left -= std::exp(-distances[i])) < 0) return i;
    return distances.size() - 1;
  }

 private:
  std::mt19937_64 engine_;
};

struct Belief {
  double mean, variance;
};

inline double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }
inline double distribution(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// Herbrich, Minka & Graepel (2007), with v and w for a win or a draw of the first over the second.
inline void learn(Belief& winner, Belief& loser, bool is_draw, double beta_squared, double margin) {
  const double c = std::sqrt(2 * beta_squared + winner.variance + loser.variance);
  const double t = (winner.mean - loser.mean) / c, e = margin / c;
  double v, w;
  if (!is_draw) {
    v = density(t - e) / distribution(t - e);
    w = v * (v + (t - e));
  } else {
    const double below = -e - std::abs(t), above = e - std::abs(t);
    const double mass = distribution(above) - distribution(below);
    v = (density(below) - density(above)) / mass;
    w = v * v + (above * density(above) - below * density(below)) / mass;
    if (t < 0) v = -v;
  }
  winner = {winner.mean + winner.variance / c * v, winner.variance * (1 - winner.variance / (c * c) * w)};
  loser = {loser.mean - loser.variance / c * v, loser.variance * (1 - loser.variance / (c * c) * w)};
}

template <class Dice>
std::vector<double> trueskill(std::vector<Judgement> judgements, std::size_t systems, const TrueSkillSettings& settings,
                              Dice dice) {
  // The order of the counts in the core.
  std::sort(judgements.begin(), judgements.end(), [](const Judgement& one, const Judgement& other) {
    return std::tuple(one.first, one.second, one.outcome) < std::tuple(other.first, other.second, other.outcome);
  });
  if (settings.resample) {
    std::vector<Judgement> drawn;
    for (std::size_t i = 0; i < judgements.size(); ++i) drawn.push_back(judgements[dice.below(judgements.size())]);
    judgements = drawn;
  }
  std::vector<Belief> beliefs(systems, Belief{0, settings.sigma * settings.sigma});
  std::vector<bool> is_met(systems, false);
  for (const auto& judgement : judgements) is_met[judgement.first] = is_met[judgement.second] = true;
  const double beta = settings.sigma * static_cast<double>(judgements.size() + 1) / settings.beta_divisor;

  for (std::size_t match = 0; match <= judgements.size() && !judgements.empty(); ++match) {
    std::size_t a = systems;
    for (std::size_t s = 0; s < systems; ++s)
      if (is_met[s] && (a == systems || beliefs[s].variance > beliefs[a].variance)) a = s;
    std::vector<std::size_t> opponents;
    std::vector<double> distances;
    for (std::size_t s = 0; s < systems; ++s) {
      const bool met = std::any_of(judgements.begin(), judgements.end(), [&](const Judgement& j) {
        return (j.first == a && j.second == s) || (j.first == s && j.second == a);
      });
      if (met) opponents.push_back(s), distances.push_back(std::abs(beliefs[a].mean - beliefs[s].mean));
    }
    const std::size_t b = opponents[dice.pick_near(distances)];
    std::vector<Judgement> theirs;
    for (const auto& j : judgements)
      if (j.first == std::min(a, b) && j.second == std::max(a, b)) theirs.push_back(j);
    std::sort(theirs.begin(), theirs.end(), [](const Judgement& one, const Judgement& other) {
      return one.outcome < other.outcome;  // equal judgements are interchangeable
    });
    const Judgement& drawn = theirs[dice.below(theirs.size())];
    const std::size_t winner = drawn.outcome == 2 ? drawn.second : drawn.outcome == 0 ? drawn.first : a;
    const std::size_t loser = winner == a ? b : a;
    learn(beliefs[winner], beliefs[loser], drawn.outcome == 1, beta * beta, settings.draw_margin * beta);
  }

  std::vector<double> means;
  for (std::size_t s = 0; s < systems; ++s)
    means.push_back(is_met[s] ? beliefs[s].mean : std::numeric_limits<double>::quiet_NaN());
  return means;
}

}  // namespace assay::reference
