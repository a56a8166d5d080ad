// White space, equal texts, and widening and padding of texts.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/text.hpp"
#include "reference/text.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

void white_space_is_pythons() {
  for (char32_t c = 0; c < 0x110000; ++c)
    if (c < 0x4000 || c % 97 == 0)
      CHECK_EQUAL(assay::is_space(c), assay::reference::is_white_space(c), std::u32string(1, c));
}

void lone_surrogates_are_found(LineMaker& maker) {
  Random& random = maker.random();
  for (int i = 0; i < 5000; ++i) {
    std::u32string line = maker.line(maker.width());
    if (!line.empty() && random.chance(50))
      line[random.below(line.size())] =
          random.pick(std::u32string{0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0x1D800, 0x10DC00});
    const StoredText text(line, std::max(width_of(line), maker.width()));
    CHECK_EQUAL(assay::has_surrogate(text.view()), assay::reference::has_surrogate(line), line, text.view().width);
  }
}

void texts_are_compared_by_characters(LineMaker& maker) {
  Random& random = maker.random();
  for (int i = 0; i < 5000; ++i) {
    std::u32string line = maker.line(maker.width());
    if (random.chance(30))
      for (char32_t& c : line) c = random.pick(std::u32string{0x20, 0x09, 0xA0, 0x2003, 0x3000});
    if (!line.empty() && random.chance(20))
      line[random.below(line.size())] = random.pick(std::u32string{0x20, 0x2FF, 0x300, 0x301, 0x10300});
    const StoredText text(line, width_of(line));
    CHECK_EQUAL(assay::is_blank(text.view()), assay::reference::is_blank(line), line);
    const bool is_high = std::any_of(line.begin(), line.end(), [](char32_t c) { return c >= 0x300; });
    CHECK_EQUAL(assay::may_be_decomposed(text.view()), is_high, line);
    if (line.size() > 1 && random.chance(20)) {
      const std::size_t i = random.below(line.size() - 1);
      const std::u32string pair{random.pick(std::u32string{0xC1, 0xC2, 0xF4, 0xF5, 0x1C2}),
                                random.pick(std::u32string{0x7F, 0x80, 0xFF, 0x20AC})};
      const std::u32string changed = line.substr(0, i) + pair + line.substr(i + 2);
      bool is_found = false;
      for (std::size_t k = 1; k < changed.size(); ++k)
        is_found = is_found || (changed[k - 1] >= 0xC2 && changed[k - 1] <= 0xF4 && changed[k] >= 0x80);
      const StoredText stored(changed, width_of(changed));
      CHECK_EQUAL(assay::may_be_double_encoded(stored.view()), is_found, changed);
    }
    std::u32string other = line;
    if (!other.empty() && random.chance(50)) other[random.below(other.size())] = random.pick(std::u32string{'a', 'b', 0x300});
    if (random.chance(10)) other += U'a';
    const StoredText second(other, width_of(other));
    CHECK_EQUAL(assay::are_equal(text.view(), second.view()), line == other, line, other);
  }
  const assay::Text absent;
  CHECK(!assay::is_blank(absent) && !assay::may_be_decomposed(absent) && !assay::are_equal(absent, absent), "absent");
  CHECK(!assay::may_be_double_encoded(absent), "absent");
}

template <class Char>
void check_padding(const assay::PaddedText<Char>& padded, const std::u32string& line) {
  CHECK_EQUAL(std::u32string(padded.data(), padded.data() + padded.size()), line);
  const Char* const end = padded.data() + padded.size();
  CHECK(std::all_of(end, end + assay::PaddedText<Char>::kBlock, [](Char c) { return c == ' '; }), line);
}

// As in the kernels, one buffer is reused for many texts, so padding must be rewritten.
template <class Char>
void widened_texts_keep_their_characters(LineMaker& maker) {
  assay::PaddedText<Char> padded;
  for (int i = 0; i < 2000; ++i) {
    std::uint8_t width = maker.width();
    while (width > sizeof(Char)) width = maker.width();
    const std::u32string line = maker.line(width);
    padded.assign(StoredText(line, width).view());
    check_padding(padded, line);
    padded.assign(std::vector<Char>(line.rbegin(), line.rend()));
    check_padding(padded, std::u32string(line.rbegin(), line.rend()));
  }
}

}  // namespace

int main() {
  LineMaker maker(1);
  white_space_is_pythons();
  lone_surrogates_are_found(maker);
  texts_are_compared_by_characters(maker);
  widened_texts_keep_their_characters<std::uint8_t>(maker);
  widened_texts_keep_their_characters<std::uint16_t>(maker);
  widened_texts_keep_their_characters<std::uint32_t>(maker);
  return check::finish("text");
}
