// METEOR's normaliser on lines that METEOR normalised, and on columns: any number of threads gives the same lines. The Python
// tests compare it with regular expressions.
#include <string>
#include <vector>

#include "assay/meteor_normalize.hpp"
#include "reference/text.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

using assay::Contractions;
using assay::MeteorNormalizer;

const MeteorNormalizer::Prefixes kPrefixes{{U"Mr", false}, {U"No", true}};

void check_lines() {
  const MeteorNormalizer english(Contractions::english, kPrefixes, false), french(Contractions::french, {}, false);
  CHECK_EQUAL(english(U"Children don't like well-known U.S. politicians (e.g. Mr. Smith), he's told."),
              std::u32string(U"Children don 't like well known US politicians ( eg Mr. Smith ) , he 's told ."));
  CHECK_EQUAL(english(U"He said 3.5% in 1,000 cases \u2013 \u201Ca record\u201D... No. 5, no. 7."),
              std::u32string(U"He said 3.5 % in 1,000 cases - \" a record \" ... No. 5 , no . 7 ."));
  CHECK_EQUAL(french(U"L'\u00E9l\u00E8ve n\u2019a pas fini."), std::u32string(U"L' \u00E9l\u00E8ve n' a pas fini ."));
  CHECK_EQUAL(MeteorNormalizer(Contractions::other, {}, true)(U"Er sagte: 'gut'."), std::u32string(U"Er sagte gut"));
  CHECK_EQUAL(english(U""), std::u32string());
}

void check_columns() {
  LineMaker maker(5);
  for (int round = 0; round < 20; ++round) {
    const Corpus corpus = random_corpus(maker, 0, 1, maker.random().between(0, 300));
    const assay::Column& column = corpus.outputs[0];
    const MeteorNormalizer normalize(maker.random().chance(50) ? Contractions::english : Contractions::other, kPrefixes, false);
    std::vector<std::u32string> expected(column.size());
    for (std::size_t i = 0; i < column.size(); ++i)
      if (column.present(i)) expected[i] = normalize(assay::reference::decode(column[i]));
    for (const int threads : {1, 2, 4}) CHECK_EQUAL(assay::normalize_column(normalize, column, threads), expected, threads);
  }
}

void check_names() {
  CHECK(assay::contractions_named("english") == Contractions::english);
  CHECK(assay::contractions_named("french") == Contractions::french);
  CHECK(assay::contractions_named("other") == Contractions::other);
  bool is_refused = false;
  try {
    assay::contractions_named("german");
  } catch (const std::invalid_argument&) {
    is_refused = true;
  }
  CHECK(is_refused);
}

}  // namespace

int main() {
  check_lines();
  check_columns();
  check_names();
  return check::finish("meteor_normalize");
}
