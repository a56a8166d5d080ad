// BERTScore's precision and recall (Zhang et al. 2020, equation 1; with weights, section 3): each token counts with the
// largest cosine to a token of the other side.
//
// Cost: that of the cosines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/cosines.hpp"
#include "assay/token_column.hpp"

namespace assay {

inline constexpr std::size_t kBertscoreColumns = 2;  // precision, recall; NaN if all weights of a side are 0

class BertscorePairs {
 public:
  BertscorePairs(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                 const VectorTable& vectors)
      : references_(references), outputs_(outputs), cosines_(references, outputs, vectors, EqualTokens::kNone) {}

  void start(std::size_t segment) {
    segment_ = segment;
    cosines_.start(segment);
  }

  void output(std::size_t system) {
    system_ = system;
    cosines_.output(system);
  }

  void row(std::size_t reference, double* row) {
    const Cosines::Places &x = cosines_.output_places(), &y = cosines_.reference_places(reference);
    row[0] = weighted_best(x, y, outputs_[system_].weights_of(segment_));
    row[1] = weighted_best(y, x, references_[reference].weights_of(segment_));
  }

 private:
  double weighted_best(const Cosines::Places& tokens, const Cosines::Places& others, const double* weights) const {
    double found = 0, total = 0;
    for (std::size_t i = 0; i < tokens.size() && !others.empty(); ++i) {
      const double* const cosines = cosines_.row(tokens[i]);
      double best = -1;
      for (const std::uint32_t other : others) best = std::max(best, cosines[other]);
      found += weights[i] * best;
      total += weights[i];
    }
    return total > 0 ? found / total : std::numeric_limits<double>::quiet_NaN();
  }

  const std::vector<TokenColumn>&references_, &outputs_;
  SegmentCosines cosines_;
  std::size_t segment_ = 0, system_ = 0;
};

// table: (reference, system, segment, [precision, recall]), zero on entry. All columns have weights.
inline void bertscore_statistics(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                                 std::size_t segments, const VectorTable& vectors, int threads, double* table) {
  pair_statistics(references, outputs, segments, kBertscoreColumns, threads, table,
                  [&] { return BertscorePairs(references, outputs, vectors); });
}

}  // namespace assay
