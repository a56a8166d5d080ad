// Compares edit distance, CDER and words in common with the reference implementations.
#include <cstdint>
#include <vector>

#include "assay/cder.hpp"
#include "assay/edit.hpp"
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
};

void check_pair(Kernels& kernels, const std::vector<Symbol>& reference, const std::vector<Symbol>& output,
                std::size_t symbols) {
  kernels.positions.assign(reference, symbols);
  CHECK_EQUAL(kernels.distance(kernels.positions, output), assay::reference::edit_distance(output, reference), reference, output);
  CHECK_EQUAL(static_cast<std::int64_t>(kernels.common(reference, output, symbols)),
              assay::reference::words_in_common(output, reference), reference, output);
  for (std::size_t first = 0; first < reference.size(); first += 7)
    for (const Symbol symbol : {reference[first], reference.back()})
      for (std::size_t bit = 0; bit < 64; ++bit)
        CHECK_EQUAL(kernels.positions.window(symbol, first) >> bit & 1,
                    std::uint64_t{first + bit < reference.size() && reference[first + bit] == symbol}, first, bit);
  kernels.positions.assign(output, symbols);
  CHECK_EQUAL(kernels.cder(kernels.positions, reference), assay::reference::cder(output, reference), reference, output);
}

// A reference has no symbol 0; in an output it stands for a word that is not in the reference.
std::vector<Symbol> random_symbols(Random& random, std::size_t length, std::size_t symbols, bool is_reference) {
  std::vector<Symbol> out(length);
  for (Symbol& symbol : out) symbol = static_cast<Symbol>(is_reference ? random.between(1, symbols - 1) : random.below(symbols));
  return out;
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
  return check::finish("edit");
}
