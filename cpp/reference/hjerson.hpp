// Hjerson's error classes step by step, with lists of words that are crossed off.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::reference {

using Labels = std::vector<std::string>;

// The edits of both sides ("" where there is none), from a whole table of distances.
inline std::pair<Labels, Labels> edit_path(const std::vector<std::string>& reference, const std::vector<std::string>& output) {
  std::vector<std::vector<int>> distance(reference.size() + 1, std::vector<int>(output.size() + 1));
  for (std::size_t r = 0; r <= reference.size(); ++r)
    for (std::size_t h = 0; h <= output.size(); ++h) {
      int least = r == 0 ? static_cast<int>(h) : h == 0 ? static_cast<int>(r) : distance[r - 1][h - 1] + (reference[r - 1] != output[h - 1]);
      if (r > 0 && h > 0) least = std::min({least, distance[r - 1][h] + 1, distance[r][h - 1] + 1});
      distance[r][h] = least;
    }
  Labels theirs(reference.size()), ours(output.size());
  for (std::size_t r = reference.size(), h = output.size(); r > 0 || h > 0;) {
    const bool is_equal = r > 0 && h > 0 && reference[r - 1] == output[h - 1];
    if (r > 0 && h > 0 && distance[r][h] == distance[r - 1][h - 1] + !is_equal) {
      --r, --h;
      if (!is_equal) theirs[r] = ours[h] = "substitution";
    } else if (r > 0 && distance[r][h] == distance[r - 1][h] + 1) {
      theirs[--r] = "gap";
    } else {
      ours[--h] = "gap";
    }
  }
  return {theirs, ours};
}

// The labels of one side.
inline Labels error_classes(std::vector<std::string> their_words, std::vector<std::string> their_bases, const Labels& their_edits,
                            const std::vector<std::string>& words, const std::vector<std::string>& bases, const Labels& edits) {
  std::vector<std::string> edited;
  for (std::size_t k = 0; k < their_words.size(); ++k)
    if (!their_edits[k].empty()) edited.push_back(their_words[k]);
  std::vector<bool> is_error(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto at = std::find(their_words.begin(), their_words.end(), words[i]);
    is_error[i] = at == their_words.end();
    if (is_error[i]) continue;
    their_bases.erase(their_bases.begin() + (at - their_words.begin()));
    their_words.erase(at);
  }
  Labels labels(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_error[i]) continue;
    const auto at = std::find(their_bases.begin(), their_bases.end(), bases[i]);
    if (at == their_bases.end()) {
      labels[i] = edits[i] == "substitution" ? "lexical" : edits[i];
      continue;
    }
    labels[i] = "inflection";
    their_bases.erase(at);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto at = std::find(edited.begin(), edited.end(), words[i]);
    if (edits[i].empty() || at == edited.end()) continue;
    labels[i] = "order";
    edited.erase(at);
  }
  return labels;
}

}  // namespace assay::reference
