// Synonyms by ordered maps: the definition, without regard to time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace assay::reference {

struct Synonyms {
  std::map<std::string, std::vector<std::int32_t>> synsets;
  std::map<std::string, std::vector<std::string>> base_forms;

  std::vector<std::int32_t> look_up(const std::string& word) const {
    std::set<std::int32_t> found;
    const auto add = [&](const std::string& form) {
      const auto entry = synsets.find(form);
      if (entry != synsets.end()) found.insert(entry->second.begin(), entry->second.end());
      return entry != synsets.end();
    };
    add(word);
    if (base_forms.contains(word)) {
      for (const std::string& base : base_forms.at(word)) add(base);
    } else if (word.size() > 2 && !word.ends_with("ss")) {
      const std::vector<std::pair<std::string, std::string>> endings{
          {"s", ""},   {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"},
          {"es", "e"}, {"es", ""},   {"ed", "e"},  {"ed", ""},   {"ing", "e"},   {"ing", ""},    {"er", ""},     {"est", ""},
          {"er", "e"}, {"est", "e"}};
      for (const auto& [old, replacement] : endings)
        if (word.ends_with(old) && add(word.substr(0, word.size() - old.size()) + replacement)) break;
    }
    return {found.begin(), found.end()};
  }
};

}  // namespace assay::reference
