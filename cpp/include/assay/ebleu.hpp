// eBLEU's statistics (ElNokrashy & Kocmi 2023, equations 3-13): the meaning of the words of an output that the reference
// reconstructs, and the reverse, for n-grams of orders 1 to 4.
//
// S(x, y) of two n-grams is the geometric mean of the cosines of their words, clipped to [0, 1]. The meaning of an n-gram x is
// m(x) = sum over x' of S(x, x'), and what the reference reconstructs of it is the sum over y of weight(x, y) * sum over x' of
// S(y, x'), where the weights are a softmax or S itself, normalised over y. The inner sum does not depend on x, so
// this takes a product of a matrix and a vector. Cost: that of the cosines, and O(output length x reference length) roots and
// exponentials for each order.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "assay/cosines.hpp"
#include "assay/interrupt.hpp"
#include "assay/token_column.hpp"
#include "assay/vectorised.hpp"

namespace assay {

inline constexpr std::size_t kEbleuOrders = 4;

// [output length, reference length, matched of the output..., meaning of the output..., matched of the reference...,
// meaning of the reference...], for each order.
inline constexpr std::size_t kEbleuColumns = 2 + 4 * kEbleuOrders;

struct EbleuOptions {
  bool is_softmax;
  double temperature;      // of the softmax
  bool is_diagonal;        // the meaning of an n-gram is S(x, x) alone
  bool spreads_zero_rows;  // without a softmax, an n-gram that resembles none is reconstructed from all alike
  EqualTokens equal;
};

// Similarities of the n-grams of two texts, order by order.
class NgramSimilarities {
 public:
  // Of the words. `row_of` returns the cosines of a place, by place.
  template <class RowOf>
  void start(const Cosines::Places& x, const Cosines::Places& y, RowOf row_of) {
    rows_ = x.size();
    columns_ = width_ = y.size();
    order_ = 1;
    words_.resize(rows_ * width_);
    for (std::size_t i = 0; i < rows_; ++i) {
      const double* const cosines = row_of(x[i]);
      for (std::size_t j = 0; j < width_; ++j) words_[i * width_ + j] = std::clamp(cosines[y[j]], 0.0, 1.0);
    }
    products_ = words_;
    values_ = words_;
  }

  // Of n-grams with one more word.
  void next_order() {
    rows_ -= rows_ > 0;
    columns_ -= columns_ > 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double* const words = words_.data() + (i + order_) * width_ + order_;
      double* const products = products_.data() + i * width_;
      double* const values = values_.data() + i * width_;
      progress_.spend(static_cast<std::int64_t>(4 * columns_));
      vectorised([=, this] [[gnu::always_inline]] {
        for (std::size_t j = 0; j < columns_; ++j) products[j] *= words[j];
        switch (order_) {
          case 1: return roots(products, columns_, values, [] [[gnu::always_inline]] (double x) { return std::sqrt(x); });
          case 2: return roots(products, columns_, values, [] [[gnu::always_inline]] (double x) { return cube_root(x); });
          default:
            roots(products, columns_, values, [] [[gnu::always_inline]] (double x) { return std::sqrt(std::sqrt(x)); });
        }
      });
    }
    ++order_;
  }

  // No n-gram of a text resembles anything if the other text is too short for one.
  std::size_t rows() const { return columns_ == 0 ? 0 : rows_; }
  std::size_t columns() const { return rows_ == 0 ? 0 : columns_; }
  const double* row(std::size_t i) const { return values_.data() + i * width_; }

 private:
  template <class Root>
  [[gnu::always_inline]] static void roots(const double* products, std::size_t size, double* values, Root root) {
    for (std::size_t j = 0; j < size; ++j) values[j] = root(products[j]);
  }

  std::size_t rows_ = 0, columns_ = 0, width_ = 0, order_ = 1;
  std::vector<double> words_, products_, values_;  // (row, column); there are fewer of both with each order
  Progress progress_;
};

class EbleuPairs {
 public:
  EbleuPairs(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
             const VectorTable& vectors, const EbleuOptions& options)
      : options_(options), cosines_(references, outputs, vectors, options.equal), references_(references),
        reference_meanings_(references.size()) {}

  void start(std::size_t segment) {
    cosines_.start(segment);
    for (std::size_t r = 0; r < references_.size(); ++r) meanings(cosines_.reference_places(r), reference_meanings_[r]);
  }

  void output(std::size_t system) {
    cosines_.output(system);
    meanings(cosines_.output_places(), output_meanings_);
  }

  void row(std::size_t reference, double* row) {
    const Cosines::Places &x = cosines_.output_places(), &y = cosines_.reference_places(reference);
    const Meanings& of_reference = reference_meanings_[reference];
    row[0] = static_cast<double>(x.size());
    row[1] = static_cast<double>(y.size());
    similarities_.start(x, y, [&](std::uint32_t place) { return cosines_.row(place); });
    for (std::size_t n = 0; n < kEbleuOrders; ++n) {
      if (n > 0) similarities_.next_order();
      reconstruct();
      row[2 + n] = matched(output_meanings_[n], of_output_);
      row[2 + kEbleuOrders + n] = sum(output_meanings_[n]);
      row[2 + 2 * kEbleuOrders + n] = matched(of_reference[n], of_reference_);
      row[2 + 3 * kEbleuOrders + n] = sum(of_reference[n]);
    }
  }

