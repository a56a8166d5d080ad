// NIST's sufficient statistics (Doddington 2002), as mteval computes them.
//
// Information weights come from the references of a whole test set: bits(w1..wn) = log2(count(w1..wn-1) / count(w1..wn)),
// with the number of all words above the line for n = 1. Per segment and system: output length, mean reference length,
// information of the clipped matches per order, n-grams per order. Cost: O(characters + tokens x order).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "assay/ngrams.hpp"
#include "assay/segment.hpp"
#include "assay/text.hpp"
#include "assay/tokenize.hpp"

namespace assay {

// Token -> number for a whole test set, whatever the width of its texts.
class TokenIndex {
 public:
  // One more than the largest number.
  std::uint32_t size() const { return static_cast<std::uint32_t>(hashes_.size()); }
  std::uint64_t hash(std::uint32_t number) const { return hashes_[number]; }

  template <class Char>
  std::uint32_t find(const Token<Char>& token) const {
    return slots_[slot_of(token, hash_of(token))];
  }

  template <class Char>
  std::uint32_t find_or_add(const Token<Char>& token) {
    const std::uint64_t hash = hash_of(token);
    std::size_t at = slot_of(token, hash);
    if (slots_[at] != 0) return slots_[at];
    if (hashes_.size() * 2 > slots_.size()) {
      grow();
      at = slot_of(token, hash);
    }
    slots_[at] = size();
    hashes_.push_back(hash);
    characters_.insert(characters_.end(), token.start, token.start + token.length);
    ends_.push_back(characters_.size());
    return slots_[at];
  }

 private:
  template <class Char>
  static std::uint64_t hash_of(const Token<Char>& token) {
    std::uint64_t hash = token.length;
    for (std::uint32_t i = 0; i < token.length; ++i) hash = (std::rotl(hash, 23) ^ token.start[i]) * 0x9E3779B97F4A7C15u;
    return hash;
  }

  template <class Char>
  std::size_t slot_of(const Token<Char>& token, std::uint64_t hash) const {
    std::size_t at = hash >> shift_;
    while (slots_[at] != 0 && !same(slots_[at], token, hash)) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  template <class Char>
  bool same(std::uint32_t number, const Token<Char>& token, std::uint64_t hash) const {
    const std::size_t start = ends_[number - 1];
    return hashes_[number] == hash && ends_[number] - start == token.length &&
           std::equal(token.start, token.start + token.length, characters_.begin() + static_cast<std::ptrdiff_t>(start));
  }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    --shift_;
    for (std::uint32_t number = 1; number < size(); ++number) {
      std::size_t at = hashes_[number] >> shift_;
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = number;
    }
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1 << 12);  // 0: free
  int shift_ = 64 - 12;
  std::vector<std::uint64_t> hashes_{0};  // by number
  std::vector<std::uint32_t> characters_;
  std::vector<std::size_t> ends_{0};
};

// The information of every n-gram of the references, as a tree of n-grams. An n-gram whose history occurs only once
// carries none, nor does any longer one that begins like it: they are left out.
class Information {
 public:
  // `zero_history`: as in mteval, "0" before the last word of a bigram is no history (Perl takes "0" for false).
  Information(const std::vector<Column>& references, std::size_t segments, const Tokenizer& tokenizer, int max_order,
              bool zero_history)
      : zero_history_(zero_history), children_(tree_.open(0, 0, 0)) {
    number_tokens(references, segments, tokenizer);
    std::uint32_t next = tokens_.size();
    counts_.assign(next, 0);
    for (const std::uint32_t token : words_) ++counts_[token];  // the node of a word is its number
    counts_[0] = 0;
    parents_.assign(next, 0);
    hashes_.resize(next);
    for (std::uint32_t token = 1; token < next; ++token) hashes_[token] = mixed(tokens_.hash(token));
    nodes_ = words_;
    for (int order = 2; order <= max_order; ++order) extend(order, next);
    weigh();
  }
  Information(const Information&) = delete;
  Information& operator=(const Information&) = delete;

  // The node of a word, or of an n-gram with one more word; 0 where it carries no information.
  template <class Char>
  std::uint32_t node(const Token<Char>& token) const { return tokens_.find(token); }
  std::uint32_t child(std::uint32_t node, std::uint32_t word) const { return children_.get(node, word); }
  double bits(std::uint32_t node) const { return bits_[node]; }

  // The same for the same counts, in whatever order they were made.
  std::uint64_t digest() const { return digest_; }

 private:
  // All words of all references in a row, a 0 behind each segment.
  void number_tokens(const std::vector<Column>& references, std::size_t segments, const Tokenizer& tokenizer) {
    Tokenizer::Scratch<std::uint8_t> narrow;
    Tokenizer::Scratch<std::uint16_t> medium;
    Tokenizer::Scratch<std::uint32_t> wide;
    const auto add = [&](const Text& text, auto& scratch) {
      tokenizer(text, scratch);
      for (const auto& token : scratch.tokens) words_.push_back(tokens_.find_or_add(token));
      total_ += scratch.tokens.size();
      words_.push_back(0);
    };
    for (const Column& reference : references)
      for (std::size_t i = 0; i < segments; ++i) {
        if (!reference[i].present()) continue;
        switch (reference[i].width) {
          case 1: add(reference[i], narrow); break;
          case 2: add(reference[i], medium); break;
          default: add(reference[i], wide); break;
        }
      }
    const std::uint32_t zero[] = {U'0'};
    zero_ = zero_history_ ? tokens_.find(Token<std::uint32_t>{zero, 1}) : 0;
  }

  // nodes_[i], the node of the n-gram that starts at word i, becomes that of the n-gram with one word more.
  void extend(int order, std::uint32_t& next) {
    const auto last = static_cast<std::size_t>(order - 1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::uint32_t history = nodes_[i];
      if (history == 0) continue;
      const bool can_inform = counts_[history] > 1 || (order == 2 && history == zero_);
      const std::uint32_t word = can_inform && i + last < words_.size() ? words_[i + last] : 0;
      nodes_[i] = word == 0 ? 0 : children_.get_or_add(history, word, next);
      if (next > counts_.size()) {
        counts_.push_back(0);
        parents_.push_back(history);
        hashes_.push_back(mixed(hashes_[history] + tokens_.hash(word)));
      }
      ++counts_[nodes_[i]];
    }
    counts_[0] = 0;
  }

  void weigh() {
    bits_.resize(counts_.size());
    for (std::size_t node = 1; node < counts_.size(); ++node) {
      const bool has_history = parents_[node] != 0 && parents_[node] != zero_;
      const double above = has_history ? counts_[parents_[node]] : static_cast<double>(total_);
      bits_[node] = std::log2(above / counts_[node]);
      digest_ += mixed(hashes_[node] ^ counts_[node] * 0x9E3779B97F4A7C15u);
    }
    words_ = nodes_ = parents_ = {};
    hashes_ = {};
  }

  // splitmix64's finaliser
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }

  bool zero_history_;
  std::uint32_t zero_ = 0;  // the node of "0" if it is no history
  std::size_t total_ = 0;
  TokenIndex tokens_;
  SparseTable tree_;  // (node, word) -> node
  SparseTable::Cursor children_;
  std::vector<std::uint32_t> words_, nodes_, counts_, parents_;
  std::vector<std::uint64_t> hashes_;
  std::vector<double> bits_;
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
    const std::size_t orders = std::min(output.size() - start, static_cast<std::size_t>(max_order_));
    std::uint32_t node = words_[output[start]];
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
