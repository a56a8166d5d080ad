// A hash of two machine words that nobody can predict, so that no text can be made whose tokens all collide.
//
// The secret is drawn when the process starts. No result depends on it: tables look entries up, and never list them in
// the order of their hashes.
#pragma once

#include <cstdint>
#include <exception>
#include <random>

namespace assay {

struct Secret {
  std::uint64_t first, second, chain;

  static Secret random() noexcept {
    try {
      std::random_device device;
      const auto word = [&] { return std::uint64_t{device()} << 32 | (device() & 0xFFFFFFFFu); };
      return {word(), word() | 1, word() | 1};
    } catch (const std::exception&) {  // no source of random numbers: a fixed secret is as good as none, and as correct
      return {0x2D358DCCAA6C78A5u, 0x8BB84B93962EACC9u, 0x4B33A62ED433D4A3u};
    }
  }
};

inline const Secret kSecret = Secret::random();

// All 128 bits of a product, folded (as in wyhash).
inline std::uint64_t folded_product(std::uint64_t x, std::uint64_t y) {
  const auto product = static_cast<unsigned __int128>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t secret_hash(std::uint64_t first, std::uint64_t second) {
  return folded_product(first ^ kSecret.first, second ^ kSecret.second);
}

}  // namespace assay
