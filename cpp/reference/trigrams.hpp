// Similarities of lines by sets of hashed trigrams, one pair of lines at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace assay::reference {

inline std::vector<int> trigrams(const std::u32string& line) {
  std::vector<int> found;
  for (std::size_t i = 0; i + 3 <= line.size(); ++i) {
    std::uint32_t hash = 0;
    for (char32_t character : line.substr(i, 3)) {
      if (character == U'\n') character = U' ';
      const std::uint32_t product = (hash ^ static_cast<std::uint32_t>(character)) * 2654435761u;
      hash = product ^ product / 32768;
    }
    found.push_back(static_cast<int>(hash % 2048));
  }
  return found;
}

// Trigrams that fewer than this share of the lines have, or one of them.
inline std::set<int> rare_trigrams(const std::vector<std::u32string>& lines, double share) {
  std::vector<std::size_t> counts(2048);
  for (const auto& line : lines) {
    const auto all = trigrams(line);
    for (const int trigram : std::set<int>(all.begin(), all.end())) ++counts[static_cast<std::size_t>(trigram)];
  }
  std::set<int> rare;
  for (int trigram = 0; trigram < 2048; ++trigram) {
    const std::size_t count = counts[static_cast<std::size_t>(trigram)];
    if (count < 2 || static_cast<double>(count) < share * static_cast<double>(lines.size())) rare.insert(trigram);
  }
  return rare;
}

// The Dice coefficient of a line, whose trigrams count every time, and the set of trigrams of a reference line.
inline double dice(const std::u32string& line, const std::u32string& reference, const std::set<int>& rare) {
  std::set<int> others;
  for (const int trigram : trigrams(reference))
    if (rare.contains(trigram)) others.insert(trigram);
  double hits = 0, size = static_cast<double>(others.size());
  for (const int trigram : trigrams(line)) {
    hits += others.contains(trigram);
    size += rare.contains(trigram);
  }
  return 2 * hits / std::max(size, 1.0);
}

}  // namespace assay::reference
