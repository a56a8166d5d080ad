// Compares the word alignment of LEPOR with the loops of the programs and with its description.
#include <cstdint>
#include <vector>

#include "assay/bleu.hpp"
#include "assay/lepor.hpp"
#include "reference/lepor.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::LeporAlignment;
using assay::reference::LeporRow;
using Words = std::vector<assay::Symbol>;

// Reused between calls: state of one pair must not affect the next.
struct Aligners {
  assay::LeporAligner perl{LeporAlignment::perl}, perl_2013{LeporAlignment::perl_2013}, strict{LeporAlignment::strict};
};

void check_rows(assay::LeporAligner& align, const Words& reference, const Words& output, std::size_t symbols, const LeporRow& right) {
  double row[assay::kAlignmentColumns];
  align.assign(reference, symbols);
  align(output, row);
  CHECK_EQUAL(row[0], static_cast<double>(output.size()));
  CHECK_EQUAL(row[1], static_cast<double>(reference.size()));
  CHECK_EQUAL(row[2], static_cast<double>(right.aligned), reference, output);
  CHECK_EQUAL(row[3], right.difference, reference, output);
}

void check_pair(Aligners& aligners, const Words& reference, const Words& output, std::size_t symbols) {
  check_rows(aligners.perl, reference, output, symbols, assay::reference::perl_lepor(reference, output, true));
  check_rows(aligners.perl_2013, reference, output, symbols, assay::reference::perl_lepor(reference, output, false));
  check_rows(aligners.strict, reference, output, symbols, assay::reference::strict_lepor(reference, output));
}

// A reference has no symbol 0; in an output it stands for a word that is not in the reference.
Words random_words(Random& random, std::size_t length, std::size_t symbols, bool is_reference) {
  Words words(length);
  for (auto& word : words) word = static_cast<assay::Symbol>(is_reference ? random.between(1, symbols - 1) : random.below(symbols));
  return words;
}

// A table against several references has the rows of each reference alone, and n-grams in common.
void check_references(LineMaker& maker) {
  Random& random = maker.random();
  const int max_order = static_cast<int>(random.between(1, 4));
  const std::size_t columns = assay::lepor_columns(max_order);
  const Corpus corpus = random_corpus(maker, random.between(1, 3), 2, 10);
  const auto& tokenizer = assay::Tokenizer::named("none");
  const auto rows = [&](const std::vector<assay::Column>& references, int threads) {
    std::vector<double> table(references.size() * corpus.outputs.size() * corpus.segments * columns);
    assay::lepor_statistics(references, corpus.outputs, corpus.segments, tokenizer, LeporAlignment::perl, max_order,
                            assay::Effort::kUnlimited, threads, table.data());
    return table;
  };
  std::vector<double> right;
  for (const assay::Column& reference : corpus.references) {
    const auto alone = rows({reference}, 1);
    std::vector<std::int64_t> bleu(corpus.outputs.size() * corpus.segments * assay::bleu_columns(max_order));
    assay::bleu_statistics({reference}, corpus.outputs, corpus.segments, tokenizer, max_order, assay::ReferenceLength::closest, 1, bleu.data());
    for (std::size_t cell = 0; cell < corpus.outputs.size() * corpus.segments; ++cell)
      for (std::size_t n = 1; n < static_cast<std::size_t>(max_order); ++n)
        CHECK_EQUAL(alone[cell * columns + assay::kAlignmentColumns + n - 1],
                    static_cast<double>(bleu[cell * assay::bleu_columns(max_order) + 2 + n]), cell, n);
    right.insert(right.end(), alone.begin(), alone.end());
  }
  for (const int threads : {1, 3}) CHECK_EQUAL(rows(corpus.references, threads), right, threads);
}

// Equal words are aligned at once; words that are repeated more often than in the reference pass all of its places, which
// takes too long in long texts.
void check_repetitions() {
  const Words reference(100'000, 1), more(200'000, 1);
  assay::LeporAligner align(LeporAlignment::strict, 100'000'000);
  align.assign(reference, 2);
  double row[assay::kAlignmentColumns];
  align(reference, row);
  CHECK_EQUAL(row[2], 100'000.0);
  CHECK_EQUAL(row[3], 0.0);
  bool is_refused = false;
  try {
    align(more, row);
  } catch (const assay::TooMuchWork&) {
    is_refused = true;
  }
  CHECK(is_refused);
}

}  // namespace

int main() {
  Random random(24);
  check_repetitions();
  LineMaker maker(24);
  for (int round = 0; round < 60; ++round) check_references(maker);
  Aligners aligners;
  check_pair(aligners, {}, {}, 1);
  check_pair(aligners, {}, {0}, 1);
  check_pair(aligners, {1}, {}, 2);
  for (int round = 0; round < 6000; ++round) {
    const std::size_t symbols = random.between(2, random.chance(50) ? 6 : 80), longest = random.chance(10) ? 130 : 16;
    const Words reference = random_words(random, random.below(longest), symbols, true);
    Words output = random.chance(50) ? random_words(random, random.below(longest), symbols, false) : reference;
    for (std::size_t moves = random.below(4); moves > 0 && !output.empty(); --moves)
      std::swap(output[random.below(output.size())], output[random.below(output.size())]);
    check_pair(aligners, reference, output, symbols);
  }
  return check::finish("lepor");
}
