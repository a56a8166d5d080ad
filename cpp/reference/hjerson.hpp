// Hjerson's error classes step by step, with lists of words that are crossed off.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "reference/edit_path.hpp"

namespace assay::reference {

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
