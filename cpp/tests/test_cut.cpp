// Compares cuts of outputs without line breaks with the reference implementation, and their edits with those of all ways to cut.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "assay/cut.hpp"
#include "reference/cut.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::Symbol;

std::vector<Symbol> random_symbols(Random& random, std::size_t length, std::size_t symbols) {
  std::vector<Symbol> out(length);
  for (Symbol& symbol : out) symbol = static_cast<Symbol>(random.below(symbols));
  return out;
}

// The reference with some words changed, left out or added.
std::vector<Symbol> edited(Random& random, const std::vector<Symbol>& text, std::size_t symbols, std::size_t percent) {
  std::vector<Symbol> out;
  for (const Symbol symbol : text) {
    if (random.chance(percent)) out.push_back(static_cast<Symbol>(random.below(symbols)));
    if (!random.chance(percent)) out.push_back(random.chance(percent) ? static_cast<Symbol>(random.below(symbols)) : symbol);
  }
  return out;
}

// Segments of any number of words, also none.
std::vector<std::int64_t> random_starts(Random& random, std::size_t length, std::size_t longest) {
  std::vector<std::int64_t> starts{0};
  while (static_cast<std::size_t>(starts.back()) < length)
    starts.push_back(static_cast<std::int64_t>(std::min(length, static_cast<std::size_t>(starts.back()) + random.below(longest + 1))));
  if (starts.size() == 1) starts.push_back(0);
  return starts;
}

std::int64_t total(const std::vector<assay::Cut>& cuts) {
  return std::accumulate(cuts.begin(), cuts.end(), std::int64_t{0}, [](std::int64_t sum, const assay::Cut& cut) { return sum + cut.edits; });
}

std::vector<assay::Place> places_of(const std::vector<int>& kinds) {
  std::vector<assay::Place> places;
  for (const int kind : kinds) places.push_back(static_cast<assay::Place>(kind));
  return places;
}

void check_cuts(assay::Cutter& cutter, const std::vector<Symbol>& reference, const std::vector<std::int64_t>& starts,
                const std::vector<Symbol>& output, const std::vector<int>& kinds, std::size_t symbols) {
  const auto cuts = cutter(reference, starts, output, places_of(kinds), symbols);
  const auto expected = assay::reference::cut(reference, starts, output, kinds);
  CHECK_EQUAL(cuts.size(), expected.size());
  std::int64_t before = 0;
  for (std::size_t s = 0; s < cuts.size(); ++s) {
    CHECK_EQUAL(cuts[s].end, expected[s].end, reference, output, starts, s);
    CHECK_EQUAL(cuts[s].first, expected[s].first, reference, output, starts, s);
    CHECK_EQUAL(cuts[s].last, expected[s].last, reference, output, starts, s);
    CHECK_EQUAL(cuts[s].edits, expected[s].edits, reference, output, starts, s);
    CHECK(before <= cuts[s].end && cuts[s].first <= cuts[s].end && cuts[s].end <= cuts[s].last, s);
    before = cuts[s].end;
  }
  CHECK_EQUAL(before, static_cast<std::int64_t>(output.size()));
  const std::int64_t distance = assay::reference::edit_distance(output, reference);
  if (std::ranges::count(kinds, 0) == 0) CHECK_EQUAL(total(cuts), distance, reference, output, starts);
  else CHECK(total(cuts) >= distance, reference, output, starts);
}

// An output that equals the reference has its segments, however long it is.
void check_long(assay::Cutter& cutter, Random& random) {
  std::vector<Symbol> text(30'000);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<Symbol>(i);
  const auto starts = random_starts(random, text.size(), 60);
  const std::vector<assay::Place> places(text.size(), assay::Place::allowed);
  const auto cuts = cutter(text, starts, text, places, text.size());
  CHECK_EQUAL(total(cuts), std::int64_t{0});
  for (std::size_t s = 0; s < cuts.size(); ++s) CHECK_EQUAL(cuts[s].end, starts[s + 1], s);
}

}  // namespace

int main() {
  Random random(39);
  assay::Cutter cutter;  // reused: state of one pair must not affect the next
  for (int round = 0; round < 1500; ++round) {
    const std::size_t symbols = random.between(1, 30), length = random.below(round % 50 == 0 ? 150 : 20);
    const auto reference = random_symbols(random, length, symbols);
    const auto output = round % 3 == 0 ? random_symbols(random, random.below(20), symbols)
                                       : edited(random, reference, symbols, random.pick(std::vector<std::size_t>{0, 5, 20, 50}));
    std::vector<int> kinds(output.size());
    for (int& kind : kinds) kind = random.chance(25) ? 2 : round % 4 != 0 || random.chance(70) ? 1 : 0;
    const auto starts = random_starts(random, reference.size(), random.between(1, 12));
    check_cuts(cutter, reference, starts, output, kinds, symbols);
    if (length < 12 && output.size() < 12 && round % 4 != 0)
      CHECK_EQUAL(total(cutter(reference, starts, output, places_of(kinds), symbols)), assay::reference::least_edits(reference, starts, output));
  }
  check_long(cutter, random);
  return check::finish("cut");
}
