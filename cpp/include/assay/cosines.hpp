// Cosines between the vectors of the tokens of a segment.
//
// A vector is normalised once for each distinct token of a segment. The cosines between tokens of the references are
// computed once for all outputs, and for an output only those of the tokens that no reference has. A cosine is a sum over the
// dimensions in their order, whatever the width of the processor's vectors, so it has the same bytes everywhere.
// Cost: O(distinct tokens of an output and the references x new tokens of the output x dimension).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "assay/interrupt.hpp"
#include "assay/token_column.hpp"
#include "assay/vectorised.hpp"

namespace assay {

// The vectors of tokens, by their number. A token whose vector is zero has none.
struct VectorTable {
  std::size_t rows, dimension;
  const float* single_precision;  // one of these two is null
  const double* double_precision;
  const std::int32_t* forms;  // equal for tokens that count as equal

  // Writes the unit vector of a row; false if it is zero.
  bool load(std::size_t row, double* unit) const {
    if (single_precision != nullptr) return load(single_precision + row * dimension, unit);
    return load(double_precision + row * dimension, unit);
  }

 private:
  template <class Real>
  bool load(const Real* vector, double* unit) const {
    double length = 0;
    vectorised([vector, unit, size = dimension, &length] [[gnu::always_inline]] {
      for (std::size_t d = 0; d < size; ++d) unit[d] = static_cast<double>(vector[d]);
      length = std::sqrt(sum_of(size, [=] [[gnu::always_inline]] (std::size_t d) { return unit[d] * unit[d]; }));
      const double divisor = length > 0 ? length : 1;
      for (std::size_t d = 0; d < size; ++d) unit[d] /= divisor;
    });
    return length > 0;
  }
};

// Which equal tokens have the similarity 1, whatever their vectors.
enum class EqualTokens { kNone, kWithoutVector, kAll };

// Products of unit vectors, tile by tile. The rows of a tile are read from (row, dimension), its columns from
// (panel, dimension, column of the panel), so that neighbours in memory are multiplied at once.
namespace cosine_tile {
inline constexpr std::size_t kRows = 4, kColumns = 8;
typedef double Four __attribute__((vector_size(32)));

inline std::size_t padded(std::size_t size) { return (size + kColumns - 1) / kColumns * kColumns; }

// cosines[i][j] for the rows of a tile, from i on, and j before `columns`. Rows and columns are padded to whole tiles.
inline void fill_rows(const double* rows, const double* panels, std::size_t dimension, std::size_t stride, std::size_t i,
                      std::size_t columns, double* cosines) {
  vectorised([=] [[gnu::always_inline]] {
    for (std::size_t j = 0; j < columns; j += kColumns) {
      const double *const row = rows + i * dimension, *const panel = panels + j * dimension;
      Four low[kRows] = {}, high[kRows] = {};
      for (std::size_t d = 0; d < dimension; ++d) {
        Four left, right;
        std::memcpy(&left, panel + d * kColumns, sizeof left);
        std::memcpy(&right, panel + d * kColumns + 4, sizeof right);
        for (std::size_t a = 0; a < kRows; ++a) {
          low[a] += row[a * dimension + d] * left;
          high[a] += row[a * dimension + d] * right;
        }
      }
      for (std::size_t a = 0; a < kRows; ++a) {
        std::memcpy(cosines + (i + a) * stride + j, &low[a], sizeof low[a]);
        std::memcpy(cosines + (i + a) * stride + j + 4, &high[a], sizeof high[a]);
      }
    }
  });
}
}  // namespace cosine_tile

// The distinct tokens of a segment have places, from 0. Those of the references stay; those of an output are replaced by
// the next output's.
class Cosines {
 public:
  using Places = std::vector<std::uint32_t>;

  Cosines(const VectorTable& vectors, EqualTokens equal)
      : vectors_(vectors), equal_(equal), place_of_(vectors.rows, kNowhere) {}

  // The next segment: no more than `tokens` of the references and one output together.
  void start(std::size_t tokens) {
    forget(0);
    stride_ = cosine_tile::padded(tokens);
    const std::size_t rows = stride_ + cosine_tile::kRows;  // the last tile may start at any row
    if (units_.size() < rows * vectors_.dimension) units_.resize(rows * vectors_.dimension);
    if (panels_.size() < stride_ * vectors_.dimension) panels_.resize(stride_ * vectors_.dimension);
    if (cosines_.size() < rows * stride_) cosines_.resize(rows * stride_);
  }

