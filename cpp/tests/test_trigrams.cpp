// Similarities of lines by their rare trigrams, at every width of characters.
#include <cstdint>
#include <string>
#include <vector>

#include "assay/trigrams.hpp"
#include "reference/trigrams.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

template <class Char>
assay::LineTrigrams hashed(const std::vector<std::u32string>& lines) {
  assay::LineTrigrams trigrams;
  for (const auto& line : lines) {
    const std::basic_string<Char> text(line.begin(), line.end());
    trigrams.add({text.data(), text.size(), sizeof(Char)});
  }
  return trigrams;
}

std::vector<std::u32string> random_lines(Random& random, std::size_t count, char32_t first) {
  std::vector<std::u32string> lines(count);
  for (auto& line : lines)
    for (std::size_t left = random.below(12); left > 0; --left)
      line += random.chance(5) ? U'\n' : first + static_cast<char32_t>(random.below(4));
  return lines;
}

template <class Char>
void compare(Random& random, char32_t first) {
  for (int i = 0; i < 300; ++i) {
    const std::size_t size = 1 + random.below(20);
    const auto references = random_lines(random, size, first), outputs = random_lines(random, size, first);
    const double share = random.pick(std::vector<double>{0.1, 0.3, 0.9});
    const assay::TrigramTable table(hashed<Char>(references), share);
    const assay::LineTrigrams rare = table.rare(hashed<Char>(outputs));
    const auto expected_rare = assay::reference::rare_trigrams(references, share);
    const std::size_t offset = random.below(size);
    std::vector<double> found(size), expected;
    table.similarities(rare, offset, found.data());
    for (std::size_t l = 0; l < size; ++l)
      expected.push_back(assay::reference::dice(outputs[l], references[(l + offset) % size], expected_rare));
    CHECK(found == expected, found, expected, size, offset, share);
  }
}

void absent_text() {
  assay::LineTrigrams trigrams;
  trigrams.add({});
  CHECK_EQUAL(trigrams.line(0).size(), std::size_t{0});
}

}  // namespace

int main() {
  Random random(11);
  compare<std::uint8_t>(random, U'a');
  compare<std::uint16_t>(random, U'\u4e00');
  compare<std::uint32_t>(random, U'\U0001f600');
  absent_text();
  return check::finish("trigrams");
}
