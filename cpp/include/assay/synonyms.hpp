// Synonyms as METEOR looks them up in WordNet: two words are synonyms if they, or their base forms, share a synset.
//
// A word's base forms are those that a list of irregular forms gives it; else the first form that WordNet's endings make of it
// and that has synsets. Cost: O(bytes) to read, O(length) to look a word up.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace assay {

class Synonyms {
 public:
  // Lines by twos: a word and the numbers of its synsets; a base form and its irregular forms. The object owns the text.
  Synonyms(std::string synsets, std::string exceptions) : synsets_text_(std::move(synsets)), exceptions_text_(std::move(exceptions)) {
    each_two_lines(synsets_text_, [&](std::string_view word, std::string_view numbers) { entries_.emplace_back(word, numbers); });
    slots_.resize(std::bit_ceil(2 * entries_.size() + 1));
    for (std::uint32_t i = 0; i < entries_.size(); ++i) slots_[slot_of(entries_[i].first)] = i + 1;
    each_two_lines(exceptions_text_, [&](std::string_view base, std::string_view forms) {
      each_word(forms, [&](std::string_view form) { base_forms_[form].push_back(base); });
    });
  }
  Synonyms(const Synonyms&) = delete;
  Synonyms& operator=(const Synonyms&) = delete;

  // Appends the synsets of a word and of its base forms, sorted, each once.
  void look_up(std::string_view word, std::vector<std::int32_t>& out) const {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    add(word, out);
    const auto irregular = base_forms_.find(word);
    if (irregular == base_forms_.end()) add_regular(word, out);
    else
      for (const std::string_view base : irregular->second) add(base, out);
    std::sort(out.begin() + first, out.end());
    out.erase(std::unique(out.begin() + first, out.end()), out.end());
  }

 private:
  using Ending = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Ending, 20> kEndings{{  // of nouns, verbs and adjectives
      {"s", ""}, {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"},
      {"s", ""}, {"ies", "y"}, {"es", "e"}, {"es", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""},
      {"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}}};

  bool add(std::string_view word, std::vector<std::int32_t>& out) const {
    const std::uint32_t found = slots_[slot_of(word)];
    if (found == 0) return false;
    each_word(entries_[found - 1].second, [&](std::string_view digits) {
      std::int32_t number = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
      out.push_back(number);
    });
    return true;
  }

  void add_regular(std::string_view word, std::vector<std::int32_t>& out) const {
    if (word.size() <= 2 || word.ends_with("ss")) return;
    std::string form;
    for (const auto& [old, replacement] : kEndings) {
      if (!word.ends_with(old)) continue;
      form.assign(word.substr(0, word.size() - old.size())).append(replacement);
      if (add(form, out)) return;
    }
  }

  // Where the number of a word's entry is, from 1, or would be.
  std::size_t slot_of(std::string_view word) const {
    std::size_t at = std::hash<std::string_view>{}(word) & (slots_.size() - 1);
    while (slots_[at] != 0 && entries_[slots_[at] - 1].first != word) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  template <class Use>
  static void each_two_lines(std::string_view text, Use use) {
    const auto line = [&] {
      const std::string_view found = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(found.size() + 1, text.size()));
      return found;
    };
    while (!text.empty()) {
      const std::string_view first = line();
      use(first, line());
    }
  }

  template <class Use>
  static void each_word(std::string_view line, Use use) {
    while (!line.empty()) {
      const std::string_view word = line.substr(0, line.find(' '));
      if (!word.empty()) use(word);
      line.remove_prefix(std::min(word.size() + 1, line.size()));
    }
  }

  std::string synsets_text_, exceptions_text_;
  std::vector<std::pair<std::string_view, std::string_view>> entries_;  // words and the numbers of their synsets
  std::vector<std::uint32_t> slots_;                                     // a hash table of the words
  std::unordered_map<std::string_view, std::vector<std::string_view>> base_forms_;
};

}  // namespace assay
