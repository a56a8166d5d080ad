// Compares the word alignment of LEPOR with the loops of the programs and with its description.
#include <vector>

#include "assay/lepor.hpp"
#include "reference/lepor.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::LeporAlignment;
using assay::reference::LeporRow;
using Words = std::vector<assay::Symbol>;

// Reused between calls: state of one pair must not affect the next.
struct Aligners {
  assay::LeporAligner perl{LeporAlignment::perl}, perl_2013{LeporAlignment::perl_2013}, strict{LeporAlignment::strict};
};

void check_rows(assay::LeporAligner& align, const Words& reference, const Words& output, std::size_t symbols, const LeporRow& right) {
  double row[assay::kLeporColumns];
  align.assign(reference, symbols);
  align(output, row);
  CHECK_EQUAL(row[0], static_cast<double>(output.size()));
  CHECK_EQUAL(row[1], static_cast<double>(reference.size()));
  CHECK_EQUAL(row[2], static_cast<double>(right.aligned), reference, output);
  CHECK_EQUAL(row[3], right.difference, reference, output);
}

void check_pair(Aligners& aligners, const Words& reference, const Words& output, std::size_t symbols) {
  check_rows(aligners.perl, reference, output, symbols, assay::reference::perl_lepor(reference, output, true));
  check_rows(aligners.perl_2013, reference, output, symbols, assay::reference::perl_lepor(reference, output, false));
  check_rows(aligners.strict, reference, output, symbols, assay::reference::strict_lepor(reference, output));
}

// A reference has no symbol 0; in an output it stands for a word that is not in the reference.
Words random_words(Random& random, std::size_t length, std::size_t symbols, bool is_reference) {
  Words words(length);
  for (auto& word : words) word = static_cast<assay::Symbol>(is_reference ? random.between(1, symbols - 1) : random.below(symbols));
  return words;
}

}  // namespace

int main() {
  Random random(24);
  Aligners aligners;
  check_pair(aligners, {}, {}, 1);
  check_pair(aligners, {}, {0}, 1);
  check_pair(aligners, {1}, {}, 2);
  for (int round = 0; round < 6000; ++round) {
    const std::size_t symbols = random.between(2, random.chance(50) ? 6 : 80), longest = random.chance(10) ? 130 : 16;
    const Words reference = random_words(random, random.below(longest), symbols, true);
    Words output = random.chance(50) ? random_words(random, random.below(longest), symbols, false) : reference;
    for (std::size_t moves = random.below(4); moves > 0 && !output.empty(); --moves)
      std::swap(output[random.below(output.size())], output[random.below(output.size())]);
    check_pair(aligners, reference, output, symbols);
  }
  return check::finish("lepor");
}
