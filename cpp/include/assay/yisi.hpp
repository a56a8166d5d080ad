// YiSi without semantic roles (Lo 2019): weighted precision and recall of n-grams by the similarity of their words.
//
// The similarity of two n-grams is the mean of the similarities of their words, weighted by the words of one side. Each n-gram
// of a side counts with its best partner on the other. If a text is shorter than n, n is the length of the shorter text.
// Cost: O(output length x reference length x n), and that of the similarities.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "assay/cosines.hpp"
#include "assay/effort.hpp"
#include "assay/token_column.hpp"
#include "assay/too_long.hpp"

namespace assay {

inline constexpr std::size_t kYisiColumns = 2;  // precision, recall

// The most pairs of bytes of the words of two texts, which take some ten seconds (effort.hpp).
inline constexpr std::int64_t kMaxBytePairs = 10'000'000'000;

// Similarities by vectors: cosines that are not negative.
class VectorSimilarities {
 public:
  VectorSimilarities(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                     const VectorTable& vectors, EqualTokens equal)
      : cosines_(references, outputs, vectors, equal) {}

  void start(std::size_t segment) { cosines_.start(segment); }
  void output(std::size_t system) { cosines_.output(system); }

  // (output token, reference token)
  void fill(std::size_t reference, std::vector<double>& similarities) const {
    for (const std::uint32_t x : cosines_.output_places()) {
      const double* const cosines = cosines_.row(x);
      for (const std::uint32_t y : cosines_.reference_places(reference))
        similarities.push_back(std::clamp(cosines[y], 0.0, 1.0));
    }
  }

 private:
  SegmentCosines cosines_;
};

// The bytes of each word, by its number.
struct WordBytes {
  const std::uint8_t* bytes;
  const std::int64_t* starts;

  std::span<const std::uint8_t> operator[](std::int32_t word) const {
    return {bytes + starts[word], static_cast<std::size_t>(starts[word + 1] - starts[word])};
  }
};

// Similarities by form: 2 * longest common substring / lengths in bytes, or 1 for equal words and nearly 0 for others.
class FormSimilarities {
 public:
  static constexpr double kUnequal = 1e-5;

  FormSimilarities(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                   const WordBytes& words, bool is_exact)
      : references_(references), outputs_(outputs), words_(words), is_exact_(is_exact) {}

  void start(std::size_t segment) { segment_ = segment; }
  void output(std::size_t system) { system_ = system; }

  void fill(std::size_t reference, std::vector<double>& similarities) {
    const Tokens xs = outputs_[system_][segment_], ys = references_[reference][segment_];
    try {
      effort_.start();
      for (const std::int32_t x : xs)
        for (const std::int32_t y : ys) similarities.push_back(similarity(x, y));
    } catch (const TooMuchWork&) {
      throw TooLong(reference, system_, segment_, size(ys), size(xs));
    }
  }

 private:
  // In bytes.
  std::size_t size(Tokens tokens) const {
    std::size_t total = 0;
    for (const std::int32_t token : tokens) total += words_[token].size();
    return total;
  }

  double similarity(std::int32_t x, std::int32_t y) {
    if (x == y) return 1;
    if (is_exact_) return kUnequal;
    const auto a = words_[x], b = words_[y];
    return 2 * static_cast<double>(longest_common_substring(a, b)) / static_cast<double>(a.size() + b.size());
  }

  // Row by row: the longest common suffix of the prefixes of both words.
  std::size_t longest_common_substring(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
    effort_.plan(static_cast<std::int64_t>(a.size() * b.size()));
    suffixes_.assign(b.size() + 1, 0);
    std::uint32_t longest = 0;
    for (const std::uint8_t byte : a) {
      effort_.spend(static_cast<std::int64_t>(b.size()));
      for (std::size_t j = b.size(); j > 0; --j) {
        suffixes_[j] = byte == b[j - 1] ? suffixes_[j - 1] + 1 : 0;
        longest = std::max(longest, suffixes_[j]);
      }
    }
    return longest;
  }

  const std::vector<TokenColumn>&references_, &outputs_;
  WordBytes words_;
  bool is_exact_;
  std::size_t segment_ = 0, system_ = 0;
  std::vector<std::uint32_t> suffixes_;
  Effort effort_{kMaxBytePairs};
};

template <class Similarities>
class YisiPairs {
 public:
  YisiPairs(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs, std::size_t n,
            Similarities similarities)
      : references_(references), outputs_(outputs), n_(n), similarities_(std::move(similarities)) {}

  void start(std::size_t segment) {
    segment_ = segment;
    similarities_.start(segment);
  }

  void output(std::size_t system) {
    system_ = system;
    similarities_.output(system);
  }

  void row(std::size_t reference, double* row) {
    const TokenColumn &output = outputs_[system_], &other = references_[reference];
    const std::size_t x = output.length(segment_), y = other.length(segment_);
    if (x == 0 || y == 0) return;
    matrix_.clear();
    similarities_.fill(reference, matrix_);
    row[0] = share(output.weights_of(segment_), x, y, y, 1);
    row[1] = share(other.weights_of(segment_), y, x, 1, y);
  }

 private:
  // The weighted mean over the n-grams of one side (`size` tokens) of the similarity to the best n-gram of the other.
  double share(const double* weights, std::size_t size, std::size_t other, std::size_t step, std::size_t other_step) {
    const std::size_t n = std::min({n_, size, other});
    double found = 0, total = 0;
    for (std::size_t i = 0; i + n <= size; ++i) {
      progress_.spend(static_cast<std::int64_t>(other * n));
      double best = 0;
      for (std::size_t j = 0; j + n <= other; ++j) {
        double similarity = 0;
        for (std::size_t k = 0; k < n; ++k)
          similarity += weights[i + k] * matrix_[(i + k) * step + (j + k) * other_step];
        best = std::max(best, similarity);
      }
      found += best;
      for (std::size_t k = 0; k < n; ++k) total += weights[i + k];
    }
    return total > 0 ? found / total : 0;
  }

  const std::vector<TokenColumn>&references_, &outputs_;
  std::size_t n_, segment_ = 0, system_ = 0;
  Similarities similarities_;
  std::vector<double> matrix_;  // (output token, reference token)
  Progress progress_;
};

// table: (reference, system, segment, [precision, recall]), zero on entry. All columns have weights.
template <class Similarities, class... Options>
void yisi_statistics(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                     std::size_t segments, std::size_t n, int threads, double* table, const Options&... options) {
  pair_statistics(references, outputs, segments, kYisiColumns, threads, table, [&] {
    return YisiPairs<Similarities>(references, outputs, n, Similarities(references, outputs, options...));
  });
}

}  // namespace assay
