// Shared by all reference implementations: texts as std::u32string, and white space as in Python's str methods.
//
// The reference implementations share no algorithm with the core, only its input types and its Unicode tables.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/text.hpp"

namespace assay::reference {

inline std::u32string decode(const Text& text) {
  std::u32string line;
  for (std::size_t i = 0; i < text.length; ++i) {
    switch (text.width) {
      case 1: line += static_cast<const std::uint8_t*>(text.data)[i]; break;
      case 2: line += static_cast<const std::uint16_t*>(text.data)[i]; break;
      default: line += static_cast<const std::uint32_t*>(text.data)[i]; break;
    }
  }
  return line;
}

// Surrogates: code points that UTF-16 uses in pairs and that are not valid on their own.
inline bool has_surrogate(const std::u32string& line) {
  for (const char32_t c : line)
    if (c >= 0xD800 && c <= 0xDFFF) return true;
  return false;
}

// str.isspace(), one code point at a time: a list is harder to get wrong than ranges.
inline constexpr std::array<char32_t, 29> kWhiteSpace{
    0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x1C,   0x1D,   0x1E,   0x1F,   0x20,
    0x85,   0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006,
    0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};

inline bool is_white_space(char32_t c) {
  return std::find(kWhiteSpace.begin(), kWhiteSpace.end(), c) != kWhiteSpace.end();
}

// not str.strip()
inline bool is_blank(const std::u32string& line) {
  for (const char32_t c : line)
    if (!is_white_space(c)) return false;
  return true;
}

// str.rstrip()
inline std::u32string strip_right(std::u32string line) {
  while (!line.empty() && is_white_space(line.back())) line.pop_back();
  return line;
}

// str.strip()
inline std::u32string strip(std::u32string line) {
  line = strip_right(line);
  while (!line.empty() && is_white_space(line.front())) line.erase(0, 1);
  return line;
}

// str.split()
inline std::vector<std::u32string> split(const std::u32string& line) {
  std::vector<std::u32string> words;
  std::u32string word;
  for (const char32_t c : line) {
    if (!is_white_space(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

// str.replace(what, with)
inline std::u32string replace(const std::u32string& line, const std::u32string& what, const std::u32string& with) {
  std::u32string out;
  std::size_t at = 0;
  while (at < line.size()) {
    if (line.compare(at, what.size(), what) == 0) {
      out += with;
      at += what.size();
    } else {
      out += line[at++];
    }
  }
  return out;
}

}  // namespace assay::reference