 private:
  using Meanings = std::array<std::vector<double>, kEbleuOrders>;  // by order and n-gram

  void meanings(const Cosines::Places& text, Meanings& meanings) {
    similarities_.start(text, text, [&](std::uint32_t place) { return cosines_.row(place); });
    for (std::size_t n = 0; n < kEbleuOrders; ++n) {
      if (n > 0) similarities_.next_order();
      meanings[n].clear();
      for (std::size_t i = 0; i < similarities_.rows(); ++i) {
        const double* const row = similarities_.row(i);
        double meaning = row[i];
        if (!options_.is_diagonal) meaning = sum(row, similarities_.columns());
        meanings[n].push_back(meaning);
      }
    }
  }

  // What each text reconstructs of the other's n-grams, of the current order.
  void reconstruct() {
    const std::size_t rows = similarities_.rows(), columns = similarities_.columns();
    row_sums_.assign(rows, 0);
    row_weights_.assign(rows, 0);
    column_sums_.assign(columns, 0);
    column_weights_.assign(columns, 0);
    weights_.resize(rows * columns);
    of_output_.assign(rows, 0);
    of_reference_.assign(columns, 0);
    const double inverse_temperature = 1 / options_.temperature;
    double *const column_sums = column_sums_.data(), *const column_weights = column_weights_.data();
    for (std::size_t i = 0; i < rows; ++i) {
      const double* const row = similarities_.row(i);
      double* const weights = weights_.data() + i * columns;
      progress_.spend(static_cast<std::int64_t>(4 * columns));
      vectorised([&, row, weights] [[gnu::always_inline]] {
        if (options_.is_softmax)
          for (std::size_t j = 0; j < columns; ++j) weights[j] = exponential(row[j] * inverse_temperature);
        else
          for (std::size_t j = 0; j < columns; ++j) weights[j] = row[j];
        for (std::size_t j = 0; j < columns; ++j) column_sums[j] += row[j];
        for (std::size_t j = 0; j < columns; ++j) column_weights[j] += weights[j];
        row_sums_[i] = sum_of(columns, [=] [[gnu::always_inline]] (std::size_t j) { return row[j]; });
        row_weights_[i] = sum_of(columns, [=] [[gnu::always_inline]] (std::size_t j) { return weights[j]; });
      });
    }
    double* const of_reference = of_reference_.data();
    for (std::size_t i = 0; i < rows; ++i) {
      const double* const weights = weights_.data() + i * columns;
      const double row_sum = row_sums_[i];
      vectorised([&, weights, row_sum] [[gnu::always_inline]] {
        of_output_[i] = sum_of(columns, [=] [[gnu::always_inline]] (std::size_t j) { return weights[j] * column_sums[j]; });
        for (std::size_t j = 0; j < columns; ++j) of_reference[j] += weights[j] * row_sum;
      });
    }
    normalise(of_output_, row_weights_, column_sums_);
    normalise(of_reference_, column_weights_, row_sums_);
  }

  void normalise(std::vector<double>& reconstructed, const std::vector<double>& weights, const std::vector<double>& sums) const {
    for (std::size_t i = 0; i < reconstructed.size(); ++i) {
      if (weights[i] > 0) reconstructed[i] /= weights[i];
      else if (options_.spreads_zero_rows) reconstructed[i] = sum(sums) / static_cast<double>(sums.size());
    }
  }

  static double sum(const double* values, std::size_t size) {
    return sum_of(size, [=] [[gnu::always_inline]] (std::size_t i) { return values[i]; });
  }
  static double sum(const std::vector<double>& values) { return sum(values.data(), values.size()); }

  // An order that one of the texts is too short for has nothing to match.
  static double matched(const std::vector<double>& meanings, const std::vector<double>& reconstructed) {
    double sum = 0;
    for (std::size_t i = 0; i < reconstructed.size(); ++i) sum += std::min(meanings[i], reconstructed[i]);
    return sum;
  }

  EbleuOptions options_;
  SegmentCosines cosines_;
  const std::vector<TokenColumn>& references_;
  std::vector<Meanings> reference_meanings_;
  Meanings output_meanings_;
  NgramSimilarities similarities_;
  std::vector<double> row_sums_, row_weights_, column_sums_, column_weights_, weights_;
  std::vector<double> of_output_, of_reference_;  // what the other text reconstructs of each n-gram
  Progress progress_;
};

// table: (reference, system, segment, column), zero on entry.
inline void ebleu_statistics(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                             std::size_t segments, const VectorTable& vectors, const EbleuOptions& options, int threads,
                             double* table) {
  pair_statistics(references, outputs, segments, kEbleuColumns, threads, table,
                  [&] { return EbleuPairs(references, outputs, vectors, options); });
}

}  // namespace assay
