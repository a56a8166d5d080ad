// Regular score files of mt-metrics-eval: lines of a system and a score, in blocks of lines of one system.
//
// A score is a decimal number or `None`, which is read as NaN. Anything else makes a file irregular; it is then left to
// slower code that can say what is wrong. Numbers are rounded correctly, as Python's `float` does.
// Cost: O(bytes).
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace assay {

struct ScoreBlock {
  std::string_view system;
  std::size_t scores;
};

struct ScoreLines {
  std::vector<ScoreBlock> blocks;
  std::vector<double> values;  // of all blocks
};

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The space that Python's `bytes.split` splits at, except the end of the line.
inline bool is_inner_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// A finite number in decimal notation, or None.
inline std::optional<double> parse_decimal(std::string_view text) {
  if (text == "None") return std::numeric_limits<double>::quiet_NaN();
  const bool has_plus = !text.empty() && text.front() == '+';
  const std::string_view number = text.substr(has_plus ? 1 : 0);
  const std::size_t first = !has_plus && !number.empty() && number.front() == '-' ? 1 : 0;
  const bool starts_well = first < number.size() &&
                           (is_digit(number[first]) ||
                            (number[first] == '.' && first + 1 < number.size() && is_digit(number[first + 1])));
  if (!starts_well) return std::nullopt;  // from_chars would accept "inf"
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size()) return std::nullopt;
  return value;
}

inline std::optional<ScoreLines> parse_score_lines(std::string_view text) {
  ScoreLines lines;
  lines.values.reserve(text.size() / 16);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    while (!line.empty() && is_inner_space(line.back())) line.remove_suffix(1);
    while (!line.empty() && is_inner_space(line.front())) line.remove_prefix(1);
    std::size_t system_end = 0, score_begin = 0;
    while (system_end < line.size() && !is_inner_space(line[system_end])) ++system_end;
    for (score_begin = system_end; score_begin < line.size() && is_inner_space(line[score_begin]);) ++score_begin;
    const auto value = parse_decimal(line.substr(score_begin));
    if (system_end == 0 || !value) return std::nullopt;
    const std::string_view system = line.substr(0, system_end);
    if (lines.blocks.empty() || lines.blocks.back().system != system) lines.blocks.push_back({system, 0});
    ++lines.blocks.back().scores;
    lines.values.push_back(*value);
  }
  return lines;
}

}  // namespace assay
