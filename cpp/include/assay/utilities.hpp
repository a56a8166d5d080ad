// Utilities of all candidates of a segment against all its pseudo-references, and their means: minimum Bayes risk decoding
// (Kumar & Byrne 2004; Eikema & Aziz 2020) with chrF and BLEU.
//
// A utility is the metric's segment score with the pseudo-reference as the only reference. Equal texts are compared once, and
// each pair of texts that are both candidate and pseudo-reference is matched once for both directions. Cost: see
// pairwise_matches.hpp, and O(orders) for each pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "assay/alphabet.hpp"
#include "assay/bleu_score.hpp"
#include "assay/by_width.hpp"
#include "assay/chrf.hpp"
#include "assay/chrf_score.hpp"
#include "assay/chrf_words.hpp"
#include "assay/column.hpp"
#include "assay/ngrams.hpp"
#include "assay/pairwise_matches.hpp"
#include "assay/parallel.hpp"
#include "assay/tokenize.hpp"

namespace assay {

// The texts of a segment as symbols, and the orders of n-grams to compare.
struct SymbolTexts {
  std::vector<std::vector<Symbol>> texts;
  std::size_t symbols = 0;  // one more than the largest
  int max_order = 0;
};

template <class Char>
class ChrfSequences {
 public:
  explicit ChrfSequences(const ChrfOptions& options) : options_(options), alphabet_(options.whitespace) {}

  void operator()(const std::vector<Text>& texts, std::vector<SymbolTexts>* out) {
    out->resize(2);
    SymbolTexts &characters = (*out)[0], &words = (*out)[1];
    characters.max_order = options_.char_order;
    words.max_order = options_.word_order;
    for (SymbolTexts& sequences : *out) sequences.texts.resize(texts.size());
    if (options_.char_order > 0) {
      alphabet_.clear();
      for (std::size_t t = 0; t < texts.size(); ++t) alphabet_.add(texts[t], buffer_, characters.texts[t]);
      characters.symbols = alphabet_.size();
    }
    if (options_.word_order > 0) {
      words_.resize(std::max(words_.size(), texts.size()));
      scratch_.resize(words_.size());
      std::size_t count = 0;
      for (std::size_t t = 0; t < texts.size(); ++t) count += words_[t](texts[t], scratch_[t]).size();
      vocabulary_.reset(count);
      for (std::size_t t = 0; t < texts.size(); ++t) vocabulary_.learn(words_[t].words(), words.texts[t]);
      words.symbols = vocabulary_.size();
    }
  }

 private:
  ChrfOptions options_;
  Alphabet<Char> alphabet_;
  PaddedText<Char> buffer_;
  std::vector<Tokenizer::Scratch<Char>> scratch_;
  std::vector<ChrfWords<Char>> words_;
  Vocabulary<Char> vocabulary_;
};

template <class Char>
class BleuSequences {
 public:
  BleuSequences(const Tokenizer& tokenizer, int max_order) : tokenizer_(tokenizer), max_order_(max_order) {}

  void operator()(const std::vector<Text>& texts, std::vector<SymbolTexts>* out) {
    out->resize(1);
    SymbolTexts& words = out->front();
    words.max_order = max_order_;
    words.texts.resize(texts.size());
    scratch_.resize(std::max(scratch_.size(), texts.size()));
    std::size_t count = 0;
    for (std::size_t t = 0; t < texts.size(); ++t) {
      tokenizer_(texts[t], scratch_[t]);
      count += scratch_[t].tokens.size();
    }
    vocabulary_.reset(count);
    for (std::size_t t = 0; t < texts.size(); ++t) vocabulary_.learn(scratch_[t].tokens, words.texts[t]);
    words.symbols = vocabulary_.size();
  }

 private:
  const Tokenizer& tokenizer_;
  int max_order_;
  std::vector<Tokenizer::Scratch<Char>> scratch_;
  Vocabulary<Char> vocabulary_;
};

// The score of an output against a reference, from their lengths by kind of sequence and from the matches, which are `stride` apart.
struct ChrfPair {
  ChrfOptions options;
  ChrfFormula formula;

  double operator()(const std::size_t* output, const std::size_t* reference, const std::int64_t* matches, std::size_t stride,
                    std::vector<std::int64_t>& row) const {
    row.resize(options.columns());
    std::int64_t* cell = row.data();
    const int orders[] = {options.char_order, options.word_order};
    for (int kind = 0; kind < 2; ++kind) {
      const auto ours = static_cast<std::int64_t>(output[kind]), theirs = static_cast<std::int64_t>(reference[kind]);
      for (int n = 0; n < orders[kind]; ++n, cell += 3, matches += stride) {
        cell[1] = std::max<std::int64_t>(theirs - n, 0);
        cell[0] = cell[1] > 0 ? std::max<std::int64_t>(ours - n, 0) : 0;
        cell[2] = *matches;
      }
    }
    return formula.score(row.data());
  }
};

struct BleuPair {
  BleuFormula formula;

