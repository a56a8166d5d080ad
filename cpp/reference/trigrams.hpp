// The number of trigrams of a line that are in a set, one by one.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace assay::reference {

inline std::int64_t count_trigrams(const std::vector<std::int64_t>& hashes, const std::set<std::int64_t>& others) {
  std::int64_t found = 0;
  for (const std::int64_t hash : hashes) found += others.contains(hash);
  return found;
}

}  // namespace assay::reference
