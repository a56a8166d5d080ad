// Compares chrF's statistics with the reference implementation, row by row; all numbers of threads
// give the same bytes.
#include <cstdint>
#include <string>
#include <vector>

#include "assay/chrf.hpp"
#include "reference/chrf.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

using Columns = std::vector<assay::Column>;

std::string describe_options(const assay::ChrfOptions& options) {
  return "char_order " + std::to_string(options.char_order) + ", word_order " + std::to_string(options.word_order) +
         (options.whitespace ? ", with white space" : ", without white space");
}

void check_columns(const Columns& references, const Columns& outputs, std::size_t segments, const assay::ChrfOptions& options) {
  const assay::ChrfFormula formula{options.columns() / 3, 2, false};
  const auto fast = [&](int threads) {
    std::vector<std::int64_t> table(outputs.size() * segments * options.columns(), 0);
    assay::chrf_statistics(references, outputs, segments, options, formula, threads, table.data());
    return table;
  };
  const auto table = fast(1);
  auto row = table.begin();
  for (const auto& output : outputs)
    for (std::size_t segment = 0; segment < segments; ++segment) {
      const auto end = row + static_cast<std::ptrdiff_t>(options.columns());
      CHECK_EQUAL(std::vector<std::int64_t>(row, end),
                  assay::reference::chrf_row(references, output, segment, options.char_order, options.word_order, options.whitespace,
                                             [&](const auto& slow) { return formula.score(slow.data()); }),
                  describe_options(options), segment, references.size(),
                  output.present(segment) ? check::describe(assay::reference::decode(output[segment])) : "absent");
      row = end;
    }
  for (const int threads : {2, 4}) CHECK(fast(threads) == table, describe_options(options), threads);
}

// Against each reference, and against the best of all.
void check_corpus(const Corpus& corpus, const assay::ChrfOptions& options) {
  for (const auto& reference : corpus.references) check_columns({reference}, corpus.outputs, corpus.segments, options);
  if (corpus.references.size() > 1) check_columns(corpus.references, corpus.outputs, corpus.segments, options);
}

assay::ChrfOptions random_options(Random& random) {
  assay::ChrfOptions options;
  do {
    options.char_order = static_cast<int>(random.below(9));
    options.word_order = static_cast<int>(random.below(4));
  } while (options.char_order + options.word_order == 0);
  options.whitespace = random.chance(50);
  return options;
}

void random_corpora(LineMaker& maker) {
  Random& random = maker.random();
  for (int i = 0; i < 60; ++i) {
    const std::size_t segments = random.chance(15) ? random.between(120, 200) : random.between(0, 30);
    const Corpus corpus = random_corpus(maker, random.between(1, 4), random.between(1, 3), segments);
    check_corpus(corpus, random_options(random));
  }
}

// At most one punctuation mark is split off a word, preferably at its end. Tests every word of up to four of these characters.
void punctuation_of_every_short_word() {
  const std::u32string alphabet = U"a.-\u3002 ";
  std::vector<std::u32string> lines{U""};
  for (std::size_t first = 0; lines[first].size() < 4; ++first)
    for (const char32_t c : alphabet) lines.push_back(lines[first] + c);
  Corpus corpus(1, 2, lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    corpus.put(corpus.references[0], i, lines[i] + U" a . - a. .a");
    corpus.put(corpus.outputs[0], i, lines[i]);
    corpus.put(corpus.outputs[1], i, lines[(i + 1) % lines.size()]);
  }
  check_corpus(corpus, {0, 2, false});
  check_corpus(corpus, {6, 2, true});
}

// Hundreds of different characters per segment: too many pairs of class and character for the dense table.
std::u32string line_of_many_characters(Random& random, std::size_t length, std::size_t characters) {
  std::u32string line;
  for (std::size_t i = 0; i < length; ++i) line += static_cast<char32_t>(0x4E00 + random.below(characters));
  return line;
}

void segments_with_many_characters(LineMaker& maker) {
  Random& random = maker.random();
  const std::size_t segments = 9;
  Corpus corpus(2, 2, segments);
  for (std::size_t segment = 0; segment < segments; ++segment) {
    // Small segments in between use the other path.
    const std::u32string line =
        line_of_many_characters(random, segment % 3 == 2 ? 30 : 1000, segment % 3 == 1 ? 5000 : 900);
    for (auto& column : corpus.references) corpus.put(column, segment, maker.variation(line, 2));
    for (auto& column : corpus.outputs) corpus.put(column, segment, maker.variation(line, segment < 6 ? 2 : 4));
  }
  check_corpus(corpus, {6, 2, false});
  check_corpus(corpus, {2, 0, true});
}

// A missing output must not be matched with the system's output for an earlier, larger segment.
void absent_after_large() {
  Random random(5);
  for (const bool large_is_sparse : {false, true}) {
    Corpus corpus(1, 2, 4);
    const std::u32string large =
        line_of_many_characters(random, large_is_sparse ? 1000 : 300, large_is_sparse ? 5000 : 200);
    for (const std::size_t segment : {0, 2}) {
      corpus.put(corpus.references[0], segment, large);
      for (auto& output : corpus.outputs) corpus.put(output, segment, large);
    }
    for (const std::size_t segment : {1, 3}) {
      corpus.put(corpus.references[0], segment, U"\u4E00 \u4E01");
      corpus.put(corpus.outputs[1], segment, U"\u4E00 \u4E02");
    }
    check_corpus(corpus, {6, 0, false});
    check_corpus(corpus, {6, 2, false});
    check_corpus(corpus, {0, 2, false});
  }
}

}  // namespace

int main() {
  LineMaker maker(6);
  punctuation_of_every_short_word();
  absent_after_large();
  random_corpora(maker);
  segments_with_many_characters(maker);
  return check::finish("chrf");
}