  double operator()(const std::size_t* output, const std::size_t* reference, const std::int64_t* matches, std::size_t stride,
                    std::vector<std::int64_t>& row) const {
    row.resize(formula.columns());
    row[0] = static_cast<std::int64_t>(output[0]);
    row[1] = static_cast<std::int64_t>(reference[0]);
    for (std::size_t n = 0; n < formula.max_order; ++n, matches += stride) {
      row[2 + n] = *matches;
      row[2 + formula.max_order + n] = std::max<std::int64_t>(row[0] - static_cast<std::int64_t>(n), 0);
    }
    return formula.score(row.data());
  }
};

// Texts in groups, one for each segment: group i has the texts starts[i] to starts[i + 1].
struct Groups {
  const Column& texts;
  const std::int64_t* starts;

  std::size_t first(std::size_t segment) const { return static_cast<std::size_t>(starts[segment]); }
  std::size_t size(std::size_t segment) const { return static_cast<std::size_t>(starts[segment + 1] - starts[segment]); }
};

template <template <class> class Reader, class Pair>
class SegmentUtilities {
 public:
  template <class... Options>
  explicit SegmentUtilities(const Pair& pair, const Options&... options) : pair_(pair), read_(options...) {}

  // Candidates are their own pseudo-references if `references` is null. means: one for each candidate; matrix, unless null:
  // (candidate, pseudo-reference).
  void operator()(const Groups& candidates, const Groups* references, std::size_t segment, double* means, double* matrix) {
    collect(candidates, references, segment);
    const std::size_t rows = candidates.size(segment);
    const std::size_t columns = references == nullptr ? rows : references->size(segment);
    const std::size_t* const row_ids = ids_.data() + (references == nullptr ? 0 : columns);
    const std::size_t* const column_ids = ids_.data();
    if (columns == 0) {
      std::fill_n(means, rows, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    const bool is_triangle = references == nullptr && distinct_ <= kMaxTriangle;
    matches_.reset(distinct_references_, is_output_, is_triangle);
    for (std::size_t k = 0; k < sequences_.size(); ++k)
      if (sequences_[k].max_order > 0) matches_.add(distinct_texts_[k], sequences_[k].symbols, sequences_[k].max_order);
    counts_.resize(matches_.orders() * matches_.stride());
    utilities_.resize(distinct_references_ * (is_triangle ? distinct_ : 1));
    mean_.assign(distinct_, 0);
    row_of_.assign(distinct_, rows);
    if (is_triangle)
      for (std::size_t t = 0; t < distinct_; ++t) triangle(t);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t id = row_ids[i];
      const double* const utilities = utilities_.data() + (is_triangle ? id * distinct_references_ : 0);
      if (row_of_[id] == rows) {
        row_of_[id] = i;
        if (!is_triangle) full(id);
        double sum = 0;
        for (std::size_t r = 0; r < columns; ++r) sum += utilities[column_ids[r]];
        mean_[id] = sum / static_cast<double>(columns);
        if (matrix != nullptr)
          for (std::size_t r = 0; r < columns; ++r) matrix[i * columns + r] = utilities[column_ids[r]];
      } else if (matrix != nullptr) {
        std::copy_n(matrix + row_of_[id] * columns, columns, matrix + i * columns);
      }
      means[i] = mean_[id];
      progress_.spend(static_cast<std::int64_t>(columns));
    }
  }

 private:
  static constexpr std::size_t kMaxTriangle = 1024;  // texts whose utilities are kept, for both directions
  static constexpr std::int64_t kScoreWork = 64;

  // Reads the texts, the references first, and numbers those that differ.
  void collect(const Groups& candidates, const Groups* references, std::size_t segment) {
    texts_.clear();
    std::uint8_t width = 1;
    std::int64_t length = 0;
    const auto take = [&](const Groups& groups) {
      for (std::size_t i = 0; i < groups.size(segment); ++i) {
        texts_.push_back(groups.texts[groups.first(segment) + i]);
        width = std::max(width, texts_.back().width);
        length += static_cast<std::int64_t>(texts_.back().length);
      }
    };
    if (references != nullptr) take(*references);
    const std::size_t reference_count = texts_.size();
    take(candidates);
    progress_.spend(kCharacterWork * length);
    read_(width, texts_, &sequences_);
    number();
    distinct_references_ = references == nullptr ? distinct_ : 0;
    if (references != nullptr)
      for (std::size_t i = 0; i < reference_count; ++i) distinct_references_ = std::max(distinct_references_, ids_[i] + 1);
    is_output_.assign(distinct_, 0);
    for (std::size_t i = reference_count; i < texts_.size(); ++i) is_output_[ids_[i]] = 1;
    lengths_.resize(distinct_ * sequences_.size());
    distinct_texts_.resize(sequences_.size());
    for (std::size_t k = 0; k < sequences_.size(); ++k) {
      distinct_texts_[k].resize(std::max(distinct_texts_[k].size(), distinct_));
      for (std::size_t id = 0; id < distinct_; ++id) {
        std::swap(distinct_texts_[k][id], sequences_[k].texts[first_[id]]);
        lengths_[id * sequences_.size() + k] = distinct_texts_[k][id].size();
      }
    }
  }

  // ids_: equal texts have the same number; numbers are in the order in which the texts first occur.
  void number() {
    order_.resize(texts_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto compare = [&](std::size_t a, std::size_t b) {
      for (const SymbolTexts& sequences : sequences_) {
        if (sequences.max_order == 0) continue;
        const auto &one = sequences.texts[a], &other = sequences.texts[b];
        if (one.size() != other.size()) return one.size() < other.size() ? -1 : 1;
        const auto [at, other_at] = std::mismatch(one.begin(), one.end(), other.begin());
        if (at != one.end()) return *at < *other_at ? -1 : 1;
      }
      return 0;
    };
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      const int order = compare(a, b);
      return order != 0 ? order < 0 : a < b;
    });
    same_as_.resize(texts_.size());
    for (std::size_t k = 0; k < order_.size(); ++k)
      same_as_[order_[k]] = k > 0 && compare(order_[k - 1], order_[k]) == 0 ? same_as_[order_[k - 1]] : order_[k];
    ids_.resize(texts_.size());
    first_.clear();
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (same_as_[i] == i) first_.push_back(i);
      ids_[i] = same_as_[i] == i ? first_.size() - 1 : ids_[same_as_[i]];
    }
    distinct_ = first_.size();
  }

