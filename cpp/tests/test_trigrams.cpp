// Trigrams of lines that are in lines of another column.
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "assay/trigrams.hpp"
#include "reference/trigrams.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

int main() {
  Random random(11);
  for (int i = 0; i < 500; ++i) {
    const std::size_t size = random.below(20), others = 1 + random.below(10), buckets = 1 + random.below(40);
    std::vector<std::set<std::int64_t>> sets(others);
    const auto table = std::make_unique<bool[]>(others * buckets);
    for (std::size_t o = 0; o < others; ++o)
      for (std::size_t b = 0; b < buckets; ++b)
        if (random.chance(30)) {
          sets[o].insert(static_cast<std::int64_t>(b));
          table[o * buckets + b] = true;
        }
    std::vector<std::int64_t> lines, hashes, rows, expected;
    for (std::size_t l = 0; l < size; ++l) {
      std::vector<std::int64_t> own(random.below(12));
      for (auto& hash : own) hash = static_cast<std::int64_t>(random.below(buckets));
      lines.insert(lines.end(), own.size(), static_cast<std::int64_t>(l));
      hashes.insert(hashes.end(), own.begin(), own.end());
      rows.push_back(static_cast<std::int64_t>(random.below(others)));
      expected.push_back(assay::reference::count_trigrams(own, sets[static_cast<std::size_t>(rows.back())]));
    }
    std::vector<std::int64_t> counts(size);
    assay::count_trigrams({lines, hashes}, table.get(), buckets, rows.data(), counts.data());
    CHECK(counts == expected, size, others, buckets);
  }
  return check::finish("trigrams");
}
