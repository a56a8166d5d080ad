// Utilities of candidates, one pair at a time: each pseudo-reference is the only reference of each candidate.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "assay/bleu_score.hpp"
#include "assay/chrf.hpp"
#include "assay/chrf_score.hpp"
#include "reference/bleu.hpp"
#include "reference/chrf.hpp"

namespace assay::reference {

inline double chrf_utility(const Text& candidate, const Text& reference, const ChrfOptions& options, const ChrfFormula& formula) {
  return formula.score(chrf_row(reference, candidate, options.char_order, options.word_order, options.whitespace).data());
}

inline double bleu_utility(const Text& candidate, const Text& reference, std::string_view tokenizer, const BleuFormula& formula) {
  const std::vector<Tokens> references{tokenize(tokenizer, decode(reference))};
  const auto row = bleu_row(references, tokenize(tokenizer, decode(candidate)), static_cast<int>(formula.max_order), ReferenceLength::closest);
  return formula.score(row.data());
}

// The utilities (candidate, pseudo-reference) of a segment.
template <class Utility>
std::vector<double> utilities(const std::vector<Text>& candidates, const std::vector<Text>& references, Utility utility) {
  std::vector<double> out;
  for (const Text& candidate : candidates)
    for (const Text& reference : references) out.push_back(utility(candidate, reference));
  return out;
}

// The mean of each row; NaN without pseudo-references.
inline std::vector<double> mean_utilities(const std::vector<double>& utilities, std::size_t candidates, std::size_t references) {
  std::vector<double> out(candidates, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; references > 0 && i < candidates; ++i) {
    double sum = 0;
    for (std::size_t r = 0; r < references; ++r) sum += utilities[i * references + r];
    out[i] = sum / static_cast<double>(references);
  }
  return out;
}

}  // namespace assay::reference
