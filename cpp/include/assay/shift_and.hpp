// Bit-parallel clipped n-gram matches, for references of up to 256 symbols and orders up to 6.
//
// Bit p of ends[n] says that the last n symbols of the output so far equal the n symbols of the reference that end at p.
// For the next symbol s, ends[n] = (ends[n-1] << 1) & places[s], where places[s] is the set of positions of s
// (Baeza-Yates & Gonnet 1992). Two n-grams are equal exactly if these sets are equal, and sets of different n-grams are
// disjoint. Clipping therefore removes one position from the set for every output n-gram, until none is left. With
// several references, a position is removed in each, and an n-gram matches if any reference had one left:
// min(count, max over references). Exact, without tables or branches. Cost: O(length x order x words of 64 bits).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/processor.hpp"

namespace assay {

using Symbol = std::uint32_t;  // 0: not in the references

// The unclipped matches that end at a symbol of an output, and the place where they end in a reference. Places count through
// all references, with one unused place between them.
struct Hit {
  std::uint32_t orders = 0;  // bit n - 1: order n
  std::uint32_t place = 0;   // of the longest match, and so of all
};

class ShiftAnd {
 public:
  static constexpr std::size_t kMaxLength = 256;
  static constexpr int kMaxOrder = 6;

  static bool fits(std::span<const std::vector<Symbol>> references, std::size_t symbols, int max_order) {
    constexpr std::size_t max_places = std::size_t{1} << 20;
    for (const auto& reference : references)
      if (reference.size() > kMaxLength) return false;
    return max_order <= kMaxOrder && references.size() * symbols * (kMaxLength / 64) <= max_places;
  }

  // matches[output * max_order + n - 1]; `symbols` is one more than the largest symbol.
  void operator()(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
                  std::size_t symbols, int max_order, std::int64_t* matches) {
    with_sizes(references, max_order, [&]<int Words, int Orders>() {
      place<Words>(references, symbols);
      for (const auto& output : outputs) {
        if (references.size() == 1) {
          count_hits<Words, Orders>(places_.data(), output, matches);
        } else {
          hits_.assign(output.size(), 0);
          find_all_hits<Words, Orders>(references, symbols, output, hits_.data());
          for (int n = 0; n < Orders; ++n)
            for (const std::uint8_t hit : hits_) matches[n] += hit >> n & 1;
        }
        matches += Orders;
      }
    });
  }

  // hits[output][j]: the hits of the output n-grams that end at j; empty on entry.
  void hits(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
            std::size_t symbols, int max_order, std::vector<std::vector<Hit>>& hits) {
    with_sizes(references, max_order, [&]<int Words, int Orders>() {
      place<Words>(references, symbols);
      for (std::size_t s = 0; s < outputs.size(); ++s)
        find_all_hits<Words, Orders>(references, symbols, outputs[s], hits[s].data());
    });
  }

 private:
  // Calls action<Words, Orders>(), unless the references are empty.
  template <class Action>
  static void with_sizes(std::span<const std::vector<Symbol>> references, int max_order, Action action) {
    std::size_t longest = 0;
    for (const auto& reference : references) longest = std::max(longest, reference.size());
    switch ((longest + 63) / 64) {
      case 0: break;  // there are no n-grams
      case 1: with_orders<1>(max_order, action); break;
      case 2: with_orders<2>(max_order, action); break;
      case 3: with_orders<3>(max_order, action); break;
      default: with_orders<4>(max_order, action); break;
    }
  }

  template <int Words, class Action>
  static void with_orders(int max_order, Action action) {
    switch (max_order) {
      case 1: action.template operator()<Words, 1>(); break;
      case 2: action.template operator()<Words, 2>(); break;
      case 3: action.template operator()<Words, 3>(); break;
      case 4: action.template operator()<Words, 4>(); break;
      case 5: action.template operator()<Words, 5>(); break;
      default: action.template operator()<Words, 6>(); break;
    }
  }

