// The information of the n-grams of references (Doddington 2002): bits(w1..wn) = log2(count(w1..wn-1) / count(w1..wn)),
// where the numerator for n = 1 is the total number of words.
//
// N-grams are counted order by order. The positions of an n-gram form a chain; sorting a chain by the next word gives the
// chains of the n-grams of the next order. An n-gram that occurs once has one continuation, so chains of length one are
// skipped. Only words are hashed. Cost: O(characters + words x order).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "assay/column.hpp"
#include "assay/token_index.hpp"
#include "assay/tokenize.hpp"

namespace assay {

// References as integers.
struct NumberedReferences {
  std::size_t columns = 0;
  std::vector<std::size_t> starts;      // of (segment, column), and the end; an absent reference has length 0
  std::vector<std::uint32_t> words{0};  // segment by segment; a 0 at the start and after each reference
  std::vector<std::uint32_t> counts;    // (word, order): of the n-gram that starts there

  bool present(std::size_t text) const { return starts[text] != starts[text + 1]; }
  std::span<const std::uint32_t> words_of(std::size_t text) const {
    return {words.data() + starts[text], starts[text + 1] - starts[text] - 1};
  }
};

class Information {
 public:
  // `zero_history`: as in mteval, ignore the history "0" of a bigram (Perl treats "0" as false).
  Information(const std::vector<Column>& references, std::size_t segments, const Tokenizer& tokenizer, int max_order,
              bool zero_history)
      : tokenizer_(tokenizer), max_order_(static_cast<std::size_t>(max_order)) {
    number(references, segments, fitted_, [&](std::span<const SpeltToken> text) {
      std::uint64_t hash = 0;
      for (const SpeltToken& token : text) {
        fitted_.words.push_back(tokens_.find_or_add(token));
        hash = (std::rotl(hash, 31) ^ fixed_hash(token)) * kGolden;
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

  // Equal for the same references, in any order.
  std::uint64_t digest() const { return digest_; }

  // The references that the weights were fitted on.
  const NumberedReferences& fitted() const { return fitted_; }

  // Other references; this costs as much as fitting. Words that the weights were not fitted on are unknown().
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

  // Information of the n-gram that starts at a word of these references; 0 if the weights were not fitted on it.
  double bits(const NumberedReferences& references, std::size_t start, std::size_t order) const {
    const std::uint32_t* const counts = &references.counts[start * max_order_];
    if (counts[order - 1] == 0) return 0;
    const bool has_history = order > 2 || (order == 2 && references.words[start] != zero_);
    return (has_history ? log2(counts[order - 2]) : log2_total_) - log2(counts[order - 1]);
  }

 private:
  // Maps words to integers: read(text) appends the words of a text.
  template <class Read>
  void number(const std::vector<Column>& references, std::size_t segments, NumberedReferences& numbered,
              Read read) const {
    Speller spell;
    Tokenizer::Scratch<std::uint8_t> narrow;
    Tokenizer::Scratch<std::uint16_t> medium;
    Tokenizer::Scratch<std::uint32_t> wide;
    const auto add = [&]<class Char>(const Text& text, Tokenizer::Scratch<Char>& scratch) {
      checkpoint(static_cast<std::int64_t>(32 * text.length));
      tokenizer_(text, scratch);
      read(spell(std::span<const Token<Char>>(scratch.tokens)));
      numbered.words.push_back(0);
    };
    std::size_t characters = 0;
    for (const Column& reference : references)
      for (std::size_t i = 0; i < segments; ++i) characters += reference[i].length + 1;
    numbered.words.reserve(numbered.words.size() + characters / 2);  // reserved memory that is never written costs nothing
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
    std::uint32_t last = 0;   // last position; each position points to the previous one, and 0 ends the chain
    std::uint32_t count = 0;  // positions in the fitted references

    void add(std::uint32_t place, bool is_fitted, std::vector<std::uint32_t>& before) {
      before[place] = last;
      last = place;
      count += is_fitted;
    }
  };

  static constexpr std::int64_t kWork = 16;  // of an n-gram

  // The words of the fitted references, which are counted, come first.
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

  // Writes the counts of an order, and sorts its chains by the next word.
  void extend(NumberedReferences& references, std::size_t order, const std::vector<Ngram>& ngrams,
              std::vector<std::uint32_t>& before, std::vector<Ngram>& longer) const {
    const std::size_t fitted = fitted_.words.size();
    const std::uint32_t* const next_words = references.words.data() + order;
    std::uint32_t* const counts = references.counts.data() + (order - 1);
    std::vector<std::uint32_t> continuation(unknown() + 1);  // by word: the most recently created n-gram that ends in it
    longer.assign(1, {});
    Progress progress;
    for (const Ngram& ngram : ngrams) {
      if (before[ngram.last] == 0) continue;
      progress.spend(kWork * ngram.count);
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

  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;  // 2^64 divided by the golden ratio

  // A hash that does not depend on the secret of the process.
  static std::uint64_t fixed_hash(const SpeltToken& token) {
    std::uint64_t hash = 0;
    const unsigned char* bytes = token.bytes;
    std::size_t left = token.size();
    for (; left > TokenKey::kExact; left -= 8, bytes += 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes, 8);
      hash = std::rotl((hash ^ word) * kGolden, 29);
    }
    const TokenKey rest = left == token.size() ? token.key : TokenKey::of(bytes, left);
    return hash ^ rest.mixture ^ rest.second * kGolden;
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
  std::uint32_t zero_ = 0;  // the integer for "0" if that history is ignored
  double log2_total_ = 0;
  std::vector<double> logarithms_;  // of 1, 2, ...; most counts are small
  std::uint64_t digest_ = 0;
};

}  // namespace assay
