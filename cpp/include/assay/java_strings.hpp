// Strings as Java sees them: in UTF-16, and equal for METEOR if their hashes are.
//
// Cost: O(characters).
#pragma once

#include <cstdint>
#include <span>

namespace assay {

struct JavaString {
  std::int32_t hash = 0;
  std::int32_t length = 0;  // in UTF-16
};

// String.hashCode(): 31 * hash + unit, modulo 2^32.
template <class Char>
JavaString java_string(std::span<const Char> characters) {
  std::uint32_t hash = 0;
  std::int32_t length = 0;
  const auto add = [&](std::uint32_t unit) { hash = 31 * hash + unit, ++length; };
  for (const std::uint32_t c : characters) {
    if (c >= 0x10000) add(0xD7C0 + (c >> 10)), add(0xDC00 + (c & 0x3FF));
    else add(c);
  }
  return {static_cast<std::int32_t>(hash), length};
}

}  // namespace assay
