// Compares YiSi's precision and recall with the reference implementation; all numbers of threads give the same bytes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "assay/yisi.hpp"
#include "reference/cosines.hpp"
#include "reference/yisi.hpp"
#include "tests/check.hpp"
#include "tests/random_tokens.hpp"

namespace {

std::vector<double> expected(const assay::TokenColumn& output, const assay::TokenColumn& reference, std::size_t i, std::size_t n,
                             const assay::reference::PairSimilarity& similarity) {
  const auto reversed = [&](std::int32_t a, std::int32_t b) { return similarity(b, a); };
  return {assay::reference::yisi_precision(output[i], output.weights_of(i), reference[i], n, similarity),
          assay::reference::yisi_precision(reference[i], reference.weights_of(i), output[i], n, reversed)};
}

void by_vectors(const TokenCorpus& corpus, std::size_t n, assay::EqualTokens rule) {
  const assay::VectorTable vectors = corpus.vectors(false);
  check_table(
      corpus, assay::kYisiColumns, "vectors",
      [&](int threads, double* table) {
        assay::yisi_statistics<assay::VectorSimilarities>(corpus.references, corpus.outputs, corpus.segments, n, threads,
                                                          table, vectors, rule);
      },
      [&](const assay::TokenColumn& output, const assay::TokenColumn& reference, std::size_t i) {
        return expected(output, reference, i, n, [&](std::int32_t a, std::int32_t b) {
          return std::clamp(assay::reference::similarity(vectors, rule, a, b), 0.0, 1.0);
        });
      });
}

void by_form(Random& random, const TokenCorpus& corpus, std::size_t n, bool is_exact) {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> starts{0};
  for (std::size_t row = 0; row < corpus.rows(); ++row) {
    for (std::size_t k = random.between(1, 12); k > 0; --k) bytes.push_back(static_cast<std::uint8_t>('a' + random.below(3)));
    starts.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  const assay::WordBytes words{bytes.data(), starts.data()};
  check_table(
      corpus, assay::kYisiColumns, is_exact ? "exact" : "lcs",
      [&](int threads, double* table) {
        assay::yisi_statistics<assay::FormSimilarities>(corpus.references, corpus.outputs, corpus.segments, n, threads, table,
                                                        words, is_exact);
      },
      [&](const assay::TokenColumn& output, const assay::TokenColumn& reference, std::size_t i) {
        return expected(output, reference, i, n, [&](std::int32_t a, std::int32_t b) {
          if (a == b || is_exact) return a == b ? 1.0 : 1e-5;
          return 2 * static_cast<double>(assay::reference::longest_common_substring(words[a], words[b])) /
                 static_cast<double>(words[a].size() + words[b].size());
        });
      });
}

}  // namespace

int main() {
  Random random(9);
  constexpr std::array kRules{assay::EqualTokens::kNone, assay::EqualTokens::kWithoutVector, assay::EqualTokens::kAll};
  for (int i = 0; i < 120; ++i) {
    const TokenCorpus corpus(random, random.between(1, 4), random.between(0, 3), random.between(0, 25), random.between(1, 30));
    by_vectors(corpus, random.between(1, 5), random.pick(kRules));
    by_form(random, corpus, random.between(1, 5), i % 4 == 0);
  }
  return check::finish("yisi");
}
