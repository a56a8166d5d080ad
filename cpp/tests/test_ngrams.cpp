// Compares clipped n-gram matches with maps of n-grams, and the vocabulary with a map of tokens.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "assay/ngrams.hpp"
#include "assay/token_index.hpp"
#include "reference/ngrams.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::Hit;
using assay::Symbol;
using Sequences = std::vector<std::vector<Symbol>>;

Sequences random_sequences(Random& random, std::size_t count, std::size_t max_length, std::size_t first_symbol,
                           std::size_t symbols) {
  Sequences sequences(count);
  for (auto& sequence : sequences) {
    sequence.resize(random.below(max_length + 1));
    for (Symbol& symbol : sequence) symbol = static_cast<Symbol>(random.between(first_symbol, symbols - 1));
  }
  return sequences;
}

std::vector<std::int64_t> slow_matches(const Sequences& references, const std::vector<Symbol>& output, int max_order) {
  std::vector<std::int64_t> matches;
  for (std::size_t order = 1; order <= static_cast<std::size_t>(max_order); ++order) {
    std::vector<assay::reference::NgramCounts<Symbol>> counts;
    for (const auto& reference : references) counts.push_back(assay::reference::count_ngrams(reference, order));
    matches.push_back(assay::reference::clipped_matches(assay::reference::count_ngrams(output, order), counts));
  }
  return matches;
}

// Number and places of the hits of each order: no n-gram is found more often than clipping allows.
std::vector<std::int64_t> counted(const std::vector<std::vector<Hit>>& hits, std::size_t outputs,
                                  int max_order) {
  std::vector<std::int64_t> matches;
  for (std::size_t s = 0; s < outputs; ++s)
    for (int n = 0; n < max_order; ++n) {
      matches.push_back(0);
      for (const Hit& hit : hits[s]) matches.back() += hit.orders >> n & 1;
    }
  return matches;
}

// The hits of each n-gram are as many as clipping leaves.
void check_hits(const std::vector<std::vector<Hit>>& hits, const Sequences& references,
                const Sequences& outputs, int max_order) {
  for (std::size_t s = 0; s < outputs.size(); ++s)
    for (std::size_t order = 1; order <= static_cast<std::size_t>(max_order); ++order) {
      std::map<std::vector<Symbol>, std::int64_t> found;
      for (std::size_t j = order - 1; j < outputs[s].size(); ++j)
        if (hits[s][j].orders >> (order - 1) & 1)
          ++found[{outputs[s].begin() + static_cast<std::ptrdiff_t>(j + 1 - order),
                   outputs[s].begin() + static_cast<std::ptrdiff_t>(j + 1)}];
      for (const auto& [ngram, count] : found) {
        std::int64_t limit = 0;
        for (const auto& reference : references)
          limit = std::max(limit, assay::reference::count_ngrams(reference, order)[ngram]);
        CHECK(count <= limit, references, outputs[s], ngram);
      }
    }
}

// The longest hit has the right place in the references, which are concatenated with one unused place after each.
void check_places(const std::vector<std::vector<Hit>>& hits, const Sequences& references, const Sequences& outputs) {
  std::vector<Symbol> laid_out;
  for (const auto& reference : references) {
    laid_out.insert(laid_out.end(), reference.begin(), reference.end());
    laid_out.push_back(0);
  }
  for (std::size_t s = 0; s < outputs.size(); ++s)
    for (std::size_t j = 0; j < outputs[s].size(); ++j)
      for (std::size_t back = 0; hits[s][j].orders >> back != 0; ++back) {
        const std::size_t place = hits[s][j].place;
        CHECK(place < laid_out.size() && back <= place && outputs[s][j - back] == laid_out[place - back], references,
              outputs[s], j, back);
      }
}

// The matcher, and the implementations that it chooses from. The same objects are used for every case: state of one
// segment must not affect the next.
struct Engines {
  assay::NgramMatcher matcher;
  assay::Refinement<assay::DenseTable> dense;
  assay::Refinement<assay::SparseTable> sparse;
};

std::size_t total_length(const Sequences& sequences) {
  std::size_t length = 0;
  for (const auto& sequence : sequences) length += sequence.size();
  return length;
}

void check_matches(Engines& engines, const Sequences& references, const Sequences& outputs, std::size_t symbols,
                   int max_order) {
  std::vector<std::int64_t> slow;
  for (const auto& output : outputs)
    for (const std::int64_t matches : slow_matches(references, output, max_order)) slow.push_back(matches);

  const std::size_t length = total_length(references);
  std::vector<std::int64_t> chosen(slow.size(), 0), dense(slow.size(), 0), sparse(slow.size(), 0);
  engines.matcher(references, outputs, symbols, max_order, chosen.data());
  CHECK_EQUAL(chosen, slow, symbols, max_order, references, outputs);
  engines.sparse.run(references, outputs, symbols, length, max_order, sparse.data());
  CHECK_EQUAL(sparse, slow, symbols, max_order, references, outputs);
  if (!assay::DenseTable::fits(std::max(symbols, length + 1), symbols)) return;
  engines.dense.run(references, outputs, symbols, length, max_order, dense.data());
  CHECK_EQUAL(dense, slow, symbols, max_order, references, outputs);
}

