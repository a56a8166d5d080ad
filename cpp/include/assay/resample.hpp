// Bootstrap weights (how often each segment is drawn when `size` segments are drawn with replacement) and coin flips.
//
// Resample b has its own generator, xoshiro256++ (Blackman & Vigna 2019) seeded from (seed, b) by SplitMix64, so
// resamples are independent of threads and order. Indices come from 32-bit words by Lemire's multiply-shift method with
// rejection (2019), so they are unbiased. Cost: O(resamples x size).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "assay/parallel.hpp"

namespace assay {

class Xoshiro256 {
 public:
  Xoshiro256(std::uint64_t seed, std::uint64_t stream) {
    // Two rounds keep (seed, stream) and (seed', stream') apart even where the sums coincide.
    std::uint64_t x = splitmix(seed) ^ (stream * 0xD1342543DE82EF95u);
    for (auto& word : state_) word = splitmix(x);
  }

  std::uint64_t operator()() {
    auto& s = state_;
    const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
  }

 private:
  static std::uint64_t splitmix(std::uint64_t& x) {
    std::uint64_t z = (x += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::array<std::uint64_t, 4> state_;
};

// weights: (resample, segment), zero on entry; row j holds resample `first + j`. segments < 2^32.
inline void bootstrap_weights(std::size_t first, std::size_t resamples, std::size_t segments, std::size_t size,
                              std::uint64_t seed, int threads, std::uint32_t* weights) {
  const auto range = static_cast<std::uint32_t>(segments);
  const std::uint32_t reject_below = (0u - range) % range;  // 2^32 mod range
  parallel_blocks(resamples, 16, threads, [&] {
    return [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        Xoshiro256 random(seed, first + b);
        std::uint32_t* row = weights + b * segments;
        std::size_t left = size;
        while (left > 0) {
          const std::uint64_t word = random();
          for (const auto half : {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)}) {
            const std::uint64_t product = std::uint64_t{half} * range;
            if (static_cast<std::uint32_t>(product) < reject_below || left == 0) continue;
            ++row[product >> 32];
            --left;
          }
        }
      }
    };
  });
}

// weights: (resample, segment), 0 or 1 with probability 1/2 each, bits of the resample's own generator, low bit first.
inline void coin_weights(std::size_t first, std::size_t resamples, std::size_t segments, std::uint64_t seed, int threads,
                         std::uint32_t* weights) {
  parallel_blocks(resamples, 16, threads, [&] {
    return [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        Xoshiro256 random(seed, first + b);
        std::uint32_t* row = weights + b * segments;
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < segments; ++i, bits >>= 1) {
          if (i % 64 == 0) bits = random();
          row[i] = bits & 1u;
        }
      }
    };
  });
}

}  // namespace assay
