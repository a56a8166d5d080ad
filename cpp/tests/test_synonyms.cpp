// Compares the look-up of synsets with the reference implementation.
#include <cstdint>
#include <string>
#include <vector>

#include "assay/synonyms.hpp"
#include "reference/synonyms.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

// A short stem and an ending, so that forms of one word are often in the dictionary.
std::string word(Random& random) {
  static const std::vector<std::string> stems{"a", "bo", "box", "church", "fly", "fl", "gr", "man", "m", "new", "pas", "s"};
  static const std::vector<std::string> endings{"", "s", "es", "ses", "ies", "men", "man", "ed", "ing", "er", "est", "e", "y", "ss"};
  return random.pick(stems) + random.pick(endings);
}

void compare(Random& random) {
  assay::reference::Synonyms right;
  for (std::size_t k = random.below(30); k > 0; --k) {
    auto& numbers = right.synsets[word(random)];
    numbers.clear();
    for (std::size_t n = random.below(4); n > 0; --n) numbers.push_back(static_cast<std::int32_t>(random.below(20)));
  }
  std::string synsets, exceptions;
  for (const auto& [form, numbers] : right.synsets) {
    synsets += form + "\n";
    for (const std::int32_t number : numbers) synsets += "000" + std::to_string(number) + " ";
    synsets += "\n";
  }
  for (std::size_t k = random.below(8); k > 0; --k) {
    const std::string base = word(random);
    exceptions += base + "\n";
    for (std::size_t n = random.between(1, 2); n > 0; --n) {
      const std::string form = word(random);
      exceptions += form + " ";
      right.base_forms[form].push_back(base);
    }
    exceptions += "\n";
  }
  if (!synsets.empty() && random.chance(30)) synsets.pop_back();
  const assay::Synonyms found(synsets, exceptions);
  for (std::size_t k = 0; k < 40; ++k) {
    const std::string wanted = word(random);
    std::vector<std::int32_t> numbers;
    found.look_up(wanted, numbers);
    CHECK_EQUAL(numbers, right.look_up(wanted), wanted);
  }
}

}  // namespace

int main() {
  Random random(1);
  for (std::size_t round = 0; round < 200; ++round) compare(random);
  return check::finish("synonyms");
}