void check_all_hits(Engines& engines, const Sequences& references, const Sequences& outputs, std::size_t symbols,
                    int max_order) {
  std::vector<std::int64_t> slow;
  for (const auto& output : outputs)
    for (const std::int64_t matches : slow_matches(references, output, max_order)) slow.push_back(matches);
  const std::size_t length = total_length(references);
  std::vector<std::vector<Hit>> chosen, dense, sparse;
  for (const auto& output : outputs) dense.emplace_back(output.size());
  sparse = dense;
  engines.matcher.hits(references, outputs, symbols, max_order, chosen);
  engines.sparse.hits(references, outputs, symbols, length, max_order, sparse);
  engines.dense.hits(references, outputs, symbols, length, max_order, dense);
  for (const auto* hits : {&chosen, &dense, &sparse}) {
    CHECK_EQUAL(counted(*hits, outputs.size(), max_order), slow, symbols, max_order, references, outputs);
    check_hits(*hits, references, outputs, max_order);
    check_places(*hits, references, outputs);
  }
}

// Outputs may have symbol 0, which is not in the references; references may not.
void random_segments(Engines& engines, Random& random) {
  for (int i = 0; i < 1200; ++i) {
    const std::size_t symbols = random.between(2, random.chance(50) ? 4 : 40);
    const auto references = random_sequences(random, random.between(1, 4), random.between(0, 40), 1, symbols);
    const auto outputs = random_sequences(random, random.between(1, 4), random.between(0, 40), 0, symbols);
    const auto max_order = static_cast<int>(random.between(1, 8));
    check_matches(engines, references, outputs, symbols, max_order);
    if (i % 5 == 0) check_all_hits(engines, references, outputs, symbols, max_order);
  }
}

// `length` tokens over exactly this many symbols: the largest must occur, or the caller would not have named it.
Sequences reference_of(Random& random, std::size_t length, std::size_t symbols) {
  Sequences references(1, std::vector<Symbol>(length));
  for (Symbol& symbol : references[0]) symbol = static_cast<Symbol>(random.between(1, symbols - 1));
  references[0][random.below(length)] = static_cast<Symbol>(symbols - 1);
  return references;
}

// A sequence that shares long stretches with this one; where it differs, its symbols start at `first_symbol`.
std::vector<Symbol> output_like(Random& random, std::size_t first_symbol, std::vector<Symbol> sequence,
                                std::size_t symbols) {
  for (std::size_t i = random.below(10); i < sequence.size(); i += random.between(1, 20))
    sequence[i] = static_cast<Symbol>(random.between(first_symbol, symbols - 1));
  return sequence;
}

// References with lengths close to multiples of 64, alone and together with shorter ones.
void segments_around_words(Engines& engines, Random& random) {
  for (const std::size_t length : {1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193, 255, 256, 257, 258})
    for (const std::size_t symbols : {2, 3, 12, 300})
      for (int repetition = 0; repetition < 4; ++repetition) {
        Sequences references = reference_of(random, length, symbols), outputs;
        for (std::size_t more = random.below(4); more > 0; --more) {
          references.push_back(output_like(random, 1, references[0], symbols));
          references.back().resize(random.between(0, length));
        }
        outputs.push_back(output_like(random, 0, references[0], symbols));
        outputs.push_back(output_like(random, 0, references.back(), symbols));
        outputs.back().insert(outputs.back().end(), references[0].begin(), references[0].end());
        check_matches(engines, references, outputs, symbols, static_cast<int>(random.between(1, 8)));
      }
}

// Close to the maximum number of cells of a dense table, 2^18, and of classes in 16 bits.
void segments_at_the_limits_of_the_dense_table(Engines& engines, Random& random) {
  struct Limit {
    std::size_t symbols, length;
    int max_order;
    bool fits;
  };
  const std::vector<Limit> limits{
      {512, 510, 6, true},      {512, 511, 6, true},    {512, 512, 6, false},      {513, 400, 6, false},
      {256, 1023, 4, true},     {256, 1024, 4, false},  {16, 16383, 4, true},      {16, 16384, 4, false},
      {900, 900, 6, false},     {3000, 4000, 2, false}, {4, 0xFFFF - 2, 12, true}, {4, 0xFFFF - 1, 12, false},
      {2, 0xFFFF - 2, 3, true}, {2, 0x10001, 3, false},
  };
  for (const Limit& limit : limits) {
    CHECK_EQUAL(assay::DenseTable::fits(std::max(limit.symbols, limit.length + 1), limit.symbols), limit.fits,
                limit.symbols, limit.length);
    const Sequences references = reference_of(random, limit.length, limit.symbols);
    Sequences outputs{output_like(random, 0, references[0], limit.symbols)};
    if (limit.length < 2000)
      for (int i = 0; i < 3; ++i) outputs.push_back(output_like(random, 0, references[0], limit.symbols));
    check_matches(engines, references, outputs, limit.symbols, limit.max_order);
    // A small segment in between, which uses the tables after the large one.
    check_matches(engines, random_sequences(random, 3, 30, 1, 5), random_sequences(random, 2, 30, 0, 5), 5, 6);
  }
}

