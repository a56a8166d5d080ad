// EED row by row, following its definition; `Real` is the precision of the program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "assay/eed.hpp"
#include "reference/text.hpp"

namespace assay::reference {

inline bool is_decimal(char32_t c) {
  return std::ranges::any_of(kDigitRanges, [&](const DigitRange& range) { return range.first <= c && c <= range.last; });
}

inline std::u32string eed_text(const std::u32string& text, bool is_authors) {
  std::u32string line = strip_right(text);
  for (const char32_t mark : U".!?,")
    if (mark != 0) line = replace(line, {mark}, {U' ', mark});
  std::u32string spaced;
  for (const char32_t c : line) {
    if (!is_white_space(c)) spaced += c;
    else if (spaced.empty() || spaced.back() != U' ') spaced += U' ';
  }
  std::u32string numbers;
  for (std::size_t i = 0; i < spaced.size(); ++i) {
    const auto part = spaced.substr(i, 5);
    const bool is_number = part.size() == 5 && is_decimal(part[0]) && is_decimal(part[4]) && part[1] == U' ' && part[3] == U' ' &&
                           (part[2] == U'.' || part[2] == U',');
    numbers += is_number ? std::u32string{part[0], part[2], part[4]} : part.substr(0, 1);
    if (is_number) i += 4;
  }
  std::u32string titles;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    titles += numbers[i];
    for (const std::u32string title : {U"Dr", U"Jr", U"Prof", U"Rev", U"Gen", U"Mr", U"Mt", U"Mrs", U"Ms"}) {
      if (numbers.compare(i, title.size() + 1, title + U" ") != 0 || i + title.size() + 1 >= numbers.size()) continue;
      titles += title.substr(1) + U".";
      i += title.size() + 1;
      break;
    }
  }
  line = replace(titles, U"e . g .", U"e.g.");
  line = replace(line, U"i . e .", is_authors ? U"e.g." : U"i.e.");
  return U" " + replace(line, U"U . S .", U"U.S.") + U" ";
}

struct EedRow {
  double errors = 0, length = 0;
};

template <class Real>
EedRow eed_row(const std::u32string& output, const std::u32string& reference, const EedOptions& options) {
  const auto alpha = static_cast<Real>(options.alpha), rho = static_cast<Real>(options.rho),
             deletion = static_cast<Real>(options.deletion), insertion = static_cast<Real>(options.insertion);
  std::vector<Real> row(output.size() + 1, 1);
  row[0] = 0;
  std::vector<std::int64_t> visits(output.size() + 1);
  for (const char32_t c : reference) {
    std::vector<Real> next(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      next[i] = row[i] + (i == 0 ? Real{1} : insertion);
      if (i > 0) next[i] = std::min({next[i], next[i - 1] + deletion, row[i - 1] + static_cast<Real>(output[i - 1] != c)});
    }
    std::size_t cheapest = 0;
    for (std::size_t i = 1; i < next.size(); ++i) {
      const Real lowest = next[cheapest];
      if (next[i] < (options.program == EedProgram::torchmetrics ? lowest : static_cast<Real>(static_cast<int>(lowest)))) cheapest = i;
    }
    ++visits[cheapest];
    const Real jump = alpha + next[cheapest];
    if (c == U' ')
      for (Real& cost : next) cost = std::min(cost, jump);
    row = next;
  }
  std::int64_t counted = 0;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (options.program == EedProgram::wmt19) counted += visits[i] >= 2 ? visits[i] : 0;
    else if (i > 0 || options.program == EedProgram::torchmetrics) counted += visits[i] == 0 ? 1 : visits[i] - 1;
  }
  const Real coverage = rho * static_cast<Real>(counted);
  return {static_cast<double>(row.back() + coverage), static_cast<double>(static_cast<Real>(reference.size()) + coverage)};
}

}  // namespace assay::reference
