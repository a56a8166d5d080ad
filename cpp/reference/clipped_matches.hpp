// Clipped matches of two multisets, by the definition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace assay::reference {

using Multiset = std::map<std::int32_t, std::int64_t>;  // how often each item is in it

inline Multiset multiset_of(std::span<const std::int32_t> items, std::span<const std::int32_t> groups, std::int32_t group) {
  Multiset counts;
  for (const std::int32_t item : items)
    if (groups[static_cast<std::size_t>(item)] == group) ++counts[item];
  return counts;
}

// For each group: matches, items of the output, items of the reference.
inline std::vector<std::int64_t> clipped_matches(std::span<const std::int32_t> reference, std::span<const std::int32_t> output,
                                                 std::span<const std::int32_t> groups, std::int32_t group_count) {
  std::vector<std::int64_t> row;
  for (std::int32_t group = 0; group < group_count; ++group) {
    const Multiset output_items = multiset_of(output, groups, group), reference_items = multiset_of(reference, groups, group);
    std::int64_t matches = 0, output_size = 0, reference_size = 0;
    for (const auto& [item, count] : output_items) output_size += count;
    for (const auto& [item, count] : reference_items) {
      reference_size += count;
      const auto found = output_items.find(item);
      if (found != output_items.end()) matches += std::min(count, found->second);
    }
    row.insert(row.end(), {matches, output_size, reference_size});
  }
  return row;
}

}  // namespace assay::reference
