// Text in the kernels: a view of CPython's own 1-, 2- or 4-byte string buffer, or of UTF-8, which is decoded where it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "assay/utf8.hpp"

namespace assay {

// Scratch memory that only grows and is never cleared: only elements that were written may be read.
template <class T>
class Buffer {
 public:
  // Makes room for `size` elements; previous contents may be lost.
  T* reserve(std::size_t size) {
    if (size > capacity_) {
      capacity_ = size + size / 2 + 16;
      memory_ = std::make_unique_for_overwrite<T[]>(capacity_);
    }
    return memory_.get();
  }

  void set_size(std::size_t size) { size_ = size; }
  std::size_t size() const { return size_; }
  const T* data() const { return memory_.get(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  const T& operator[](std::size_t i) const { return memory_[i]; }
  T& operator[](std::size_t i) { return memory_[i]; }

 private:
  std::unique_ptr<T[]> memory_;
  std::size_t capacity_ = 0, size_ = 0;
};

// One segment. An absent segment (None in Python) has no data and is never read.
struct Text {
  const void* data = nullptr;
  std::size_t length = 0;   // code points; of UTF-8, bytes
  std::uint8_t width = 1;   // bytes per code point, 1, 2 or 4; of UTF-8, those that it needs when it is decoded
  bool is_utf8 = false;     // never set for ASCII, which is the same as text of width 1

  bool present() const { return data != nullptr; }
  const std::uint8_t* bytes() const { return static_cast<const std::uint8_t*>(data); }
};

// A well-formed text.
inline Text utf8_text(const std::uint8_t* bytes, std::size_t size) {
  const std::uint8_t largest = largest_byte(bytes, size);
  return {bytes, size, utf8_width(largest), largest >= 0x80};
}

// A copy of a text at a chosen code-point width, followed by padding, so that kernels may read whole
// blocks of 64 code points and whole 8-byte words past the end. All texts of one segment have the
// same width, so tokens are equal exactly if their bytes are equal.
template <class Char>
class PaddedText {
 public:
  static constexpr std::size_t kBlock = 64;

  void assign(const Text& text) {
    resize(text.length);
    if (text.is_utf8) {
      length_ = decode_utf8(text.bytes(), text.length, buffer_.data());
      return pad();
    }
    switch (text.width) {
      case 1: widen(static_cast<const std::uint8_t*>(text.data)); break;
      case 2: widen(static_cast<const std::uint16_t*>(text.data)); break;
      default: widen(static_cast<const std::uint32_t*>(text.data)); break;
    }
    pad();
  }

  void assign(const std::vector<Char>& characters) {
    resize(characters.size());
    std::copy(characters.begin(), characters.end(), buffer_.begin());
    pad();
  }

  // Lower-cases A to Z.
  void lower_ascii() {
    for (Char& c : std::span(buffer_.data(), length_))
      c = static_cast<Char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0));
  }

  const Char* data() const { return buffer_.data(); }
  Char* data() { return buffer_.data(); }
  std::size_t size() const { return length_; }

 private:
  void resize(std::size_t length) {
    length_ = length;
    const std::size_t padded = (length / kBlock + 2) * kBlock;
    if (buffer_.size() < padded) buffer_.resize(padded);
  }

  template <class Source>
  void widen(const Source* source) {
    if constexpr (sizeof(Source) == sizeof(Char)) {
      std::memcpy(buffer_.data(), source, length_ * sizeof(Char));
    } else {
      for (std::size_t i = 0; i < length_; ++i) buffer_[i] = static_cast<Char>(source[i]);
    }
  }

  void pad() { std::fill_n(buffer_.begin() + static_cast<std::ptrdiff_t>(length_), kBlock, Char(' ')); }

