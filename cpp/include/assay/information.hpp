// The information of the n-grams of references (Doddington 2002): bits(w1..wn) = log2(count(w1..wn-1) / count(w1..wn)),
// with the number of all words above the line for n = 1.
//
// Counted order by order: the places where an n-gram begins are a chain, which is sorted into the chains of the n-grams
// with one word more. What follows an n-gram that occurs once occurs once, so a chain of one place is left alone.
// Nothing is hashed but words. Cost: O(characters + words x order).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/text.hpp"
#include "assay/token_index.hpp"
#include "assay/tokenize.hpp"

namespace assay {

// References as numbers.
struct NumberedReferences {
  std::size_t columns = 0;
  std::vector<std::size_t> starts;      // of (segment, column), and the end; an absent reference takes no room
  std::vector<std::uint32_t> words{0};  // segment by segment; a 0 before all and behind each reference
  std::vector<std::uint32_t> counts;    // (word, order): of the n-gram that starts there

  bool present(std::size_t text) const { return starts[text] != starts[text + 1]; }
  std::span<const std::uint32_t> words_of(std::size_t text) const {
    return {words.data() + starts[text], starts[text + 1] - starts[text] - 1};
  }
};

class Information {
 public:
  // `zero_history`: as in mteval, "0" before the last word of a bigram is no history (Perl takes "0" for false).
  Information(const std::vector<Column>& references, std::size_t segments, const Tokenizer& tokenizer, int max_order,
              bool zero_history)
      : tokenizer_(tokenizer), max_order_(static_cast<std::size_t>(max_order)) {
    number(references, segments, fitted_, [&](std::span<const SpeltToken> text) {
      std::uint64_t hash = 0;
      for (const SpeltToken& token : text) {
        fitted_.words.push_back(tokens_.find_or_add(token));
        hash = (std::rotl(hash, 31) ^ token.key.mixture) * 0x9E3779B97F4A7C15u;
      }
      digest_ += mixed(hash);
    });
    count(fitted_);
    constexpr unsigned char zero[16] = {'0'};
    if (zero_history) zero_ = tokens_.find({zero, 1, TokenKey::of(zero, 1)});
    log2_total_ = std::log2(std::ranges::count_if(fitted_.words, [](std::uint32_t word) { return word != 0; }));
    for (std::uint32_t i = 1; i < 1024; ++i) logarithms_.push_back(std::log2(i));
  }

  const Tokenizer& tokenizer() const { return tokenizer_; }
  const TokenIndex& tokens() const { return tokens_; }
  std::size_t max_order() const { return max_order_; }

  // The same for the same references, in whatever order.
  std::uint64_t digest() const { return digest_; }

  // The references it was fitted on.
  const NumberedReferences& fitted() const { return fitted_; }

  // Others, at the cost of fitting. A word that it was not fitted on is unknown().
  NumberedReferences read(const std::vector<Column>& references, std::size_t segments) const {
    NumberedReferences read;
    read.words = fitted_.words;
    number(references, segments, read, [&](std::span<const SpeltToken> text) {
      for (const SpeltToken& token : text) {
        const std::uint32_t word = tokens_.find(token);
        read.words.push_back(word == 0 ? unknown() : word);
      }
    });
    count(read);
    return read;
  }

  std::uint32_t unknown() const { return tokens_.size(); }

  // Of the n-gram of these references that starts at a word; 0 if it was not fitted on.
  double bits(const NumberedReferences& references, std::size_t start, std::size_t order) const {
    const std::uint32_t* const counts = &references.counts[start * max_order_];
    if (counts[order - 1] == 0) return 0;
    const bool has_history = order > 2 || (order == 2 && references.words[start] != zero_);
    return (has_history ? log2(counts[order - 2]) : log2_total_) - log2(counts[order - 1]);
  }

