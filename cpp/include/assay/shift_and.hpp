// Clipped n-gram matches by bits: for references of up to 256 symbols and orders up to 6.
//
// Bit p of ends[n] says that the n symbols up to here in the output are the n symbols up to p in the reference. One
// more symbol s makes ends[n] = (ends[n-1] << 1) & places[s], where places[s] are the positions of s (Baeza-Yates &
// Gonnet 1992). Two n-grams are equal exactly when these sets are, and sets of different n-grams are disjoint; so clipping is
// taking one position out of the set for every output n-gram, until none is left. With several references a position
// is taken out in each, and an n-gram matches if any had one: min(count, max over references). Exact, no table, no
// branch. Cost: O(length x order x words of 64 bits).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace assay {

using Symbol = std::uint32_t;  // 0: not in the references

class ShiftAnd {
 public:
  static constexpr std::size_t kMaxLength = 256;
  static constexpr int kMaxOrder = 6;

  static bool fits(std::span<const std::vector<Symbol>> references, int max_order) {
    for (const auto& reference : references)
      if (reference.size() > kMaxLength) return false;
    return max_order <= kMaxOrder;
  }

  // matches[output * max_order + n - 1]; `symbols` is one more than the largest symbol.
  void operator()(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
                  std::size_t symbols, int max_order, std::int64_t* matches) {
    std::size_t longest = 0;
    for (const auto& reference : references) longest = std::max(longest, reference.size());
    switch ((longest + 63) / 64) {
      case 0: break;  // no n-gram anywhere
      case 1: with_words<1>(references, outputs, symbols, max_order, matches); break;
      case 2: with_words<2>(references, outputs, symbols, max_order, matches); break;
      case 3: with_words<3>(references, outputs, symbols, max_order, matches); break;
      default: with_words<4>(references, outputs, symbols, max_order, matches); break;
    }
  }

 private:
  template <int Words>
  void with_words(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
                  std::size_t symbols, int max_order, std::int64_t* matches) {
    switch (max_order) {
      case 1: run<Words, 1>(references, outputs, symbols, matches); break;
      case 2: run<Words, 2>(references, outputs, symbols, matches); break;
      case 3: run<Words, 3>(references, outputs, symbols, matches); break;
      case 4: run<Words, 4>(references, outputs, symbols, matches); break;
      case 5: run<Words, 5>(references, outputs, symbols, matches); break;
      default: run<Words, 6>(references, outputs, symbols, matches); break;
    }
  }

  template <int Words, int Orders>
  void run(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
           std::size_t symbols, std::int64_t* matches) {
    places_.assign(references.size() * symbols * Words, 0);
    for (std::size_t r = 0; r < references.size(); ++r) {
      std::uint64_t* places = &places_[r * symbols * Words];
      for (std::size_t p = 0; p < references[r].size(); ++p)
        places[references[r][p] * Words + p / 64] |= std::uint64_t{1} << (p % 64);
    }
    for (const auto& output : outputs) {
      hits_.assign(output.size(), 0);
      for (std::size_t r = 0; r < references.size(); ++r)
        find_hits<Words, Orders>(&places_[r * symbols * Words], output, hits_.data());
      for (int n = 0; n < Orders; ++n) {
        std::uint32_t count = 0;
        for (const std::uint8_t hit : hits_) count += hit >> n & 1;
        *matches++ = count;
      }
    }
  }

  // Sets bit n - 1 of hits[j] if the n-gram that ends at j has a position left in this reference, and takes that out.
  template <int Words, int Orders>
  static void find_hits(const std::uint64_t* places, const std::vector<Symbol>& output, std::uint8_t* hits) {
    std::uint64_t ends[Orders][Words] = {};
    std::uint64_t left[Orders][Words];
    std::memset(left, 0xFF, sizeof left);
    for (std::size_t j = 0; j < output.size(); ++j) {
      const std::uint64_t* here = places + std::size_t{output[j]} * Words;
      for (int n = Orders - 1; n > 0; --n)
        for (int w = Words - 1; w >= 0; --w) {
          const std::uint64_t carry = w > 0 ? ends[n - 1][w - 1] >> 63 : 0;
          ends[n][w] = (ends[n - 1][w] << 1 | carry) & here[w];
        }
      for (int w = 0; w < Words; ++w) ends[0][w] = here[w];
      unsigned hit = 0;
      for (int n = 0; n < Orders; ++n) {
        std::uint64_t taken = 0;
        for (int w = 0; w < Words; ++w) {
          const std::uint64_t candidates = ends[n][w] & left[n][w] & (0 - std::uint64_t{taken == 0});
          const std::uint64_t lowest = candidates & (0 - candidates);
          left[n][w] ^= lowest;
          taken |= lowest;
        }
        hit |= unsigned{taken != 0} << n;
      }
      hits[j] |= static_cast<std::uint8_t>(hit);
    }
  }

  std::vector<std::uint64_t> places_;  // (reference, symbol, word)
  std::vector<std::uint8_t> hits_;
};

}  // namespace assay
