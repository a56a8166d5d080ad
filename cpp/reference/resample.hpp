// Bootstrap weights by drawing indices one by one from the core's generator and counting them; coin flips bit by bit.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/resample.hpp"

namespace assay::reference {

class IndexSampler {
 public:
  IndexSampler(std::uint64_t seed, std::uint64_t resample) : random_(seed, resample) {}

  // Lemire (2019): of the 2^32 words, those whose product with `range` has lower 32 bits below 2^32 mod `range` are
  // rejected and drawn again, so that each index corresponds to the same number of words.
  std::uint32_t draw(std::uint32_t range) {
    const std::uint64_t words = std::uint64_t{1} << 32;
    while (true) {
      const std::uint64_t product = std::uint64_t{next_word()} * range;
      if (product % words >= words % range) return static_cast<std::uint32_t>(product / words);
      ++rejected_;
    }
  }

  std::size_t rejected() const { return rejected_; }

 private:
  // The generator returns 64 bits; the lower half is used first.
  std::uint32_t next_word() {
    has_upper_half_ = !has_upper_half_;
    if (!has_upper_half_) return upper_half_;
    const std::uint64_t bits = random_();
    upper_half_ = static_cast<std::uint32_t>(bits >> 32);
    return static_cast<std::uint32_t>(bits);
  }

  Xoshiro256 random_;
  bool has_upper_half_ = false;
  std::uint32_t upper_half_ = 0;
  std::size_t rejected_ = 0;
};

struct Resample {
  std::vector<std::uint32_t> weights;  // by segment
  std::size_t rejected;                // rejected words
};

inline Resample bootstrap_weights(std::size_t resample, std::size_t segments, std::size_t size, std::uint64_t seed) {
  IndexSampler sampler(seed, resample);
  std::vector<std::uint32_t> weights(segments, 0);
  for (std::size_t draw = 0; draw < size; ++draw) ++weights[sampler.draw(static_cast<std::uint32_t>(segments))];
  return {weights, sampler.rejected()};
}

// Coin i is bit i % 64, counted from the lowest, of word i / 64.
inline std::vector<std::uint32_t> coin_weights(std::size_t draw, std::size_t segments, std::uint64_t seed) {
  Xoshiro256 random(seed, draw);
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i <= segments / 64; ++i) words.push_back(random());
  std::vector<std::uint32_t> coins;
  for (std::size_t i = 0; i < segments; ++i) coins.push_back((words[i / 64] & (std::uint64_t{1} << (i % 64))) != 0);
  return coins;
}

}  // namespace assay::reference
