// CharacTER (Wang et al. 2016), translation edit rate on characters, as its programs compute it: per system and segment
// [edits, output length].
//
// The words of the output are put in another order (shifted_words.hpp). Then edits are the Levenshtein distance between the
// characters of both texts, with one space between words, plus a cost of the moves: the mean length of the words of each phrase
// that stands elsewhere than before. The length is that of the output, in characters. Of several references the one with the
// lowest score counts. Cost: that of the word order, and O(output x distance / 64).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "assay/alphabet.hpp"
#include "assay/column.hpp"
#include "assay/edit.hpp"
#include "assay/effort.hpp"
#include "assay/error_share.hpp"
#include "assay/ngrams.hpp"
#include "assay/segment.hpp"
#include "assay/shifted_words.hpp"
#include "assay/tokenize.hpp"
#include "assay/too_long.hpp"

namespace assay {

// The cost of the moves from one order of words to another, as the programs find it: at each position where the words
// differ, the phrase that begins there in the old order and at the first place behind it where its first word stands in the new
// one; the words of the phrase are not looked at again.
class MoveCost {
 public:
  // `length_of(word)` is in characters.
  template <class Length>
  double operator()(std::span<const Symbol> before, std::span<const Symbol> after, std::size_t symbols, Length length_of) {
    if (std::ranges::equal(before, after)) return 0;
    const std::size_t words = before.size();
    const bool is_long = words > kFewWords;
    if (is_long) places_.assign(after, symbols);
    double cost = 0;
    for (std::size_t i = 0; i < words; ++i) {
      if (before[i] == after[i]) continue;
      const std::size_t place = is_long ? listed(before[i], i + 1, words) : scanned(before[i], i + 1, after);
      if (place == words) continue;
      std::size_t length = 1, characters = length_of(before[i]);
      for (; place + length < words && before[i + length] == after[place + length]; ++length)
        characters += length_of(before[i + length]);
      cost += static_cast<double>(characters) / static_cast<double>(length);
      i += length - 1;
    }
    return cost;
  }

 private:
  static constexpr std::size_t kFewWords = 64;

  // The first place of a word from `first` on, or the end.
  std::size_t listed(Symbol word, std::size_t first, std::size_t end) const {
    const auto places = places_.of(word, first, end);
    return places.empty() ? end : places.front();
  }

  static std::size_t scanned(Symbol word, std::size_t first, std::span<const Symbol> words) {
    return static_cast<std::size_t>(std::find(words.begin() + static_cast<std::ptrdiff_t>(first), words.end(), word) - words.begin());
  }

  Occurrences places_;
};

template <class Char>
class CharacterSegment {
 public:
  CharacterSegment(const Tokenizer& tokenizer, MoveRule rule, std::int64_t max_work)
      : tokenizer_(tokenizer), effort_(max_work), shift_(rule) {}

  // Fills rows[s], zero on entry.
  void operator()(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment,
                  const std::vector<double*>& rows) {
    read(references, outputs, segment);
    for (std::size_t r = 0, compared = 0; r < references.size(); ++r) {
      if (!references[r][segment].present()) continue;
      const std::vector<Symbol>& reference = texts_[r].words;
      shift_.assign(reference, vocabulary_.size());
      alphabet_.learn(join(reference), buffer_, characters_);
      positions_.assign(characters_, alphabet_.size());
      for (std::size_t s = 0; s < outputs.size(); ++s) {
        if (!outputs[s][segment].present()) continue;
        const std::vector<Symbol>& output = texts_[references.size() + s].words;
        double row[kErrorShareColumns];
        try {
          effort_.start();
          measure(output, row);
        } catch (const TooMuchWork&) {
          throw TooLong(r, s, segment, reference.size(), output.size());
        }
        if (compared == 0 || ErrorShare::is_better(row, rows[s])) std::copy_n(row, kErrorShareColumns, rows[s]);
      }
      ++compared;
    }
  }

 private:
  struct Words {
    Tokenizer::Scratch<Char> scratch;
    std::vector<Symbol> words;
  };

  // All texts, with the same symbol for the same word in all of them.
  void read(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment) {
    texts_.resize(references.size() + outputs.size());
    std::size_t tokens = 0, t = 0;
    for (const auto* const columns : {&references, &outputs})
      for (const Column& column : *columns) {
        Words& text = texts_[t++];
        text.scratch.tokens.set_size(0);
        if (!column[segment].present()) continue;
        tokenizer_(column[segment], text.scratch);
        tokens += text.scratch.tokens.size();
      }
    vocabulary_.reset(tokens);
    spelling_.resize(tokens + 1);
    for (Words& text : texts_) {
      vocabulary_.learn(text.scratch.tokens, text.words);
      for (std::size_t i = 0; i < text.words.size(); ++i) spelling_[text.words[i]] = text.scratch.tokens[i];
    }
  }

  void measure(const std::vector<Symbol>& output, double* row) {
    const std::vector<Symbol>& words = shift_(output, [&](Symbol a, Symbol b) { return comes_before(spelling_[a], spelling_[b]); }, effort_);
    alphabet_.read(join(words), buffer_, output_);
    const auto length_of = [&](Symbol word) { return spelling_[word].length; };
    row[0] = static_cast<double>(edit_distance_(positions_, output_, effort_)) +
             cost_(output, words, vocabulary_.size(), length_of);
    row[1] = static_cast<double>(output_.size());
  }

  static bool comes_before(const Token<Char>& a, const Token<Char>& b) {
    return std::lexicographical_compare(a.start, a.start + a.length, b.start, b.start + b.length);
  }

  // The characters of some words, with one space in between. Most words are copied with what follows them, up to 16 bytes: tokens
  // are followed by as many that can be read.
  Text join(const std::vector<Symbol>& words) {
    std::size_t length = 0;
    for (const Symbol word : words) length += spelling_[word].length + 1;
    Char* const first = joined_.reserve(length + kCopied);
    Char* out = first;
    for (const Symbol word : words) {
      const Token<Char>& token = spelling_[word];
      if (token.length <= kCopied) std::memcpy(out, token.start, kCopied * sizeof(Char));
      else std::copy_n(token.start, token.length, out);
      out += token.length;
      *out++ = ' ';
    }
    return {first, words.empty() ? 0 : length - 1, sizeof(Char)};
  }

  static constexpr std::size_t kCopied = 16 / sizeof(Char);

  const Tokenizer& tokenizer_;
  Effort effort_;
  std::vector<Words> texts_;  // of the references and then of the outputs
  Vocabulary<Char> vocabulary_;
  std::vector<Token<Char>> spelling_;  // by symbol
  ShiftedWords shift_;
  MoveCost cost_;
  Buffer<Char> joined_;
  PaddedText<Char> buffer_;
  Alphabet<Char> alphabet_{true};
  std::vector<Symbol> characters_, output_;  // of the reference and of the output
  Positions positions_;
  EditDistance edit_distance_;
};

// table: (system, segment, column), zero on entry; rows stay zero where an output or all references are absent.
inline void character_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segments,
                                 const Tokenizer& tokenizer, MoveRule rule, std::int64_t max_work, int threads, double* table) {
  segment_statistics<CharacterSegment>(references, outputs, outputs.size(), segments, kErrorShareColumns, threads, table, tokenizer,
                                       rule, max_work);
}

}  // namespace assay
