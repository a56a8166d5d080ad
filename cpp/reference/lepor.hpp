// LEPOR's word alignment step by step: as described, and as the authors' programs do it.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace assay::reference {

struct LeporRow {
  std::int64_t aligned = 0;
  double difference = 0;
};

using Words = std::vector<std::uint32_t>;
inline constexpr int kNotAligned = -1;

inline double position_difference(const std::vector<int>& position, std::size_t reference_length) {
  double sum = 0;
  for (std::size_t j = 0; j < position.size(); ++j)
    if (position[j] != kNotAligned)
      sum += std::abs(static_cast<double>(j + 1) / static_cast<double>(position.size()) -
                      static_cast<double>(position[j] + 1) / static_cast<double>(reference_length));
  return position.empty() ? 0 : sum / static_cast<double>(position.size());
}

inline LeporRow strict_lepor(const Words& reference, const Words& output) {
  const int ours = static_cast<int>(output.size()), theirs = static_cast<int>(reference.size());
  const auto has_context = [&](int j, int k) {
    for (int a = j - 2; a <= j + 2; ++a)
      for (int b = k - 2; b <= k + 2; ++b)
        if (a != j && b != k && a >= 0 && b >= 0 && a < ours && b < theirs && output[a] == reference[b]) return true;
    return false;
  };
  std::vector<int> position(output.size(), kNotAligned);
  std::vector<bool> used(reference.size());
  LeporRow row;
  for (int step = 0; step < 2; ++step)
    for (int j = 0; j < ours; ++j) {
      if (position[j] != kNotAligned) continue;
      for (int k = 0; k < theirs; ++k)
        if (output[j] == reference[k] && !used[k] && (step == 1 || has_context(j, k)) &&
            (position[j] == kNotAligned || std::abs(k - j) < std::abs(position[j] - j)))
          position[j] = k;
      if (position[j] == kNotAligned) continue;
      used[position[j]] = true;
      ++row.aligned;
    }
  row.difference = position_difference(position, reference.size());
  return row;
}

// The loops of the programs.
inline LeporRow perl_lepor(const Words& reference, const Words& output, bool since_2017) {
  const int ours = static_cast<int>(output.size()), theirs = static_cast<int>(reference.size());
  LeporRow row;
  std::vector<int> used;
  for (int j = 0; j < ours; ++j)
    for (int k = 0; k < theirs; ++k) {
      if (output[j] != reference[k]) continue;
      bool is_used = false;
      for (const int u : used) is_used = is_used || std::to_string(u).starts_with(std::to_string(k));
      if (is_used) continue;
      ++row.aligned;
      used.push_back(k);
      break;
    }
  const auto element = [](const Words& words, int index) -> std::int64_t {
    if (index < 0) index += static_cast<int>(words.size());
    return index < 0 || index >= static_cast<int>(words.size()) ? -1 : std::int64_t{words[index]};
  };
  const auto near = [&](int j, int k, int first, int last, int first_theirs, int last_theirs) {
    for (int a = first; a <= last; ++a)
      for (int b = first_theirs; b <= last_theirs; ++b)
        if (element(output, j + a) == element(reference, k + b)) return true;
    return false;
  };
  std::vector<int> position(output.size(), kNotAligned);
  std::vector<bool> exists(output.size()), confirmed(reference.size());
  for (int j = 0; j < ours; ++j)
    for (int k = 0; k < theirs; ++k) {
      confirmed[k] = false;
      if (output[j] != reference[k]) continue;
      exists[j] = true;
      const bool is_confirmed = j == 0 ? near(j, k, 1, 2, 1, 2) : j >= ours - 2 ? near(j, k, -2, -1, -2, -1) : near(j, k, -2, 1, -2, 2);
      if (!is_confirmed) continue;
      confirmed[k] = true;
      position[j] = k;
      break;
    }
  for (int j = 0; j < ours; ++j) {
    if (!exists[j] || position[j] != kNotAligned) continue;
    int nearest = -10000000;
    for (int k = 0; k < theirs; ++k)
      if (output[j] == reference[k] && !confirmed[k] && std::abs(k - j) < std::abs(nearest - j)) nearest = k;
    position[j] = nearest < 0 ? 0 : nearest;
  }
  row.difference = position_difference(position, reference.size());
  if (since_2017 && row.aligned == ours && ours == theirs) row.difference = 0;
  return row;
}

}  // namespace assay::reference
