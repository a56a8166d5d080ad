// Bootstrap weights trial by trial and index by index, from the core's generator; swaps bit by bit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "assay/resample.hpp"

namespace assay::reference {

// The core's random words one at a time, and single bits of them, the lowest first.
class Words {
 public:
  Words(std::uint64_t seed, std::uint64_t resample, std::uint64_t part) : random_(seed, resample, part) {}

  std::uint64_t word() {
    if (used_ == buffer_.size()) {
      random_.next(buffer_.data());
      used_ = 0;
    }
    return buffer_[used_++];
  }

  std::uint16_t value() {
    if (values_left_ == 0) {
      bits_ = word();
      values_left_ = 4;
    }
    const auto value = static_cast<std::uint16_t>(bits_);
    bits_ >>= 16;
    --values_left_;
    return value;
  }

  // n bits; what is left of the last four words is not used.
  std::vector<bool> coins(std::uint64_t n) {
    std::vector<bool> coins;
    for (std::uint64_t bits = 0; coins.size() < n; bits >>= 1) {
      if (coins.size() % 64 == 0) bits = word();
      coins.push_back((bits & 1) != 0);
    }
    used_ = buffer_.size();
    return coins;
  }

 private:
  RandomWords random_;
  std::array<std::uint64_t, RandomWords::kLanes> buffer_{};
  std::size_t used_ = RandomWords::kLanes;
  std::uint64_t bits_ = 0;
  int values_left_ = 0;
};

// Every trial compares the binary digits of its own number with those of part / whole.
inline std::uint64_t successes(Words& words, std::uint64_t n, std::uint64_t part, std::uint64_t whole) {
  std::uint64_t below = 0;
  while (n > 0 && part > 0) {
    const bool digit = 2 * part >= whole;
    part = 2 * part - (digit ? whole : 0);
    std::uint64_t undecided = 0;
    for (const bool coin : words.coins(n)) {
      if (coin == digit) ++undecided;
      else if (digit) ++below;
    }
    n = undecided;
  }
  return below;
}

struct Resample {
  std::vector<std::uint32_t> weights;  // by segment
  std::size_t rejected = 0;            // rejected values
};

// Draws of the chunks [first, last), which hold `draws` of the resample's draws.
inline void draw_chunks(const Bootstrap& bootstrap, std::uint64_t resample, std::size_t first, std::size_t last,
                        std::uint64_t draws, Resample& out) {
  if (draws == 0) return;
  const std::size_t begin = first * kChunk, end = std::min(bootstrap.segments, last * kChunk);
  if (last - first > 1) {
    const std::size_t middle = (first + last) / 2;
    Words words(bootstrap.seed, resample, 2 * middle + 1);
    const std::uint64_t lower = successes(words, draws, middle * kChunk - begin, end - begin);
    draw_chunks(bootstrap, resample, first, middle, lower, out);
    draw_chunks(bootstrap, resample, middle, last, draws - lower, out);
    return;
  }
  // Lemire (2019): of the 2^16 values, those whose product with the range has lower 16 bits below 2^16 mod range are
  // rejected, so that each index corresponds to the same number of values.
  Words words(bootstrap.seed, resample, 2 * first);
  const std::uint32_t range = static_cast<std::uint32_t>(end - begin), values = 1u << 16;
  while (draws > 0) {
    const std::uint32_t product = words.value() * range;
    if (product % values < values % range) {
      ++out.rejected;
      continue;
    }
    ++out.weights[begin + product / values];
    --draws;
  }
}

inline Resample bootstrap_weights(std::uint64_t resample, const Bootstrap& bootstrap) {
  Resample out{std::vector<std::uint32_t>(bootstrap.segments, 0)};
  draw_chunks(bootstrap, resample, 0, chunks_of(bootstrap.segments), bootstrap.size, out);
  return out;
}

// Segment i is swapped if bit i % 64, counted from the lowest, of word i / 64 is 1.
inline std::vector<std::uint32_t> swap_weights(std::size_t resample, std::size_t segments, std::uint64_t seed) {
  Xoshiro256 random(seed, resample);
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i <= segments / 64; ++i) words.push_back(random());
  std::vector<std::uint32_t> swaps;
  for (std::size_t i = 0; i < segments; ++i) swaps.push_back((words[i / 64] & (std::uint64_t{1} << (i % 64))) != 0);
  return swaps;
}

}  // namespace assay::reference
