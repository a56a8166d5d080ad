// Score lines by regular expressions and strtod.
#pragma once

#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in the standard library's <regex>, under sanitizers

#include <cmath>
#include <cstdlib>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace assay::reference {

using ScoreLine = std::pair<std::string, double>;

inline std::optional<std::vector<ScoreLine>> parse_score_lines(const std::string& text) {
  static const std::regex form(
      "[ \t\r\v\f]*([^ \t\r\v\f]+)[ \t\r\v\f]+(None|[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?)[ \t\r\v\f]*");
  if (!text.empty() && text.back() != '\n') return std::nullopt;
  std::vector<ScoreLine> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, form)) return std::nullopt;
    lines.emplace_back(match[1], match[2] == "None" ? std::nan("") : std::strtod(match[2].str().c_str(), nullptr));
    if (std::isinf(lines.back().second)) return std::nullopt;
  }
  return lines;
}

}  // namespace assay::reference