  template <int Words>
  void place(std::span<const std::vector<Symbol>> references, std::size_t symbols) {
    places_.assign(references.size() * symbols * Words, 0);
    for (std::size_t r = 0; r < references.size(); ++r) {
      std::uint64_t* places = &places_[r * symbols * Words];
      for (std::size_t p = 0; p < references[r].size(); ++p)
        places[references[r][p] * Words + p / 64] |= std::uint64_t{1} << (p % 64);
    }
  }

  // Found: a Hit, or a byte that holds only its orders.
  template <int Words, int Orders, class Found>
  void find_all_hits(std::span<const std::vector<Symbol>> references, std::size_t symbols,
                     const std::vector<Symbol>& output, Found* hits) {
    std::size_t first = 0;  // first place of the reference
    for (std::size_t r = 0; r < references.size(); ++r) {
      find_hits<Words, Orders>(&places_[r * symbols * Words], output, first, hits);
      first += references[r].size() + 1;
    }
  }

  // A vector with a lane for each of several consecutive orders.
  template <int Lanes>
  struct VectorOf {
    typedef std::uint64_t Type __attribute__((vector_size(8 * Lanes)));
  };
  using Pair = VectorOf<2>::Type;

  // The last lane of one vector and all but the last of the next. Wide vectors are never passed by value: how they are
  // depends on the processor.
  template <class Vector, std::size_t... Lane>
  [[gnu::always_inline]] static void join(const Vector& one, const Vector& next, Vector& joined, std::index_sequence<Lane...>) {
    constexpr int last = sizeof...(Lane) - 1;
#if __has_builtin(__builtin_shufflevector)
    joined = __builtin_shufflevector(one, next, (last + static_cast<int>(Lane))...);
#else
    joined = __builtin_shuffle(one, next, Vector{last + Lane...});  // GCC before 12
#endif
  }

  // The sets for a prefix of an output, and the positions that have not been removed yet.
  template <int Words, int Orders, int Lanes = 2>
  struct Walk {
    using Vector = typename VectorOf<Lanes>::Type;
    static constexpr int kVectors = (Orders + Lanes - 1) / Lanes;
    Vector ends[Words][kVectors] = {};
    Vector left[Words][kVectors];

    [[gnu::always_inline]] Walk() { std::memset(left, 0xFF, sizeof left); }

    // Reads the next symbol, which has these places in the reference. Calls emit(k, hit); hit is all ones for matching orders.
    template <class Emit>
    [[gnu::always_inline]] void step(const std::uint64_t* here, Emit emit) {
      constexpr Vector zero = {}, ones = ~zero, first = {1};
      for (int k = kVectors - 1; k >= 0; --k) {
        Vector shorter[Words];  // the sets of the next lower orders
        for (int w = 0; w < Words; ++w)
          join(k > 0 ? ends[w][k - 1] : ones, ends[w][k], shorter[w], std::make_index_sequence<Lanes>());
        Vector taken = {};
        for (int w = 0; w < Words; ++w) {
          const Vector carry = w > 0 ? shorter[w - 1] >> 63 : k == 0 ? first : zero;
          const Vector end = (shorter[w] << 1 | carry) & (zero + here[w]);
          ends[w][k] = end;
          Vector candidates = end & left[w][k];
          if (w > 0) candidates &= reinterpret_cast<Vector>(taken == 0);
          const Vector lowest = candidates & -candidates;
          left[w][k] ^= lowest;
          taken |= lowest;
        }
        emit(k, reinterpret_cast<Vector>(taken != 0));
      }
    }

    // A position of the reference where the last `order` symbols end, if there is one.
    [[gnu::always_inline]] std::size_t place(int order) const {
      const int k = std::max(order - 1, 0) / Lanes, lane = std::max(order - 1, 0) % Lanes;
      std::size_t place = 0;
      for (int w = Words - 1; w >= 0; --w)
        if (w == Words - 1 || ends[w][k][lane] != 0)
          place = static_cast<std::size_t>(w * 64 + std::countr_zero(ends[w][k][lane]));
      return place;
    }
  };

