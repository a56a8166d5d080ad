// What is computed from tables: formulas on rows at the end of memory, spreads in parts, percentile intervals,
// and correlations of lengths.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "assay/bleu_score.hpp"
#include "assay/chrf_score.hpp"
#include "assay/line_lengths.hpp"
#include "assay/means.hpp"
#include "assay/nist_score.hpp"
#include "assay/percentiles.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool is_near(double one, double other) { return std::fabs(one - other) <= 1e-12 * std::max(1.0, std::fabs(other)); }

std::vector<std::int64_t> random_row(Random& random, std::size_t columns) {
  std::vector<std::int64_t> row(columns);
  for (auto& value : row) value = static_cast<std::int64_t>(random.below(random.chance(50) ? 2 : 40));
  return row;
}

// Integers and reals give the same score, within the range of the metric.
void formulas(Random& random) {
  for (const auto flavour : {assay::BleuFlavour::sacrebleu, assay::BleuFlavour::mteval, assay::BleuFlavour::moses})
    for (const auto smoothing : {assay::BleuSmoothing::none, assay::BleuSmoothing::exp, assay::BleuSmoothing::floor,
                                 assay::BleuSmoothing::add_k, assay::BleuSmoothing::add_all})
      for (int i = 0; i < 400; ++i) {
        const assay::BleuFormula bleu{flavour, 1 + random.below(6), smoothing, 0.5, random.chance(50), 1};
        auto row = random_row(random, bleu.columns());
        for (std::size_t n = 0; n < bleu.max_order; ++n) row[2 + n] = std::min(row[2 + n], row[2 + bleu.max_order + n]);
        const double score = bleu.score(row.data());
        CHECK(score >= 0 && score <= (flavour == assay::BleuFlavour::sacrebleu ? 100 : 1), score);
        CHECK_EQUAL(bleu.score(std::vector<double>(row.begin(), row.end()).data()), score, i);
      }
  for (int i = 0; i < 1000; ++i) {
    const assay::ChrfFormula chrf{1 + random.below(8), random.chance(50) ? 2.0 : 1.0, random.chance(30)};
    auto row = random_row(random, chrf.columns());
    for (std::size_t n = 0; n < row.size(); n += 3) row[n + 2] = std::min({row[n], row[n + 1], row[n + 2]});
    const double score = chrf.score(row.data());
    CHECK(score >= 0 && score <= 100, score);
    CHECK_EQUAL(chrf.score(std::vector<double>(row.begin(), row.end()).data()), score, i);
  }
  for (int i = 0; i < 1000; ++i) {
    const assay::NistFormula nist{1 + random.below(8)};
    const auto row = random_row(random, nist.columns());
    double information = 0;
    for (std::size_t n = 0; n < nist.max_order; ++n)
      information += static_cast<double>(row[2 + n]) / static_cast<double>(std::max<std::int64_t>(row[2 + nist.max_order + n], 1));
    const double ratio = std::min(1.0, static_cast<double>(row[0]) / static_cast<double>(row[1]));
    const double penalty = ratio == 0 ? 0 : std::exp(std::log(0.5) * std::pow(std::log(ratio) / std::log(1.5), 2));
    const double score = nist.score(row.data());
    CHECK(row[1] == 0 ? std::isnan(score) : is_near(score, information * penalty), score, information, ratio);
  }
}

