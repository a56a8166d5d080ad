// Compares BERTScore's precision and recall with the reference implementation; all numbers of threads give the same bytes.
#include <vector>

#include "assay/bertscore.hpp"
#include "reference/bertscore.hpp"
#include "tests/check.hpp"
#include "tests/random_tokens.hpp"

int main() {
  Random random(8);
  for (int i = 0; i < 150; ++i) {
    const TokenCorpus corpus(random, random.between(1, 4), random.between(0, 3), random.between(0, 25), random.between(1, 30));
    const assay::VectorTable vectors = corpus.vectors(i % 2 == 0);
    check_table(
        corpus, assay::kBertscoreColumns, "bertscore",
        [&](int threads, double* table) {
          assay::bertscore_statistics(corpus.references, corpus.outputs, corpus.segments, vectors, threads, table);
        },
        [&](const assay::TokenColumn& output, const assay::TokenColumn& reference, std::size_t k) {
          return std::vector{
              assay::reference::bertscore_precision(output[k], output.weights_of(k), reference[k], vectors),
              assay::reference::bertscore_precision(reference[k], reference.weights_of(k), output[k], vectors)};
        });
  }
  return check::finish("bertscore");
}
