// Clipped n-gram matches between all texts of one segment: every text is indexed once, and is output and reference.
//
// The k-th time that an n-gram occurs in a text is an element of the text's set, so that the clipped matches of two texts are the
// elements that both sets have. Elements that all texts have are counted once. Those that many have are bits, and two texts share
// the bits of the conjunction; the others list the references that have them. The places of each n-gram stand together, and are
// split by the next symbol for the next order; n-grams of one text only are dropped. Exact, without hashing. Cost:
// O(length x order) for each text, and for each pair O(frequent elements / 64 + rare elements in common).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
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
    all_.clear();
    text_of_.clear();
    for (std::size_t t = 0; t < texts(); ++t) {
      all_.insert(all_.end(), sequences[t].begin(), sequences[t].end());
      all_.push_back(0);  // ends every n-gram
      text_of_.resize(all_.size(), static_cast<std::uint32_t>(t));
    }
    places_.resize(all_.size());
    std::iota(places_.begin(), places_.end(), 0u);
    ends_.assign(1, static_cast<std::uint32_t>(places_.size()));
    counts_.assign(symbols, 0);
    for (int order = 1; order <= max_order; ++order) {
      orders_.push_back({0, bits_.size(), 0});
      split(static_cast<std::size_t>(order - 1));
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
  static constexpr std::uint32_t kDropped = ~std::uint32_t{0};

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

  // How often an n-gram occurs in a text.
  struct Run {
    std::uint32_t text, count;
  };

  std::size_t texts() const { return is_output_.size(); }

  // Splits the places of each n-gram of an order by the symbol after it, and adds the n-grams of the next order. Places stay in
  // order, so that those of a text are neighbours.
  void split(std::size_t order) {
    next_places_.resize(places_.size());
    next_ends_.clear();
    std::uint32_t written = 0;
    std::int64_t bits = 0;
    std::uint32_t first = 0;
    for (const std::uint32_t end : ends_) {
      found_.clear();
      for (std::uint32_t i = first; i < end; ++i) {
        const Symbol symbol = all_[places_[i] + order];
        if (counts_[symbol]++ == 0) found_.push_back(symbol);
      }
      std::uint32_t next = written;
      for (const Symbol symbol : found_) {  // from now on: where the next place of the symbol goes
        const std::uint32_t count = counts_[symbol];
        counts_[symbol] = symbol == 0 || count == 1 ? kDropped : next;
        if (counts_[symbol] != kDropped) next += count;
      }
      for (std::uint32_t i = first; i < end; ++i) {
        std::uint32_t& at = counts_[all_[places_[i] + order]];
        if (at != kDropped) next_places_[at++] = places_[i];
      }
      std::uint32_t begin = written;
      for (const Symbol symbol : found_) {
        const std::uint32_t stop = counts_[symbol];
        counts_[symbol] = 0;
        if (stop == kDropped) continue;
        if (store(begin, stop, bits)) {
          if (begin != written) std::copy(next_places_.begin() + begin, next_places_.begin() + stop, next_places_.begin() + written);
          written += stop - begin;
          next_ends_.push_back(written);
        }
        begin = stop;
      }
      first = end;
    }
    progress_.spend(static_cast<std::int64_t>(8 * places_.size()));
    places_.swap(next_places_);
    ends_.swap(next_ends_);
    places_.resize(written);
  }

  // Adds the n-gram at some of the next places. False if no two texts to compare have it.
  bool store(std::uint32_t begin, std::uint32_t end, std::int64_t& bits) {
    runs_.clear();
    std::uint32_t most = 0;
    for (std::uint32_t i = begin; i < end;) {
      const std::uint32_t text = text_of_[next_places_[i]], start = i;
      while (++i < end && text_of_[next_places_[i]] == text) {
      }
      runs_.push_back({text, i - start});
      most = std::max(most, i - start);
    }
    for (std::uint32_t k = 0; k < most; ++k) {
      if (k > 0) std::erase_if(runs_, [k](const Run& run) { return run.count <= k; });
      const std::size_t references =
          references_ == texts() ? runs_.size()
                                 : static_cast<std::size_t>(std::lower_bound(runs_.begin(), runs_.end(), references_,
                                                                             [](const Run& run, std::size_t t) { return run.text < t; }) -
                                                            runs_.begin());
      std::size_t outputs = runs_.size();
      if (outputs_ < texts()) {
        outputs = 0;
        for (const Run& run : runs_) outputs += is_output_[run.text];
      }
      if (references == 0 || outputs == 0 || (is_triangle_ && runs_.size() == 1)) return k > 0;
      add_element(references, outputs, bits);
    }
    return true;
  }

  // The texts of `runs_` have an element.
  void add_element(std::size_t references, std::size_t outputs, std::int64_t& bits) {
    Order& order = orders_.back();
    if (runs_.size() == texts()) {
      ++order.in_all;
    } else if (references * outputs * kEntryCost < references_ * outputs_) {
      const auto place = static_cast<std::uint32_t>(orders_.size() - 1), list = static_cast<std::uint32_t>(lists_.size());
      lists_.push_back({listed_.size(), listed_.size() + references});
      for (std::size_t i = 0; i < references; ++i) listed_.push_back(runs_[i].text);
      for (const Run& run : runs_)
        if (is_output_[run.text] != 0) rare_[run.text].push_back({place, list});
    } else {
      if (bits % 64 == 0) {
        ++order.words;
        bits_.resize(bits_.size() + stride_, 0);
      }
      std::uint64_t* const words = bits_.data() + bits_.size() - stride_;
      for (const Run& run : runs_) words[run.text] |= std::uint64_t{1} << (bits % 64);
      ++bits;
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
  std::vector<Symbol> all_;               // the texts of one kind of sequence, each with a 0 after it
  std::vector<std::uint32_t> text_of_;    // by place in all_
  std::vector<std::uint32_t> places_, next_places_, ends_, next_ends_;  // where n-grams start, those of an n-gram together
  std::vector<std::uint32_t> counts_;     // by symbol
  std::vector<Symbol> found_;
  std::vector<Run> runs_;
  Progress progress_;
};

}  // namespace assay
