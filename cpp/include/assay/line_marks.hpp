// Marks of lines: which of some strings a line contains, whether it has capitals, and the script of its letters.
//
// One pass over the characters. Each string is looked for at one of its characters, the rarest, so that most characters
// of a text cost one look at a table. Cost: O(characters), and O(length) for each string at its character.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/text.hpp"

namespace assay {

inline constexpr std::size_t kMarks = 64;
inline constexpr std::size_t kStrings = 60;    // marks for strings; the others are:
inline constexpr std::size_t kUpper = 60;        // a line in a script with cases has a capital,
inline constexpr std::size_t kLower = 61;        // or a small letter,
inline constexpr std::size_t kStartsUpper = 62;  // its first letter is a capital,
inline constexpr std::size_t kSpacedOut = 63;    // at least kGaps spaces are between letters of scripts without spaces
inline constexpr std::size_t kGaps = 5;
inline constexpr std::size_t kStartLength = 12;  // characters that say how a line starts
inline constexpr std::size_t kLineBlock = 16;        // characters that are looked at together

// What a line is. An absent or empty line has length 0.
struct LineMark {
  std::uint64_t marks = 0;
  std::uint64_t start = 0;    // a hash of the first characters
  std::uint32_t length = 0;   // characters
  std::uint32_t letters = 0;  // of its script
  std::uint8_t script = 0;    // of most letters; 0 if it has none
  bool is_pure = false;       // at least nine in ten letters are of this script
};

// What is known of a character: bits for cases, and from script_shift on the number of its script, 0 for no letter.
struct CharacterKind {
  static constexpr std::uint16_t upper = 1, lower = 2, anchor = 4, spaceless = 8, script_shift = 4;
  static constexpr std::size_t scripts = 32, characters = 0x10000;
};

class LineMarker {
 public:
  // `kinds` has one entry for each character below 0x10000. Strings with a line feed at an end are looked for only at that
  // end of a line. `spaceless` has a bit for each script that is written without spaces.
  LineMarker(std::vector<std::uint16_t> kinds, const std::vector<std::pair<std::u32string, std::size_t>>& strings,
             std::uint32_t spaceless)
      : kinds_(std::move(kinds)) {
    for (const auto& [string, mark] : strings) {
      const std::uint64_t bit = std::uint64_t{1} << mark;
      if (string.front() == U'\n') starts_.add({string.substr(1), 0, bit});
      else if (string.back() == U'\n') ends_.add({string.substr(0, string.size() - 1), string.size() - 2, bit});
      else add(string, bit);
    }
    for (std::uint16_t& kind : kinds_) {
      if ((kind & (CharacterKind::upper | CharacterKind::lower)) != 0) cased_ |= 1u << script(kind);
      if (script(kind) != 0 && (spaceless >> script(kind) & 1) != 0) kind |= CharacterKind::spaceless;
    }
  }

  LineMark mark(const Text& text) const {
    if (!text.present()) return {};
    return visit_characters(text, [&](auto characters) { return mark_characters(characters.data(), characters.size()); });
  }

 private:
  struct String {
    std::u32string characters;
    std::size_t anchor;  // the index of the character at which it is looked for
    std::uint64_t bit;
  };

  // Strings by the character at which they are looked for.
  class Strings {
   public:
    void add(String string) {
      std::uint8_t& place = places_[string.characters[string.anchor]];
      if (place == 0) groups_.emplace_back(), place = static_cast<std::uint8_t>(groups_.size());
      groups_[place - 1u].push_back(std::move(string));
    }

    // The bits of those that are in the line with their character at place i.
    template <class Char>
    std::uint64_t at(const Char* line, std::size_t length, std::size_t i) const {
      const std::uint32_t c = line[i];
      const std::uint8_t place = c < CharacterKind::characters ? places_[c] : std::uint8_t{0};
      std::uint64_t found = 0;
      if (place == 0) return found;
      for (const String& string : groups_[place - 1u])
        if (i >= string.anchor && is_at(string.characters, line, length, i - string.anchor)) found |= string.bit;
      return found;
    }

   private:
    template <class Char>
    static bool is_at(const std::u32string& string, const Char* line, std::size_t length, std::size_t first) {
      if (first + string.size() > length) return false;
      for (std::size_t k = 0; k < string.size(); ++k)
        if (line[first + k] != string[k]) return false;
      return true;
    }

