// Compares the bit-parallel tokenisers with the substitutions that define them.
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/tokenize.hpp"
#include "reference/tokenize.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

constexpr std::array<const char*, 18> kTokenizers{
    "13a", "intl", "zh", "char", "none", "space", "mteval", "mteval-lower", "mteval-intl", "mteval-intl-split", "tercom",
    "tercom+normalized", "tercom+asian", "tercom+no_punct", "tercom+normalized+asian", "tercom+normalized+no_punct",
    "tercom+asian+no_punct", "tercom+normalized+asian+no_punct"};
constexpr std::array<const char*, 8> kTokenizersWithRules{
    "13a", "intl", "zh", "mteval", "mteval-intl", "mteval-intl-split", "tercom+normalized",
    "tercom+normalized+asian+no_punct"};

// Scratch memory is reused for all lines: state of one line must not affect the next.
template <class Char>
std::vector<std::u32string> fast(const char* tokenizer, const StoredText& text) {
  static assay::Tokenizer::Scratch<Char> scratch;
  assay::Tokenizer::named(tokenizer)(text.view(), scratch);
  std::vector<std::u32string> tokens;
  for (const auto& token : scratch.tokens) tokens.emplace_back(token.start, token.start + token.length);
  return tokens;
}

// A segment may be processed at a larger width than that of the text.
std::vector<std::u32string> fast(const char* tokenizer, const StoredText& text, std::uint8_t width) {
  switch (width) {
    case 1: return fast<std::uint8_t>(tokenizer, text);
    case 2: return fast<std::uint16_t>(tokenizer, text);
    default: return fast<std::uint32_t>(tokenizer, text);
  }
}

void check_line(const char* tokenizer, const std::u32string& line, std::uint8_t width) {
  CHECK_EQUAL(fast(tokenizer, StoredText(line), width), assay::reference::tokenize(tokenizer, line), tokenizer, line,
              width);
}

void check_line(const char* tokenizer, const std::u32string& line) { check_line(tokenizer, line, width_of(line)); }

// The reference implementation could be wrong too: a few lines whose tokens are known from sacreBLEU.
void known_lines() {
  struct Known {
    const char* tokenizer;
    std::u32string line;
    std::vector<std::u32string> tokens;
  };
  const std::vector<Known> lines{
      {"13a", U"Hello, world.", {U"Hello", U",", U"world", U"."}},
      {"13a", U"It cost $1,000.50 (net).", {U"It", U"cost", U"$", U"1,000.50", U"(", U"net", U")", U"."}},
      {"13a", U"1990-1995, pre-war", {U"1990", U"-", U"1995", U",", U"pre-war"}},
      {"13a", U"&amp;lt; AT&amp;T &quot;x&quot;", {U"<", U"AT", U"&", U"T", U"\"", U"x", U"\""}},
      {"13a", U"hyphen-\nated <skipped>line", {U"hyphenated", U"line"}},
      {"13a", U".5", {U".", U"5"}},
      {"zh", U".5", {U".5"}},
      {"zh", U"\u4E2D\u6587abc 1.5\u3002", {U"\u4E2D", U"\u6587", U"abc", U"1.5", U"\u3002"}},
      {"zh", U"\U00020000\U00020001", {U"\U00020000\U00020001"}},
      {"intl", U"\u00ABa\u00BB 1.5 \u20AC2", {U"\u00AB", U"a", U"\u00BB", U"1.5", U"\u20AC", U"2"}},
      {"intl", U"x-y 3-4", {U"x", U"-", U"y", U"3-4"}},
      {"char", U"a b\u3000c", {U"a", U"b", U"c"}},
      {"none", U" a,b\u2003c. ", {U"a,b", U"c."}},
      {"space", U" a,b\u2003c.  d\t ", {U"a,b\u2003c.", U"d\t"}},
      {"mteval", U"A-\n", {U"A"}},
      {"mteval-lower", U"&AMP; &amp; \u00C4A", {U"&", U"amp", U";", U"&", U"\u00C4a"}},
      {"mteval-intl", U"3. ", {U"3", U"."}},
      {"mteval-intl-split", U"P\u0159\u00ED li", {U"P", U"\u0159", U"\u00ED", U"li"}},
      {"space", U" a\tb  c\u2003 ", {U"a\tb", U"c\u2003"}},
      {"tercom+normalized", U"jim's car's. (it's)", {U"jim", U"'s", U"car's", U".", U"(", U"it", U"'s", U")"}},
      {"tercom+normalized+asian", U"\u6211's\u6211 \u3F22\u3F23", {U"\u6211", U"'s", U"\u6211", U"\u3F22", U"\u3F23"}},
      {"tercom+no_punct", U"a,b ! 3.5", {U"ab", U"35"}},
  };
  for (const Known& known : lines) {
    CHECK_EQUAL(fast(known.tokenizer, StoredText(known.line), width_of(known.line)), known.tokens, known.tokenizer);
    CHECK_EQUAL(assay::reference::tokenize(known.tokenizer, known.line), known.tokens, known.tokenizer);
  }
}

