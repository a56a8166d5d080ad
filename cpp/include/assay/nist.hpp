// NIST's sufficient statistics (Doddington 2002), as mteval computes them.
//
// Information weights come from the references of a whole test set: bits(w1..wn) = log2(count(w1..wn-1) / count(w1..wn)),
// with the number of all words above the line for n = 1. Per segment and system: output length, mean reference length,
// information of the clipped matches per order, n-grams per order. Cost: O(characters + tokens x order).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "assay/ngrams.hpp"
#include "assay/segment.hpp"
#include "assay/text.hpp"
#include "assay/tokenize.hpp"

namespace assay {

// Token -> number for a whole test set. A token is the same whatever the width of the text it stands in: tokens of
// Latin-1 are kept in one byte a character, all others in four.
class TokenIndex {
 public:
  // One more than the largest number.
  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  std::uint64_t key(std::uint32_t number) const { return entries_[number].key; }

  template <class Char>
  std::uint32_t find(const Token<Char>& token) const {
    Spelling memory;
    return slots_[slot_of(spell(token, memory))];
  }

  template <class Char>
  std::uint32_t find_or_add(const Token<Char>& token) {
    Spelling memory;
    const Bytes bytes = spell(token, memory);
    std::size_t at = slot_of(bytes);
    if (slots_[at] == 0) {
      if (entries_.size() * 2 > slots_.size()) {
        grow();
        at = slot_of(bytes);
      }
      slots_[at] = size();
      entries_.push_back({bytes.key, bytes.length, static_cast<std::uint32_t>(storage_.size())});
      if (bytes.size() > 8) {  // a shorter one is its key
        storage_.resize(storage_.size() + (bytes.size() + 7) / 8);
        std::memcpy(&storage_[entries_.back().start], bytes.start, bytes.size());
      }
    }
    return slots_[at];
  }

 private:
  static constexpr std::uint32_t kWide = std::uint32_t{1} << 31;

  struct Bytes {
    const unsigned char* start;
    std::uint32_t length;  // in characters, with kWide where they take four bytes each
    std::uint64_t key;

    std::size_t size() const { return (length & kWide) != 0 ? std::size_t{length & ~kWide} * 4 : length; }
  };

  struct Entry {
    std::uint64_t key;
    std::uint32_t length;
    std::uint32_t start;  // in storage_, in words of 8 bytes
  };

  // Memory for a token in another width than its text's; most tokens are short.
  struct Spelling {
    static constexpr std::size_t kShort = 32;
    std::array<std::uint32_t, kShort + 4> brief;
    std::vector<std::uint32_t> lengthy;

    std::uint32_t* room_for(std::size_t characters) {
      if (characters <= kShort) return brief.data();
      lengthy.resize(characters + 4);
      return lengthy.data();
    }
  };

  template <class Char>
  static Bytes spell(const Token<Char>& token, Spelling& memory) {
    if constexpr (sizeof(Char) == 1) {
      return {token.start, token.length, TokenKey::of(token.start, token.length)};
    } else {
      const Char* const end = token.start + token.length;
      std::uint32_t* const wide = memory.room_for(token.length);
      auto* const bytes = reinterpret_cast<unsigned char*>(wide);
      if (std::all_of(token.start, end, [](Char c) { return c < 0x100; })) {
        std::transform(token.start, end, bytes, [](Char c) { return static_cast<unsigned char>(c); });
        return {bytes, token.length, TokenKey::of(bytes, token.length)};
      }
      std::copy(token.start, end, wide);
      return {bytes, token.length | kWide, TokenKey::of(bytes, std::size_t{token.length} * 4)};
    }
  }

  std::size_t slot_of(const Bytes& bytes) const {
    std::size_t at = home(bytes.key, bytes.length);
    while (slots_[at] != 0 && !same(entries_[slots_[at]], bytes)) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  std::size_t home(std::uint64_t key, std::uint32_t length) const {
    return ((key + length) * 0x9E3779B97F4A7C15u) >> shift_;
  }

  // A key of up to 8 bytes is the token; a longer one may collide.
  bool same(const Entry& entry, const Bytes& bytes) const {
    return entry.key == bytes.key && entry.length == bytes.length &&
           (bytes.size() <= 8 || std::memcmp(&storage_[entry.start], bytes.start, bytes.size()) == 0);
  }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    --shift_;
    for (std::uint32_t number = 1; number < size(); ++number) {
      std::size_t at = home(entries_[number].key, entries_[number].length);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = number;
    }
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1 << 14);  // 0: free
  int shift_ = 64 - 14;
  std::vector<Entry> entries_{{0, 0, 0}};  // by number
  std::vector<std::uint64_t> storage_;
};

// The information of every n-gram of the references, as a tree of n-grams. An n-gram whose history occurs only once
// carries none, nor does any longer one that begins like it: they are left out. Compact, because the time it takes to
// make is the time it takes to touch its memory.
class Information {
 public:
  // `zero_history`: as in mteval, "0" before the last word of a bigram is no history (Perl takes "0" for false).
  Information(const std::vector<Column>& references, std::size_t segments, const Tokenizer& tokenizer, int max_order,
              bool zero_history) {
    const std::vector<std::uint32_t> words = number_words(references, segments, tokenizer);
    if (zero_history) zero_ = tokens_.find(Token<std::uint32_t>{kZero, 1});
    nodes_.reserve(words.size() + tokens_.size());
    nodes_.resize(tokens_.size());
    for (std::uint32_t word = 1; word < tokens_.size(); ++word) nodes_[word] = {0, word, 0};  // a word is its own node
    for (const std::uint32_t word : words) ++nodes_[word].value;
    const double total = static_cast<double>(words.size()) - nodes_[0].value;
    resize(std::bit_ceil(words.size() + 2));
    std::vector<std::uint32_t> at = words;
    for (int order = 2; order <= max_order; ++order) extend(words, static_cast<std::size_t>(order), at);
    weigh(total);
  }

