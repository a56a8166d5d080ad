// Words are numbered in the order of appearance, whatever the width of their texts.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/word_numbers.hpp"
#include "reference/text.hpp"
#include "reference/tokenize.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

int main() {
  LineMaker maker(11);
  for (int i = 0; i < 60; ++i) {
    const Corpus corpus = random_corpus(maker, 2, 1, maker.random().between(0, 30));
    const char* const tokenizer = i % 2 == 0 ? "13a" : "none";
    assay::WordNumbers words(assay::Tokenizer::named(tokenizer));
    std::map<std::u32string, std::int32_t> numbers;
    for (const auto& column : corpus.outputs) {
      std::vector<std::int32_t> found, expected;
      std::vector<std::int64_t> ends, expected_ends;
      words.read(column, found, ends);
      for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
        if (column[segment].present())
          for (const auto& word : assay::reference::tokenize(tokenizer, assay::reference::decode(column[segment])))
            expected.push_back(numbers.try_emplace(word, static_cast<std::int32_t>(numbers.size())).first->second);
        expected_ends.push_back(static_cast<std::int64_t>(expected.size()));
      }
      CHECK_EQUAL(found, expected);
      CHECK_EQUAL(ends, expected_ends);
    }
    CHECK_EQUAL(words.words().size(), numbers.size());
    for (const auto& [word, number] : numbers) CHECK_EQUAL(words.words()[static_cast<std::size_t>(number)], word);
  }
  return check::finish("word_numbers");
}