    std::vector<std::uint8_t> places_ = std::vector<std::uint8_t>(CharacterKind::characters);
    std::vector<std::vector<String>> groups_;  // at most 255
  };

  // How frequent a character is in texts, roughly.
  static int frequency(char32_t c, std::uint16_t kind) {
    if (c == U' ' || c == U'e') return 4;
    if (kind >> CharacterKind::script_shift != 0) return kind & CharacterKind::upper ? 2 : 3;
    return c == U'.' || c == U',' ? 1 : 0;
  }

  void add(const std::u32string& string, std::uint64_t bit) {
    std::size_t anchor = 0;
    const auto rank = [&](std::size_t i) { return frequency(string[i], kinds_[string[i]]); };
    for (std::size_t i = 1; i < string.size(); ++i)
      if (rank(i) < rank(anchor)) anchor = i;
    kinds_[string[anchor]] |= CharacterKind::anchor;
    anywhere_.add({string, anchor, bit});
  }

  // White space at the ends of a line is not seen.
  template <class Char>
  std::uint64_t strings_at_ends(const Char* line, std::size_t length) const {
    while (length > 0 && is_space(line[length - 1])) --length;
    while (length > 0 && is_space(*line)) ++line, --length;
    if (length == 0) return 0;
    return starts_.at(line, length, 0) | ends_.at(line, length, length - 1);
  }

  std::uint16_t kind(std::uint32_t c) const { return c < CharacterKind::characters ? kinds_[c] : std::uint16_t{0}; }
  static std::size_t script(std::uint16_t kind) { return kind >> CharacterKind::script_shift; }

  template <class Char>
  bool is_gap(const Char* line, std::size_t i) const {
    return i >= 2 && line[i - 1] == ' ' && (kind(line[i - 2]) & CharacterKind::spaceless) != 0;
  }

  // Characters are looked at by blocks: most have no character at which a string is looked for, and letters of one script.
  template <class Char>
  LineMark mark_characters(const Char* line, std::size_t length) const {
    std::array<std::uint32_t, CharacterKind::scripts> letters{};
    const std::size_t common = common_script(line, length);
    std::uint16_t seen = 0;
    std::size_t gaps = 0;
    bool has_others = false;  // letters of other scripts
    LineMark found;
    const auto mark_block = [&](std::size_t first, auto size) {  // a constant size, so that the loop is unrolled
      std::uint16_t any = 0;
      std::uint32_t all = 0, same = 0;
      for (std::size_t k = 0; k < size; ++k) {
        const std::uint16_t known = kind(line[first + k]);
        any |= known;
        all += known >= 1 << CharacterKind::script_shift;
        if constexpr (sizeof(Char) > 1) same += script(known) == common;
      }
      if constexpr (sizeof(Char) == 1) same = all;  // all letters of one byte are Latin
      seen |= any;
      letters[common] += same;
      has_others |= all != same;
      if (all != same)
        for (std::size_t k = 0; k < size; ++k)
          if (const std::size_t here = script(kind(line[first + k])); here != common) ++letters[here];
      if ((any & (CharacterKind::anchor | CharacterKind::spaceless)) == 0) return;
      for (std::size_t i = first; i < first + size; ++i) {
        const std::uint16_t known = kind(line[i]);
        if ((known & CharacterKind::anchor) != 0) found.marks |= anywhere_.at(line, length, i);
        if ((known & CharacterKind::spaceless) != 0) gaps += is_gap(line, i);
      }
    };
    std::size_t first = 0;
    for (; first + kLineBlock <= length; first += kLineBlock) mark_block(first, std::integral_constant<std::size_t, kLineBlock>{});
    mark_block(first, length - first);
    letters[0] = 0;
    const std::size_t most = has_others ? static_cast<std::size_t>(std::max_element(letters.begin(), letters.end()) - letters.begin()) : common;
    const auto all = has_others ? std::accumulate(letters.begin(), letters.end(), std::uint64_t{0}) : letters[most];
    found.letters = letters[most];
    found.script = found.letters > 0 ? static_cast<std::uint8_t>(most) : std::uint8_t{0};
    found.is_pure = std::uint64_t{10} * found.letters >= std::uint64_t{9} * all;
    found.length = static_cast<std::uint32_t>(length);
    found.marks |= strings_at_ends(line, length);
    const auto set = [&](std::size_t mark, bool is_on) { found.marks |= std::uint64_t{is_on} << mark; };
    const bool is_cased = (cased_ >> found.script & 1) != 0;
    set(kUpper, is_cased && (seen & CharacterKind::upper) != 0);
    set(kLower, is_cased && (seen & CharacterKind::lower) != 0);
    set(kStartsUpper, starts_upper(line, length));
    set(kSpacedOut, gaps >= kGaps);
    for (std::size_t i = 0; i < std::min(length, kStartLength); ++i)
      found.start = (found.start ^ line[i]) * 0x9E3779B97F4A7C15u;
    return found;
  }

