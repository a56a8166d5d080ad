// Compares the tables of all edit rates with the reference implementations of metrics and tokenisers, and the choice between
// references with its definition; all numbers of threads give the same bytes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/rates.hpp"
#include "reference/edit.hpp"
#include "reference/ter.hpp"
#include "reference/tokenize.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

using Tokens = std::vector<std::u32string>;

std::u32string join(const Tokens& tokens) {
  std::u32string line;
  for (const auto& token : tokens) line += token + U" ";
  return line;
}

Tokens characters(const std::u32string& line, bool whitespace) {
  Tokens out;
  for (const char32_t c : assay::reference::strip(line))
    if (whitespace || !assay::reference::is_white_space(c)) out.emplace_back(1, c);
  return out;
}

std::vector<std::int64_t> slow_row(const assay::Text& reference, const assay::Text& output, const std::string& rate,
                                   const std::string& tokenizer, bool whitespace) {
  using namespace assay::reference;
  if (!reference.present() || !output.present()) return std::vector<std::int64_t>(rate == "per" ? 3 : 2, 0);
  Tokens theirs = tokenize(tokenizer, decode(reference)), ours = tokenize(tokenizer, decode(output));
  if (rate == "cer") theirs = characters(decode(reference), whitespace), ours = characters(decode(output), whitespace);
  if (rate == "ter") theirs = tokenize(tokenizer, join(theirs));  // sacreBLEU tokenises references twice
  const auto length = static_cast<std::int64_t>(theirs.size());
  if (rate == "per") return {words_in_common(ours, theirs), static_cast<std::int64_t>(ours.size()), length};
  if (rate == "ter") return {ter(ours, theirs), length};
  if (rate == "ter-moses") return {moses_ter(theirs, ours), length};
  if (rate == "cder") return {cder(ours, theirs), length};
  return {edit_distance(ours, theirs), length};
}

using Row = std::vector<double>;

// What counts of the rows against all references that have a text.
Row slow_choice(const std::vector<Row>& rows, const std::string& rate, bool as_moses) {
  if (rows.empty()) return Row(rate == "per" ? 3 : 2, 0);
  const auto better = [&](const Row& one, const Row& other) {
    if (rate == "per") return std::max(one[1], one[2]) - one[0] < std::max(other[1], other[2]) - other[0];
    if (!as_moses) return one[0] < other[0];
    const auto whole = [](const Row& row) { return row[1] > 0 ? std::trunc(1 - row[0] / row[1]) : 1.0; };
    return whole(one) > whole(other);
  };
  Row best = *std::min_element(rows.begin(), rows.end(), better);  // the first of equals
  if (rate == "per" || as_moses) return best;
  double length = 0;
  for (const Row& row : rows) length += row[1];
  return {best[0], length / static_cast<double>(rows.size())};
}

std::vector<double> fast(const Corpus& corpus, const assay::RateOptions& options, int threads) {
  std::vector<double> table(corpus.outputs.size() * corpus.segments * options.columns(), 0);
  assay::rate_statistics(corpus.references, corpus.outputs, corpus.segments, options, threads, table.data());
  return table;
}

void check_corpus(const Corpus& corpus, const std::string& rate, const std::string& tokenizer, bool whitespace, bool as_moses) {
  const assay::RateOptions options{assay::rate_named(rate), &assay::Tokenizer::named(tokenizer), whitespace, as_moses};
  const auto table = fast(corpus, options, 1);
  auto row = table.begin();
  for (const auto& output : corpus.outputs)
    for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
      std::vector<Row> rows;
      for (const auto& reference : corpus.references) {
        if (!reference.present(segment) || !output.present(segment)) continue;
        const auto counts = slow_row(reference[segment], output[segment], rate, tokenizer, whitespace);
        rows.emplace_back(counts.begin(), counts.end());
      }
      const auto end = row + static_cast<std::ptrdiff_t>(options.columns());
      CHECK_EQUAL(Row(row, end), slow_choice(rows, rate, as_moses), rate, tokenizer, rows.size(),
                  assay::reference::decode(output[segment]));
      row = end;
    }
  for (const int threads : {2, 4}) CHECK(fast(corpus, options, threads) == table, rate, threads);
}

// Of sums, empty ones too, and of integers as of reals.
void formulas(Random& random) {
  for (int i = 0; i < 2000; ++i) {
    const auto one = static_cast<double>(random.below(5)), two = static_cast<double>(random.below(5)), three = static_cast<double>(random.below(5));
    const std::int64_t row[]{static_cast<std::int64_t>(one), static_cast<std::int64_t>(two), static_cast<std::int64_t>(three)};
    const double reals[]{one, two, three};
    using assay::RateFlavour;
    for (const auto flavour : {RateFlavour::plain, RateFlavour::tercom, RateFlavour::moses}) {
      const assay::RateFormula rate{false, flavour}, per{true, flavour};
      const bool is_moses = flavour == RateFlavour::moses;
      const double edits = rate.score(row), errors = per.score(row);
      if (two > 0) CHECK_EQUAL(edits, is_moses ? 1 - one / two : 100 * (one / two), one, two);
      else if (flavour == RateFlavour::plain) CHECK(std::isnan(edits));
      else CHECK_EQUAL(edits, is_moses ? 1.0 : one > 0 ? 100.0 : 0.0, one);
      const double accuracy = (one - std::max(0.0, two - three)) / three;
      if (three > 0) CHECK_EQUAL(errors, is_moses ? accuracy : 100 * (1 - accuracy), one, two, three);
      else CHECK(is_moses ? errors == 0 : std::isnan(errors));
      CHECK(std::isnan(edits) || rate.score(reals) == edits);
      CHECK(std::isnan(errors) || per.score(reals) == errors);
    }
  }
}

}  // namespace

int main() {
  LineMaker maker(13);
  Random& random = maker.random();
  const std::vector<std::string> tercom{"tercom", "tercom+normalized", "tercom+normalized+asian", "tercom+no_punct",
                                        "tercom+normalized+asian+no_punct"};
  for (int i = 0; i < 40; ++i) {
    const Corpus corpus = random_corpus(maker, random.between(1, 3), random.between(1, 3), random.between(0, 20));
    check_corpus(corpus, "ter", random.pick(tercom), true, false);
    check_corpus(corpus, "ter-moses", "space", true, false);
    check_corpus(corpus, "wer", "none", true, random.chance(50));
    check_corpus(corpus, "wer", "13a", true, false);
    check_corpus(corpus, "cder", "char", true, random.chance(50));
    check_corpus(corpus, "per", "intl", true, false);
    check_corpus(corpus, "cer", "none", random.chance(50), false);
  }
  formulas(random);
  bool refused = false;
  try {
    assay::rate_named("ler");
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
  return check::finish("rates");
}
