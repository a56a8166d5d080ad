// The bootstrap draws of NumPy's generators, which sacreBLEU uses: integers below a bound from 32-bit random words by Lemire's
// multiply-shift method with rejection (2019), and how often each of them was drawn.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

// Draws below `bound`; words that would favour some draws are skipped. Returns the number of draws.
inline std::size_t bounded_draws(const std::uint32_t* words, std::size_t count, std::uint32_t bound, std::uint32_t* draws) {
  const std::uint32_t reject_below = (0u - bound) % bound;
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t product = std::uint64_t{words[i]} * bound;
    draws[accepted] = static_cast<std::uint32_t>(product >> 32);
    accepted += static_cast<std::uint32_t>(product) >= reject_below;
  }
  return accepted;
}

// weights: (resample, segment), zero on entry: how often each segment is among the `size` draws of a resample.
inline void count_draws(const std::uint32_t* draws, std::size_t resamples, std::size_t size, std::size_t segments,
                        float* weights) {
  for (std::size_t b = 0; b < resamples; ++b, draws += size, weights += segments)
    for (std::size_t i = 0; i < size; ++i) weights[draws[i]] += 1.0f;
}

}  // namespace assay
