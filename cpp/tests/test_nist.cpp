// Compares NIST's statistics with the reference implementation, row by row; all numbers of threads
// give the same bytes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/nist.hpp"
#include "reference/nist.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

constexpr std::array<const char*, 4> kTokenizers{"mteval", "mteval-lower", "mteval-intl", "none"};

std::vector<double> fast(const Corpus& corpus, const assay::Information& information,
                         const assay::NumberedReferences& references, int threads) {
  std::vector<double> table(corpus.outputs.size() * corpus.segments * assay::nist_columns(information.max_order()), 0);
  assay::nist_statistics(references, corpus.outputs, corpus.segments, information, threads, table.data());
  return table;
}

bool are_close(const std::vector<double>& one, const std::vector<double>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); });
}

// The weights are fitted on one corpus and applied to another, or to the same.
void check_corpus(const Corpus& corpus, const Corpus& fitted_on, const char* tokenizer, int max_order,
                  bool zero_history) {
  const assay::Information information(fitted_on.references, fitted_on.segments, assay::Tokenizer::named(tokenizer),
                                       max_order, zero_history);
  const assay::reference::NistInformation slow(fitted_on.references, fitted_on.segments, tokenizer, max_order,
                                               zero_history);
  const assay::NumberedReferences references = information.read(corpus.references, corpus.segments);
  const auto table = fast(corpus, information, references, 1);
  auto row = table.begin();
  for (const auto& output : corpus.outputs) {
    for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
      const auto end = row + static_cast<std::ptrdiff_t>(assay::nist_columns(information.max_order()));
      const std::vector<double> found(row, end);
      const auto expected =
          assay::reference::nist_row(slow, corpus.references, output, segment, tokenizer, max_order);
      CHECK(are_close(found, expected), tokenizer, segment, found, expected);
      row = end;
    }
  }
  for (const int threads : {2, 4}) CHECK(fast(corpus, information, references, threads) == table, tokenizer, threads);
  if (&corpus == &fitted_on) CHECK(fast(corpus, information, information.fitted(), 1) == table, tokenizer);
}

void check_corpus(const Corpus& corpus, const char* tokenizer, int max_order, bool zero_history) {
  check_corpus(corpus, corpus, tokenizer, max_order, zero_history);
}

void random_corpora(LineMaker& maker) {
  Random& random = maker.random();
  for (int i = 0; i < 75; ++i) {
    const std::size_t segments = random.chance(20) ? random.between(120, 200) : random.between(0, 30);
    const Corpus corpus = random_corpus(maker, random.between(1, 4), random.between(1, 3), segments);
    const char* const tokenizer = random.pick(kTokenizers);
    const int max_order = static_cast<int>(random.between(1, 8));
    const bool zero_history = random.chance(50);
    check_corpus(corpus, tokenizer, max_order, zero_history);
    const Corpus other = random_corpus(maker, random.between(1, 4), 1, random.between(0, 30));
    check_corpus(corpus, other, tokenizer, max_order, zero_history);
  }
}

std::u32string random_words(Random& random, std::size_t words, std::size_t different) {
  std::u32string line;
  for (std::size_t i = 0; i < words; ++i) {
    for (std::size_t word = random.below(different) + 1; word > 0; word /= 4)
      line += static_cast<char32_t>(U'0' + word % 4);
    line += U' ';
  }
  return line;
}

// Few words with many repetitions, including the word "0"; and segments too long for bit vectors.
void repeated_words(LineMaker& maker) {
  Random& random = maker.random();
  for (int i = 0; i < 60; ++i) {
    Corpus corpus(random.between(1, 3), 2, random.between(1, 40));
    const bool is_long = i % 15 == 0;
    const std::size_t different = random.between(2, 40);
    for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
      const auto length = [&] { return is_long && segment == 0 ? 300 : random.below(25); };
      for (auto& column : corpus.references) corpus.put(column, segment, U"0 " + random_words(random, length(), different));
      for (auto& column : corpus.outputs) corpus.put(column, segment, random_words(random, length(), different) + U"0 0");
    }
    check_corpus(corpus, "none", static_cast<int>(random.between(1, 6)), i % 2 == 0);
  }
}

// The digest depends on counts, not on the order of segments or the width of texts.
void digests() {
  const auto digest = [](const std::vector<std::u32string>& lines, std::uint8_t width) {
    Corpus corpus(1, 1, lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) corpus.put(corpus.references[0], i, lines[i], width);
    return assay::Information(corpus.references, lines.size(), assay::Tokenizer::named("none"), 5, false).digest();
  };
  const std::vector<std::u32string> lines{U"a b a b", U"b a c"}, reversed{U"b a c", U"a b a b"}, others{U"a b a b", U"b a d"};
  CHECK_EQUAL(digest(lines, 1), digest(reversed, 1));
  CHECK_EQUAL(digest(lines, 1), digest(lines, 4));
  CHECK(digest(lines, 1) != digest(others, 1));
  CHECK(digest(lines, 1) != digest({U"a b a b", U"b a c c"}, 1));
}

// Thousands of different words make the token index grow.
void many_words(LineMaker& maker) {
  Corpus corpus(1, 1, 40);
  for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
    const std::u32string line = random_words(maker.random(), 250, 1'000'000);
    corpus.put(corpus.references[0], segment, line);
    corpus.put(corpus.outputs[0], segment, maker.variation(line, 1));
  }
  check_corpus(corpus, "none", 5, true);
}

}  // namespace

int main() {
  LineMaker maker(5);
  digests();
  many_words(maker);
  repeated_words(maker);
  random_corpora(maker);
  return check::finish("nist");
}
