// Resampling: how often each segment is drawn when `size` segments are drawn with replacement, and which are swapped.
//
// A bootstrap resample is exactly multinomial, but drawn chunk by chunk (kChunk segments), so that the counters stay in
// the processor's cache and any part of a resample can be drawn without the rest. First `size` is split over the chunks by
// binomial draws at the nodes of a binary tree, then each chunk draws its share. Every node and every chunk has its own
// generator, seeded by (seed, resample, part): nothing depends on threads or order.
//
// Binomials use random bits only, and indices come from 16-bit words by Lemire's multiply-shift method with rejection
// (2019), so both are exact, without rounding. The generator is xoshiro256++ (Blackman & Vigna 2019), seeded by SplitMix64.
// Cost: O(resamples x size).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__SSE2__) && !defined(ASSAY_PORTABLE)
#include <emmintrin.h>
#endif

#include "assay/parallel.hpp"
#include "assay/processor.hpp"

namespace assay {

inline constexpr std::size_t kChunk = 4096;

inline std::size_t chunks_of(std::size_t segments) { return (segments + kChunk - 1) / kChunk; }

inline std::uint64_t splitmix(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// One step of xoshiro256++. `Word` is a 64-bit integer or a vector of them, hence no vector is passed by value.
template <class Word>
[[gnu::always_inline]] inline void xoshiro_step(std::array<Word, 4>& s, Word& result) {
  result = s[0] + s[3];
  result = ((result << 23) | (result >> 41)) + s[0];
  const Word t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
}

class Xoshiro256 {
 public:
  Xoshiro256(std::uint64_t seed, std::uint64_t stream) {
    // The seed is hashed before the stream is mixed in, so that neighbouring seeds and streams share no state.
    std::uint64_t x = splitmix(seed) ^ (stream * 0xD1342543DE82EF95u);
    for (auto& word : state_) word = splitmix(x);
  }

  std::uint64_t operator()() {
    std::uint64_t word;
    xoshiro_step(state_, word);
    return word;
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

// Four generators in lockstep, which processors run as one; their words are used in turn.
class RandomWords {
 public:
  static constexpr std::size_t kLanes = 4;

  RandomWords(std::uint64_t seed, std::uint64_t resample, std::uint64_t part) {
    std::uint64_t x = splitmix(seed) ^ (resample * 0xD1342543DE82EF95u);
    x = splitmix(x) ^ (part * 0xAF251AF3B0F025B5u);
    for (auto& word : state_)
      for (std::size_t lane = 0; lane < kLanes; ++lane) word[lane] = splitmix(x);
  }

  // Writes kLanes words.
  [[gnu::always_inline]] void next(std::uint64_t* words) {
    Lanes lanes;
    xoshiro_step(state_, lanes);
    std::memcpy(words, &lanes, sizeof lanes);
  }

 private:
  typedef std::uint64_t Lanes __attribute__((vector_size(8 * kLanes)));

  std::array<Lanes, 4> state_;
};

// How many of n random bits are 1.
[[gnu::always_inline]] inline std::uint64_t random_ones_inlined(RandomWords& random, std::uint64_t n) {
  std::array<std::uint64_t, RandomWords::kLanes> words;
  std::uint64_t ones = 0;
  for (; n >= 64 * RandomWords::kLanes; n -= 64 * RandomWords::kLanes) {
    random.next(words.data());
    for (const std::uint64_t word : words) ones += static_cast<std::uint64_t>(std::popcount(word));
  }
  if (n > 0) random.next(words.data());
  for (std::size_t lane = 0; n > 0; ++lane) {
    const std::uint64_t used = std::min<std::uint64_t>(n, 64);
    ones += static_cast<std::uint64_t>(std::popcount(words[lane] << (64 - used)));
    n -= used;
  }
  return ones;
}

#ifdef ASSAY_HAS_AVX2_TARGET
[[gnu::target("avx2,popcnt")]] inline std::uint64_t random_ones_avx2(RandomWords& random, std::uint64_t n) {
  return random_ones_inlined(random, n);
}
#endif

inline std::uint64_t random_ones(RandomWords& random, std::uint64_t n) {
#ifdef ASSAY_HAS_AVX2_TARGET
  if (has_avx2()) return random_ones_avx2(random, n);
#endif
  return random_ones_inlined(random, n);
}

// The number of successes in n trials of probability part / whole < 1: trials whose uniform number is below it. The binary
// digits of the numbers and of the probability are compared from the first on, until all trials are decided.
inline std::uint64_t random_successes(RandomWords& random, std::uint64_t n, std::uint64_t part, std::uint64_t whole) {
  std::uint64_t successes = 0;
  while (n > 0 && part > 0) {
    part *= 2;
    const bool digit = part >= whole;
    if (digit) part -= whole;
    const std::uint64_t ones = random_ones(random, n);
    if (digit) successes += n - ones;
    n = digit ? ones : n - ones;
  }
  return successes;
}

// A bootstrap of `segments` segments. The draws of a resample come in chunks: first `split`, then `draw` for each chunk.
struct Bootstrap {
  std::size_t segments, size;
  std::uint64_t seed;

  // shares[c]: how many of the draws fall into chunk c.
  void split(std::uint64_t resample, std::uint32_t* shares) const { split(resample, 0, chunks_of(segments), size, shares); }

  // Adds the draws of a chunk to its weights, which are zero on entry. `Weight` must be able to hold the share.
  template <class Weight>
  void draw(std::uint64_t resample, std::size_t chunk, std::size_t share, Weight* weights) const {
#ifdef ASSAY_HAS_AVX2_TARGET
    if (has_avx2()) return draw_avx2(resample, chunk, share, weights);
#endif
    draw_inlined(resample, chunk, share, weights);
  }

 private:
  static constexpr std::size_t kBatch = 64;  // one bit each in a word
  static_assert(kChunk <= 1u << 16);

#ifdef ASSAY_HAS_AVX2_TARGET
  template <class Weight>
  [[gnu::target("avx2")]] void draw_avx2(std::uint64_t resample, std::size_t chunk, std::size_t share,
                                         Weight* weights) const {
    draw_inlined(resample, chunk, share, weights);
  }
#endif

  template <class Weight>
  [[gnu::always_inline]] void draw_inlined(std::uint64_t resample, std::size_t chunk, std::size_t share,
                                           Weight* weights) const {
    RandomWords random(seed, resample, 2 * chunk);
    const auto range = static_cast<std::uint32_t>(std::min(kChunk, segments - chunk * kChunk));
    const std::uint32_t reject_below = (std::uint32_t{1} << 16) % range;
    std::array<std::uint64_t, kBatch / 4> words;
    std::array<std::uint16_t, kBatch> values, indices;
    while (share > 0) {
      for (std::size_t i = 0; i < words.size(); i += RandomWords::kLanes) random.next(&words[i]);
      split_words(words.data(), kBatch, values.data());
      std::uint64_t rejected = multiply(values.data(), range, reject_below, indices.data());
      if (share >= kBatch) {  // a batch cannot accept more; rejections are rare, so they are taken back
        for (const std::uint16_t index : indices) ++weights[index];
        share -= kBatch;
        for (; rejected != 0; rejected &= rejected - 1, ++share)
          --weights[indices[static_cast<std::size_t>(std::countr_zero(rejected))]];
      } else {
        for (std::size_t i = 0; i < kBatch && share > 0; ++i, rejected >>= 1)
          if ((rejected & 1) == 0) ++weights[indices[i]], --share;
      }
    }
  }

  // Four values of 16 bits from each word, the lowest first.
  [[gnu::always_inline]] static void split_words(const std::uint64_t* words, std::size_t count, std::uint16_t* values) {
    if constexpr (std::endian::native == std::endian::little) std::memcpy(values, words, 2 * count);
    else for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint16_t>(words[i / 4] >> (16 * (i % 4)));
  }

  // Indices from a batch of values; bit i of the result says that value i must be rejected.
  [[gnu::always_inline]] static std::uint64_t multiply(const std::uint16_t* values, std::uint32_t range,
                                                       std::uint32_t reject_below, std::uint16_t* indices) {
    std::uint64_t rejected = 0;
#if defined(__SSE2__) && !defined(ASSAY_PORTABLE)
    // Vector units compare signed numbers only, so both sides change sign.
    const auto repeat = [](std::uint32_t x) { return _mm_set1_epi16(static_cast<std::int16_t>(x)); };
    const __m128i ranges = repeat(range), sign = repeat(1u << 15), bound = repeat(reject_below ^ (1u << 15));
    for (std::size_t i = 0; i < kBatch; i += 16) {
      __m128i is_rejected[2];
      for (std::size_t half = 0; half < 2; ++half) {
        const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + i + 8 * half));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(indices + i + 8 * half), _mm_mulhi_epu16(eight, ranges));
        is_rejected[half] = _mm_cmplt_epi16(_mm_xor_si128(_mm_mullo_epi16(eight, ranges), sign), bound);
      }
      const int bits = _mm_movemask_epi8(_mm_packs_epi16(is_rejected[0], is_rejected[1]));
      rejected |= static_cast<std::uint64_t>(bits) << i;
    }
#else
    for (std::size_t i = 0; i < kBatch; ++i) {
      const std::uint32_t product = values[i] * range;
      indices[i] = static_cast<std::uint16_t>(product >> 16);
      rejected |= static_cast<std::uint64_t>((product & 0xFFFFu) < reject_below) << i;
    }
#endif
    return rejected;
  }

  // Splits the draws of chunks [first, last). A node of the tree is identified by the chunk where it splits.
  void split(std::uint64_t resample, std::size_t first, std::size_t last, std::uint64_t draws, std::uint32_t* shares) const {
    if (last - first == 1 || draws == 0) {
      std::fill(shares + first, shares + last, 0u);
      if (last > first) shares[first] = static_cast<std::uint32_t>(draws);
      return;
    }
    const std::size_t middle = (first + last) / 2;
    RandomWords random(seed, resample, 2 * middle + 1);
    const std::uint64_t whole = std::min(segments, last * kChunk) - first * kChunk;
    const std::uint64_t lower = random_successes(random, draws, (middle - first) * kChunk, whole);
    split(resample, first, middle, lower, shares);
    split(resample, middle, last, draws - lower, shares);
  }
};

// weights: (resample, segment), zero on entry; row j holds resample `first + j`. segments < 2^32.
inline void bootstrap_weights(std::size_t first, std::size_t resamples, const Bootstrap& bootstrap, int threads,
                              std::uint32_t* weights) {
  parallel_blocks(resamples, 16, threads, [&] {
    return [&, shares = std::vector<std::uint32_t>(chunks_of(bootstrap.segments))](std::size_t begin, std::size_t end) mutable {
      for (std::size_t b = begin; b < end; ++b) {
        bootstrap.split(first + b, shares.data());
        for (std::size_t c = 0; c < shares.size(); ++c) {
          checkpoint(4 * std::int64_t{shares[c]});
          bootstrap.draw(first + b, c, shares[c], weights + b * bootstrap.segments + c * kChunk);
        }
      }
    };
  });
}

// Swaps of segments between two systems: a resample swaps each segment (1) or not (0) with probability 1/2, by the bits of
// its own generator, low bit first. The chunks of a resample must be drawn in order.
struct Swaps {
  std::size_t segments;
  std::uint64_t seed;

  Xoshiro256 generator(std::uint64_t resample) const { return {seed, resample}; }

  // The next `count` weights of a resample.
  template <class Weight>
  static void draw(Xoshiro256& generator, std::size_t count, Weight* weights) {
    for (std::size_t i = 0; i < count;) {
      std::uint64_t bits = generator();
      for (const std::size_t end = std::min(count, i + 64); i < end; ++i, bits >>= 1) weights[i] = bits & 1u;
    }
  }
  static_assert(kChunk % 64 == 0, "a chunk uses whole words");
};

// weights: (resample, segment); row j holds resample `first + j`.
inline void swap_weights(std::size_t first, std::size_t resamples, const Swaps& swaps, int threads, std::uint32_t* weights) {
  parallel_blocks(resamples, 16, threads, [&] {
    return [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        checkpoint(static_cast<std::int64_t>(swaps.segments));
        Xoshiro256 generator = swaps.generator(first + b);
        Swaps::draw(generator, swaps.segments, weights + b * swaps.segments);
      }
    };
  });
}

}  // namespace assay
