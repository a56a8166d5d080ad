// Reference implementation of the marks of lines: every string is looked for everywhere, every letter is counted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/line_marks.hpp"
#include "reference/text.hpp"

namespace assay::reference {

struct LineMarker {
  std::vector<std::uint16_t> kinds;
  std::vector<std::pair<std::u32string, std::size_t>> strings;
  std::uint32_t spaceless;

  unsigned kind(char32_t c) const { return c < kinds.size() ? kinds[c] : 0u; }
  unsigned script(char32_t c) const { return kind(c) / 16u; }

  LineMark mark(const std::u32string& line) const {
    LineMark found;
    std::map<unsigned, std::uint32_t> letters;
    bool has_upper = false, has_lower = false, is_first = true, starts_upper = false;
    std::size_t gaps = 0, all = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const unsigned script_here = script(line[i]);
      has_upper |= (kind(line[i]) & 1) != 0;
      has_lower |= (kind(line[i]) & 2) != 0;
      const auto is_spaceless = [&](char32_t c) { return script(c) > 0 && (spaceless >> script(c)) % 2 == 1; };
      if (i >= 2 && line[i - 1] == U' ' && is_spaceless(line[i]) && is_spaceless(line[i - 2])) ++gaps;
      if (script_here == 0) continue;
      ++letters[script_here];
      ++all;
      if (is_first) starts_upper = (kind(line[i]) & 1) != 0;
      is_first = false;
    }
    for (const auto& [script, count] : letters)  // the first of those with most letters
      if (count > found.letters) found.script = static_cast<std::uint8_t>(script), found.letters = count;
    found.is_pure = 10 * std::uint64_t{found.letters} >= 9 * std::uint64_t{all};
    found.length = static_cast<std::uint32_t>(line.size());
    bool is_cased = false;
    for (std::size_t c = 0; c < kinds.size(); ++c) is_cased |= kinds[c] % 4 != 0 && kinds[c] / 16u == found.script;
    for (std::size_t i = 0; i < line.size() && i < 12; ++i) found.start = (found.start ^ line[i]) * 0x9E3779B97F4A7C15u;
    const std::u32string stripped = strip(line);
    for (const auto& [string, mark] : strings) {
      const bool at_start = string.front() == U'\n', at_end = !at_start && string.back() == U'\n';
      const std::u32string wanted = string.substr(at_start ? 1 : 0, string.size() - (at_start || at_end ? 1 : 0));
      const bool is_found = at_start ? stripped.rfind(wanted, 0) == 0
                            : at_end ? stripped.size() >= wanted.size() && stripped.substr(stripped.size() - wanted.size()) == wanted
                                     : line.find(wanted) != std::u32string::npos;
      if (is_found) found.marks |= std::uint64_t{1} << mark;
    }
    if (is_cased && has_upper) found.marks |= std::uint64_t{1} << kUpper;
    if (is_cased && has_lower) found.marks |= std::uint64_t{1} << kLower;
    if (starts_upper) found.marks |= std::uint64_t{1} << kStartsUpper;
    if (gaps >= kGaps) found.marks |= std::uint64_t{1} << kSpacedOut;
    return found;
  }
};

}  // namespace assay::reference
