// Compares matches of sequences with the reference implementation; all numbers of threads give the same counts.
#include <cstdint>
#include <vector>

#include "assay/sequence_matches.hpp"
#include "reference/sequence_matches.hpp"
#include "tests/check.hpp"
#include "tests/random_tokens.hpp"

namespace {

using assay::reference::Words;

void compare(Random& random, std::size_t length, std::size_t longest) {
  const TokenCorpus corpus(random, 2, 0, 40, longest);
  const std::size_t words = random.between(1, corpus.rows());
  const bool has_gaps = random.chance(50);
  std::vector<std::vector<Words>> sequences(corpus.segments);
  Words flat;
  std::vector<std::int64_t> starts{0};
  for (auto& segment : sequences) {
    for (std::size_t k = random.below(12); k > 0; --k) {
      Words& sequence = segment.emplace_back();
      if (segment.size() > 1 && random.chance(30)) sequence = segment[random.below(segment.size() - 1)];
      while (sequence.size() < length) sequence.push_back(static_cast<std::int32_t>(random.below(words)));
      flat.insert(flat.end(), sequence.begin(), sequence.end());
    }
    starts.push_back(starts.back() + static_cast<std::int64_t>(segment.size()));
  }
  const auto table = [&](int threads) {
    std::vector<std::int64_t> rows(corpus.outputs.size() * corpus.segments, 0);
    assay::sequence_matches({flat.data(), length, starts.data()}, corpus.outputs, corpus.segments, has_gaps, threads, rows.data());
    return rows;
  };
  const auto rows = table(1);
  for (const int threads : {2, 4}) CHECK(table(threads) == rows, threads);
  for (std::size_t s = 0; s < corpus.outputs.size(); ++s)
    for (std::size_t i = 0; i < corpus.segments; ++i) {
      const auto text = corpus.outputs[s][i];
      const auto right = corpus.outputs[s].present[i] ? assay::reference::sequence_matches(sequences[i], {text.begin(), text.end()}, has_gaps) : 0;
      CHECK_EQUAL(rows[s * corpus.segments + i], right, i, has_gaps, length);
    }
}

}  // namespace

int main() {
  Random random(6);
  for (int round = 0; round < 200; ++round) compare(random, random.between(1, 4), round % 10 == 0 ? 200 : 15);
  return check::finish("sequence_matches");
}
