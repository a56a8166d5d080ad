// Compares eBLEU's statistics with the reference implementation, row by row; all numbers of threads give the same bytes.
// Roots and exponentials are compared with the standard library's.
#include <array>
#include <cmath>
#include <vector>

#include "assay/ebleu.hpp"
#include "reference/ebleu.hpp"
#include "tests/check.hpp"
#include "tests/random_tokens.hpp"

namespace {

void check_corpus(const TokenCorpus& corpus, const assay::EbleuOptions& options, bool is_single) {
  const assay::VectorTable vectors = corpus.vectors(is_single);
  check_table(
      corpus, assay::kEbleuColumns, options.is_softmax ? "softmax" : "l1",
      [&](int threads, double* table) {
        assay::ebleu_statistics(corpus.references, corpus.outputs, corpus.segments, vectors, options, threads, table);
      },
      [&](const assay::TokenColumn& output, const assay::TokenColumn& reference, std::size_t i) {
        return assay::reference::ebleu_row(output[i], reference[i], vectors, options);
      });
}

void random_corpora(Random& random) {
  constexpr std::array kRules{assay::EqualTokens::kNone, assay::EqualTokens::kWithoutVector, assay::EqualTokens::kAll};
  for (int i = 0; i < 120; ++i) {
    const TokenCorpus corpus(random, random.between(1, 4), random.between(0, 3), random.between(0, 25), random.between(1, 30));
    const double temperature = random.chance(50) ? 1 : 0.05 + static_cast<double>(random.below(100)) / 50;
    check_corpus(corpus, {i % 2 == 0, temperature, random.chance(20), random.chance(30), random.pick(kRules)}, random.chance(50));
  }
}

void functions() {
  CHECK_EQUAL(assay::cube_root(0.0), 0.0);
  for (int exponent = -900; exponent <= 900; ++exponent)
    for (int part = 0; part < 20; ++part) {
      const double x = std::ldexp(1 + part / 20.0, exponent);
      CHECK(std::abs(assay::cube_root(x) / std::cbrt(x) - 1) < 1e-15, x, assay::cube_root(x));
    }
  for (double x = -700; x <= 700; x += 0.117)
    CHECK(std::abs(assay::exponential(x) / std::exp(x) - 1) < 1e-15, x, assay::exponential(x));
}

}  // namespace

int main() {
  Random random(7);
  functions();
  random_corpora(random);
  return check::finish("ebleu");
}
