// Compares both TERs with the reference implementations: small alphabets, moved blocks, paths that hit the beam, very
// different lengths.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "assay/ter.hpp"
#include "assay/ter_moses.hpp"
#include "reference/ter.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::Symbol;
using Words = std::vector<Symbol>;

Words random_words(Random& random, std::size_t length, std::size_t symbols) {
  Words out(length);
  for (Symbol& symbol : out) symbol = static_cast<Symbol>(random.between(1, symbols - 1));
  return out;
}

// Moves blocks, and drops, repeats and replaces words by unknown ones.
Words variation(Random& random, Words words, std::size_t edits) {
  for (; edits > 0 && !words.empty(); --edits) {
    const std::size_t from = random.below(words.size()), to = std::min(words.size(), from + random.between(1, 13));
    const auto at = [&](std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); };
    const Words block(at(from), at(to));
    switch (random.below(5)) {
      case 0: words[from] = 0; break;
      case 1: words.erase(at(from)); break;
      case 2: words.insert(at(random.below(words.size() + 1)), words[from]); break;
      default:
        words.erase(at(from), at(to));
        words.insert(at(random.below(words.size() + 1)), block.begin(), block.end());
    }
  }
  return words;
}

// One object for all pairs: state of one pair must not affect the next.
void check_pair(const Words& reference, const Words& output, std::size_t symbols, bool also_moses) {
  static assay::Positions positions;
  static assay::Ter ter;
  static assay::MosesTer moses_ter;
  static assay::Effort effort;
  positions.assign(reference, symbols);
  CHECK_EQUAL(ter(reference, positions, output, symbols), assay::reference::ter(output, reference), reference, output);
  if (also_moses)
    CHECK_EQUAL(moses_ter(reference, output, symbols, effort), assay::reference::moses_ter(reference, output), reference, output);
}

void random_pairs(Random& random, std::size_t longest, int pairs, bool also_moses) {
  for (int i = 0; i < pairs; ++i) {
    const std::size_t symbols = random.pick(std::vector<std::size_t>{2, 3, 4, 6, 12, 40, 500});
    const Words reference = random_words(random, random.below(longest + 1), symbols);
    Words output = random.chance(20) ? random_words(random, random.below(longest + 1), symbols)
                                     : variation(random, reference, random.below(8));
    if (random.chance(5)) output.resize(std::min<std::size_t>(output.size(), random.below(4)));
    check_pair(reference, output, symbols, also_moses);
  }
}

// Long blocks that swap places: the path that matches them leaves the beam. A shift may bring it back into the beam and thus
// gain more than two edits per word, which happens for one pair in two hundred.
void beams_that_bite(Random& random) {
  for (int i = 0; i < 250; ++i) {
    const std::size_t symbols = random.pick(std::vector<std::size_t>{30, 60, 200});
    const Words reference = random_words(random, random.between(50, 110), symbols);
    Words output = reference;
    const auto at = [&](std::size_t k) { return output.begin() + static_cast<std::ptrdiff_t>(k); };
    for (std::size_t moves = random.between(1, 3); moves > 0; --moves) {
      const std::size_t from = random.below(output.size()), middle = std::min(output.size(), from + random.between(1, 40));
      std::rotate(at(from), at(middle), at(random.between(middle, output.size())));
    }
    for (std::size_t edits = random.below(20); edits > 0; --edits) output[random.below(output.size())] = 0;
    if (random.chance(50)) output.resize(output.size() - random.below(25));
    check_pair(reference, output, symbols, false);
  }
}

// All pairs of short sequences over two words, with an unknown word in the output.
void every_short_pair() {
  std::vector<Words> references{{}}, outputs{{}};
  for (std::size_t i = 0; references[i].size() < 4; ++i)
    for (const Symbol symbol : {1, 2}) references.push_back(references[i]), references.back().push_back(symbol);
  for (std::size_t i = 0; outputs[i].size() < 4; ++i)
    for (const Symbol symbol : {0, 1, 2}) outputs.push_back(outputs[i]), outputs.back().push_back(symbol);
  for (const Words& reference : references)
    for (const Words& output : outputs) check_pair(reference, output, 3, !reference.empty() && !output.empty());
}

// If the length ratio exceeds 50, the width of the beam is half that ratio plus 25.
void very_different_lengths(Random& random) {
  for (const auto& [reference, output] : std::vector<std::pair<std::size_t, std::size_t>>{
           {51, 1}, {120, 1}, {140, 2}, {300, 5}, {100, 2}, {101, 2}, {3, 150}, {24, 120}, {25, 120}, {64, 10}})
    for (int i = 0; i < 6; ++i)
      check_pair(random_words(random, reference, 5), random_words(random, output, 5), 5, false);
}

// Too many different words for a bit vector of each, and too many words to compute the distance without a beam.
void long_pairs(Random& random) {
  const Words many = random_words(random, 1100, 4000), longer = random_words(random, 4300, 3000);
  check_pair(many, variation(random, many, 6), 4000, true);
  check_pair(longer, variation(random, longer, 2), 3000, false);
}

}  // namespace

int main() {
  Random random(12);
  every_short_pair();
  random_pairs(random, 12, 1500, true);
  random_pairs(random, 30, 150, true);
  random_pairs(random, 60, 30, true);
  random_pairs(random, 100, 12, false);
  very_different_lengths(random);
  beams_that_bite(random);
  long_pairs(random);
  return check::finish("ter");
}
