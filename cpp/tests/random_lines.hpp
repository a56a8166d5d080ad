// Unusual lines that are likely to break a kernel, the same ones in every run.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "assay/unicode_tables.hpp"
#include "reference/text.hpp"
#include "tests/stored_text.hpp"

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // The standard distributions differ between libraries; a remainder does not, and its bias does not matter here.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(engine_() % limit); }
  std::size_t between(std::size_t first, std::size_t last) { return first + below(last - first + 1); }
  bool chance(std::size_t percent) { return below(100) < percent; }

  template <class Items>
  const auto& pick(const Items& items) {
    return items[below(items.size())];
  }

 private:
  std::mt19937_64 engine_;
};

// Lines are concatenated from pieces. A flavour is a set of pieces that interact.
using Pieces = std::vector<std::u32string>;

inline Pieces punctuated_numbers() {
  return {U"0",  U"7",   U"9",     U"12", U".", U",", U"..", U".,.", U"-",
          U"--", U"3.5", U"1,000", U"a",  U"b", U" ", U"$",  U"'"};
}

inline Pieces western_symbols() {
  Pieces pieces{U"a", U"Zz", U"5", U" ", U"\t", U"\u00E9"};
  for (char32_t c = 0x20; c < 0x80; ++c) pieces.emplace_back(1, c);
  return pieces;
}

// Complete, truncated and nested entities, and entities that a replacement creates.
inline Pieces markup() {
  return {U"&quot;", U"&amp;", U"&lt;", U"&gt;", U"&amp;lt;", U"&amp;amp;quot;", U"&",
          U"amp;",   U"lt;",   U"&am",  U"<",    U"skipped>", U"<skipped>",      U"<ski",
          U"pped>",  U"-\n",   U"\n",   U"-",    U"\r\n",     U"--\n",           U"a",
          U"4",      U".",     U",",    U" ",    U"\u2028",   U"-<skipped>\n"};
}

// Places where tercom does and does not split off a possessive.
inline Pieces possessives() {
  return {U"'s", U"'s ", U"'", U"s", U"'S ", U"''s", U")", U".", U",", U"-", U"5", U"\n-", U"\n", U"\t", U" ", U"it's",
          U"\u6211", U"\u3002", U"\uFF0C", U"&quot;", U"&", U"?"};
}

inline Pieces white_space_and_lookalikes() {
  Pieces pieces{U"a", U"7", U".", U"-"};
  for (const char32_t c : assay::reference::kWhiteSpace) pieces.emplace_back(1, c);
  for (const char32_t c : {0x00, 0x01, 0x08, 0x0E, 0x1B, 0x21, 0x7F, 0x84, 0x86, 0xAD, 0x180E, 0x200B, 0x2060, 0xFEFF})
    pieces.emplace_back(1, c);
  return pieces;
}

// Numbers, punctuation and symbols of many scripts: both bounds of every third range of the table.
inline Pieces many_scripts() {
  Pieces pieces{U"a", U"1", U".", U",", U" ", U"-", U"\u4E2D", U"\U00020000", U"\u0301"};
  for (std::size_t i = 0; i < assay::kCategoryRanges.size(); i += 3) {
    pieces.emplace_back(1, assay::kCategoryRanges[i].first);
    pieces.emplace_back(1, assay::kCategoryRanges[i].last);
  }
  return pieces;
}

// Both sides of every bound of sacreBLEU's Chinese ranges, lone surrogates and the last code point.
inline Pieces chinese_bounds() {
  Pieces pieces{U"a", U"8", U".", U",", U"-", U" ", U"$", U"\u4E2D", U"\u3002"};
  for (const char32_t bound :
       {0x2000, 0x2A6D, 0x2E80, 0x2EFF, 0x2F00, 0x2F80, 0x2FA1,  0x2FDF,  0x2FF0,  0x2FFF, 0x3000,
        0x303F, 0x3100, 0x312F, 0x31A0, 0x31BF, 0x31C0, 0x31EF,  0x3200,  0x32FF,  0x3300, 0x33FF,
        0x3400, 0x4DB5, 0x4E00, 0x9FA5, 0x9FBB, 0xF900, 0xFA2D,  0xFA30,  0xFA6A,  0xFA70, 0xFAD9,
        0xFE10, 0xFE1F, 0xFE30, 0xFE4F, 0xFF00, 0xFFEF, 0x20000, 0x2A6D6, 0x2F800, 0x2FA1D})
    for (char32_t c = bound - 1; c <= bound + 1; ++c) pieces.emplace_back(1, c);
  for (const char32_t c : {0xD800, 0xDFFF, 0xFFFF, 0x10000, 0x10FFFF}) pieces.emplace_back(1, c);
  return pieces;
}

