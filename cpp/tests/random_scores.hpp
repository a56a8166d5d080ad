// Unusual score vectors that are likely to break a kernel, the same ones in every run.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "assay/rank.hpp"
#include "tests/random_lines.hpp"

// std::vector<bool> does not store an array of bool.
using Flags = std::unique_ptr<bool[]>;

struct Sample {
  std::size_t groups, items;
  std::vector<double> x, y;
  Flags mask, pairs;

  assay::PairCountInput input() const { return {x.data(), y.data(), mask.get(), pairs.get(), groups, items}; }
};

// Many ties or none; steps that doubles cannot represent exactly; both zeros; numbers at the limits of the range.
inline double score(Random& random, std::size_t flavour) {
  switch (flavour) {
    case 0: return static_cast<double>(random.below(4));
    case 1: return 0.1 * static_cast<double>(random.below(30)) - 1.5;
    case 2: return random.chance(50) ? -0.0 : 0.0;
    case 3: return (random.chance(50) ? -1.0 : 1.0) * std::numeric_limits<double>::max();
    case 4: return static_cast<double>(random.below(3)) * std::numeric_limits<double>::denorm_min();
    default: return static_cast<double>(random.bits()) / 1e18 - 9.0;
  }
}

inline Sample sample(Random& random, std::size_t groups, std::size_t items) {
  Sample out{groups, items, {}, {}, Flags(new bool[groups * items + 1]), nullptr};
  const std::size_t x_flavour = random.below(7), y_flavour = random.below(7), gaps = random.chance(50) ? 0 : random.below(101);
  for (std::size_t cell = 0; cell < groups * items; ++cell) {
    out.x.push_back(score(random, x_flavour));
    out.y.push_back(random.chance(20) ? out.x.back() : score(random, y_flavour));
    out.mask[cell] = !random.chance(gaps);
  }
  if (random.chance(30)) {
    out.pairs = Flags(new bool[items * items + 1]);
    for (std::size_t i = 0; i < items; ++i)
      for (std::size_t j = 0; j <= i; ++j) out.pairs[i * items + j] = out.pairs[j * items + i] = random.chance(50);
  }
  return out;
}