// Several references, whose largest counts come from different ones, with too many symbols for the dense table.
void sparse_segments_with_several_references(Engines& engines, Random& random) {
  for (int i = 0; i < 15; ++i) {
    const std::size_t symbols = 600;
    Sequences references = reference_of(random, 450, symbols), outputs;
    for (std::size_t more = random.between(1, 3); more > 0; --more)
      references.push_back(output_like(random, 1, references[0], symbols));
    while (outputs.size() < 2) outputs.push_back(output_like(random, 0, references[0], symbols));
    check_matches(engines, references, outputs, symbols, static_cast<int>(random.between(1, 6)));
  }
}

// Many short references that share few symbols: there are many symbols although no reference is long.
void segments_with_many_references(Engines& engines, Random& random) {
  for (const std::size_t count : {8, 31, 32, 33, 45}) {
    const std::size_t length = 250, symbols = count * length + 1;
    Sequences references(count, std::vector<Symbol>(length)), outputs;
    for (std::size_t i = 0; i < count * length; ++i) references[i / length][i % length] = static_cast<Symbol>(i + 1);
    for (auto& reference : references) reference = output_like(random, 1, reference, symbols);
    for (std::size_t i = 0; i < 3; ++i) outputs.push_back(output_like(random, 0, random.pick(references), symbols));
    check_matches(engines, references, outputs, symbols, static_cast<int>(random.between(1, 6)));
  }
}

// Adds the first half of the tokens as two references, then looks all of them up as an output.
template <class Char>
void check_vocabulary(assay::Vocabulary<Char>& vocabulary, Random& random,
                      const std::vector<std::vector<Char>>& names) {
  std::vector<std::vector<Char>> memory = names;
  std::vector<assay::Token<Char>> tokens;
  for (auto& characters : memory) {
    const auto length = static_cast<std::uint32_t>(characters.size());
    // Tokens are in padded texts: the bytes after them are readable and must not matter.
    for (std::size_t i = 0; i < assay::PaddedText<Char>::kBlock; ++i)
      characters.push_back(static_cast<Char>(random.bits()));
    tokens.push_back({characters.data(), length});
  }

  const std::size_t learnt = names.size() / 2, first = random.below(learnt + 1);
  std::vector<Symbol> actual, some;
  const auto append = [&] { actual.insert(actual.end(), some.begin(), some.end()); };
  const std::span<const assay::Token<Char>> all = tokens;
  vocabulary.reset(learnt);
  vocabulary.learn(all.first(first), some);
  append();
  vocabulary.learn(all.subspan(first, learnt - first), some);
  append();
  vocabulary.read(all, some);
  append();

  // Different tokens have different symbols from 1 on, in any order.
  std::map<std::vector<Char>, Symbol> known;
  for (std::size_t i = 0; i < learnt; ++i) CHECK_EQUAL(known.try_emplace(names[i], actual[i]).first->second, actual[i], names[i]);
  for (std::size_t i = 0; i < names.size(); ++i)
    CHECK_EQUAL(actual[learnt + i], known.contains(names[i]) ? known[names[i]] : 0, names[i]);
  std::set<Symbol> symbols;
  for (const auto& [name, symbol] : known) symbols.insert(symbol);
  CHECK_EQUAL(vocabulary.size(), known.size() + 1);
  CHECK_EQUAL(symbols.size(), known.size());
  CHECK_EQUAL(known.empty() ? std::size_t{0} : std::size_t{*symbols.rbegin()}, known.size());
}

// Tokens are compared eight bytes at a time: equal starts, equal ends, lengths close to one and two words.
template <class Char>
void similar_tokens(Random& random) {
  assay::Vocabulary<Char> vocabulary;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::vector<Char>> names;
    for (std::size_t i = 0; i < 200; ++i) {
      names.emplace_back(random.chance(70) ? random.between(1, 20) : random.between(1, 70), 'a');
      for (std::size_t changes = random.below(3); changes > 0; --changes)
        names.back()[random.below(names.back().size())] =
            static_cast<Char>(random.chance(20) ? random.below(4) : 'a' + random.below(2));
    }
    check_vocabulary(vocabulary, random, names);
  }
}

