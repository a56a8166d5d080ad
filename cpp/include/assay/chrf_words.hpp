// The words of chrF++ (Popović 2017). Cost: O(characters).
#pragma once

#include <array>
#include <cstdint>

#include "assay/text.hpp"
#include "assay/tokenize.hpp"

namespace assay {

template <class Char>
class ChrfWords {
 public:
  // Splits at white space, and splits one punctuation mark off the end of a word, or else off its start. Without a branch:
  // which words have a mark is unpredictable. The words point into `scratch`; they are valid until the next call.
  const Buffer<Token<Char>>& operator()(const Text& text, Tokenizer::Scratch<Char>& scratch) {
    spaces_(text, scratch);
    Token<Char>* const words = words_.reserve(2 * scratch.tokens.size());
    std::size_t count = 0;
    for (const auto& token : scratch.tokens) {
      const std::uint32_t last = token.length - 1;
      const bool ends = is_punctuation(token.start[last]), starts = is_punctuation(token.start[0]);
      const bool splits = (last != 0) & (ends | starts);
      const std::uint32_t cut = !splits ? token.length : ends ? last : 1;
      words[count] = {token.start, cut};
      words[count + 1] = {token.start + cut, token.length - cut};
      count += 1 + std::size_t{splits};
    }
    words_.set_size(count);
    return words_;
  }

  // Those of the latest text.
  const Buffer<Token<Char>>& words() const { return words_; }

 private:
  static bool is_punctuation(Char c) {
    static constexpr auto table = [] {
      std::array<bool, 128> is_mark{};
      for (unsigned char mark = '!'; mark <= '~'; ++mark)
        is_mark[mark] = mark <= '/' || (mark >= ':' && mark <= '@') || (mark >= '[' && mark <= '`') || mark >= '{';
      return is_mark;
    }();
    return (c < 128) & table[c & 127];
  }

  const Tokenizer& spaces_ = Tokenizer::named("none");
  Buffer<Token<Char>> words_;
};

}  // namespace assay
