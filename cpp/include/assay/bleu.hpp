// BLEU's sufficient statistics (Papineni et al. 2002), equal to the integers of sacreBLEU, mteval and Moses.
//
// Per segment and system: output length, reference length, clipped matches per order, n-grams per order.
// Cost: O(characters + tokens x order).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/column.hpp"
#include "assay/ngrams.hpp"
#include "assay/segment.hpp"
#include "assay/tokenize.hpp"

namespace assay {

inline std::size_t bleu_columns(int max_order) { return 2 + 2 * static_cast<std::size_t>(max_order); }

// The reference length with several references: that of the reference closest to the output (the shorter one if two are
// equally close), that of the shortest, or the mean, truncated to an integer as in Moses.
enum class ReferenceLength { closest, shortest, average };

inline ReferenceLength reference_length_named(std::string_view name) {
  if (name == "closest") return ReferenceLength::closest;
  if (name == "shortest") return ReferenceLength::shortest;
  if (name == "average") return ReferenceLength::average;
  throw std::invalid_argument("no reference length is called '" + std::string(name) + "'");
}

template <class Char>
class BleuSegment {
 public:
  BleuSegment(const Tokenizer& tokenizer, int max_order, ReferenceLength reference_length)
      : tokenizer_(tokenizer), max_order_(max_order), reference_length_(reference_length) {}

  void operator()(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment,
                  const std::vector<std::int64_t*>& rows) {
    if (!texts_.read(references, outputs, segment, tokenizer_)) return;
    matches_.assign(outputs.size() * static_cast<std::size_t>(max_order_), 0);
    matcher_(texts_.references(), texts_.outputs(), texts_.symbols(), max_order_, matches_.data());
    for (std::size_t s = 0; s < outputs.size(); ++s)
      if (outputs[s][segment].present()) write(s, rows[s]);
  }

 private:
  void write(std::size_t system, std::int64_t* row) const {
    const auto length = static_cast<std::int64_t>(texts_.outputs()[system].size());
    row[0] = length;
    row[1] = reference_length(length);
    std::copy_n(&matches_[system * static_cast<std::size_t>(max_order_)], max_order_, row + 2);
    for (int n = 0; n < max_order_; ++n) row[2 + max_order_ + n] = std::max<std::int64_t>(length - n, 0);
  }

  std::int64_t reference_length(std::int64_t length) const {
    const auto& references = texts_.references();
    std::int64_t best = static_cast<std::int64_t>(references[0].size()), total = 0;
    for (const auto& reference : references) {
      const auto candidate = static_cast<std::int64_t>(reference.size());
      const std::int64_t gain =
          reference_length_ == ReferenceLength::shortest ? 0 : std::abs(length - best) - std::abs(length - candidate);
      if (gain > 0 || (gain == 0 && candidate < best)) best = candidate;
      total += candidate;
    }
    return reference_length_ == ReferenceLength::average ? total / static_cast<std::int64_t>(references.size()) : best;
  }

  const Tokenizer& tokenizer_;
  int max_order_;
  ReferenceLength reference_length_;
  SegmentSymbols<Char> texts_;
  std::vector<std::int64_t> matches_;
  NgramMatcher matcher_;
};

// table: (system, segment, column), zero on entry; rows stay zero where output or references are absent.
inline void bleu_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs,
                            std::size_t segments, const Tokenizer& tokenizer, int max_order,
                            ReferenceLength reference_length, int threads, std::int64_t* table) {
  segment_statistics<BleuSegment>(references, outputs, outputs.size(), segments, bleu_columns(max_order), threads, table, tokenizer,
                                  max_order, reference_length);
}

}  // namespace assay
