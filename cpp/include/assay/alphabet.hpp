// Characters as symbols: small integers for the characters of one text, or of several.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assay/character_table.hpp"
#include "assay/shift_and.hpp"
#include "assay/text.hpp"

namespace assay {

// Character -> symbol for one reference, or for all texts that were added.
template <class Char>
class Alphabet {
 public:
  explicit Alphabet(bool whitespace) : whitespace_(whitespace) {}

  std::size_t size() const { return characters_.size(); }

  // Forgets all characters.
  void clear() {
    if (characters_.empty() && !whitespace_)  // only at first, when there is not even the character 0
      for (std::uint32_t c = 0; c <= std::min<std::uint32_t>(0x3000, CharacterTable<Char>::kLast); ++c)
        if (is_space(c)) symbol_of_.at(static_cast<Char>(c)) = kSkipped;
    for (std::size_t i = 1; i < characters_.size(); ++i) symbol_of_.at(characters_[i]) = 0;
    characters_.assign(1, 0);
  }

  // Symbols of the reference; its characters become the alphabet.
  void learn(const Text& text, PaddedText<Char>& buffer, std::vector<Symbol>& symbols) {
    clear();
    add(text, buffer, symbols);
  }

  // Symbols of one more text; its characters are added to the alphabet.
  void add(const Text& text, PaddedText<Char>& buffer, std::vector<Symbol>& symbols) {
    buffer.assign(text);
    symbols.resize(buffer.size());
    std::size_t kept = 0;
    Symbol next = static_cast<Symbol>(characters_.size());
    characters_.resize(next + buffer.size() + 1);
    const Char* const in = buffer.data();
    Symbol* const out = symbols.data();
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      Symbol& known = symbol_of_.at(in[i]);
      const Symbol is_new = known == 0;  // branchless: a branch would be mispredicted for every new character
      known += is_new * next;
      characters_[next] = in[i];
      next += is_new;
      out[kept] = known;
      kept += known != kSkipped;
    }
    characters_.resize(next);
    symbols.resize(kept);
  }

  // Symbols of an output; characters outside the alphabet are 0.
  void read(const Text& text, PaddedText<Char>& buffer, std::vector<Symbol>& symbols) const {
    buffer.assign(text);
    symbols.resize(buffer.size());
    std::size_t kept = 0;
    const Char* const in = buffer.data();
    Symbol* const out = symbols.data();
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      const Symbol symbol = symbol_of_[in[i]];
      out[kept] = symbol;
      kept += symbol != kSkipped;
    }
    symbols.resize(kept);
  }

 private:
  static constexpr Symbol kSkipped = ~Symbol{0};

  CharacterTable<Char> symbol_of_;
  std::vector<Char> characters_;  // by symbol; 0 is no character
  bool whitespace_;
};

}  // namespace assay
