// Compares BLEU's statistics with the reference implementation, row by row; all numbers of threads
// give the same bytes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/bleu.hpp"
#include "reference/bleu.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

using assay::ReferenceLength;

constexpr std::array<const char*, 7> kTokenizers{"13a", "intl", "zh", "char", "none", "mteval-lower", "mteval-intl"};
constexpr std::array<ReferenceLength, 3> kLengths{ReferenceLength::closest, ReferenceLength::shortest,
                                                  ReferenceLength::average};

std::vector<std::int64_t> fast(const Corpus& corpus, const char* tokenizer, int max_order, ReferenceLength length,
                               int threads) {
  std::vector<std::int64_t> table(corpus.outputs.size() * corpus.segments * assay::bleu_columns(max_order), 0);
  assay::bleu_statistics(corpus.references, corpus.outputs, corpus.segments, assay::Tokenizer::named(tokenizer),
                         max_order, length, threads, table.data());
  return table;
}

std::string describe_segment(const Corpus& corpus, std::size_t segment, const assay::Column& output) {
  std::string out = "references";
  for (const auto& column : corpus.references)
    out += column[segment].present() ? " " + check::describe(assay::reference::decode(column[segment])) : " absent";
  return out + ", output " +
         (output[segment].present() ? check::describe(assay::reference::decode(output[segment])) : "absent");
}

void check_corpus(const Corpus& corpus, const char* tokenizer, int max_order,
                  ReferenceLength length = ReferenceLength::closest) {
  const auto table = fast(corpus, tokenizer, max_order, length, 1);
  auto row = table.begin();
  for (const auto& output : corpus.outputs) {
    for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
      const auto end = row + static_cast<std::ptrdiff_t>(assay::bleu_columns(max_order));
      CHECK_EQUAL(std::vector<std::int64_t>(row, end),
                  assay::reference::bleu_row(corpus.references, output, segment, tokenizer, max_order, length),
                  tokenizer, segment, describe_segment(corpus, segment, output));
      row = end;
    }
  }
  for (const int threads : {2, 4}) CHECK(fast(corpus, tokenizer, max_order, length, threads) == table, tokenizer, threads);
}

void random_corpora(LineMaker& maker) {
  Random& random = maker.random();
  for (int i = 0; i < 125; ++i) {
    const std::size_t segments = random.chance(20) ? random.between(120, 200) : random.between(0, 30);
    const Corpus corpus = random_corpus(maker, random.between(1, 4), random.between(1, 3), segments);
    check_corpus(corpus, random.pick(kTokenizers), static_cast<int>(random.between(1, 8)), random.pick(kLengths));
  }
}

// Hundreds of different words per segment: too many pairs of class and word for the dense table.
void segments_with_many_words(LineMaker& maker) {
  Random& random = maker.random();
  const std::size_t segments = 6;
  Corpus corpus(2, 2, segments);
  for (std::size_t segment = 0; segment < segments; ++segment) {
    std::u32string line;
    const std::size_t words = segment % 3 == 2 ? 20 : 700;  // small segments in between use the other path
    for (std::size_t i = 0; i < words; ++i) {
      for (std::size_t word = random.below(900) + 1; word > 0; word /= 8)
        line += static_cast<char32_t>(U'a' + word % 8);
      line += random.chance(5) ? U", " : U" ";
    }
    if (segment % 2 == 1) line += U"\U0001F600";
    for (auto& column : corpus.references) corpus.put(column, segment, maker.variation(line, 1));
    for (auto& column : corpus.outputs) corpus.put(column, segment, maker.variation(line, 2));
  }
  corpus.outputs[0][2] = {};
  for (const int max_order : {1, 4, 6}) check_corpus(corpus, "13a", max_order);
}

// The choice of the reference length does not depend on the order of the references.
void reference_lengths() {
  std::vector<std::size_t> lengths{0, 1, 3, 5, 7};
  std::size_t cases = 1;
  for (int i = 0; i < 4; ++i) cases *= lengths.size();
  Corpus corpus(3, 1, cases);
  const auto words = [](std::size_t count) {
    std::u32string line;
    while (count-- > 0) line += U"w ";
    return line;
  };
  for (std::size_t i = 0; i < cases; ++i) {
    corpus.put(corpus.outputs[0], i, words(lengths[i % 5]));
    corpus.put(corpus.references[0], i, words(lengths[i / 5 % 5]));
    corpus.put(corpus.references[1], i, words(lengths[i / 25 % 5]));
    corpus.put(corpus.references[2], i, words(lengths[i / 125 % 5]));
  }
  for (const ReferenceLength length : kLengths) check_corpus(corpus, "none", 4, length);
}

}  // namespace

int main() {
  LineMaker maker(4);
  reference_lengths();
  random_corpora(maker);
  segments_with_many_words(maker);
  return check::finish("bleu");
}
