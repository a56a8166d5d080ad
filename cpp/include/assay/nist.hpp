// NIST's sufficient statistics (Doddington 2002), as mteval computes them.
//
// Per segment and system: output length, mean reference length, information of the clipped matches per order, n-grams
// per order. Cost: O(characters + tokens x order).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "assay/column.hpp"
#include "assay/information.hpp"
#include "assay/ngrams.hpp"
#include "assay/nist_score.hpp"
#include "assay/segment.hpp"
#include "assay/token_index.hpp"
#include "assay/tokenize.hpp"

namespace assay {

inline std::size_t nist_columns(std::size_t max_order) { return NistFormula{max_order}.columns(); }

template <class Char>
class NistSegment {
 public:
  NistSegment(const Information& information, const NumberedReferences& references)
      : information_(information), numbered_(references), symbol_of_(information.unknown() + 1) {}

  void operator()(const std::vector<Column>&, const std::vector<Column>& outputs, std::size_t segment,
                  const std::vector<double*>& rows) {
    if (!learn(segment)) return;
    outputs_.resize(outputs.size());
    for (std::size_t s = 0; s < outputs.size(); ++s) read(outputs[s][segment], outputs_[s]);
    const std::size_t max_order = information_.max_order();
    matcher_.hits(references_, outputs_, symbols_, static_cast<int>(max_order), hits_);
    for (std::size_t s = 0; s < outputs.size(); ++s)
      if (outputs[s][segment].present()) write(hits_[s], max_order, rows[s]);
    for (const std::size_t text : texts_)
      for (const std::uint32_t word : numbered_.words_of(text)) symbol_of_[word] = 0;
  }

 private:
  // Numbers the words of this segment's references from 1. Returns false if there is no reference.
  bool learn(std::size_t segment) {
    texts_.clear();
    for (std::size_t r = 0; r < numbered_.columns; ++r)
      if (numbered_.present(segment * numbered_.columns + r)) texts_.push_back(segment * numbered_.columns + r);
    references_.resize(texts_.size());
    symbols_ = 1;
    for (std::size_t r = 0; r < texts_.size(); ++r) {
      references_[r].clear();
      for (const std::uint32_t word : numbered_.words_of(texts_[r])) {
        if (symbol_of_[word] == 0) symbol_of_[word] = symbols_++;
        references_[r].push_back(symbol_of_[word]);
      }
    }
    return !texts_.empty();
  }

  void read(const Text& output, std::vector<Symbol>& symbols) {
    symbols.clear();
    if (!output.present()) return;
    information_.tokenizer()(output, scratch_);
    for (const SpeltToken& token : spell_(std::span<const Token<Char>>(scratch_.tokens)))
      symbols.push_back(symbol_of_[information_.tokens().find(token)]);
  }

  void write(const std::vector<Hit>& hits, std::size_t max_order, double* row) const {
    std::size_t total = 0;
    for (const auto& reference : references_) total += reference.size();
    row[0] = static_cast<double>(hits.size());
    row[1] = static_cast<double>(total) / static_cast<double>(references_.size());
    for (const Hit& hit : hits) add(hit, row + 2);
    for (std::size_t n = 0; n < max_order; ++n)
      row[2 + max_order + n] = static_cast<double>(hits.size() - std::min(n, hits.size()));
  }

  void add(const Hit& hit, double* information) const {
    const std::size_t end = numbered_.starts[texts_[0]] + hit.place;
    for (std::uint32_t orders = hit.orders; orders != 0; orders &= orders - 1) {
      const auto n = static_cast<std::size_t>(std::countr_zero(orders));
      information[n] += information_.bits(numbered_, end - n, n + 1);
    }
  }

  const Information& information_;
  const NumberedReferences& numbered_;
  Tokenizer::Scratch<Char> scratch_;
  Speller spell_;
  std::vector<Symbol> symbol_of_;  // by word; 0 between segments
  Symbol symbols_ = 1;             // one more than the largest
  std::vector<std::size_t> texts_;  // the references that are present
  std::vector<std::vector<Symbol>> references_, outputs_;
  std::vector<std::vector<Hit>> hits_;
  NgramMatcher matcher_;
};

// table: (system, segment, column), zero on entry; rows stay zero where output or references are absent.
inline void nist_statistics(const NumberedReferences& references, const std::vector<Column>& outputs,
                            std::size_t segments, const Information& information, int threads, double* table) {
  const std::vector<Column> none;  // the references are already integers
  segment_statistics<NistSegment>(none, outputs, outputs.size(), segments, nist_columns(information.max_order()), threads, table,
                                  information, references);
}

}  // namespace assay
