// Compares the marks of lines with the reference implementation, and columns of marks with each other.
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/line_marks.hpp"
#include "reference/line_marks.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using Strings = std::vector<std::pair<std::u32string, std::size_t>>;

// Latin with cases (script 1), Greek with cases in part (2) and Chinese (3), which is written without spaces.
std::vector<std::uint16_t> kinds() {
  std::vector<std::uint16_t> kinds(assay::CharacterKind::characters);
  for (char32_t c = U'a'; c <= U'z'; ++c) kinds[c] = 1 << 4 | 2, kinds[c - 32] = 1 << 4 | 1;
  for (char32_t c = 0xC0; c < 0x100; ++c) kinds[c] = static_cast<std::uint16_t>(1 << 4 | (c < 0xE0 ? 1 : 2));
  for (char32_t c = 0x391; c < 0x3CA; ++c) kinds[c] = static_cast<std::uint16_t>(2 << 4 | c % 3);
  for (char32_t c = 0x4E00; c < 0x9FFF; ++c) kinds[c] = 3 << 4;
  return kinds;
}

// Parts of random lines, so that they are often found, at any place or only at an end.
Strings strings(LineMaker& maker) {
  Random& random = maker.random();
  Strings found;
  for (std::size_t i = 0; i < 40; ++i) {
    std::u32string string = maker.line(random.between(1, 4), random.chance(50) ? 1 : 2);
    if (string.front() == U'\n' || string.back() == U'\n') continue;
    if (random.chance(30)) string = random.chance(50) ? U"\n" + string : string + U"\n";
    found.emplace_back(string, random.below(assay::kStrings));
  }
  return found;
}

std::u32string line(LineMaker& maker) {
  Random& random = maker.random();
  std::u32string made = maker.line(maker.width());
  if (random.chance(30))
    for (char32_t& c : made)
      if (random.chance(70)) c = random.pick(std::u32string{0x4E2D, 0x4E2D, U' ', U'A', 0x3B1, 0x3B2, 0x1F600});
  return made;
}

void compare(LineMaker& maker) {
  const Strings wanted = strings(maker);
  const assay::LineMarker marker(kinds(), wanted, 1u << 3);
  const assay::reference::LineMarker right{kinds(), wanted, 1u << 3};
  for (std::size_t i = 0; i < 100; ++i) {
    const std::u32string text = line(maker);
    const StoredText stored(text, std::max(width_of(text), maker.width()));
    const assay::LineMark found = marker.mark(stored.view()), expected = right.mark(text);
    CHECK_EQUAL(found.marks, expected.marks, text);
    CHECK_EQUAL(found.start, expected.start, text);
    CHECK_EQUAL(found.length, expected.length, text);
    CHECK_EQUAL(found.letters, expected.letters, text);
    CHECK_EQUAL(found.script, expected.script, text);
    CHECK_EQUAL(found.is_pure, expected.is_pure, text);
  }
  CHECK_EQUAL(marker.mark({}).length, 0u);
}

void columns_are_compared_line_by_line(Random& random) {
  constexpr std::size_t size = 50;
  std::vector<std::vector<assay::LineMark>> lines(3, std::vector<assay::LineMark>(size));
  std::vector<assay::LineMarks> columns(3, assay::LineMarks(size));
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < size; ++i) {
      assay::LineMark& line = lines[k][i];
      line.length = static_cast<std::uint32_t>(random.below(4) * 10);
      if (line.length > 0) line.marks = random.bits() & random.bits();
      line.start = random.below(2);
      line.letters = static_cast<std::uint32_t>(random.below(40));
      line.script = static_cast<std::uint8_t>(random.below(3));
      line.is_pure = random.chance(70);
      columns[k].put(i, line);
    }
  const auto& [own, other, third] = std::tie(lines[0], lines[1], lines[2]);
  std::vector<std::size_t> counts(assay::kMarks), marked, in_other_script, longer, of_same_start;
  const std::size_t mark = random.below(assay::kMarks);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t m = 0; m < assay::kMarks; ++m) {
      const auto has = [&](const assay::LineMark& line) { return (line.marks >> m) % 2 == 1; };
      if (!has(own[i]) || has(other[i]) || has(third[i]) || other[i].length == 0 || third[i].length == 0) continue;
      ++counts[m];
      if (m == mark) marked.push_back(i);
    }
    if (own[i].script != other[i].script && own[i].is_pure && other[i].is_pure && own[i].letters >= 20 && other[i].letters >= 20)
      in_other_script.push_back(i);
    if (own[i].length > 0 && other[i].length > 0 && own[i].length >= 2 * other[i].length) longer.push_back(i);
    if (own[i].start == other[i].start && own[i].length >= 12 && other[i].length >= 12) of_same_start.push_back(i);
  }
  const std::vector<const assay::LineMarks*> others{&columns[1], &columns[2]};
  const auto found = columns[0].counts(others);
  CHECK_EQUAL(std::vector<std::size_t>(found.begin(), found.end()), counts);
  CHECK_EQUAL(columns[0].lines(mark, others), marked);
  CHECK_EQUAL(columns[0].in_other_script(columns[1], 20), in_other_script);
  CHECK_EQUAL(columns[0].of_length(columns[1], 2, 1e9), longer);
  CHECK_EQUAL(columns[0].of_same_start(columns[1]), of_same_start);
}

}  // namespace

int main() {
  LineMaker maker(1);
  for (std::size_t round = 0; round < 40; ++round) compare(maker);
  for (std::size_t round = 0; round < 40; ++round) columns_are_compared_line_by_line(maker.random());
  return check::finish("line_marks");
}
