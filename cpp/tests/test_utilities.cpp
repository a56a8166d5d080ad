// Compares the utilities of candidates and their means with the reference implementation, bit by bit; all numbers of threads give
// the same bytes.
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "assay/utilities.hpp"
#include "reference/utilities.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

// Texts in groups, and their memory.
class Candidates {
 public:
  void add(const std::u32string& line) { stored_.emplace_back(line); }
  void end_segment() { starts_.push_back(static_cast<std::int64_t>(stored_.size())); }

  assay::Column column() const {
    std::vector<assay::Text> views;
    for (const StoredText& text : stored_) views.push_back(text.view());
    return assay::Column(views);
  }
  std::vector<assay::Text> texts(std::size_t segment) const {
    std::vector<assay::Text> views;
    for (std::int64_t i = starts_[segment]; i < starts_[segment + 1]; ++i) views.push_back(stored_[static_cast<std::size_t>(i)].view());
    return views;
  }
  const std::int64_t* starts() const { return starts_.data(); }
  std::size_t segments() const { return starts_.size() - 1; }
  std::size_t size() const { return stored_.size(); }

 private:
  std::deque<StoredText> stored_;
  std::vector<std::int64_t> starts_{0};
};

struct Found {
  std::vector<double> means, matrix;
};

bool same_bytes(const std::vector<double>& one, const std::vector<double>& other) {
  return one.size() == other.size() && (one.empty() || std::memcmp(one.data(), other.data(), one.size() * sizeof(double)) == 0);
}

// compute(candidates, references or null, threads, means, matrix) against utility(candidate, reference).
template <class Compute, class Utility>
void check(const Candidates& candidates, const Candidates* references, const std::string& options, Compute compute, Utility utility) {
  const assay::Column texts = candidates.column(), others = (references == nullptr ? candidates : *references).column();
  const assay::Groups ours{texts, candidates.starts()};
  const assay::Groups theirs{others, (references == nullptr ? candidates : *references).starts()};
  std::size_t cells = 0;
  for (std::size_t i = 0; i < candidates.segments(); ++i) cells += ours.size(i) * theirs.size(i);
  const auto found = [&](int threads, bool keeps_all) {
    Found out{std::vector<double>(candidates.size()), std::vector<double>(cells)};
    compute(ours, references == nullptr ? nullptr : &theirs, candidates.segments(), threads, out.means.data(),
            keeps_all ? out.matrix.data() : nullptr);
    return out;
  };
  const Found fast = found(1, true);
  Found slow;
  for (std::size_t i = 0; i < candidates.segments(); ++i) {
    const auto rows = candidates.texts(i), columns = (references == nullptr ? candidates : *references).texts(i);
    const auto utilities = assay::reference::utilities(rows, columns, utility);
    const auto means = assay::reference::mean_utilities(utilities, rows.size(), columns.size());
    slow.matrix.insert(slow.matrix.end(), utilities.begin(), utilities.end());
    slow.means.insert(slow.means.end(), means.begin(), means.end());
  }
  CHECK(same_bytes(fast.matrix, slow.matrix), options, references == nullptr, candidates.size());
  CHECK(same_bytes(fast.means, slow.means), options, references == nullptr, candidates.size());
  for (const int threads : {2, 4}) CHECK(same_bytes(found(threads, false).means, fast.means), options, threads);
}

void check_chrf(const Candidates& candidates, const Candidates* references, const assay::ChrfOptions& options, bool eps_smoothing) {
  const assay::ChrfFormula formula{options.columns() / 3, 2, eps_smoothing};
  const auto compute = [&](const auto&... arguments) {
    assay::expected_utilities<assay::ChrfSequences>(arguments..., assay::ChrfPair{options, formula}, options);
  };
  const std::string name = "chrf " + std::to_string(options.char_order) + " " + std::to_string(options.word_order);
  check(candidates, references, name, compute, [&](const assay::Text& candidate, const assay::Text& reference) {
    return assay::reference::chrf_utility(candidate, reference, options, formula);
  });
}

void check_bleu(const Candidates& candidates, const Candidates* references, const char* tokenizer, const assay::BleuFormula& formula) {
  const auto& tokenize = assay::Tokenizer::named(tokenizer);
  const auto compute = [&](const auto&... arguments) {
    assay::expected_utilities<assay::BleuSequences>(arguments..., assay::BleuPair{formula}, tokenize, static_cast<int>(formula.max_order));
  };
  check(candidates, references, tokenizer, compute, [&](const assay::Text& candidate, const assay::Text& reference) {
    return assay::reference::bleu_utility(candidate, reference, tokenizer, formula);
  });
}