// Tokens that differ only in the number of zeros at their end have the same key. In small tables, their slots are so
// close that a search for one encounters another.
template <class Char>
void tokens_that_end_in_zeros(Random& random) {
  assay::Vocabulary<Char> vocabulary;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t first_character = random.between(1, 200);
    std::vector<std::vector<Char>> names(random.between(2, 12));
    for (auto& name : names) {
      name.assign(random.between(1, 16 / sizeof(Char)), Char{0});
      name[0] = static_cast<Char>(first_character + random.below(2));
    }
    check_vocabulary(vocabulary, random, names);
  }
}

// Tokens of two words with equal keys: the first word cancels the effect of the second. Such a text can be constructed on
// purpose, and even then its tokens must not be confused.
void tokens_with_equal_keys(Random& random) {
  assay::Vocabulary<std::uint8_t> vocabulary;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::vector<std::uint8_t>> names;
    const std::uint64_t key = random.bits();
    for (std::size_t i = 0; i < 20; ++i) {
      const std::uint64_t second = random.bits(), words[] = {key ^ second * 0x9E3779B97F4A7C15u, second};
      names.emplace_back(16);
      std::memcpy(names.back().data(), words, 16);
    }
    check_vocabulary(vocabulary, random, names);
  }
}

using Words = std::vector<std::uint64_t>;

// The CPU time of numbering tokens, and of looking up pairs of a class and a symbol.
double seconds_of(const std::vector<Words>& tokens, const Words& pairs) {
  Words text;
  for (const Words& token : tokens) text.insert(text.end(), token.begin(), token.end());
  text.resize(text.size() + 2);  // readable bytes after the last token
  std::vector<assay::Token<std::uint8_t>> views;
  const auto* start = reinterpret_cast<const std::uint8_t*>(text.data());
  for (const Words& token : tokens) {
    views.push_back({start, static_cast<std::uint32_t>(token.size() * 8)});
    start += token.size() * 8;
  }
  assay::Vocabulary<std::uint8_t> vocabulary;
  assay::TokenIndex index;
  assay::Speller spell;
  assay::SparseTable table;
  std::vector<Symbol> symbols;
  std::uint32_t next = 1;
  const std::clock_t begin = std::clock();
  vocabulary.reset(views.size());
  vocabulary.learn(views, symbols);
  for (const auto& spelt : spell(std::span<const assay::Token<std::uint8_t>>(views))) index.find_or_add(spelt);
  const auto cursor = table.open(0, 0, 0);
  for (const std::uint64_t pair : pairs) cursor.get_or_add(static_cast<std::uint32_t>(pair >> 32), static_cast<Symbol>(pair), next);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Tokens and pairs that collide under multiplication by a known constant, as an adversary can choose them, take no longer than
// others. (With such a hash, this takes more than a hundred times as long.)
void tokens_chosen_to_collide(Random& random) {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u;
  std::uint64_t inverse = golden;  // Newton's method: every step doubles the number of correct bits
  for (int step = 0; step < 5; ++step) inverse *= 2 - golden * inverse;
  std::vector<Words> chosen, others;
  Words chosen_pairs, other_pairs;
  for (std::uint64_t i = 0; i < 8000; ++i) {
    const std::uint64_t second = random.bits(), chain = std::rotl(second * golden, 29);
    chosen.push_back({i * inverse - 8});                     // one word
    chosen.push_back({second * golden, second});             // two words that cancel each other
    chosen.push_back({second, chain, 12345});                // three words
    others.push_back({random.bits()});
    others.push_back({random.bits(), random.bits()});
    others.push_back({random.bits(), random.bits(), random.bits()});
    chosen_pairs.push_back(i * inverse);
    other_pairs.push_back(random.bits());
  }
  const double ordinary = seconds_of(others, other_pairs), adversarial = seconds_of(chosen, chosen_pairs);
  CHECK(adversarial < 20 * ordinary + 0.05, adversarial, ordinary);
}

template <class Char>
void tokens_are_told_apart(Random& random) {
  similar_tokens<Char>(random);
  tokens_that_end_in_zeros<Char>(random);
}

}  // namespace

int main() {
  Random random(3);
  Engines engines;
  random_segments(engines, random);
  segments_around_words(engines, random);
  segments_at_the_limits_of_the_dense_table(engines, random);
  sparse_segments_with_several_references(engines, random);
  segments_with_many_references(engines, random);
  random_segments(engines, random);
  tokens_are_told_apart<std::uint8_t>(random);
  tokens_are_told_apart<std::uint16_t>(random);
  tokens_are_told_apart<std::uint32_t>(random);
  tokens_with_equal_keys(random);
  tokens_chosen_to_collide(random);
  return check::finish("ngrams");
}
