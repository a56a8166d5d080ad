// Compares edit distance, CDER and words in common with the reference implementations.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "assay/cder.hpp"
#include "assay/edit.hpp"
#include "assay/ter.hpp"
#include "assay/ter_moses.hpp"
#include "reference/edit.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::Symbol;

// Reused between calls: state of one pair must not affect the next.
struct Kernels {
  assay::Positions positions;
  assay::EditDistance distance;
  assay::Cder cder;
  assay::WordsInCommon common;
  assay::Effort effort;
};

// Where in the 64 words from this one the symbol stands.
std::uint64_t window(const std::vector<Symbol>& reference, Symbol symbol, std::size_t first) {
  std::uint64_t places = 0;
  for (std::size_t bit = 0; bit < 64 && first + bit < reference.size(); ++bit)
    places |= std::uint64_t{reference[first + bit] == symbol} << bit;
  return places;
}

void check_pair(Kernels& kernels, const std::vector<Symbol>& reference, const std::vector<Symbol>& output,
                std::size_t symbols) {
  kernels.positions.assign(reference, symbols);
  CHECK_EQUAL(kernels.distance(kernels.positions, output, kernels.effort), assay::reference::edit_distance(output, reference), reference, output);
  CHECK_EQUAL(static_cast<std::int64_t>(kernels.common(reference, output, symbols)),
              assay::reference::words_in_common(output, reference), reference, output);
  for (std::size_t first = 0; first < reference.size(); first += 7)
    for (const Symbol symbol : {reference[first], reference.back()})
      CHECK_EQUAL(kernels.positions.window(symbol, first), window(reference, symbol, first), symbol, first);
  kernels.positions.assign(output, symbols);
  CHECK_EQUAL(kernels.cder(kernels.positions, reference, kernels.effort), assay::reference::cder(output, reference), reference, output);
}

// A reference has no symbol 0; in an output it stands for a word that is not in the reference.
std::vector<Symbol> random_symbols(Random& random, std::size_t length, std::size_t symbols, bool is_reference) {
  std::vector<Symbol> out(length);
  for (Symbol& symbol : out) symbol = static_cast<Symbol>(is_reference ? random.between(1, symbols - 1) : random.below(symbols));
  return out;
}

// The symbols that a reference may have.
std::vector<Symbol> without_unknown(std::vector<Symbol> symbols) {
  std::erase(symbols, Symbol{0});
  return symbols;
}

// Long references: a band around the diagonal, and lists of positions if there are many different symbols. One symbol is
// frequent, so that it keeps a bit vector. Few edits, a moved block, a difference in length, nothing in common.
void check_long_pairs(Kernels& kernels, Random& random) {
  for (const std::size_t symbols : {3, 100, 4000}) {
    std::vector<Symbol> reference = random_symbols(random, 1300, symbols, true);
    for (std::size_t i = 0; i < reference.size(); i += random.between(1, 5)) reference[i] = 1;
    const auto at = [&](std::vector<Symbol>& sequence, std::size_t i) { return sequence.begin() + static_cast<std::ptrdiff_t>(i); };
    std::vector<std::vector<Symbol>> outputs{reference, random_symbols(random, 1400, symbols, false), {}, {1}};
    for (const std::size_t edits : {1, 200}) {
      outputs.push_back(reference);
      for (std::size_t i = 0; i < edits; ++i) {
        std::vector<Symbol>& output = outputs.back();
        const std::size_t place = random.below(output.size());
        if (random.chance(40)) output.erase(at(output, place));
        else if (random.chance(50)) output.insert(at(output, place), static_cast<Symbol>(random.below(symbols)));
        else output[place] = 0;
      }
    }
    for (const std::size_t moved : {40, 600}) {
      outputs.push_back(reference);
      std::rotate(outputs.back().begin(), at(outputs.back(), moved), outputs.back().end());
    }
    outputs.emplace_back(reference.begin(), at(reference, 900));
    outputs.emplace_back(at(reference, 500), reference.end());
    for (const auto& output : outputs) {
      check_pair(kernels, reference, output, symbols);
      check_pair(kernels, output.empty() ? reference : without_unknown(output), reference, symbols);
    }
  }
}

// The memory of positions is linear in the text: with a bit vector for each symbol, this would be 450 MB.
void check_many_symbols(Kernels& kernels) {
  std::vector<Symbol> reference(60'000);
  std::iota(reference.begin(), reference.end(), Symbol{1});
  std::vector<Symbol> output = reference;
  for (std::size_t i = 0; i < output.size(); i += 3'000) output[i] = 0;
  kernels.positions.assign(reference, reference.size() + 1);
  CHECK_EQUAL(kernels.distance(kernels.positions, output, kernels.effort), std::int64_t{20});
  CHECK_EQUAL(assay::MosesTer()(reference, output, reference.size() + 1, kernels.effort), std::int64_t{20});
  CHECK_EQUAL(assay::Ter()(reference, kernels.positions, output, reference.size() + 1), std::int64_t{20});
  CHECK_EQUAL(assay::Ter()(reference, kernels.positions, std::span(output).first(1000), reference.size() + 1),
              std::int64_t{60'000});  // the beam rules out every match
}

// Distances above 99999, which tercpp takes for infinity.
void check_large_distances(Kernels& kernels) {
  const std::vector<Symbol> text(100'200, 1), unknown(3, 0);
  CHECK_EQUAL(assay::MosesTer()(text, unknown, 2, kernels.effort), std::int64_t{100'200});
  CHECK_EQUAL(assay::MosesTer()(unknown, text, 2, kernels.effort), std::int64_t{100'200});
  CHECK_EQUAL(assay::MosesTer()(text, std::span(text).first(100), 2, kernels.effort), std::int64_t{100'100});
}

// Work beyond the limit is refused before it is done, and what has little work is not.
void check_limit(Kernels& kernels, Random& random) {
  const auto reference = random_symbols(random, 100'000, 50, true), output = random_symbols(random, 100'000, 50, true);
  assay::Effort effort(100'000'000);
  kernels.positions.assign(reference, 50);
  CHECK_EQUAL(kernels.distance(kernels.positions, reference, effort), std::int64_t{0});
  for (int kernel = 0; kernel < 3; ++kernel) {
    bool is_refused = false;
    try {
      effort.start();
      if (kernel == 0) kernels.distance(kernels.positions, output, effort);
      if (kernel == 1) kernels.cder(kernels.positions, output, effort);
      if (kernel == 2) assay::MosesTer()(reference, output, 50, effort);
    } catch (const assay::TooMuchWork&) {
      is_refused = true;
    }
    CHECK(is_refused, kernel);
  }
}

}  // namespace

int main() {
  Random random(11);
  Kernels kernels;
  const std::vector<std::size_t> lengths{0, 1, 2, 5, 20, 62, 63, 64, 65, 66, 127, 128, 129, 200};
  for (const std::size_t symbols : {2, 3, 6, 40, 300})
    for (const std::size_t reference : lengths)
      for (const std::size_t output : lengths)
        check_pair(kernels, random_symbols(random, reference, symbols, true), random_symbols(random, output, symbols, false), symbols);
  check_long_pairs(kernels, random);
  check_many_symbols(kernels);
  check_large_distances(kernels);
  check_limit(kernels, random);
  return check::finish("edit");
}