  std::vector<Char> buffer_;
  std::size_t length_ = 0;
};

// A lone surrogate: Python allows it in a str, but it is not valid text.
inline bool has_surrogate(const Text& text) {
  std::uint32_t found = 0;
  if (text.is_utf8) return false;  // not well-formed
  if (text.width == 2) {
    const auto* characters = static_cast<const std::uint16_t*>(text.data);
    for (std::size_t i = 0; i < text.length; ++i) found |= (characters[i] & 0xF800) == 0xD800;
  } else if (text.width == 4) {
    const auto* characters = static_cast<const std::uint32_t*>(text.data);
    for (std::size_t i = 0; i < text.length; ++i) found |= (characters[i] & 0xFFFFF800) == 0xD800;
  }
  return found != 0;
}

// The characters at which Python's str.split() splits.
constexpr bool is_space(std::uint32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// Calls use(characters) with the characters of a text, a span of 8-, 16- or 32-bit code points.
template <class Use>
auto visit_characters(const Text& text, Use use) {
  if (text.is_utf8) {
    static thread_local Buffer<std::uint32_t> decoded;
    std::uint32_t* const characters = decoded.reserve(text.length);
    return use(std::span(static_cast<const std::uint32_t*>(characters), decode_utf8(text.bytes(), text.length, characters)));
  }
  switch (text.width) {
    case 1: return use(std::span(static_cast<const std::uint8_t*>(text.data), text.length));
    case 2: return use(std::span(static_cast<const std::uint16_t*>(text.data), text.length));
    default: return use(std::span(static_cast<const std::uint32_t*>(text.data), text.length));
  }
}

inline std::size_t length_of(const Text& text) { return text.is_utf8 ? utf8_length(text.bytes(), text.length) : text.length; }

// The first characters of a text.
inline Text start_of(Text text, std::size_t characters) {
  if (!text.is_utf8) {
    text.length = std::min(text.length, characters);
    return text;
  }
  const std::uint8_t* end = text.bytes();
  const std::uint8_t* const last = end + text.length;
  while (end < last && characters-- > 0) next_character(end);
  text.length = static_cast<std::size_t>(end - text.bytes());
  return text;
}

// Strips white space at both ends.
inline Text stripped(Text text) {
  return visit_characters(text, [&](auto characters) {
    std::size_t first = 0, end = characters.size();
    while (end > 0 && is_space(characters[end - 1])) --end;
    while (first < end && is_space(characters[first])) ++first;
    if (text.is_utf8) {
      const std::size_t start = start_of(text, first).length, stop = start_of(text, end).length;
      return Text{text.bytes() + start, stop - start, text.width, true};
    }
    return Text{text.bytes() + first * text.width, end - first, text.width};
  });
}

// A well-formed text without any character other than white space.
inline bool is_blank_utf8(const std::uint8_t* in, std::size_t size) {
  const std::uint8_t* const end = in + size;
  while (in < end)
    if (!is_space(next_character(in))) return false;
  return true;
}

// A present text without any character other than white space.
inline bool is_blank(const Text& text) {
  if (text.is_utf8) return is_blank_utf8(text.bytes(), text.length);
  return text.present() && visit_characters(text, [](auto characters) {
           return std::all_of(characters.begin(), characters.end(), [](std::uint32_t c) { return is_space(c); });
         });
}

// Two present texts with the same characters. CPython stores a string at the smallest width, so the widths are equal, too.
inline bool are_equal(const Text& one, const Text& other) {
  if (!one.present() || !other.present() || one.width != other.width) return false;
  if (one.is_utf8 == other.is_utf8)
    return one.length == other.length && std::memcmp(one.data, other.data, one.length * (one.is_utf8 ? 1 : one.width)) == 0;
  const Text& encoded = one.is_utf8 ? one : other;
  const std::uint8_t* in = encoded.bytes();
  const std::uint8_t* const end = in + encoded.length;
  return visit_characters(one.is_utf8 ? other : one, [&](auto characters) {
    for (const std::uint32_t c : characters)
      if (in == end || next_character(in) != c) return false;
    return in == end;
  });
}

// Whether a text has a code point from U+0300 on. All others are in Unicode normal form C: every character that combines
// with the one before it, and every character that the form replaces, comes later.
inline bool may_be_decomposed(const Text& text) {
  if (text.is_utf8) return largest_byte(text.bytes(), text.length) >= 0xCC;  // which starts U+0300
  return text.width > 1 && visit_characters(text, [](auto characters) {
           bool found = false;  // no early exit, so that compilers vectorise the loop
           for (const std::uint32_t c : characters) found |= c >= 0x300;
           return found;
         });
}

// Whether a text has the first byte of a character in UTF-8, taken for a character, before another one from U+0080 on. Texts
// that were encoded as UTF-8 twice do, and hardly any others.
inline bool may_be_double_encoded(const Text& text) {
  return visit_characters(text, [](auto characters) {
    bool found = false;  // no early exit, so that compilers vectorise the loop
    for (std::size_t i = 1; i < characters.size(); ++i)
      found |= (characters[i - 1] >= 0xC2) & (characters[i - 1] <= 0xF4) & (characters[i] >= 0x80);
    return found;
  });
}

}  // namespace assay
