// Texts as the core receives them, in memory that ends exactly where the text ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "assay/column.hpp"

// The smallest width at which CPython can store this text.
inline std::uint8_t width_of(const std::u32string& line) {
  const char32_t largest = line.empty() ? U'\0' : *std::max_element(line.begin(), line.end());
  return largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4;
}

// A line at 1, 2 or 4 bytes per code point. The memory has no spare element, so that the address sanitizer
// detects reads past the end; only an empty text has one, because present texts need an address.
class StoredText {
 public:
  StoredText(const std::u32string& line, std::uint8_t width) : length_(line.size()), width_(width) {
    if (width == 1) characters_ = stored<std::uint8_t>(line);
    else if (width == 2) characters_ = stored<std::uint16_t>(line);
    else characters_ = stored<std::uint32_t>(line);
  }

  explicit StoredText(const std::u32string& line) : StoredText(line, width_of(line)) {}

  assay::Text view() const {
    const void* data =
        std::visit([](const auto& vector) { return static_cast<const void*>(vector.data()); }, characters_);
    return {data, length_, width_};
  }

 private:
  template <class Char>
  static std::vector<Char> stored(const std::u32string& line) {
    std::vector<Char> out(std::max<std::size_t>(line.size(), 1));
    for (std::size_t i = 0; i < line.size(); ++i) out[i] = static_cast<Char>(line[i]);
    return out;
  }

  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>> characters_;
  std::size_t length_;
  std::uint8_t width_;
};

// References and outputs of some segments, and their memory.
class Corpus {
 public:
  Corpus(std::size_t references, std::size_t systems, std::size_t segments) : segments(segments) {
    for (std::size_t r = 0; r < references; ++r) this->references.emplace_back(segments);
    for (std::size_t s = 0; s < systems; ++s) outputs.emplace_back(segments);
  }

  // All texts are absent until they are set.
  void put(assay::Column& column, std::size_t segment, const std::u32string& line,
           std::uint8_t at_least_this_width = 1) {
    storage_.emplace_back(line, std::max(width_of(line), at_least_this_width));
    column.put(segment, storage_.back().view());
  }

  std::vector<assay::Column> references, outputs;
  std::size_t segments;

 private:
  std::deque<StoredText> storage_;
};