  // The node of a word, or of an n-gram with one more word; 0 where it carries no information.
  template <class Char>
  std::uint32_t node(const Token<Char>& token) const { return tokens_.find(token); }
  std::uint32_t child(std::uint32_t node, std::uint32_t word) const { return slots_[slot_of(node, word)]; }
  double bits(std::uint32_t node) const { return nodes_[node].value; }

  // The same for the same references, in whatever order.
  std::uint64_t digest() const { return digest_; }

 private:
  static constexpr std::uint32_t kZero[] = {U'0', 0, 0, 0};
  static constexpr std::size_t kAhead = 8;  // so many words before it is needed, a slot should be fetched

  struct Node {
    std::uint32_t history = 0, word = 0;
    double value = 0;  // first its count, then its information
  };

  // All words of all references in a row, a 0 behind each segment.
  std::vector<std::uint32_t> number_words(const std::vector<Column>& references, std::size_t segments,
                                          const Tokenizer& tokenizer) {
    std::size_t characters = 0;
    for (const Column& reference : references)
      for (const Text& text : reference) characters += text.length + 1;
    std::vector<std::uint32_t> words;
    words.reserve(characters / 2);  // memory that is not written to costs nothing
    const auto add = [&](const Text& text, auto& scratch) {
      tokenizer(text, scratch);
      std::uint64_t hash = 0;
      for (const auto& token : scratch.tokens) {
        words.push_back(tokens_.find_or_add(token));
        hash = (std::rotl(hash, 31) ^ tokens_.key(words.back())) * 0x9E3779B97F4A7C15u;
      }
      words.push_back(0);
      digest_ += mixed(hash);
    };
    Tokenizer::Scratch<std::uint8_t> narrow;
    Tokenizer::Scratch<std::uint16_t> medium;
    Tokenizer::Scratch<std::uint32_t> wide;
    for (const Column& reference : references)
      for (std::size_t i = 0; i < segments; ++i) {
        if (!reference[i].present()) continue;
        switch (reference[i].width) {
          case 1: add(reference[i], narrow); break;
          case 2: add(reference[i], medium); break;
          default: add(reference[i], wide); break;
        }
      }
    return words;
  }

  // at[i], the node of the n-gram that starts at word i, becomes that of the n-gram with one word more.
  void extend(const std::vector<std::uint32_t>& words, std::size_t order, std::vector<std::uint32_t>& at) {
    for (std::size_t i = 0; i + order <= words.size(); ++i) {
      if (i + order + kAhead <= words.size())
        __builtin_prefetch(&slots_[home(at[i + kAhead], words[i + kAhead + order - 1])]);
      const std::uint32_t history = at[i], word = words[i + order - 1];
      const bool can_inform = history != 0 && (nodes_[history].value > 1 || (order == 2 && history == zero_));
      at[i] = word != 0 && can_inform ? child_or_new(history, word) : 0;
      if (at[i] != 0) ++nodes_[at[i]].value;
    }
  }

  std::uint32_t child_or_new(std::uint32_t history, std::uint32_t word) {
    std::size_t at = slot_of(history, word);
    if (slots_[at] == 0) {
      if ((nodes_.size() - tokens_.size()) * 3 > slots_.size() * 2) {
        resize(slots_.size() * 2);
        at = slot_of(history, word);
      }
      slots_[at] = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({history, word, 0});
    }
    return slots_[at];
  }

  std::size_t home(std::uint32_t history, std::uint32_t word) const {
    return ((std::uint64_t{history} << 32 | word) * 0x9E3779B97F4A7C15u) >> shift_;
  }

