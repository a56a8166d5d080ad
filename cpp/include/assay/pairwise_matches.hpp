// Clipped n-gram matches between all texts of one segment: every text is indexed once, and is output and reference.
//
// The k-th time that an n-gram occurs in a text is an element of the text's set, so that the clipped matches of two texts are the
// elements that both sets have. Elements that all texts have are counted once. Those that many have are bits, and two texts share
// the bits of the conjunction; the others list the references that have them. N-grams are numbered order by order, as in
// ngrams.hpp, and those of one text only are not extended. Exact. Cost: O(length x order) for each text, and for each pair
// O(frequent elements / 64 + rare elements in common).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/interrupt.hpp"
#include "assay/ngrams.hpp"
#include "assay/processor.hpp"

#ifdef ASSAY_HAS_AVX2_TARGET
#include <immintrin.h>
#endif

namespace assay {

class PairwiseMatches {
 public:
  // The first `references` texts are references; `is_output` says which are outputs. `is_triangle`: all are both, and `row` is
  // called for each in their order, for the references after it.
  void reset(std::size_t references, std::vector<std::uint8_t> is_output, bool is_triangle) {
    references_ = references;
    is_output_ = std::move(is_output);
    is_triangle_ = is_triangle;
    outputs_ = static_cast<std::size_t>(std::count(is_output_.begin(), is_output_.end(), 1));
    stride_ = (texts() + kLanes - 1) / kLanes * kLanes;
    orders_.clear();
    bits_.clear();
    lists_.clear();
    listed_.clear();
    rare_.resize(std::max(rare_.size(), texts()));
    for (auto& elements : rare_) elements.clear();
  }

  std::size_t orders() const { return orders_.size(); }
  // From one order to the next in `row`.
  std::size_t stride() const { return stride_; }

  // Adds the orders 1 to max_order of the texts as symbols, of which none is 0; `symbols` is one more than the largest.
  void add(std::span<const std::vector<Symbol>> sequences, std::size_t symbols, int max_order) {
    classes_.resize(std::max(classes_.size(), texts()));
    occurrences_.resize(classes_.size());
    for (std::size_t t = 0; t < texts(); ++t) classes_[t].assign(sequences[t].begin(), sequences[t].end());
    std::size_t known = symbols;
    for (std::size_t order = 1; order <= static_cast<std::size_t>(max_order); ++order) {
      if (order > 1) known = refine(sequences, order);
      number(sequences, order, known);
      store(sequences, order);
    }
  }

  // matches[order * stride() + r]: those of a text with the references from `first` on; others have any number. Not of a text with
  // itself, which has all its n-grams.
  void row(std::size_t text, std::size_t first, std::int64_t* matches) {
    count_bits(text, first / kLanes * kLanes, matches);
    for (const Rare& rare : rare_[text]) {
      List& list = lists_[rare.list];
      if (is_triangle_) ++list.next;  // this text itself
      std::int64_t* const row = matches + rare.order * stride_;
      for (std::size_t i = list.next; i < list.end; ++i) ++row[listed_[i]];
      progress_.spend(static_cast<std::int64_t>(list.end - list.next + 1));
    }
  }

 private:
  static constexpr std::size_t kLanes = 8;
  // Elements are bits if the pairs that share them would take longer to list: a bit of a pair takes about 1/128 of an entry.
  static constexpr std::size_t kEntryCost = 128;
  enum Kind : std::int64_t { kNone = -1, kAll = -2, kFirstList = -3 };  // from 0: a bit; from kFirstList downwards: a list

  struct Order {
    std::int64_t in_all = 0;   // elements
    std::size_t first_bit = 0, words = 0;  // in bits_, where text t has words first_bit + w * stride_ + t
  };

  struct Rare {
    std::uint32_t order, list;
  };

  struct List {
    std::size_t next, end;  // in listed_
  };

  std::size_t texts() const { return is_output_.size(); }

  static std::size_t grams(const std::vector<Symbol>& sequence, std::size_t order) {
    return sequence.size() >= order ? sequence.size() - order + 1 : 0;
  }

  // From the classes of one order to those of the next: 0 is of n-grams that occur in one text only.
  std::size_t refine(std::span<const std::vector<Symbol>> sequences, std::size_t order) {
    const auto table = table_.open(0, 0, 0);
    std::uint32_t next = 1;
    for (std::size_t t = 0; t < texts(); ++t) {
      const std::size_t size = grams(sequences[t], order);
      std::uint32_t* const classes = classes_[t].data();
      for (std::size_t i = 0; i < size; ++i)
        classes[i] = classes[i] == 0 ? 0 : table.get_or_add(classes[i], sequences[t][i + order - 1], next);
    }
    return next;
  }

  // Numbers the elements, and decides what each becomes.
  void number(std::span<const std::vector<Symbol>> sequences, std::size_t order, std::size_t known) {
    seen_.assign(known, 0);
    first_element_.assign(known + 1, 0);
    users_.assign(known, 0);
    for (std::size_t t = 0; t < texts(); ++t) {
      const std::size_t size = grams(sequences[t], order);
      const std::uint32_t* const classes = classes_[t].data();
      occurrences_[t].resize(size);
      for (std::size_t i = 0; i < size; ++i) occurrences_[t][i] = seen_[classes[i]]++;
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t c = classes[i];
        if (seen_[c] == 0) continue;
        first_element_[c + 1] = std::max<std::size_t>(first_element_[c + 1], seen_[c]);
        ++users_[c];
        seen_[c] = 0;
      }
      progress_.spend(static_cast<std::int64_t>(8 * size));
    }
    for (std::size_t c = 0; c < known; ++c) first_element_[c + 1] += first_element_[c];
    owners_.assign(first_element_[known], Owners{});
    for (std::size_t t = 0; t < texts(); ++t) {
      const bool is_reference = t < references_, is_output = is_output_[t] != 0;
      for (std::size_t i = 0; i < occurrences_[t].size(); ++i) {
        const std::uint32_t c = classes_[t][i];
        if (c == 0) continue;
        Owners& owners = owners_[first_element_[c] + occurrences_[t][i]];
        owners.texts += 1, owners.references += is_reference, owners.outputs += is_output;
      }
    }
  }

