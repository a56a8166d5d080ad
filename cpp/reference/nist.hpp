// NIST's sufficient statistics, following the formulas: all n-grams in a map, every count looked up.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/text.hpp"
#include "reference/bleu.hpp"
#include "reference/ngrams.hpp"
#include "reference/text.hpp"
#include "reference/tokenize.hpp"

namespace assay::reference {

inline std::vector<Tokens> present_references(const std::vector<Column>& references, std::size_t segment,
                                              std::string_view tokenizer) {
  std::vector<Tokens> present;
  for (const Column& reference : references)
    if (reference[segment].present()) present.push_back(tokenize(tokenizer, decode(reference[segment])));
  return present;
}

// How often each n-gram occurs in all references of all segments; the empty n-gram occurs at every word.
class NistInformation {
 public:
  NistInformation(const std::vector<Column>& references, std::size_t segments, std::string_view tokenizer,
                  int max_order, bool zero_history)
      : zero_history_(zero_history) {
    for (std::size_t segment = 0; segment < segments; ++segment)
      for (const Tokens& reference : present_references(references, segment, tokenizer)) {
        counts_[{}] += static_cast<std::int64_t>(reference.size());
        for (std::size_t order = 1; order <= static_cast<std::size_t>(max_order); ++order)
          for (const auto& [ngram, count] : count_ngrams(reference, order)) counts_[ngram] += count;
      }
  }

  // 0 for an n-gram that was not counted.
  double bits(const Tokens& ngram) const {
    if (!counts_.contains(ngram)) return 0;
    Tokens history(ngram.begin(), ngram.end() - 1);
    if (zero_history_ && history == Tokens{U"0"}) history.clear();
    return std::log2(static_cast<double>(counts_.at(history)) / static_cast<double>(counts_.at(ngram)));
  }

 private:
  bool zero_history_;
  NgramCounts<std::u32string> counts_;
};

// [output length, mean reference length, information of the matches per order..., n-grams per order...]
inline std::vector<double> nist_row(const NistInformation& information, const std::vector<Column>& references,
                                    const Column& output, std::size_t segment, std::string_view tokenizer,
                                    int max_order) {
  const std::vector<Tokens> present = present_references(references, segment, tokenizer);
  std::vector<double> row(2 + 2 * static_cast<std::size_t>(max_order), 0.0);
  if (present.empty() || !output[segment].present()) return row;
  const Tokens words = tokenize(tokenizer, decode(output[segment]));
  row[0] = static_cast<double>(words.size());
  for (const Tokens& reference : present)
    row[1] += static_cast<double>(reference.size()) / static_cast<double>(present.size());
  for (std::size_t order = 1; order <= static_cast<std::size_t>(max_order); ++order) {
    std::vector<NgramCounts<std::u32string>> counts;
    for (const Tokens& reference : present) counts.push_back(count_ngrams(reference, order));
    for (const auto& [ngram, count] : count_ngrams(words, order)) {
      const std::int64_t matches = clipped_matches<std::u32string>({{ngram, count}}, counts);
      if (matches > 0) row[1 + order] += static_cast<double>(matches) * information.bits(ngram);
      row[1 + static_cast<std::size_t>(max_order) + order] += static_cast<double>(count);
    }
  }
  return row;
}

}  // namespace assay::reference
