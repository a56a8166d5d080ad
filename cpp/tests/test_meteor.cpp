// Compares METEOR's alignments with the reference implementation; all numbers of threads give the same counts.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/meteor.hpp"
#include "reference/meteor.hpp"
#include "tests/check.hpp"
#include "tests/random_tokens.hpp"

namespace {

using Paraphrases = std::vector<std::pair<assay::reference::Phrase, assay::reference::Phrase>>;

// Words that often have equal forms, stems or synsets, and paraphrases of up to three words.
struct Lexicon {
  std::vector<std::int32_t> forms, stems, synsets, table_words, lengths;
  std::vector<std::int64_t> synset_starts{0};
  std::unique_ptr<bool[]> is_function;
  Paraphrases paraphrases;
  assay::ParaphraseBuilder::Arrays arrays;
  std::size_t size;

  Lexicon(Random& random, std::size_t size) : is_function(std::make_unique<bool[]>(size)), size(size) {
    for (std::size_t i = 0; i < size; ++i) {
      forms.push_back(static_cast<std::int32_t>(random.chance(10) ? random.below(size) : i));
      stems.push_back(static_cast<std::int32_t>(random.below(size)));
      for (std::size_t k = random.below(4); k > 0; --k) synsets.push_back(static_cast<std::int32_t>(random.below(2 * size)));
      std::sort(synsets.begin() + synset_starts.back(), synsets.end());
      synset_starts.push_back(static_cast<std::int64_t>(synsets.size()));
      lengths.push_back(static_cast<std::int32_t>(random.between(1, 3)));
      is_function[i] = random.chance(30);
    }
    read_paraphrases(random);
  }

  assay::MeteorWords words(bool has_stems, bool has_synsets) const {
    assay::MeteorWords found{forms, {}, {}, {}, table_words, lengths, {is_function.get(), size}};
    if (has_stems) found.stems = stems;
    if (has_synsets) found.synset_starts = synset_starts, found.synsets = synsets;
    return found;
  }

 private:
  static std::string name(std::size_t word) { return "w" + std::to_string(word); }

  // Lines that come in pieces of any size. Not all words are in the table.
  void read_paraphrases(Random& random) {
    std::vector<std::pair<std::string, std::string>> lines;
    std::string text;
    const auto phrase = [&] {
      std::string words;
      for (std::size_t k = random.between(1, 3); k > 0; --k) words += (words.empty() ? "" : " ") + name(random.below(size));
      return words;
    };
    for (std::size_t k = random.below(40); k > 0; --k) {
      lines.emplace_back(phrase(), phrase());
      text += "0.5\n" + lines.back().first + "\n" + lines.back().second + "\n";
    }
    if (!text.empty() && random.chance(50)) text.pop_back();
    assay::ParaphraseBuilder builder;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t piece = random.between(1, 20);
      builder.add(std::string_view(text).substr(at, piece));
      at += piece;
    }
    CHECK_EQUAL(builder.lines(), 3 * lines.size());
    arrays = std::move(builder).finish();
    CHECK(arrays.table().is_sound());
    for (std::size_t i = 0; i < size; ++i) table_words.push_back(number(name(i)));
    for (const auto& [one, other] : lines) paraphrases.emplace_back(numbers(one), numbers(other));
  }

  std::int32_t number(const std::string& word) const {
    const auto found = std::ranges::find(arrays.words, word);
    return found == arrays.words.end() ? -1 : static_cast<std::int32_t>(found - arrays.words.begin());
  }

  assay::reference::Phrase numbers(std::string phrase) const {
    assay::reference::Phrase found;
    phrase += ' ';
    for (std::size_t end; (end = phrase.find(' ')) != std::string::npos; phrase.erase(0, end + 1))
      found.push_back(number(phrase.substr(0, end)));
    return found;
  }
};

std::vector<int> described(const std::vector<assay::MeteorMatch>& matches) {
  std::vector<int> numbers;
  for (const auto& match : matches)
    for (const int number : {int{match.start}, int{match.length}, int{match.output_start}, int{match.output_length}, static_cast<int>(match.module)})
      numbers.push_back(number);
  return numbers;
}

void compare(Random& random, std::size_t longest) {
  const TokenCorpus corpus(random, 2, 2, 12, longest);
  const Lexicon lexicon(random, corpus.rows());
  const assay::ParaphraseTable table = lexicon.arrays.table();
  const bool has_paraphrases = random.chance(80);
  const assay::MeteorWords words = lexicon.words(random.chance(80), random.chance(80));
  const assay::ParaphraseTable* const used = has_paraphrases ? &table : nullptr;
  std::vector<std::int64_t> counts(4 * corpus.segments * assay::kMeteorColumns, 0);
  assay::meteor_statistics(corpus.references, corpus.outputs, corpus.segments, words, used, 1, counts.data());
  for (const int threads : {2, 4}) {
    std::vector<std::int64_t> others(counts.size(), 0);
    assay::meteor_statistics(corpus.references, corpus.outputs, corpus.segments, words, used, threads, others.data());
    CHECK(others == counts, threads);
  }
  const auto alignments = assay::meteor_alignments(corpus.references, corpus.outputs, corpus.segments, words, used, 1);
  CHECK(assay::meteor_alignments(corpus.references, corpus.outputs, corpus.segments, words, used, 4) == alignments);
  const std::int64_t* row = counts.data();
  auto found = alignments.begin();
  for (const auto& reference : corpus.references)
    for (const auto& output : corpus.outputs)
      for (std::size_t i = 0; i < corpus.segments; ++i, ++found, row += assay::kMeteorColumns) {
        if (!reference.present[i] || !output.present[i]) {
          CHECK(found->empty());
          CHECK(std::all_of(row, row + assay::kMeteorColumns, [](std::int64_t count) { return count == 0; }));
          continue;
        }
        const auto right = assay::reference::MeteorAlignment(output[i], reference[i], words, has_paraphrases ? lexicon.paraphrases : Paraphrases{}).matches();
        CHECK_EQUAL(described(*found), described(right), i);
        CHECK_EQUAL(std::vector<std::int64_t>(row, row + assay::kMeteorColumns), assay::reference::meteor_counts(output[i], reference[i], words, right), i);
      }
}

}  // namespace

int main() {
  Random random(1);
  for (std::size_t round = 0; round < 75; ++round) compare(random, round % 30 == 0 ? 70 : 12);
  return check::finish("meteor");
}
