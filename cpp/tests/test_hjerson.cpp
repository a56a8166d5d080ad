// Compares Hjerson's error classes and their counts with the reference implementation, word by word.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/hjerson.hpp"
#include "reference/hjerson.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

using assay::ErrorClass;
using assay::ErrorLabels;
using assay::reference::Labels;
using Sentence = std::vector<std::string>;

std::string first_letters(const std::string& word) { return word.substr(0, assay::kBaseLetters); }

struct Side {
  Sentence words, bases;
};

// Few words, many of which have the same first letters.
Side random_side(Random& random, std::size_t longest, bool has_lemmas) {
  static const Sentence stems{"walk", "talk", "house", "a", "of", "be"}, endings{"", "ed", "s", "ing"};
  Side side;
  for (std::size_t i = random.below(longest + 1); i > 0; --i) {
    side.words.push_back(random.pick(stems) + random.pick(endings));
    side.bases.push_back(has_lemmas ? random.pick(stems) : first_letters(side.words.back()));
  }
  return side;
}

std::u32string joined(const Sentence& words) {
  std::u32string line;
  for (const auto& word : words) line += std::u32string(word.begin(), word.end()) + U" ";
  return line;
}

std::int64_t edits_of(const Side& reference, const Side& output) {
  const auto [reference_edits, output_edits] = assay::reference::edit_path(reference.words, output.words);
  std::int64_t edits = 0;
  for (const auto& edit : reference_edits) edits += !edit.empty();
  for (const auto& edit : output_edits) edits += edit == "gap";
  return edits;
}

Labels named(const ErrorLabels& labels) {
  static const char* const names[] = {"", "inflection", "order", "gap", "lexical"};
  Labels out;
  for (const ErrorClass label : labels) out.push_back(names[static_cast<std::size_t>(label)]);
  return out;
}

const Labels kClasses{"inflection", "order", "gap", "lexical"};

std::int64_t words_of(const Labels& labels, std::size_t c) { return std::count(labels.begin(), labels.end(), kClasses[c]); }

std::int64_t blocks_of(const Labels& labels, std::size_t c) {
  std::int64_t blocks = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) blocks += labels[i] == kClasses[c] && (i == 0 || labels[i - 1] != kClasses[c]);
  return blocks;
}

void check_segments(Random& random, bool has_lemmas, std::size_t references, std::size_t systems, std::size_t longest) {
  constexpr std::size_t segments = 20;
  Corpus texts(references, systems, segments), bases(references, systems, segments);
  std::vector<std::vector<Side>> reference_sides(references), output_sides(systems);
  const auto fill = [&](auto& sides, auto& columns, auto& base_columns) {
    for (std::size_t c = 0; c < sides.size(); ++c)
      for (std::size_t i = 0; i < segments; ++i) {
        sides[c].push_back(random_side(random, longest, has_lemmas));
        texts.put(columns[c], i, joined(sides[c][i].words), random.chance(20) ? 2 : 1);
        bases.put(base_columns[c], i, joined(sides[c][i].bases), random.chance(20) ? 4 : 1);
      }
  };
  fill(reference_sides, texts.references, bases.references);
  fill(output_sides, texts.outputs, bases.outputs);
  const assay::BaseColumns columns{bases.references, bases.outputs, has_lemmas};
  std::size_t cells = 0;
  std::vector<std::int64_t> right(systems * segments * assay::kHjersonColumns);
  assay::each_labelled(texts.references, texts.outputs, columns, segments, assay::Tokenizer::named("none"), 1,
    [&](std::size_t s, std::size_t i, std::size_t r, const ErrorLabels& theirs, const ErrorLabels& ours) {
      ++cells;
      const Side &output = output_sides[s][i], &reference = reference_sides[r][i];
      const auto length = static_cast<std::int64_t>(reference.words.size()), edits = edits_of(reference, output);
      for (std::size_t other = 0; other < references; ++other) {
        const auto other_length = static_cast<std::int64_t>(reference_sides[other][i].words.size());
        if (length == 0) CHECK_EQUAL(other_length, 0, i);
        else if (other_length > 0) CHECK(edits_of(reference_sides[other][i], output) * length >= edits * other_length, i, other);
      }
      const auto [their_edits, our_edits] = assay::reference::edit_path(reference.words, output.words);
      CHECK_EQUAL(named(ours), assay::reference::error_classes(reference.words, reference.bases, their_edits, output.words, output.bases, our_edits),
                  reference.words, output.words, reference.bases, output.bases);
      CHECK_EQUAL(named(theirs), assay::reference::error_classes(output.words, output.bases, our_edits, reference.words, reference.bases, their_edits),
                  reference.words, output.words, reference.bases, output.bases);
      std::int64_t* const row = &right[(s * segments + i) * assay::kHjersonColumns];
      row[0] = static_cast<std::int64_t>(output.words.size());
      row[1] = length;
      for (std::size_t c = 0; c < assay::kErrorClasses; ++c) {
        row[2 + c] = words_of(named(ours), c);
        row[6 + c] = words_of(named(theirs), c);
        row[10 + c] = blocks_of(named(ours), c);
        row[14 + c] = blocks_of(named(theirs), c);
      }
    });
  CHECK_EQUAL(cells, systems * segments);
  const auto table = [&](int threads) {
    std::vector<std::int64_t> rows(systems * segments * assay::kHjersonColumns);
    assay::hjerson_statistics(texts.references, texts.outputs, columns, segments, assay::Tokenizer::named("none"), threads, rows.data());
    return rows;
  };
  CHECK_EQUAL(table(1), right);
  CHECK_EQUAL(table(4), right);
}

void check_counts() {
  std::int64_t words[assay::kErrorClasses]{}, blocks[assay::kErrorClasses]{};
  assay::count_classes({ErrorClass::lexical, ErrorClass::lexical, ErrorClass::none, ErrorClass::lexical, ErrorClass::order,
                        ErrorClass::inflection}, words, blocks);
  CHECK_EQUAL(std::vector<std::int64_t>(words, words + 4), (std::vector<std::int64_t>{1, 1, 0, 3}));
  CHECK_EQUAL(std::vector<std::int64_t>(blocks, blocks + 4), (std::vector<std::int64_t>{1, 1, 0, 2}));
}

void check_base_count_mismatch() {
  Corpus texts(1, 2, 3), bases(1, 2, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    for (auto* corpus : {&texts, &bases}) {
      corpus->put(corpus->references[0], i, U"a b");
      for (auto& column : corpus->outputs) corpus->put(column, i, U"a b c");
    }
  }
  bases.put(bases.outputs[1], 1, U"a b");
  const assay::BaseColumns columns{bases.references, bases.outputs, true};
  bool is_caught = false;
  try {
    std::vector<std::int64_t> rows(2 * 3 * assay::kHjersonColumns);
    assay::hjerson_statistics(texts.references, texts.outputs, columns, 3, assay::Tokenizer::named("none"), 2, rows.data());
  } catch (const assay::BaseCountMismatch& failure) {
    is_caught = failure.is_output && failure.column == 1 && failure.segment == 1 && failure.words == 3 && failure.bases == 2;
  }
  CHECK(is_caught);
}

}  // namespace

int main() {
  Random random(24);
  check_counts();
  check_base_count_mismatch();
  for (int round = 0; round < 60; ++round)
    check_segments(random, random.chance(50), random.between(1, 3), random.between(1, 3), round % 10 == 0 ? 150 : 14);
  return check::finish("hjerson");
}
