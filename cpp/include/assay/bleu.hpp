// BLEU's sufficient statistics (Papineni et al. 2002), integer for integer those of sacreBLEU.
//
// Per segment and system: output length, closest reference length (the shorter of two equally close), clipped
// matches per order, n-grams per order. The references of a segment are tokenised and learnt once and all
// systems are matched while they are in cache. Cost: O(characters + tokens x order).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "assay/ngrams.hpp"
#include "assay/parallel.hpp"
#include "assay/text.hpp"
#include "assay/tokenize.hpp"

namespace assay {

inline std::size_t bleu_columns(int max_order) { return 2 + 2 * static_cast<std::size_t>(max_order); }

template <class Char>
class BleuSegment {
 public:
  // rows[s] = the statistics of system s, already zero. Nothing is written where output or references are absent.
  void operator()(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment,
                  const Tokenizer& tokenizer, int max_order, const std::vector<std::int64_t*>& rows) {
    std::size_t used = 0, tokens = 0;
    for (const Column& reference : references) {
      if (!reference[segment].present()) continue;
      if (scratch_.size() == used) scratch_.emplace_back();
      tokenizer(reference[segment], scratch_[used]);
      tokens += scratch_[used++].tokens.size();
    }
    if (used == 0) return;
    vocabulary_.reset(tokens);
    references_.resize(used);
    for (std::size_t r = 0; r < used; ++r) vocabulary_.learn(scratch_[r].tokens, references_[r]);
    outputs_.resize(outputs.size());
    for (std::size_t s = 0; s < outputs.size(); ++s) {
      outputs_[s].clear();
      if (!outputs[s][segment].present()) continue;
      tokenizer(outputs[s][segment], output_scratch_);
      vocabulary_.read(output_scratch_.tokens, outputs_[s]);
    }
    matches_.assign(outputs.size() * static_cast<std::size_t>(max_order), 0);
    matcher_(references_, outputs_, vocabulary_.size(), max_order, matches_.data());
    for (std::size_t s = 0; s < outputs.size(); ++s)
      if (outputs[s][segment].present()) write(s, max_order, rows[s]);
  }

 private:
  void write(std::size_t system, int max_order, std::int64_t* row) const {
    const auto length = static_cast<std::int64_t>(outputs_[system].size());
    row[0] = length;
    row[1] = closest_reference_length(length);
    std::copy_n(&matches_[system * static_cast<std::size_t>(max_order)], max_order, row + 2);
    for (int n = 0; n < max_order; ++n) row[2 + max_order + n] = std::max<std::int64_t>(length - n, 0);
  }

  std::int64_t closest_reference_length(std::int64_t length) const {
    std::int64_t closest = static_cast<std::int64_t>(references_[0].size());
    for (const auto& reference : references_) {
      const auto candidate = static_cast<std::int64_t>(reference.size());
      const std::int64_t gain = std::abs(length - closest) - std::abs(length - candidate);
      if (gain > 0 || (gain == 0 && candidate < closest)) closest = candidate;
    }
    return closest;
  }

  std::vector<Tokenizer::Scratch<Char>> scratch_;
  Tokenizer::Scratch<Char> output_scratch_;
  std::vector<std::vector<Symbol>> references_, outputs_;
  std::vector<std::int64_t> matches_;
  Vocabulary<Char> vocabulary_;
  NgramMatcher matcher_;
};

// table: (system, segment, column), zero on entry.
inline void bleu_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs,
                            std::size_t segments, const Tokenizer& tokenizer, int max_order, int threads,
                            std::int64_t* table) {
  const std::size_t columns = bleu_columns(max_order);
  parallel_blocks(segments, 64, threads, [&] {
    return [&, narrow = BleuSegment<std::uint8_t>(), medium = BleuSegment<std::uint16_t>(),
            wide = BleuSegment<std::uint32_t>(),
            rows = std::vector<std::int64_t*>(outputs.size())](std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        for (std::size_t s = 0; s < outputs.size(); ++s) rows[s] = table + (s * segments + i) * columns;
        switch (widest(outputs, i, widest(references, i))) {
          case 1: narrow(references, outputs, i, tokenizer, max_order, rows); break;
          case 2: medium(references, outputs, i, tokenizer, max_order, rows); break;
          default: wide(references, outputs, i, tokenizer, max_order, rows); break;
        }
      }
    };
  });
}

}  // namespace assay