// Calls visit(line) for every line of this length over this alphabet.
template <class Visit>
void for_each_line(const std::u32string& alphabet, std::size_t length, Visit visit) {
  std::size_t lines = 1;
  for (std::size_t i = 0; i < length; ++i) lines *= alphabet.size();
  std::u32string line(length, U'\0');
  for (std::size_t number = 0; number < lines; ++number) {
    std::size_t digits = number;
    for (char32_t& c : line) {
      c = alphabet[digits % alphabet.size()];
      digits /= alphabet.size();
    }
    visit(line);
  }
}

// The rules depend only on character classes; this alphabet has one character of each class.
const std::u32string kOneOfEachClass = U"a5.- $";

void every_short_line() {
  for (std::size_t length = 0; length <= 5; ++length)
    for_each_line(kOneOfEachClass, length, [](const std::u32string& line) {
      for (const char* tokenizer : kTokenizersWithRules) check_line(tokenizer, line);
    });
}

// The same across a block boundary, where neighbours are in a different word of the masks.
void every_short_line_across_a_block() {
  for (const std::size_t before : {60, 61, 62, 63, 64, 124, 126, 127})
    for_each_line(kOneOfEachClass, 4, [&](const std::u32string& line) {
      const std::u32string whole = std::u32string(before, U'x') + line + U"y";
      for (const char* tokenizer : kTokenizersWithRules) check_line(tokenizer, whole);
    });
}

// Whether the last stop of a run stays with the following number depends on the length of the run.
void runs_of_stops() {
  for (const std::u32string before : {U"", U"a", U"5", U" ", U"$", U"-", U"5-"})
    for (const std::u32string after : {U"", U"a", U"5", U" ", U"$", U"-", U"-5"})
      for (std::size_t run = 1; run <= 140; run += run < 8 || (run > 60 && run < 68) || run > 125 ? 1 : 7) {
        std::u32string line = before + std::u32string(run, U'.') + after;
        if (run % 3 == 0) line[before.size() + run / 2] = U',';
        for (const char* tokenizer : kTokenizersWithRules) check_line(tokenizer, line, run % 2 == 0 ? 1 : 2);
      }
}

// Whether no rule has a bound in this block of 256 code points or in its neighbours: inside ideographs, Hangul, surrogates and
// private use. (U+3F22 is a bound of tercom's.)
bool is_plain(std::uint32_t block) {
  return (block > 0x34 && block < 0x3E) || (block > 0x40 && block < 0x4D) || (block > 0x4E && block < 0x9F) ||
         (block > 0xAC && block < 0xD7) || (block > 0xD8 && block < 0xDF) || (block > 0xE0 && block < 0xF8);
}

// Each code point in contexts that reveal its class: after a letter and before ".5", and between a digit and a letter.
void every_code_point() {
  for (std::uint32_t block = 0; block < 0x1100; ++block) {
    const bool is_far = block >= 0x200 && block < 0x10F0;  // ideographs, unassigned and private planes: some blocks are enough
    if (is_far && block % 32 != 0) continue;
    std::u32string line;
    for (std::uint32_t low = 0; low < 256; low += is_plain(block) ? 15 : 1) {  // 15 divides 255: the last one, too
      const char32_t c = block << 8 | low;
      line += {U'a', c, U'.', U'5', U' ', U'5', c, U'b', U' '};
    }
    for (const char* tokenizer : kTokenizers) check_line(tokenizer, line);
  }
}

void lengths_around_blocks() {
  for (const std::size_t length : {1, 2, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130, 191, 192, 193})
    for (const char32_t filler : {U'x', U'5', U'.', U'-', U' ', U'$', U'\u4E2D', U'\U0001F600'})
      for (const char32_t last : {U'x', U'5', U'.', U'-', U' ', U'\n', U';', U'\u3000', U'\U0001D7CE'}) {
        std::u32string line(length, filler);
        line.back() = last;
        for (const char* tokenizer : kTokenizers)
          for (std::uint8_t width = width_of(line); width <= 4; width = static_cast<std::uint8_t>(width * 2))
            check_line(tokenizer, line, width);
      }
}

void random_lines() {
  LineMaker maker(2);
  for (int i = 0; i < 5000; ++i) {
    const std::u32string line = maker.line(maker.width());
    for (const char* tokenizer : kTokenizers) check_line(tokenizer, line, std::max(width_of(line), maker.width()));
  }
}

void unknown_names_are_refused() {
  bool refused = false;
  try {
    assay::Tokenizer::named("14b");
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
}

}  // namespace

int main() {
  known_lines();
  every_short_line();
  every_short_line_across_a_block();
  runs_of_stops();
  every_code_point();
  lengths_around_blocks();
  random_lines();
  unknown_names_are_refused();
  return check::finish("tokenize");
}
