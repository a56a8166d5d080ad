// Compares clipped matches of multisets with the reference implementation; all numbers of threads give the same counts.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "assay/clipped_matches.hpp"
#include "reference/clipped_matches.hpp"
#include "tests/check.hpp"
#include "tests/random_tokens.hpp"

namespace {

void compare(Random& random, std::size_t references, std::size_t systems, std::size_t longest) {
  const TokenCorpus corpus(random, systems, references, 40, longest);
  const std::size_t group_count = random.below(5);
  std::vector<std::int32_t> groups;
  for (std::size_t i = 0; i < corpus.rows(); ++i) groups.push_back(static_cast<std::int32_t>(random.below(group_count + 1)) - 1);
  const std::size_t columns = assay::kClippedColumns * group_count;
  const auto table = [&](int threads) {
    std::vector<std::int64_t> rows(references * systems * corpus.segments * columns, 0);
    assay::clipped_matches(corpus.references, corpus.outputs, corpus.segments, groups, group_count, threads, rows.data());
    return rows;
  };
  const auto rows = table(1);
  for (const int threads : {2, 4}) CHECK(table(threads) == rows, threads);
  auto row = rows.begin();
  for (const auto& reference : corpus.references)
    for (const auto& output : corpus.outputs)
      for (std::size_t i = 0; i < corpus.segments; ++i) {
        const std::vector<std::int64_t> found(row, row + static_cast<std::ptrdiff_t>(columns));
        std::vector<std::int64_t> right(columns, 0);
        if (reference.present[i] && output.present[i])
          right = assay::reference::clipped_matches(reference[i], output[i], groups, static_cast<std::int32_t>(group_count));
        CHECK_EQUAL(found, right, i);
        row += static_cast<std::ptrdiff_t>(columns);
      }
}

}  // namespace

int main() {
  Random random(5);
  for (int round = 0; round < 60; ++round) compare(random, random.between(1, 3), random.between(1, 3), round % 10 == 0 ? 300 : 12);
  return check::finish("clipped_matches");
}