  std::size_t size() const { return rows_.size(); }

  // Forgets all tokens but the first `size`.
  void forget(std::size_t size) {
    while (rows_.size() > size) {
      place_of_[rows_.back()] = kNowhere;
      rows_.pop_back();
      has_vector_.pop_back();
    }
    computed_ = std::min(computed_, size);
  }

  void add(Tokens tokens, Places& places) {
    places.clear();
    for (const std::int32_t token : tokens) {
      std::uint32_t& place = place_of_[static_cast<std::size_t>(token)];
      if (place == kNowhere) {
        place = static_cast<std::uint32_t>(rows_.size());
        load(static_cast<std::size_t>(token), place);
        rows_.push_back(static_cast<std::uint32_t>(token));
      }
      places.push_back(place);
    }
  }

  // Computes the cosines of the tokens that were added since the last time.
  void compute() {
    const std::size_t first = computed_, last = rows_.size();
    if (first == last) return;
    for (std::size_t i = first; i < last; i += cosine_tile::kRows) {  // as far as the diagonal
      const std::size_t columns = std::min(last, i + cosine_tile::kRows);
      cosine_tile::fill_rows(units_.data(), panels_.data(), vectors_.dimension, stride_, i, columns, cosines_.data());
      progress_.spend(static_cast<std::int64_t>(columns * vectors_.dimension / 2));
    }
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double& cosine = cosines_[i * stride_ + j];
        if (counts_as_equal(i, j)) cosine = 1;
        cosines_[j * stride_ + i] = cosine;
      }
    computed_ = last;
  }

  // The cosines of the token at a place with all others, by place.
  const double* row(std::uint32_t place) const { return &cosines_[place * stride_]; }

 private:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFu;

  void load(std::size_t token, std::size_t place) {
    double* const unit = &units_[place * vectors_.dimension];
    has_vector_.push_back(vectors_.load(token, unit));
    constexpr std::size_t kWidth = cosine_tile::kColumns;
    double* const panel = &panels_[place / kWidth * kWidth * vectors_.dimension] + place % kWidth;
    for (std::size_t d = 0; d < vectors_.dimension; ++d) panel[d * kWidth] = unit[d];
  }

  bool counts_as_equal(std::size_t i, std::size_t j) const {
    if (equal_ == EqualTokens::kNone || vectors_.forms[rows_[i]] != vectors_.forms[rows_[j]]) return false;
    return equal_ == EqualTokens::kAll || !has_vector_[i] || !has_vector_[j];
  }

  const VectorTable& vectors_;
  EqualTokens equal_;
  std::size_t stride_ = 0, computed_ = 0;
  Places place_of_;                 // by token
  std::vector<std::uint32_t> rows_;  // by place: the token
  std::vector<char> has_vector_;     // by place
  std::vector<double> units_, panels_;  // the same unit vectors in two layouts
  std::vector<double> cosines_;         // (place, place)
  Progress progress_;
};

// The cosines between the tokens of an output and those of each reference, segment by segment (`pair_statistics`).
class SegmentCosines {
 public:
  SegmentCosines(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                 const VectorTable& vectors, EqualTokens equal)
      : references_(references), outputs_(outputs), cosines_(vectors, equal), reference_places_(references.size()) {}

  void start(std::size_t segment) {
    segment_ = segment;
    std::size_t tokens = 0, longest = 0;
    for (const TokenColumn& reference : references_) tokens += reference.length(segment);
    for (const TokenColumn& output : outputs_) longest = std::max(longest, output.length(segment));
    cosines_.start(tokens + longest);
    for (std::size_t r = 0; r < references_.size(); ++r) cosines_.add(references_[r][segment], reference_places_[r]);
    shared_ = cosines_.size();
    cosines_.compute();
  }

  void output(std::size_t system) {
    cosines_.forget(shared_);
    cosines_.add(outputs_[system][segment_], output_places_);
    cosines_.compute();
  }

  const Cosines::Places& reference_places(std::size_t reference) const { return reference_places_[reference]; }
  const Cosines::Places& output_places() const { return output_places_; }
  const double* row(std::uint32_t place) const { return cosines_.row(place); }

 private:
  const std::vector<TokenColumn>&references_, &outputs_;
  Cosines cosines_;
  std::size_t segment_ = 0, shared_ = 0;
  std::vector<Cosines::Places> reference_places_;
  Cosines::Places output_places_;
};

}  // namespace assay
