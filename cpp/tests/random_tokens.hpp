// Random tokens with random vectors: texts of all lengths, some absent, some tokens without a vector, some equal in form.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "assay/cosines.hpp"
#include "tests/random_lines.hpp"

class TokenCorpus {
 public:
  std::size_t segments;
  std::vector<assay::TokenColumn> references, outputs;

  TokenCorpus(Random& random, std::size_t systems, std::size_t reference_count, std::size_t segments, std::size_t longest)
      : segments(segments), rows_(random.between(1, 60)), dimension_(random.between(1, 20)) {
    for (std::size_t i = 0; i < rows_; ++i) {
      forms_.push_back(static_cast<std::int32_t>(random.chance(20) ? random.below(rows_) : i));
      const bool is_zero = random.chance(15);
      for (std::size_t d = 0; d < dimension_; ++d)
        double_.push_back(is_zero ? 0.0 : static_cast<double>(random.below(2001)) / 1000 - 0.7);
    }
    single_.assign(double_.begin(), double_.end());
    for (std::size_t r = 0; r < reference_count; ++r) references.push_back(column(random, longest));
    for (std::size_t s = 0; s < systems; ++s) outputs.push_back(column(random, longest));
  }

  assay::VectorTable vectors(bool is_single) const {
    return {rows_, dimension_, is_single ? single_.data() : nullptr, is_single ? nullptr : double_.data(), forms_.data()};
  }
  std::size_t rows() const { return rows_; }

 private:
  struct Stored {
    std::vector<std::int32_t> tokens;
    std::vector<std::int64_t> starts{0};
    std::unique_ptr<bool[]> present;
    std::vector<double> weights;
  };

  assay::TokenColumn column(Random& random, std::size_t longest) {
    Stored& stored = stored_.emplace_back();
    stored.present = std::make_unique<bool[]>(segments);
    for (std::size_t i = 0; i < segments; ++i) {
      stored.present[i] = !random.chance(10);
      for (std::size_t k = stored.present[i] ? random.below(longest + 1) : 0; k > 0; --k) {
        stored.tokens.push_back(static_cast<std::int32_t>(random.below(rows_)));
        stored.weights.push_back(static_cast<double>(random.below(100)) / 10);
      }
      stored.starts.push_back(static_cast<std::int64_t>(stored.tokens.size()));
    }
    return {stored.tokens.data(), stored.starts.data(), stored.present.get(), stored.weights.data()};
  }

  std::size_t rows_, dimension_;
  std::vector<std::int32_t> forms_;
  std::vector<float> single_;
  std::vector<double> double_;
  std::deque<Stored> stored_;
};

inline bool are_close(const std::vector<double>& one, const std::vector<double>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-7 * std::max(1.0, std::abs(b));
  });
}

// Compares a table (reference, system, segment, column) with expected(output, reference, segment), and with those of more
// threads. Rows of absent texts are zero.
template <class Fast, class Expected>
void check_table(const TokenCorpus& corpus, std::size_t columns, const char* name, Fast fast, Expected expected) {
  std::vector<double> table(corpus.references.size() * corpus.outputs.size() * corpus.segments * columns, 0);
  fast(1, table.data());
  auto row = table.begin();
  for (const auto& reference : corpus.references)
    for (const auto& output : corpus.outputs)
      for (std::size_t i = 0; i < corpus.segments; ++i) {
        const std::vector<double> found(row, row + static_cast<std::ptrdiff_t>(columns));
        std::vector<double> right(columns, 0);
        if (reference.present[i] && output.present[i]) right = expected(output, reference, i);
        CHECK(are_close(found, right), name, i, found, right);
        row += static_cast<std::ptrdiff_t>(columns);
      }
  for (const int threads : {2, 4}) {
    std::vector<double> other(table.size(), 0);
    fast(threads, other.data());
    CHECK(std::equal(other.begin(), other.end(), table.begin(),
                     [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }),
          name, threads);
  }
}
