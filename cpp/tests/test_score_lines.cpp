// Compares the parser of score files with regular expressions, on regular files and on files with one flaw.
#include <cmath>
#include <string>
#include <vector>

#include "assay/score_lines.hpp"
#include "reference/score_lines.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

// Returns whether the text is regular.
bool compare(const std::string& text) {
  const auto slow = assay::reference::parse_score_lines(text);
  const auto fast = assay::parse_score_lines(text);
  CHECK_EQUAL(fast.has_value(), slow.has_value(), text);
  if (!fast || !slow) return false;
  std::size_t line = 0;
  for (const auto& [system, scores] : fast->blocks)
    for (std::size_t i = 0; i < scores; ++i, ++line) {
      CHECK(line < slow->size(), text);
      CHECK_EQUAL(std::string(system), (*slow)[line].first, text);
      const double expected = (*slow)[line].second, found = fast->values[line];
      CHECK(found == expected || (std::isnan(found) && std::isnan(expected)), text, found, expected);
    }
  CHECK_EQUAL(line, slow->size(), text);
  CHECK_EQUAL(line, fast->values.size(), text);
  for (std::size_t b = 1; b < fast->blocks.size(); ++b)
    CHECK(fast->blocks[b].system != fast->blocks[b - 1].system, text);
  return true;
}

void single_scores() {
  for (const std::string score :
       {"1", "-1", "+1", "1.", ".5", "-.5", "+.5", "1.5e3", "1E-3", "1e+3", "0.1", "123456789.123456789", "None",  //
        "", ".", "-", "+", "e5", "1e", "1e+", "--1", "+-1", "-+1", "1.5.2", "1,5", "1_000", "0x10", "inf", "-inf", "nan",
        "infinity", "none", "NaN", "1e400", "None1", "1 2", "\xEF\xBC\x91"}) {
    compare("system\t" + score + "\n");
    compare("system " + score + " \r\n");
    compare("system\t" + score);
  }
}

void random_files(Random& random) {
  const std::vector<std::string> systems{"a", "b.1", "Online-A", "\xC3\xA9", "a"}, spaces{"\t", " ", "  ", "\t ", "\r"},
      scores{"0", "1.25", "-3e-7", ".5", "None", "99.999999999999999", "7."},
      flaws{"", "\t", "a", "a\t", "a\tx", "a\t1\tb", "\n", " a\t1", "a\t1 \r", "1", "a\tinf"};
  std::size_t regular = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (std::size_t line = random.below(12); line > 0; --line)
      text += random.pick(systems) + random.pick(spaces) + random.pick(scores) + "\n";
    if (random.chance(30)) text += random.pick(flaws) + (random.chance(70) ? "\n" : "");
    regular += compare(text);
  }
  CHECK(regular > 1000 && regular < 2900, regular);
}

}  // namespace

int main() {
  Random random(31);
  single_scores();
  random_files(random);
  return check::finish("score_lines");
}
