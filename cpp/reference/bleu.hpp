// BLEU's sufficient statistics, one system and one segment at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "assay/bleu.hpp"
#include "assay/text.hpp"
#include "reference/ngrams.hpp"
#include "reference/text.hpp"
#include "reference/tokenize.hpp"

namespace assay::reference {

using Tokens = std::vector<std::u32string>;

// The length of the reference closest in length to the output (the shorter one if two are equally close), or that of the
// shortest reference, or the integer part of the mean.
inline std::int64_t reference_length(const Tokens& output, const std::vector<Tokens>& references, ReferenceLength kind) {
  std::vector<std::int64_t> lengths;
  for (const Tokens& reference : references) lengths.push_back(static_cast<std::int64_t>(reference.size()));
  std::sort(lengths.begin(), lengths.end());
  if (kind == ReferenceLength::shortest) return lengths.front();
  if (kind == ReferenceLength::average)
    return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) / static_cast<std::int64_t>(lengths.size());
  const auto distance = [&](std::int64_t length) {
    return std::abs(length - static_cast<std::int64_t>(output.size()));
  };
  return *std::min_element(lengths.begin(), lengths.end(),
                           [&](std::int64_t a, std::int64_t b) { return distance(a) < distance(b); });
}

// [output length, reference length, matches per order..., n-grams per order...]
inline std::vector<std::int64_t> bleu_row(const std::vector<Tokens>& references, const Tokens& output, int max_order,
                                          ReferenceLength kind) {
  std::vector<std::int64_t> row{static_cast<std::int64_t>(output.size()), reference_length(output, references, kind)};
  std::vector<std::int64_t> ngrams;
  for (std::size_t order = 1; order <= static_cast<std::size_t>(max_order); ++order) {
    std::vector<NgramCounts<std::u32string>> reference_counts;
    for (const Tokens& reference : references) reference_counts.push_back(count_ngrams(reference, order));
    const auto output_counts = count_ngrams(output, order);
    row.push_back(clipped_matches(output_counts, reference_counts));
    ngrams.push_back(total(output_counts));
  }
  row.insert(row.end(), ngrams.begin(), ngrams.end());
  return row;
}

// The row of one system on one segment; zeros if the output or every reference is absent.
inline std::vector<std::int64_t> bleu_row(const std::vector<Column>& references, const Column& output,
                                          std::size_t segment, std::string_view tokenizer, int max_order,
                                          ReferenceLength kind = ReferenceLength::closest) {
  std::vector<Tokens> present;
  for (const Column& reference : references)
    if (reference[segment].present()) present.push_back(tokenize(tokenizer, decode(reference[segment])));
  if (present.empty() || !output[segment].present())
    return std::vector<std::int64_t>(2 + 2 * static_cast<std::size_t>(max_order), 0);
  return bleu_row(present, tokenize(tokenizer, decode(output[segment])), max_order, kind);
}

}  // namespace assay::reference