  struct Owners {
    std::uint32_t texts = 0, references = 0, outputs = 0;
  };

  void store(std::span<const std::vector<Symbol>> sequences, std::size_t order) {
    Order& stored = orders_.emplace_back();
    const auto place = static_cast<std::uint32_t>(orders_.size() - 1);
    kinds_.assign(owners_.size(), kNone);
    std::int64_t bits = 0;
    for (std::size_t e = 0; e < owners_.size(); ++e) {
      const Owners owners = owners_[e];
      if (owners.references == 0 || owners.outputs == 0 || (is_triangle_ && owners.texts == 1)) continue;
      if (owners.texts == texts()) {
        kinds_[e] = kAll;
        ++stored.in_all;
      } else if (std::size_t{owners.references} * owners.outputs * kEntryCost < references_ * outputs_) {
        kinds_[e] = kFirstList - static_cast<std::int64_t>(lists_.size());
        lists_.push_back({listed_.size(), listed_.size()});
        listed_.resize(listed_.size() + owners.references);
      } else {
        kinds_[e] = bits++;
      }
    }
    stored.first_bit = bits_.size();
    stored.words = static_cast<std::size_t>(bits + 63) / 64;
    bits_.resize(bits_.size() + stored.words * stride_, 0);
    std::uint64_t* const words = bits_.data() + stored.first_bit;
    for (std::size_t t = 0; t < texts(); ++t) {
      std::uint32_t* const classes = classes_[t].data();
      for (std::size_t i = 0; i < grams(sequences[t], order); ++i) {
        const std::uint32_t c = classes[i];
        if (c == 0) continue;
        const std::int64_t kind = kinds_[first_element_[c] + occurrences_[t][i]];
        if (kind >= 0) {
          words[static_cast<std::size_t>(kind) / 64 * stride_ + t] |= std::uint64_t{1} << (kind % 64);
        } else if (kind <= kFirstList) {
          const auto list = static_cast<std::uint32_t>(kFirstList - kind);
          if (t < references_) listed_[lists_[list].end++] = static_cast<std::uint32_t>(t);
          if (is_output_[t] != 0) rare_[t].push_back({place, list});
        }
        if (users_[c] == 1) classes[i] = 0;
      }
      progress_.spend(static_cast<std::int64_t>(8 * sequences[t].size()));
    }
  }

  void count_bits(std::size_t text, std::size_t first, std::int64_t* matches) {
    for (const Order& order : orders_) {
      std::int64_t* const row = matches + static_cast<std::size_t>(&order - orders_.data()) * stride_;
      const std::uint64_t* const words = bits_.data() + order.first_bit;
      std::fill(row + first, row + stride_, order.in_all);
#ifdef ASSAY_HAS_AVX2_TARGET
      if (has_avx512_popcount()) add_bits_avx512(words, order.words, text, first, row);
      else if (has_popcount()) add_bits_popcount(words, order.words, text, first, row);
      else
#endif
        add_bits(words, order.words, text, first, row);
      progress_.spend(static_cast<std::int64_t>((order.words + 1) * (stride_ - first) / 8));
    }
  }

  [[gnu::always_inline]] void add_bits(const std::uint64_t* words, std::size_t count, std::size_t text, std::size_t first,
                                       std::int64_t* row) const {
    for (std::size_t w = 0; w < count; ++w, words += stride_) {
      const std::uint64_t own = words[text];
      for (std::size_t r = first; r < references_; ++r) row[r] += __builtin_popcountll(own & words[r]);
    }
  }

#ifdef ASSAY_HAS_AVX2_TARGET
  [[gnu::target("popcnt")]] void add_bits_popcount(const std::uint64_t* words, std::size_t count, std::size_t text,
                                                   std::size_t first, std::int64_t* row) const {
    add_bits(words, count, text, first, row);
  }

  [[gnu::target("avx512f,avx512vpopcntdq")]] void add_bits_avx512(const std::uint64_t* words, std::size_t count, std::size_t text,
                                                                  std::size_t first, std::int64_t* row) const {
    for (std::size_t r = first; r < references_; r += kLanes) {
      __m512i sum = _mm512_loadu_si512(row + r);
      for (std::size_t w = 0; w < count; ++w) {
        const __m512i own = _mm512_set1_epi64(static_cast<long long>(words[w * stride_ + text]));
        const __m512i shared = _mm512_and_si512(own, _mm512_loadu_si512(words + w * stride_ + r));
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(shared));
      }
      _mm512_storeu_si512(row + r, sum);
    }
  }
#endif

  std::size_t references_ = 0, outputs_ = 0, stride_ = 0;
  bool is_triangle_ = false;
  std::vector<std::uint8_t> is_output_;
  std::vector<Order> orders_;
  std::vector<std::uint64_t> bits_;
  std::vector<List> lists_;
  std::vector<std::uint32_t> listed_;     // the references that have an element, in order
  std::vector<std::vector<Rare>> rare_;   // by text
  SparseTable table_;
  std::vector<std::vector<std::uint32_t>> classes_, occurrences_;  // by text and place
  std::vector<std::uint32_t> seen_, users_;  // by class: how often in this text, in how many texts
  std::vector<std::size_t> first_element_;   // by class
  std::vector<Owners> owners_;
  std::vector<std::int64_t> kinds_;
  Progress progress_;
};

}  // namespace assay