std::u32string random_text(LineMaker& maker, const std::u32string& line) {
  Random& random = maker.random();
  if (random.chance(5)) return U"";
  if (random.chance(15)) return line;
  return random.chance(80) ? maker.variation(line, 2) : maker.line(maker.width());
}

void random_candidates(LineMaker& maker) {
  Random& random = maker.random();
  constexpr std::array<const char*, 4> tokenizers{"13a", "intl", "char", "none"};
  for (int i = 0; i < 40; ++i) {
    Candidates candidates, references;
    const std::size_t segments = random.between(0, 6);
    for (std::size_t segment = 0; segment < segments; ++segment) {
      const std::u32string line = maker.line(maker.width());
      for (std::size_t n = random.chance(20) ? random.between(30, 60) : random.between(0, 8); n > 0; --n)
        candidates.add(random_text(maker, line));
      for (std::size_t n = random.between(0, 8); n > 0; --n) references.add(random_text(maker, line));
      candidates.end_segment();
      references.end_segment();
    }
    assay::ChrfOptions options;
    do {
      options.char_order = static_cast<int>(random.below(8));
      options.word_order = static_cast<int>(random.below(3));
    } while (options.char_order + options.word_order == 0);
    options.whitespace = random.chance(30);
    assay::BleuFormula formula;
    formula.max_order = random.between(1, 6);
    formula.effective_order = random.chance(70);
    for (const Candidates* others : {static_cast<const Candidates*>(nullptr), static_cast<const Candidates*>(&references)}) {
      check_chrf(candidates, others, options, random.chance(20));
      check_bleu(candidates, others, random.pick(tokenizers), formula);
    }
  }
}

// Most n-grams are in a few texts of many, and some texts repeat theirs: elements become bits, lists and constants.
void many_candidates(LineMaker& maker) {
  Random& random = maker.random();
  Candidates candidates, references;
  const std::u32string start = U"the same start of all ", words = U"abcdefghij";
  for (int n = 0; n < 150; ++n) {
    std::u32string text = start;
    for (std::size_t k = random.between(0, 12); k > 0; --k) {
      for (std::size_t times = random.between(1, 3); times > 0; --times) text += words[random.below(words.size())];
      text += U' ';
    }
    candidates.add(text);
    if (n % 3 == 0) references.add(text);
  }
  candidates.end_segment();
  references.end_segment();
  for (const Candidates* others : {static_cast<const Candidates*>(nullptr), static_cast<const Candidates*>(&references)}) {
    check_chrf(candidates, others, {6, 2, false}, false);
    check_bleu(candidates, others, "13a", {});
  }
}

// So many that a table of all pairs is not kept: the same as with all of them as references.
void more_candidates_than_are_kept() {
  Candidates candidates;
  for (char32_t i = 0; i < 1100; ++i) candidates.add({U'a', U'b', static_cast<char32_t>(0x4E00 + i / 60), static_cast<char32_t>(0x5E00 + i % 60)});
  candidates.end_segment();
  const assay::Column column = candidates.column();
  const assay::Groups groups{column, candidates.starts()};
  const assay::ChrfOptions options{2, 0, false};
  const assay::ChrfFormula formula{2, 2, false};
  std::vector<double> own(candidates.size()), others(candidates.size());
  assay::expected_utilities<assay::ChrfSequences>(groups, nullptr, 1, 1, own.data(), nullptr, assay::ChrfPair{options, formula}, options);
  assay::expected_utilities<assay::ChrfSequences>(groups, &groups, 1, 1, others.data(), nullptr, assay::ChrfPair{options, formula}, options);
  CHECK(same_bytes(own, others));
  const auto texts = candidates.texts(0);
  for (const std::size_t i : {std::size_t{0}, std::size_t{61}, std::size_t{1099}}) {
    double sum = 0;
    for (const assay::Text& text : texts) sum += assay::reference::chrf_utility(texts[i], text, options, formula);
    CHECK(own[i] == sum / static_cast<double>(texts.size()), i);
  }
}

}  // namespace

int main() {
  LineMaker maker(7);
  random_candidates(maker);
  many_candidates(maker);
  more_candidates_than_are_kept();
  return check::finish("utilities");
}