void spreads(Random& random) {
  for (int i = 0; i < 60; ++i) {
    std::vector<double> scores(random.below(3 * assay::kChunk)), defined;
    for (auto& score : scores) score = random.chance(5) ? kNaN : 50 + static_cast<double>(random.below(1000)) / 7;
    std::copy_if(scores.begin(), scores.end(), std::back_inserter(defined), [](double score) { return !std::isnan(score); });
    assay::Spread whole, parts;
    whole.add(scores.data(), scores.size());
    whole.end();
    for (std::size_t first = 0; first < scores.size();) {
      const std::size_t size = std::min<std::size_t>(1 + random.below(5000), scores.size() - first);
      parts.add(scores.data() + first, size);
      first += size;
    }
    parts.end();
    long double mean = 0, squares = 0;
    for (const double score : defined) mean += score;
    mean /= static_cast<long double>(std::max<std::size_t>(defined.size(), 1));
    for (const double score : defined) squares += (score - mean) * (score - mean);
    CHECK_EQUAL(whole.count(), defined.size(), i);
    CHECK_EQUAL(parts.count(), defined.size(), i);
    if (defined.size() > 1) {
      CHECK(is_near(whole.deviation(), static_cast<double>(std::sqrt(squares / static_cast<long double>(defined.size() - 1)))), i);
      CHECK_EQUAL(parts.deviation(), whole.deviation(), i);
    }
    std::vector<double> table(2 * scores.size());
    assay::mean_table(scores.data(), scores.size(), table.data());
    for (std::size_t k = 0; k < scores.size(); ++k)
      CHECK(std::isnan(scores[k]) ? table[2 * k] == 0 && table[2 * k + 1] == 0 : table[2 * k] == scores[k] && table[2 * k + 1] == 1, k);
  }
}

void intervals(Random& random) {
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> replicates(random.below(40)), sorted;
    for (auto& value : replicates) value = random.chance(10) ? kNaN : static_cast<double>(random.below(20));
    std::copy_if(replicates.begin(), replicates.end(), std::back_inserter(sorted), [](double value) { return !std::isnan(value); });
    std::sort(sorted.begin(), sorted.end());
    const auto found = assay::summary_of(replicates, 0.9);
    CHECK_EQUAL(found.defined, sorted.size(), i);
    if (sorted.empty()) continue;
    const auto expected = [&](double share) {
      const double position = share * static_cast<double>(sorted.size() - 1);
      const auto below = static_cast<std::size_t>(position);
      return sorted[below] + (position - static_cast<double>(below)) * (sorted[std::min(below + 1, sorted.size() - 1)] - sorted[below]);
    };
    CHECK(is_near(found.low, expected(0.05)) && is_near(found.high, expected(0.95)), i);
    CHECK_EQUAL(std::isnan(found.error), sorted.size() < 2, i);
  }
}

// Against the definition, from the lengths themselves.
void lengths(Random& random) {
  for (int i = 0; i < 400; ++i) {
    const std::size_t lines = random.below(40), width = 1 + random.below(12);
    std::vector<double> output(lines), reference(lines);
    assay::LengthCorrelations correlations(width, 10, 2);
    for (std::size_t k = 0; k < lines; ++k) {
      for (auto* const column : {&output, &reference}) (*column)[k] = random.chance(10) ? kNaN : static_cast<double>(random.below(30));
      correlations.add(output[k], reference[k]);
    }
    const auto found = std::move(correlations).finish();
    CHECK_EQUAL(found.size(), (lines + width - 1) / width, lines);
    for (std::size_t w = 0; w < found.size(); ++w) {
      std::vector<double> x, y;
      const std::size_t first = std::min(w * width, lines - std::min(width, lines));
      for (std::size_t k = first; k < std::min(lines, first + width); ++k)
        if (!std::isnan(output[k]) && !std::isnan(reference[k])) x.push_back(std::log(output[k] + 10)), y.push_back(std::log(reference[k] + 10));
      double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
      for (std::size_t k = 0; k < x.size(); ++k) mean_x += x[k] / x.size(), mean_y += y[k] / x.size();
      for (std::size_t k = 0; k < x.size(); ++k)
        xx += (x[k] - mean_x) * (x[k] - mean_x), yy += (y[k] - mean_y) * (y[k] - mean_y), xy += (x[k] - mean_x) * (y[k] - mean_y);
      if (x.size() < 2 || yy < 1e-12) CHECK(std::isnan(found[w]), w);
      else CHECK(is_near(found[w], xx < 1e-12 ? 0 : xy / std::sqrt(xx * yy)), w, found[w]);
    }
  }
}

}  // namespace

int main() {
  Random random(20261116);
  formulas(random);
  spreads(random);
  intervals(random);
  lengths(random);
  return check::finish("scores");
}
