// The tokens of one side of a test set as numbers, and a loop over all pairs of an output and a reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/interrupt.hpp"
#include "assay/parallel.hpp"

namespace assay {

using Tokens = std::span<const std::int32_t>;

// Of a text: every token is compared with all others.
inline constexpr std::size_t kMaxTokens = 4096;

struct TokenColumn {
  const std::int32_t* tokens;  // of all texts, one after another
  const std::int64_t* starts;  // of every text, and the end of the last one
  const bool* present;
  const double* weights = nullptr;  // of each token, for kernels that read them

  Tokens operator[](std::size_t segment) const { return {tokens + starts[segment], length(segment)}; }
  const double* weights_of(std::size_t segment) const { return weights + starts[segment]; }
  std::size_t length(std::size_t segment) const {
    return static_cast<std::size_t>(starts[segment + 1] - starts[segment]);
  }
};

// Fills the table (reference, system, segment, column), zero on entry. On each thread, `make_pairs()` returns an object with
// these methods, which are called for the texts that are present, in this order:
//   start(segment)         the next segment
//   output(system)         an output of the segment
//   row(reference, row)    writes the row of this output and a reference
template <class Value, class MakePairs>
void pair_statistics(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                     std::size_t segments, std::size_t columns, int threads, Value* table, MakePairs make_pairs) {
  constexpr std::size_t kBlock = 16;
  parallel_blocks(segments, kBlock, threads, [&] {
    return [&, pairs = make_pairs()](std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        const auto is_present = [&](const TokenColumn& column) { return column.present[i]; };
        if (std::ranges::none_of(references, is_present) || std::ranges::none_of(outputs, is_present)) continue;
        pairs.start(i);
        for (std::size_t s = 0; s < outputs.size(); ++s) {
          if (!outputs[s].present[i]) continue;
          pairs.output(s);
          for (std::size_t r = 0; r < references.size(); ++r) {
            if (!references[r].present[i]) continue;
            checkpoint(static_cast<std::int64_t>(64 * outputs[s].length(i) * references[r].length(i)));
            pairs.row(r, table + ((r * outputs.size() + s) * segments + i) * columns);
          }
        }
      }
    };
  });
}

}  // namespace assay
