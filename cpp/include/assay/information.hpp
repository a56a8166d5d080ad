// The information of the n-grams of references (Doddington 2002): bits(w1..wn) = log2(count(w1..wn-1) / count(w1..wn)),
// with the number of all words above the line for n = 1.
//
// The n-grams are a tree that grows order by order: the places where a history stands are a chain, which is sorted into
// the chains of its continuations. An n-gram whose history occurs only once carries no information, nor does any longer
// one that begins like it: they are left out. Nothing is hashed but words. Cost: O(characters + words x order).
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

// References as numbers, and where their n-grams are in the tree.
struct NumberedReferences {
  std::size_t columns = 0;
  std::vector<std::uint32_t> words{0};  // segment by segment; a 0 before all and behind each reference
  std::vector<std::size_t> starts;      // of (segment, column), and the end; an absent reference takes no room
  std::vector<std::vector<std::uint32_t>> longer;  // by order, from 2: the node of the n-gram that starts at a word

  bool present(std::size_t text) const { return starts[text] != starts[text + 1]; }
  std::span<const std::uint32_t> words_of(std::size_t text) const {
    return {words.data() + starts[text], starts[text + 1] - starts[text] - 1};
  }
  std::uint32_t node(std::size_t order, std::size_t start) const {
    return order == 1 ? words[start] : longer[order - 2][start];
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
        hash = (std::rotl(hash, 31) ^ token.key) * 0x9E3779B97F4A7C15u;
      }
      digest_ += mixed(hash);
    });
    constexpr unsigned char zero[16] = {'0'};
    if (zero_history) zero_ = tokens_.find({zero, 1, TokenKey::of(zero, 1)});
    weigh(grow());
  }

  const Tokenizer& tokenizer() const { return tokenizer_; }
  const TokenIndex& tokens() const { return tokens_; }
  std::size_t max_order() const { return max_order_; }
  double bits(std::uint32_t node) const { return bits_[node]; }

  // The same for the same references, in whatever order.
  std::uint64_t digest() const { return digest_; }

  // The references it was fitted on, and any others. Words that it was not fitted on are all unknown().
  const NumberedReferences& fitted() const { return fitted_; }
  std::uint32_t unknown() const { return tokens_.size(); }

  NumberedReferences read(const std::vector<Column>& references, std::size_t segments) const {
    NumberedReferences read;
    number(references, segments, read, [&](std::span<const SpeltToken> text) {
      for (const SpeltToken& token : text) {
        const std::uint32_t word = tokens_.find(token);
        read.words.push_back(word == 0 ? unknown() : word);
      }
    });
    Chains chains(read, nodes_.size(), unknown());
    for (std::size_t order = 2; order <= max_order_; ++order) {
      read.longer.emplace_back(read.words.size(), 0);
      for (std::uint32_t history = levels_[order - 2]; history < levels_[order - 1]; ++history) {
        const std::uint32_t first = nodes_[history].children;
        if (first == 0 || chains.ngrams[history].last == 0) continue;
        for (std::uint32_t i = first; i < nodes_.size() && nodes_[i].history == history; ++i)
          chains.latest[nodes_[i].word] = i;
        chains.extend(history, order, first, read, [](std::uint32_t) { return 0; });
      }
    }
    return read;
  }

 private:
  struct Node {
    std::uint32_t history = 0, word = 0;
    std::uint32_t children = 0;  // the first; they stand in a row
  };

  // For each n-gram the places where it stands, one pointing to the one before it. 0 is no place.
  struct Chains {
    struct Ngram {
      std::uint32_t last = 0, count = 0;
    };
    std::vector<Ngram> ngrams;          // by node
    std::vector<std::uint32_t> before;  // by place
    std::vector<std::uint32_t> latest;  // by word: the node made last that ends in it

    Chains(const NumberedReferences& references, std::size_t nodes, std::uint32_t unknown)
        : ngrams(nodes), before(references.words.size()), latest(unknown + 1) {
      for (std::size_t place = 0; place < references.words.size(); ++place)
        add(references.words[place], static_cast<std::uint32_t>(place));
    }

    void add(std::uint32_t node, std::uint32_t place) {
      before[place] = ngrams[node].last;
      ngrams[node] = {place, ngrams[node].count + 1};
    }

    // Sorts the chain of a history of order - 1 words by the word that follows. Its continuations are numbered from
    // `first`; one that `latest` does not know is made.
    template <class Make>
    void extend(std::uint32_t history, std::size_t order, std::uint32_t first, NumberedReferences& references, Make make) {
      const std::uint32_t* const next_words = references.words.data() + (order - 1);
      std::uint32_t* const nodes = references.longer.back().data();
      for (std::uint32_t place = ngrams[history].last, previous; place != 0; place = previous) {
        previous = before[place];
        const std::uint32_t word = next_words[place];
        if (word == 0) continue;
        if (latest[word] < first) latest[word] = make(word);
        nodes[place] = latest[word];
        add(latest[word], place);
      }
    }
  };

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
    numbered.words.reserve(characters / 2);  // memory that is not written to costs nothing
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

  // How often each n-gram occurs.
  std::vector<Chains::Ngram> grow() {
    nodes_.reserve(fitted_.words.size() + tokens_.size());
    nodes_.resize(tokens_.size() + 1);  // a word is its own node
    Chains chains(fitted_, nodes_.size(), unknown());
    chains.ngrams.reserve(nodes_.capacity());
    levels_ = {1, unknown()};
    for (std::size_t order = 2; order <= max_order_; ++order) {
      fitted_.longer.emplace_back(fitted_.words.size(), 0);
      for (std::uint32_t history = levels_[order - 2]; history < levels_[order - 1]; ++history) {
        if (chains.ngrams[history].count < 2 && (order > 2 || history != zero_)) continue;
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        nodes_[history].children = first;
        chains.extend(history, order, first, fitted_, [&](std::uint32_t word) {
          nodes_.push_back({history, word});
          chains.ngrams.emplace_back();
          return static_cast<std::uint32_t>(nodes_.size() - 1);
        });
      }
      levels_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    }
    return std::move(chains.ngrams);
  }

  void weigh(const std::vector<Chains::Ngram>& ngrams) {
    constexpr std::size_t often = 4096;  // most counts are small
    std::vector<double> logarithms;
    for (std::size_t count = 0; count < often; ++count) logarithms.push_back(std::log2(static_cast<double>(count)));
    const auto log2 = [&](std::uint32_t count) { return count < often ? logarithms[count] : std::log2(count); };
    const double log2_total = std::log2(static_cast<double>(fitted_.words.size() - ngrams[0].count));
    bits_.assign(nodes_.size(), 0);
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
      const std::uint32_t history = nodes_[i].history;
      const bool has_history = history != 0 && history != zero_;
      if (i != unknown()) bits_[i] = (has_history ? log2(ngrams[history].count) : log2_total) - log2(ngrams[i].count);
    }
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
  std::uint32_t zero_ = 0;  // the node of "0" if it is no history
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> levels_;  // where the nodes of an order begin
  std::vector<double> bits_;           // by node; 0 has none
  NumberedReferences fitted_;
  std::uint64_t digest_ = 0;
};

}  // namespace assay