  // Matches of one output in the only reference.
  template <int Words, int Orders, int Lanes>
  [[gnu::always_inline]] static void count(const std::uint64_t* places, const std::vector<Symbol>& output,
                                           std::int64_t* matches) {
    using Steps = Walk<Words, Orders, Lanes>;
    Steps walk;
    typename Steps::Vector counts[Steps::kVectors] = {};
    for (const Symbol symbol : output)
      walk.step(places + std::size_t{symbol} * Words,
                [&](int k, const typename Steps::Vector& hit) __attribute__((always_inline)) { counts[k] -= hit; });
    for (int n = 0; n < Orders; ++n) matches[n] = static_cast<std::int64_t>(counts[n / Lanes][n % Lanes]);
  }

  // Adds to hits[j] the n-grams that end at j and have a position left in this reference, and removes that position.
  template <int Words, int Orders, class Found>
  [[gnu::always_inline]] static void find(const std::uint64_t* places, const std::vector<Symbol>& output,
                                          std::size_t first, Found* hits) {
    Walk<Words, Orders> walk;
    for (std::size_t j = 0; j < output.size(); ++j) {
      Pair bits = {};
      walk.step(places + std::size_t{output[j]} * Words,
                [&](int k, Pair hit) { bits |= hit & Pair{std::uint64_t{1} << 2 * k, std::uint64_t{2} << 2 * k}; });
      const auto orders = static_cast<std::uint32_t>(bits[0] | bits[1]) & ((1u << Orders) - 1);  // pairs may have one order too many
      if constexpr (std::is_same_v<Found, Hit>) {
        const auto place = static_cast<std::uint32_t>(first + walk.place(std::bit_width(orders)));
        hits[j] = {hits[j].orders | orders, orders > hits[j].orders ? place : hits[j].place};
      } else {
        hits[j] |= static_cast<Found>(orders);
      }
    }
  }

  // Chooses the code for this processor, with as many orders in a vector as there are, up to its width. With AVX2, comparing
  // 64-bit lanes takes one instruction instead of four.
  template <int Words, int Orders>
  static void count_hits(const std::uint64_t* places, const std::vector<Symbol>& output, std::int64_t* matches) {
#ifdef ASSAY_HAS_AVX2_TARGET
    if (Orders > 4 && has_avx512()) return count_hits_avx512<Words, Orders>(places, output, matches);
    if (has_avx2()) return count_hits_avx2<Words, Orders>(places, output, matches);
#endif
    count<Words, Orders, 2>(places, output, matches);
  }

  template <int Words, int Orders, class Found>
  static void find_hits(const std::uint64_t* places, const std::vector<Symbol>& output, std::size_t first,
                        Found* hits) {
#ifdef ASSAY_HAS_AVX2_TARGET
    if (has_avx2()) return find_hits_avx2<Words, Orders>(places, output, first, hits);
#endif
    find<Words, Orders>(places, output, first, hits);
  }

#ifdef ASSAY_HAS_AVX2_TARGET
  template <int Words, int Orders>
  [[gnu::target("avx512f,avx512dq")]] static void count_hits_avx512(const std::uint64_t* places, const std::vector<Symbol>& output,
                                                                    std::int64_t* matches) {
    count<Words, Orders, 8>(places, output, matches);
  }

  template <int Words, int Orders>
  [[gnu::target("avx2")]] static void count_hits_avx2(const std::uint64_t* places, const std::vector<Symbol>& output,
                                                      std::int64_t* matches) {
    count<Words, Orders, (Orders > 2 ? 4 : 2)>(places, output, matches);
  }

  template <int Words, int Orders, class Found>
  [[gnu::target("avx2")]] static void find_hits_avx2(const std::uint64_t* places, const std::vector<Symbol>& output,
                                                     std::size_t first, Found* hits) {
    find<Words, Orders>(places, output, first, hits);
  }
#endif

  std::vector<std::uint64_t> places_;  // (reference, symbol, word)
  std::vector<std::uint8_t> hits_;
};

}  // namespace assay
