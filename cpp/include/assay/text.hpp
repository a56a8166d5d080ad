// Text in the kernels: a view of CPython's own 1-, 2- or 4-byte string buffer, without decoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

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
  std::size_t length = 0;
  std::uint8_t width = 1;  // bytes per code point: 1, 2 or 4

  bool present() const { return data != nullptr; }
};

using Column = std::vector<Text>;  // one text per segment

// A segment is processed at the width of its widest text.
inline std::uint8_t widest(const std::vector<Column>& columns, std::size_t segment, std::uint8_t width = 1) {
  for (const Column& column : columns)
    if (column[segment].present()) width = std::max(width, column[segment].width);
  return width;
}

inline std::size_t characters(const std::vector<Column>& columns, std::size_t segment) {
  std::size_t sum = 0;
  for (const Column& column : columns) sum += column[segment].length;
  return sum;
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
  switch (text.width) {
    case 1: return use(std::span(static_cast<const std::uint8_t*>(text.data), text.length));
    case 2: return use(std::span(static_cast<const std::uint16_t*>(text.data), text.length));
    default: return use(std::span(static_cast<const std::uint32_t*>(text.data), text.length));
  }
}

// A present text without any character other than white space.
inline bool is_blank(const Text& text) {
  return text.present() && visit_characters(text, [](auto characters) {
           return std::all_of(characters.begin(), characters.end(), [](std::uint32_t c) { return is_space(c); });
         });
}

// Two present texts with the same characters. CPython stores a string at the smallest width, so the widths are equal, too.
inline bool are_equal(const Text& one, const Text& other) {
  return one.present() && other.present() && one.length == other.length && one.width == other.width &&
         std::memcmp(one.data, other.data, one.length * one.width) == 0;
}

// Whether a text has a code point from U+0300 on. All others are in Unicode normal form C: every character that combines
// with the one before it, and every character that the form replaces, comes later.
inline bool may_be_decomposed(const Text& text) {
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
