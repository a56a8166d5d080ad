// Texts as numbers of words: every distinct word of some columns has a number, from 0 in the order of appearance.
//
// Cost: O(characters).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/column.hpp"
#include "assay/interrupt.hpp"
#include "assay/token_index.hpp"
#include "assay/tokenize.hpp"

namespace assay {

class WordNumbers {
 public:
  explicit WordNumbers(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // The distinct words so far, by number.
  const std::vector<std::u32string>& words() const { return words_; }

  // Appends the words of all texts, and the end of each text to `ends`. An absent text has no words.
  void read(const Column& column, std::vector<std::int32_t>& numbers, std::vector<std::int64_t>& ends) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      const Text text = column[i];
      if (text.present()) {
        progress_.spend(kCharacterWork * static_cast<std::int64_t>(text.length));
        switch (text.width) {
          case 1: read(text, narrow_, numbers); break;
          case 2: read(text, medium_, numbers); break;
          default: read(text, wide_, numbers); break;
        }
      }
      ends.push_back(static_cast<std::int64_t>(numbers.size()));
    }
  }

 private:
  template <class Char>
  void read(const Text& text, Tokenizer::Scratch<Char>& scratch, std::vector<std::int32_t>& numbers) {
    tokenizer_(text, scratch);
    const std::span<const Token<Char>> tokens(scratch.tokens);
    const std::span<const SpeltToken> spelt = spell_(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::uint32_t number = index_.find_or_add(spelt[i]) - 1;
      if (number == words_.size()) words_.emplace_back(tokens[i].start, tokens[i].start + tokens[i].length);
      numbers.push_back(static_cast<std::int32_t>(number));
    }
  }

  const Tokenizer& tokenizer_;
  TokenIndex index_;
  Speller spell_;
  Tokenizer::Scratch<std::uint8_t> narrow_;
  Tokenizer::Scratch<std::uint16_t> medium_;
  Tokenizer::Scratch<std::uint32_t> wide_;
  std::vector<std::u32string> words_;
  Progress progress_;
};

}  // namespace assay
