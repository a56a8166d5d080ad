// Compares the tables of all edit rates with the reference implementations of metrics and tokenisers; all numbers of
// threads give the same bytes.
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

std::vector<std::int64_t> fast(const Corpus& corpus, const assay::RateOptions& options, int threads) {
  std::vector<std::int64_t> table(
      corpus.references.size() * corpus.outputs.size() * corpus.segments * options.columns(), 0);
  assay::rate_statistics(corpus.references, corpus.outputs, corpus.segments, options, threads, table.data());
  return table;
}

void check_corpus(const Corpus& corpus, const std::string& rate, const std::string& tokenizer, bool whitespace) {
  const assay::RateOptions options{assay::rate_named(rate), &assay::Tokenizer::named(tokenizer), whitespace};
  const auto table = fast(corpus, options, 1);
  auto row = table.begin();
  for (const auto& reference : corpus.references)
    for (const auto& output : corpus.outputs)
      for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
        const auto end = row + static_cast<std::ptrdiff_t>(options.columns());
        CHECK_EQUAL(std::vector<std::int64_t>(row, end),
                    slow_row(reference[segment], output[segment], rate, tokenizer, whitespace), rate, tokenizer,
                    assay::reference::decode(reference[segment]), assay::reference::decode(output[segment]));
        row = end;
      }
  for (const int threads : {2, 4}) CHECK(fast(corpus, options, threads) == table, rate, threads);
}

}  // namespace

int main() {
  LineMaker maker(13);
  Random& random = maker.random();
  const std::vector<std::string> tercom{"tercom", "tercom+normalized", "tercom+normalized+asian", "tercom+no_punct",
                                        "tercom+normalized+asian+no_punct"};
  for (int i = 0; i < 40; ++i) {
    const Corpus corpus = random_corpus(maker, random.between(1, 3), random.between(1, 3), random.between(0, 20));
    check_corpus(corpus, "ter", random.pick(tercom), true);
    check_corpus(corpus, "ter-moses", "space", true);
    check_corpus(corpus, "wer", "none", true);
    check_corpus(corpus, "wer", "13a", true);
    check_corpus(corpus, "cder", "char", true);
    check_corpus(corpus, "per", "intl", true);
    check_corpus(corpus, "cer", "none", random.chance(50));
  }
  bool refused = false;
  try {
    assay::rate_named("ler");
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
  return check::finish("rates");
}