// Few words, so that n-grams repeat; many share their first or last eight bytes.
inline Pieces repeated_words() {
  Pieces pieces;
  for (const std::u32string word :
       {U"the", U"cat", U"(a)", U"end.", U"'s", U"1.5", U"2-3", U"a", U"aa", U"aaaaaaa", U"aaaaaaaa", U"aaaaaaaab",
        U"baaaaaaaa", U"aaaaaaaaaaaaaaaa", U"aaaaaaaaaaaaaaab", U"aaaaaaaaaaaaaaaab", U"caaaaaaaaaaaaaaab",
        U"\u00E9t\u00E9", U"\u65E5\u672C", U"\u65E5\u672C\u8A9E", U"\u65E5\u672C\u8A9E\u5B57", U"\U0001F600",
        U"\U0001F600\U0001F601", U"\U0001F600\U0001F601\U0001F602"})
    pieces.push_back(word + U" ");
  return pieces;
}

class LineMaker {
 public:
  explicit LineMaker(std::uint64_t seed) : random_(seed) {
    for (const Pieces& flavour : {punctuated_numbers(), western_symbols(), markup(), white_space_and_lookalikes(),
                                  many_scripts(), chinese_bounds(), repeated_words(), possessives()}) {
      for (std::size_t log_width = 0; log_width < 3; ++log_width) {
        Pieces fitting;
        for (const auto& piece : flavour)
          if (width_of(piece) <= 1 << log_width) fitting.push_back(piece);
        flavours_[log_width].push_back(fitting);
      }
    }
  }

  Random& random() { return random_; }

  std::uint8_t width() { return static_cast<std::uint8_t>(1 << random_.below(3)); }

  // Mostly short; sometimes close to one, two or four blocks of 64, or anywhere in between.
  std::size_t length() {
    switch (random_.below(12)) {
      case 0: return random_.below(3);
      case 1: return random_.between(62, 66);
      case 2: return random_.between(126, 130);
      case 3: return random_.chance(50) ? random_.between(254, 258) : random_.below(254);
      default: return random_.below(48);
    }
  }

  // A line of one flavour, or of a mixture of all, with characters of at most this width.
  std::u32string line(std::size_t length, std::uint8_t width) {
    const auto& flavours = flavours_[width / 2];
    const std::size_t flavour = random_.below(flavours.size() + 1);
    std::u32string out;
    while (out.size() < length)
      out += random_.pick(flavour < flavours.size() ? flavours[flavour] : random_.pick(flavours));
    out.resize(length);
    return out;
  }

  std::u32string line(std::uint8_t width) { return line(length(), width); }

  // A variation of this line, like the output of a translation system: pieces are lost, repeated, moved and added.
  std::u32string variation(std::u32string line, std::uint8_t width) {
    for (std::size_t edits = random_.below(5); edits > 0; --edits) {
      const std::size_t from = random_.below(line.size() + 1), length = random_.below(12),
                        to = random_.below(line.size() + 1);
      switch (random_.below(4)) {
        case 0: line.erase(from, length); break;
        case 1: line.insert(to, line.substr(from, length)); break;
        case 2: line.insert(to, random_.pick(random_.pick(flavours_[width / 2]))); break;
        default: {
          const std::u32string moved = line.substr(from, length);
          line.erase(from, length);
          line.insert(std::min(to, line.size()), moved);
        }
      }
    }
    return line;
  }

 private:
  Random random_;
  std::vector<Pieces> flavours_[3];  // by width 1, 2, 4
};

// Segments whose texts are variations of each other at mixed widths, some of them empty, some absent.
inline Corpus random_corpus(LineMaker& maker, std::size_t references, std::size_t systems, std::size_t segments) {
  Random& random = maker.random();
  Corpus corpus(references, systems, segments);
  const std::size_t absent_percent = random.pick(std::vector<std::size_t>{0, 0, 10, 50});
  for (std::size_t segment = 0; segment < segments; ++segment) {
    const std::u32string original = maker.line(maker.width());
    const auto fill = [&](assay::Column& column) {
      if (random.chance(absent_percent)) return;
      const std::u32string line = random.chance(5)    ? U""
                                  : random.chance(10) ? maker.line(maker.width())
                                                      : maker.variation(original, maker.width());
      corpus.put(column, segment, line, random.chance(20) ? maker.width() : 1);
    };
    for (auto& column : corpus.references) fill(column);
    for (auto& column : corpus.outputs) fill(column);
  }
  return corpus;
}
