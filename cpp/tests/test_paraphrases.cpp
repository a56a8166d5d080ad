// Compares tables of paraphrases with a map from phrases to their paraphrases, however the lines are cut into pieces.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/paraphrases.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::ParaphraseTable;
using Phrase = std::vector<std::string>;
using Paraphrases = std::map<Phrase, std::vector<Phrase>>;  // in the order of the file

Phrase random_phrase(Random& random) {
  Phrase phrase;
  for (std::size_t k = random.between(1, 4); k > 0; --k) phrase.push_back(std::string(1, static_cast<char>('a' + random.below(6))));
  return phrase;
}

std::string joined(const Phrase& phrase, Random& random) {
  std::string line;
  for (const auto& word : phrase) line += (line.empty() ? "" : random.chance(10) ? "  " : " ") + word;
  return line;
}

// The node of a phrase; none if it is not in the table.
std::uint32_t node_of(const ParaphraseTable& table, const std::vector<std::string>& words, const Phrase& phrase) {
  std::uint32_t node = ParaphraseTable::kNone;
  for (std::size_t k = 0; k < phrase.size(); ++k) {
    const auto place = std::ranges::find(words, phrase[k]);
    if (place == words.end()) return ParaphraseTable::kNone;
    const auto number = static_cast<std::uint32_t>(place - words.begin());
    node = k == 0 ? number : table.child(node, number);
    if (node == ParaphraseTable::kNone) return node;
  }
  return node;
}

void compare(Random& random) {
  Paraphrases right;
  std::vector<Phrase> phrases;
  std::string text;
  std::size_t entries = random.below(60);
  for (std::size_t k = 0; k < entries; ++k) {
    const Phrase phrase = random_phrase(random), paraphrase = random_phrase(random);
    right[phrase].push_back(paraphrase);
    phrases.push_back(phrase), phrases.push_back(paraphrase);
    text += "0.5\n" + joined(phrase, random) + "\n" + joined(paraphrase, random) + "\n";
  }
  if (!text.empty() && random.chance(50)) text.pop_back();
  assay::ParaphraseBuilder builder;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = random.between(1, 30);
    builder.add(std::string_view(text).substr(at, size));
    at += size;
  }
  CHECK_EQUAL(builder.lines(), 3 * entries);
  const assay::ParaphraseBuilder::Arrays arrays = std::move(builder).finish();
  const ParaphraseTable table = arrays.table();
  CHECK(table.is_sound());
  CHECK_EQUAL(table.words(), arrays.words.size());
  for (const Phrase& phrase : phrases) {
    const std::uint32_t node = node_of(table, arrays.words, phrase);
    CHECK(node != ParaphraseTable::kNone, phrase);
    if (node == ParaphraseTable::kNone) continue;
    std::vector<std::uint32_t> expected;
    for (const Phrase& paraphrase : right[phrase]) expected.push_back(node_of(table, arrays.words, paraphrase));
    const auto found = table.paraphrases_of(node);
    CHECK_EQUAL(std::vector<std::uint32_t>(found.begin(), found.end()), expected, phrase);
  }
  CHECK(node_of(table, arrays.words, {"a", "b", "c", "d", "e", "f"}) == ParaphraseTable::kNone);
}

}  // namespace

int main() {
  Random random(3);
  for (int round = 0; round < 300; ++round) compare(random);
  return check::finish("paraphrases");
}
