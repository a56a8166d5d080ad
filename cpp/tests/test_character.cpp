// Compares CharacTER with a search that makes every move, and EED with its definition.
#include <cstdint>
#include <string>
#include <vector>

#include "assay/character.hpp"
#include "assay/eed.hpp"
#include "reference/character.hpp"
#include "reference/eed.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::reference::CharacterRow;

// The rows of the references that are present, and the first of the best.
template <class Row>
std::vector<double> best_row(const Corpus& corpus, const assay::Column& output, std::size_t segment, Row row_of) {
  std::vector<double> best{0, 0};
  bool is_first = true;
  if (!output.present(segment)) return best;
  for (const assay::Column& reference : corpus.references) {
    if (!reference.present(segment)) continue;
    const std::vector<double> row = row_of(assay::reference::decode(output[segment]), assay::reference::decode(reference[segment]));
    if (is_first || assay::ErrorShare::is_better(row.data(), best.data())) best = row;
    is_first = false;
  }
  return best;
}

template <class Row>
void check_table(const Corpus& corpus, const std::vector<double>& table, Row row_of) {
  const double* row = table.data();
  for (const assay::Column& output : corpus.outputs)
    for (std::size_t i = 0; i < corpus.segments; ++i, row += assay::kErrorShareColumns)
      CHECK_EQUAL(std::vector<double>(row, row + assay::kErrorShareColumns), best_row(corpus, output, i, row_of), i);
}

void check_character(const Corpus& corpus, assay::MoveRule rule) {
  for (const int threads : {1, 3}) {
    std::vector<double> table(corpus.outputs.size() * corpus.segments * assay::kErrorShareColumns);
    assay::character_statistics(corpus.references, corpus.outputs, corpus.segments, assay::Tokenizer::named("none"), rule,
                                assay::Effort::kUnlimited, threads, table.data());
    check_table(corpus, table, [&](const std::u32string& output, const std::u32string& reference) -> std::vector<double> {
      const CharacterRow row = assay::reference::character_row(assay::reference::split(output), assay::reference::split(reference),
                                                               rule == assay::MoveRule::cer);
      return {row.edits, row.length};
    });
  }
}

void check_eed(const Corpus& corpus, const assay::EedOptions& options) {
  std::vector<double> table(corpus.outputs.size() * corpus.segments * assay::kErrorShareColumns);
  assay::eed_statistics(corpus.references, corpus.outputs, corpus.segments, options, 1, table.data());
  const bool is_single = options.program != assay::EedProgram::torchmetrics;
  const auto prepared = [&](const std::u32string& text) {
    return options.form == assay::EedForm::as_is ? text : assay::reference::eed_text(text, options.form == assay::EedForm::authors_english);
  };
  check_table(corpus, table, [&](const std::u32string& output, const std::u32string& reference) -> std::vector<double> {
    const auto row = is_single ? assay::reference::eed_row<float>(prepared(output), prepared(reference), options)
                               : assay::reference::eed_row<double>(prepared(output), prepared(reference), options);
    return {row.errors, row.length};
  });
}

// Phrases that move, of few words or of many, in references of up to 64 words and of more.
Corpus moved_phrases(Random& random) {
  Corpus corpus(random.between(1, 2), 2, 3);
  for (std::size_t i = 0; i < corpus.segments; ++i) {
    const std::size_t words = random.pick(std::vector<std::size_t>{1, 5, 8, 12, 12, 12, 64, 66}),
                      vocabulary = words > 12 ? 50 : random.pick(std::vector<std::size_t>{1, 3, 20});
    assay::reference::Line original(words);
    for (auto& word : original) {
      word = random.pick(std::vector<std::u32string>{U"a", U"bb", U"\u00E9", U"\u4E2D", U"\U0001F600", U"aaaaaaaaaaaaaaaaaa"});
      word += static_cast<char32_t>(U'0' + random.below(vocabulary));
    }
    const auto put = [&](assay::Column& column) {
      assay::reference::Line line = original;
      for (std::size_t moves = random.below(5); moves > 0; --moves) {
        const std::size_t from = random.below(words), middle = from + random.below(words - from), to = middle + random.below(words - middle + 1);
        const auto at = [&](std::size_t k) { return line.begin() + static_cast<std::ptrdiff_t>(k); };
        std::rotate(at(from), at(middle), at(to));
      }
      if (random.chance(30)) line.erase(line.begin() + static_cast<std::ptrdiff_t>(random.below(words)));
      corpus.put(column, i, assay::reference::joined(line), 1);
    };
    for (auto& column : corpus.references) put(column);
    for (auto& column : corpus.outputs) put(column);
  }
  return corpus;
}

void check_abbreviations(Random& random) {
  const Pieces pieces{U"Dr", U"Jr ", U"Prof", U"Rev", U"Gen .", U"Mr", U"Mt", U"Mrs", U"Ms", U" ", U".", U" . ", U"e.g.", U"i.e", U"U.S.",
                      U"3", U".5", U" , 7", U"\u0663", U"\t", U"\u3000", U"x", U"!", U"?", U"\U0001F600"};
  Corpus corpus(1, 1, 8);
  for (std::size_t i = 0; i < corpus.segments; ++i)
    for (assay::Column* const column : {&corpus.references[0], &corpus.outputs[0]}) {
      std::u32string line;
      for (std::size_t k = random.below(12); k > 0; --k) line += random.pick(pieces);
      corpus.put(*column, i, line, 1);
    }
  for (const auto form : {assay::EedForm::english, assay::EedForm::authors_english}) check_eed(corpus, {.form = form});
}

// Texts that would take too long are refused before they are compared.
void check_limits() {
  Corpus corpus(1, 1, 1);
  std::u32string one, other;
  for (int i = 0; i < 500; ++i) one += U"a b c ", other += U"b c a ";
  corpus.put(corpus.references[0], 0, one, 1);
  corpus.put(corpus.outputs[0], 0, other, 1);
  std::vector<double> table(2);
  int refused = 0;
  try {
    assay::character_statistics(corpus.references, corpus.outputs, 1, assay::Tokenizer::named("none"), assay::MoveRule::exact, 100'000, 1, table.data());
  } catch (const assay::TooLong& pair) {
    refused += pair.output_length == 1500;
  }
  try {
    assay::eed_statistics(corpus.references, corpus.outputs, 1, {.max_work = 1'000'000}, 1, table.data());
  } catch (const assay::TooLong& pair) {
    refused += pair.reference_length == 3001;
  }
  CHECK_EQUAL(refused, 2);
}

}  // namespace

int main() {
  Random random(16);
  LineMaker maker(16);
  check_limits();
  for (int round = 0; round < 40; ++round) {
    const auto rule = random.chance(50) ? assay::MoveRule::cer : assay::MoveRule::exact;
    check_character(moved_phrases(random), rule);
    const Corpus corpus = random_corpus(maker, random.between(1, 2), 2, 3);
    check_character(corpus, rule);
    assay::EedOptions options;
    options.program = random.pick(std::vector<assay::EedProgram>{assay::EedProgram::torchmetrics, assay::EedProgram::rwth, assay::EedProgram::wmt19});
    options.form = random.pick(std::vector<assay::EedForm>{assay::EedForm::english, assay::EedForm::authors_english, assay::EedForm::as_is});
    if (random.chance(30)) options.alpha = 0.7, options.rho = 0.1, options.deletion = 0.45, options.insertion = 1.3;
    check_eed(corpus, options);
    check_abbreviations(random);
  }
  return check::finish("character");
}