  std::size_t slot_of(std::uint32_t history, std::uint32_t word) const {
    std::size_t at = home(history, word);
    while (slots_[at] != 0 && (nodes_[slots_[at]].history != history || nodes_[slots_[at]].word != word))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void resize(std::size_t size) {
    slots_.assign(size, 0);
    shift_ = 64 - std::countr_zero(size);
    for (std::size_t node = tokens_.size(); node < nodes_.size(); ++node)
      slots_[slot_of(nodes_[node].history, nodes_[node].word)] = static_cast<std::uint32_t>(node);
  }

  // Histories were made before what follows them, so backwards they still have their counts.
  void weigh(double total) {
    std::vector<double> logarithms;  // of counts, most of which are small and occur often
    const auto log2 = [&](double count) {
      for (std::size_t c = logarithms.size(); c <= static_cast<std::size_t>(count); ++c)
        logarithms.push_back(std::log2(static_cast<double>(c)));
      return logarithms[static_cast<std::size_t>(count)];
    };
    const double log2_total = std::log2(total);
    for (std::size_t i = nodes_.size() - 1; i > 0; --i) {
      Node& node = nodes_[i];
      const bool has_history = node.history != 0 && node.history != zero_;
      node.value = (has_history ? log2(nodes_[node.history].value) : log2_total) - log2(node.value);
    }
  }

  // splitmix64's finaliser
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }

  std::uint32_t zero_ = 0;  // the node of "0" if it is no history
  TokenIndex tokens_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> slots_;  // (history, word) -> node; 0: free
  int shift_ = 0;
  std::uint64_t digest_ = 0;
};

inline std::size_t nist_columns(int max_order) { return 2 + 2 * static_cast<std::size_t>(max_order); }

template <class Char>
class NistSegment {
 public:
  NistSegment(const Information& information, const Tokenizer& tokenizer, int max_order)
      : information_(information), tokenizer_(tokenizer), max_order_(max_order) {}

  void operator()(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment,
                  const std::vector<double*>& rows) {
    if (!texts_.read(references, outputs, segment, tokenizer_)) return;
    find_words();
    matcher_.hits(texts_.references(), texts_.outputs(), texts_.symbols(), max_order_, hits_);
    for (std::size_t s = 0; s < outputs.size(); ++s)
      if (outputs[s][segment].present()) write(s, rows[s]);
  }

 private:
  // The node of each symbol; one look-up for each different word of the references.
  void find_words() {
    words_.assign(texts_.symbols(), 0);
    std::uint32_t next = 1;  // symbols are numbered in the order of their first occurrence
    for (std::size_t r = 0; r < texts_.references().size(); ++r) {
      const auto& symbols = texts_.references()[r];
      for (std::size_t i = 0; i < symbols.size(); ++i)
        if (symbols[i] == next) words_[next++] = information_.node(texts_.tokens(r)[i]);
    }
  }

  void write(std::size_t system, double* row) const {
    const auto& output = texts_.outputs()[system];
    const auto length = static_cast<std::int64_t>(output.size());
    std::size_t total = 0;
    for (const auto& reference : texts_.references()) total += reference.size();
    row[0] = static_cast<double>(length);
    row[1] = static_cast<double>(total) / static_cast<double>(texts_.references().size());
    for (std::size_t i = 0; i < output.size(); ++i) add_ngrams_from(i, output, hits_[system], row + 2);
    for (int n = 0; n < max_order_; ++n)
      row[2 + max_order_ + n] = static_cast<double>(std::max<std::int64_t>(length - n, 0));
  }

  // The information of the n-grams that start here and match.
  void add_ngrams_from(std::size_t start, const std::vector<Symbol>& output, const std::vector<std::uint8_t>& hits,
                       double* information) const {
    std::size_t orders = std::min(output.size() - start, static_cast<std::size_t>(max_order_));
    while (orders > 0 && (hits[start + orders - 1] >> (orders - 1) & 1) == 0) --orders;  // none as long matches
    std::uint32_t node = orders > 0 ? words_[output[start]] : 0;
    for (std::size_t n = 0; node != 0; node = information_.child(node, words_[output[start + n]])) {
      if (hits[start + n] >> n & 1) information[n] += information_.bits(node);
      if (++n == orders) break;
    }
  }

  const Information& information_;
  const Tokenizer& tokenizer_;
  int max_order_;
  SegmentSymbols<Char> texts_;
  std::vector<std::uint32_t> words_;  // by symbol
  std::vector<std::vector<std::uint8_t>> hits_;
  NgramMatcher matcher_;
};

// table: (system, segment, column), zero on entry; rows stay zero where output or references are absent.
inline void nist_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs,
                            std::size_t segments, const Information& information, const Tokenizer& tokenizer,
                            int max_order, int threads, double* table) {
  segment_statistics<NistSegment>(references, outputs, segments, nist_columns(max_order), threads, table, information,
                                  tokenizer, max_order);
}

}  // namespace assay
