// The edits of both sides from a whole table of distances.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace assay::reference {

using Labels = std::vector<std::string>;

// "" where there is no edit. From the end, a substitution is preferred to a deletion, and a deletion to an insertion.
inline std::pair<Labels, Labels> edit_path(const std::vector<std::string>& reference, const std::vector<std::string>& output) {
  std::vector<std::vector<int>> distance(reference.size() + 1, std::vector<int>(output.size() + 1));
  for (std::size_t r = 0; r <= reference.size(); ++r)
    for (std::size_t h = 0; h <= output.size(); ++h) {
      int least = r == 0 ? static_cast<int>(h) : h == 0 ? static_cast<int>(r) : distance[r - 1][h - 1] + (reference[r - 1] != output[h - 1]);
      if (r > 0 && h > 0) least = std::min({least, distance[r - 1][h] + 1, distance[r][h - 1] + 1});
      distance[r][h] = least;
    }
  Labels reference_edits(reference.size()), output_edits(output.size());
  for (std::size_t r = reference.size(), h = output.size(); r > 0 || h > 0;) {
    const bool is_equal = r > 0 && h > 0 && reference[r - 1] == output[h - 1];
    if (r > 0 && h > 0 && distance[r][h] == distance[r - 1][h - 1] + !is_equal) {
      --r, --h;
      if (!is_equal) reference_edits[r] = output_edits[h] = "substitution";
    } else if (r > 0 && distance[r][h] == distance[r - 1][h] + 1) {
      reference_edits[--r] = "gap";
    } else {
      output_edits[--h] = "gap";
    }
  }
  return {reference_edits, output_edits};
}

}  // namespace assay::reference
