// CharacTER with full tables of distances: every move of every round is made and compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "assay/column.hpp"
#include "reference/edit.hpp"
#include "reference/text.hpp"

namespace assay::reference {

using Line = std::vector<std::u32string>;

inline std::u32string joined(const Line& words) {
  std::u32string line;
  for (const auto& word : words) line += (line.empty() ? U"" : U" ") + word;
  return line;
}

inline std::vector<char32_t> characters(const std::u32string& line) { return {line.begin(), line.end()}; }

inline std::vector<Line> moves(const Line& output, const Line& reference) {
  std::vector<Line> all;
  for (std::size_t i = 0; i < output.size(); ++i) {
    for (std::size_t j = 0; j < reference.size(); ++j) {
      std::size_t length = 0;
      while (i + length < output.size() && j + length < reference.size() && output[i + length] == reference[j + length]) ++length;
      if (length == 0 || i == j) continue;
      const Line phrase(output.begin() + static_cast<std::ptrdiff_t>(i), output.begin() + static_cast<std::ptrdiff_t>(i + length));
      Line moved = output;
      moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(i), moved.begin() + static_cast<std::ptrdiff_t>(i + length));
      moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(std::min(j, moved.size())), phrase.begin(), phrase.end());
      all.push_back(moved);
    }
  }
  return all;
}

inline double move_cost(const Line& before, const Line& after) {
  double cost = 0;
  std::size_t i = 0;
  while (i < before.size()) {
    std::size_t length = 0;
    if (before[i] != after[i]) {
      std::size_t place = i + 1, characters = 0;
      while (place < after.size() && after[place] != before[i]) ++place;
      for (; place + length < after.size() && after[place + length] == before[i + length]; ++length)
        characters += before[i + length].size();
      if (length > 0) cost += static_cast<double>(characters) / static_cast<double>(length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return cost;
}

struct CharacterRow {
  double edits = 0, length = 0;
};

// `rounds_off`: as the package `cer`, which subtracts shares of the reference.
inline CharacterRow character_row(const Line& output, const Line& reference, bool rounds_off) {
  const auto share = [&](const Line& words) {
    const auto distance = static_cast<double>(edit_distance(words, reference));
    return rounds_off ? distance / static_cast<double>(reference.size()) : distance;
  };
  Line words = output;
  if (!reference.empty()) {
    for (double current = share(words);;) {
      std::pair<double, Line> best{0, {}};
      for (const Line& moved : moves(words, reference)) best = std::max(best, {current - share(moved), moved});
      if (best.first <= 0) break;
      words = best.second;
      current -= best.first;
    }
  }
  const std::u32string line = joined(words);
  return {static_cast<double>(edit_distance(characters(line), characters(joined(reference)))) + move_cost(output, words), static_cast<double>(line.size())};
}

}  // namespace assay::reference