  // The script of the first letter, which is that of most.
  template <class Char>
  std::size_t common_script(const Char* line, std::size_t length) const {
    if constexpr (sizeof(Char) == 1) return script(kinds_['a']);
    for (std::size_t i = 0; i < length; ++i)
      if (const std::size_t here = script(kind(line[i])); here != 0) return here;
    return 0;
  }

  template <class Char>
  bool starts_upper(const Char* line, std::size_t length) const {
    for (std::size_t i = 0; i < length; ++i)
      if (const std::uint16_t known = kind(line[i]); script(known) != 0) return (known & CharacterKind::upper) != 0;
    return false;
  }

  std::vector<std::uint16_t> kinds_;
  std::uint32_t cased_ = 0;  // a bit for each script
  Strings anywhere_, starts_, ends_;
};

// The marks of a column, and how they differ from those of others. Lines without text in one of them do not count.
class LineMarks {
 public:
  explicit LineMarks(std::size_t size) : lines_(size) {}

  std::size_t size() const { return lines_.size(); }
  void put(std::size_t line, const LineMark& mark) { lines_[line] = mark; }

  // For each mark, how many lines have it that do not have it in any of the others.
  std::array<std::size_t, kMarks> counts(const std::vector<const LineMarks*>& others) const {
    std::array<std::size_t, kMarks> counts{};
    for (std::size_t i = 0; i < size(); ++i)
      for (std::uint64_t left = only_here(others, i); left != 0; left &= left - 1) ++counts[std::countr_zero(left)];
    return counts;
  }

  // The lines that have a mark that they do not have in any of the others.
  std::vector<std::size_t> lines(std::size_t mark, const std::vector<const LineMarks*>& others) const {
    return lines_where([&](std::size_t i) { return (only_here(others, i) >> mark & 1) != 0; });
  }

  // The lines with at least so many letters in both columns, nearly all of one script, which differs.
  std::vector<std::size_t> in_other_script(const LineMarks& other, std::size_t letters) const {
    return lines_where([&](std::size_t i) {
      const LineMark &here = lines_[i], &there = other.lines_[i];
      return here.script != there.script && here.is_pure && there.is_pure && std::min(here.letters, there.letters) >= letters;
    });
  }

  // The lines whose length is at least `low` and below `high` times that of the other column.
  std::vector<std::size_t> of_length(const LineMarks& other, double low, double high) const {
    return lines_where([&](std::size_t i) {
      const double here = lines_[i].length, there = other.lines_[i].length;
      return here > 0 && there > 0 && here >= low * there && here < high * there;
    });
  }

  // The lines that start as those of the other column.
  std::vector<std::size_t> of_same_start(const LineMarks& other) const {
    return lines_where([&](std::size_t i) {
      return lines_[i].start == other.lines_[i].start && std::min(lines_[i].length, other.lines_[i].length) >= kStartLength;
    });
  }

 private:
  std::uint64_t only_here(const std::vector<const LineMarks*>& others, std::size_t i) const {
    std::uint64_t marks = lines_[i].marks;
    for (const LineMarks* const other : others) {
      if (other->lines_[i].length == 0) return 0;
      marks &= ~other->lines_[i].marks;
    }
    return marks;
  }

  template <class Condition>
  std::vector<std::size_t> lines_where(Condition condition) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < size(); ++i)
      if (condition(i)) found.push_back(i);
    return found;
  }

  std::vector<LineMark> lines_;
};

}  // namespace assay