  const std::size_t* lengths(std::size_t id) const { return lengths_.data() + id * sequences_.size(); }

  double score(std::size_t output, std::size_t reference) {
    return pair_(lengths(output), lengths(reference), counts_.data() + reference, matches_.stride(), row_);
  }

  // A text has all its n-grams in common with itself.
  double score_itself(std::size_t id) {
    std::int64_t* count = counts_.data() + id;
    for (std::size_t k = 0; k < sequences_.size(); ++k)
      for (int n = 0; n < sequences_[k].max_order; ++n, count += matches_.stride())
        *count = std::max<std::int64_t>(static_cast<std::int64_t>(lengths(id)[k]) - n, 0);
    return score(id, id);
  }

  // The utilities of a text and all after it, in both directions.
  void triangle(std::size_t id) {
    matches_.row(id, id + 1, counts_.data());
    double* const utilities = utilities_.data();
    for (std::size_t other = id + 1; other < distinct_; ++other) {
      utilities[id * distinct_ + other] = score(id, other);
      utilities[other * distinct_ + id] =
          pair_(lengths(other), lengths(id), counts_.data() + other, matches_.stride(), row_);
    }
    utilities[id * distinct_ + id] = score_itself(id);
    progress_.spend(2 * kScoreWork * static_cast<std::int64_t>(distinct_ - id));
  }

  // The utilities of a text against all references.
  void full(std::size_t id) {
    matches_.row(id, 0, counts_.data());
    for (std::size_t r = 0; r < distinct_references_; ++r)
      if (r != id) utilities_[r] = score(id, r);
    if (id < distinct_references_) utilities_[id] = score_itself(id);
    progress_.spend(kScoreWork * static_cast<std::int64_t>(distinct_references_));
  }

  Pair pair_;
  ByWidth<Reader> read_;
  PairwiseMatches matches_;
  std::vector<Text> texts_;
  std::vector<SymbolTexts> sequences_;
  std::vector<std::vector<std::vector<Symbol>>> distinct_texts_;  // by kind of sequence
  std::vector<std::size_t> order_, same_as_, ids_, first_, lengths_, row_of_;
  std::vector<std::uint8_t> is_output_;
  std::size_t distinct_ = 0, distinct_references_ = 0;
  std::vector<std::int64_t> counts_, row_;
  std::vector<double> utilities_, mean_;
  Progress progress_;
};

// means: one for each candidate. matrix, unless null: the utilities (candidate, pseudo-reference) of each segment, one segment
// after the other. Candidates are their own pseudo-references if `references` is null.
template <template <class> class Reader, class Pair, class... Options>
void expected_utilities(const Groups& candidates, const Groups* references, std::size_t segments, int threads, double* means,
                        double* matrix, const Pair& pair, const Options&... options) {
  std::vector<std::size_t> cells(segments + 1, 0);
  for (std::size_t i = 0; i < segments; ++i)
    cells[i + 1] = cells[i] + candidates.size(i) * (references == nullptr ? candidates : *references).size(i);
  parallel_blocks(segments, 1, threads, [&] {
    return [&, utilities = SegmentUtilities<Reader, Pair>(pair, options...)](std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i)
        utilities(candidates, references, i, means + candidates.first(i), matrix == nullptr ? nullptr : matrix + cells[i]);
    };
  });
}

}  // namespace assay
