// UTF-8: validation, decoding and encoding. Runs of ASCII are skipped or copied eight bytes at a time.
// Cost: O(bytes).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace assay {

inline constexpr std::uint64_t kHighBits = 0x8080808080808080u;

inline std::uint64_t eight_bytes(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// The length in bytes of the well-formed character that starts here (Unicode 15, table 3-7), else 0. Surrogates are not.
inline std::size_t utf8_character(const std::uint8_t* in, std::size_t left) {
  const auto follows = [&](std::size_t i, std::uint8_t low = 0x80, std::uint8_t high = 0xBF) {
    return i < left && in[i] >= low && in[i] <= high;
  };
  const std::uint8_t first = in[0];
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF)
    return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (first >= 0xF0 && first <= 0xF4)
    return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

// How many bytes from the start are well-formed.
inline std::size_t valid_utf8(const std::uint8_t* in, std::size_t size) {
  std::size_t i = 0;
  while (i < size) {
    for (; i + 32 <= size; i += 32) {
      const std::uint64_t bits = eight_bytes(in + i) | eight_bytes(in + i + 8) | eight_bytes(in + i + 16) | eight_bytes(in + i + 24);
      if ((bits & kHighBits) != 0) break;
    }
    while (i < size && in[i] < 0x80) ++i;
    while (i < size && in[i] >= 0x80) {
      const std::size_t length = utf8_character(in + i, size - i);
      if (length == 0) return i;
      i += length;
    }
  }
  return i;
}

// The narrowest width at which CPython, or a kernel, can hold a well-formed text: the largest byte shows it, because bytes
// that continue a character are smaller than those that start one.
inline std::uint8_t utf8_width(std::uint8_t largest_byte) { return largest_byte < 0xC4 ? 1 : largest_byte < 0xF0 ? 2 : 4; }

inline std::uint8_t largest_byte(const std::uint8_t* in, std::size_t size) {
  std::uint8_t largest = 0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, in[i]);  // compilers vectorise this loop
  return largest;
}

// The number of characters of a well-formed text: bytes that do not continue one. Counted in 32 lanes of one byte, which
// compilers keep in vectors.
inline std::size_t utf8_length(const std::uint8_t* in, std::size_t size) {
  constexpr std::size_t lanes = 32, most = 255;
  std::size_t length = 0, i = 0;
  while (i + lanes <= size) {
    std::array<std::uint8_t, lanes> counts{};
    for (std::size_t step = 0; step < most && i + lanes <= size; ++step, i += lanes)
      for (std::size_t k = 0; k < lanes; ++k) counts[k] = static_cast<std::uint8_t>(counts[k] + ((in[i + k] & 0xC0) != 0x80));
    for (const std::uint8_t count : counts) length += count;
  }
  for (; i < size; ++i) length += (in[i] & 0xC0) != 0x80;
  return length;
}

// The well-formed character that starts here; `in` moves behind it.
inline std::uint32_t next_character(const std::uint8_t*& in) {
  const std::uint32_t first = *in++;
  if (first < 0x80) return first;
  const auto next = [&] { return std::uint32_t{*in++} & 0x3Fu; };
  if (first < 0xE0) return (first & 0x1Fu) << 6 | next();
  std::uint32_t character = first < 0xF0 ? first & 0x0Fu : (first & 0x07u) << 6 | next();
  character = character << 6 | next();
  return character << 6 | next();
}

// Decodes a well-formed text and returns its length. `out` has room for `size` characters; those behind the text may be
// overwritten.
template <class Char>
std::size_t decode_utf8(const std::uint8_t* in, std::size_t size, Char* out) {
  const std::uint8_t* const end = in + size;
  Char* const start = out;
  while (end - in >= 8) {
    const std::uint64_t high = eight_bytes(in) & kHighBits;
    for (std::size_t k = 0; k < 8; ++k) out[k] = static_cast<Char>(in[k]);
    if (high == 0) {
      in += 8;
      out += 8;
      continue;
    }
    std::size_t plain = 0;
    if constexpr (std::endian::native == std::endian::little) plain = static_cast<std::size_t>(std::countr_zero(high)) / 8;
    else plain = static_cast<std::size_t>(std::countl_zero(high)) / 8;
    in += plain;
    out += plain;
    do *out++ = static_cast<Char>(next_character(in));
    while (in < end && *in >= 0x80);
  }
  while (in < end) *out++ = static_cast<Char>(next_character(in));
  return static_cast<std::size_t>(out - start);
}

// Writes a character and returns the address behind it; `out` has room for four bytes.
inline std::uint8_t* encode_utf8(std::uint32_t c, std::uint8_t* out) {
  const auto rest = [&](int shift) { *out++ = static_cast<std::uint8_t>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    *out++ = static_cast<std::uint8_t>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<std::uint8_t>(0xC0 | c >> 6);
    rest(0);
  } else if (c < 0x10000) {
    *out++ = static_cast<std::uint8_t>(0xE0 | c >> 12);
    rest(6), rest(0);
  } else {
    *out++ = static_cast<std::uint8_t>(0xF0 | c >> 18);
    rest(12), rest(6), rest(0);
  }
  return out;
}

}  // namespace assay