 private:
  // Numbers words: read(text) appends those of a text.
  template <class Read>
  void number(const std::vector<Column>& references, std::size_t segments, NumberedReferences& numbered,
              Read read) const {
    Speller spell;
    Tokenizer::Scratch<std::uint8_t> narrow;
    Tokenizer::Scratch<std::uint16_t> medium;
    Tokenizer::Scratch<std::uint32_t> wide;
    const auto add = [&]<class Char>(const Text& text, Tokenizer::Scratch<Char>& scratch) {
      tokenizer_(text, scratch);
      read(spell(std::span<const Token<Char>>(scratch.tokens)));
      numbered.words.push_back(0);
    };
    std::size_t characters = 0;
    for (const Column& reference : references)
      for (const Text& text : reference) characters += text.length + 1;
    numbered.words.reserve(numbered.words.size() + characters / 2);  // memory that is not written to costs nothing
    numbered.columns = references.size();
    for (std::size_t i = 0; i < segments; ++i)
      for (const Column& reference : references) {
        numbered.starts.push_back(numbered.words.size());
        if (!reference[i].present()) continue;
        switch (reference[i].width) {
          case 1: add(reference[i], narrow); break;
          case 2: add(reference[i], medium); break;
          default: add(reference[i], wide); break;
        }
      }
    numbered.starts.push_back(numbered.words.size());
  }

  struct Ngram {
    std::uint32_t last = 0;   // of its places, each of which points to the one before it; 0 is no place
    std::uint32_t count = 0;  // of those in the fitted references

    void add(std::uint32_t place, bool is_fitted, std::vector<std::uint32_t>& before) {
      before[place] = last;
      last = place;
      count += is_fitted;
    }
  };

  // The fitted references, which are counted, come first among the words.
  void count(NumberedReferences& references) const {
    const std::size_t places = references.words.size(), fitted = fitted_.words.size();
    references.counts.assign(places * max_order_, 0);
    std::fill_n(references.counts.begin(), fitted * max_order_, 1);
    std::vector<std::uint32_t> before(places);
    std::vector<Ngram> ngrams(unknown() + 1), longer;
    longer.reserve(places);
    for (std::size_t place = 0; place < places; ++place)
      ngrams[references.words[place]].add(static_cast<std::uint32_t>(place), place < fitted, before);
    ngrams[0] = {};
    for (std::size_t order = 1; order <= max_order_; ++order, ngrams.swap(longer))
      extend(references, order, ngrams, before, longer);
  }

  // Writes the counts of an order, and sorts its chains by the word that follows.
  void extend(NumberedReferences& references, std::size_t order, const std::vector<Ngram>& ngrams,
              std::vector<std::uint32_t>& before, std::vector<Ngram>& longer) const {
    const std::size_t fitted = fitted_.words.size();
    const std::uint32_t* const next_words = references.words.data() + order;
    std::uint32_t* const counts = references.counts.data() + (order - 1);
    std::vector<std::uint32_t> continuation(unknown() + 1);  // by word: the n-gram made last that ends in it
    longer.assign(1, {});
    for (const Ngram& ngram : ngrams) {
      if (before[ngram.last] == 0) continue;
      const std::size_t first = longer.size();
      for (std::uint32_t place = ngram.last, previous; place != 0; place = previous) {
        previous = before[place];
        counts[place * max_order_] = ngram.count;
        const std::uint32_t word = next_words[place];
        if (word == 0 || order == max_order_) continue;
        if (continuation[word] < first) {
          continuation[word] = static_cast<std::uint32_t>(longer.size());
          longer.emplace_back();
        }
        longer[continuation[word]].add(place, place < fitted, before);
      }
    }
  }

  double log2(std::uint32_t count) const {
    return count <= logarithms_.size() ? logarithms_[count - 1] : std::log2(count);
  }

  // splitmix64's finaliser
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }

  const Tokenizer& tokenizer_;
  std::size_t max_order_;
  TokenIndex tokens_;
  NumberedReferences fitted_;
  std::uint32_t zero_ = 0;  // the number of "0" if it is no history
  double log2_total_ = 0;
  std::vector<double> logarithms_;  // from that of 1; most counts are small
  std::uint64_t digest_ = 0;
};

}  // namespace assay
