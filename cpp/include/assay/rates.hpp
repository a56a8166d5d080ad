// The statistics of the edit-distance metrics: TER, WER, CER, CDER and PER.
//
// Per system and segment: edits and reference length; for PER, words in common, output length and reference length. Outputs are
// compared with one reference at a time, and `RateChoice` says what counts. The references of a segment are tokenised and indexed
// once for all systems.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/alphabet.hpp"
#include "assay/by_width.hpp"
#include "assay/cder.hpp"
#include "assay/column.hpp"
#include "assay/edit.hpp"
#include "assay/ngrams.hpp"
#include "assay/parallel.hpp"
#include "assay/rate_score.hpp"
#include "assay/segment.hpp"
#include "assay/ter.hpp"
#include "assay/ter_moses.hpp"
#include "assay/tokenize.hpp"
#include "assay/too_long.hpp"

namespace assay {

enum class Rate { ter, moses_ter, wer, cer, cder, per };

inline Rate rate_named(std::string_view name) {
  if (name == "ter") return Rate::ter;
  if (name == "ter-moses") return Rate::moses_ter;
  if (name == "wer") return Rate::wer;
  if (name == "cer") return Rate::cer;
  if (name == "cder") return Rate::cder;
  if (name == "per") return Rate::per;
  throw std::invalid_argument("no edit rate is called '" + std::string(name) + "'");
}

struct RateOptions {
  Rate rate = Rate::wer;
  const Tokenizer* tokenizer = nullptr;
  bool whitespace = true;  // CER: count spaces as characters
  bool chooses_as_moses = false;  // between references
  std::int64_t max_work = Effort::kUnlimited;  // on one output and one reference (effort.hpp)

  std::size_t columns() const { return RateFormula{rate == Rate::per}.columns(); }
  bool has_mean_length() const { return rate != Rate::per && !chooses_as_moses; }  // which need not be an integer
};

template <class Char>
class RateSegment {
 public:
  explicit RateSegment(const RateOptions& options)
      : options_(options), alphabet_(options.whitespace), effort_(options.max_work) {}

  // Fills row(r, s), zero on entry, with the statistics of system s against reference r.
  template <class Row>
  void operator()(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment, Row row) {
    if (options_.rate == Rate::cer) characters(references, outputs, segment, row);
    else words(references, outputs, segment, row);
  }

 private:
  template <class Row>
  void words(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment, Row row) {
    const bool tokenizes_twice = options_.rate == Rate::ter && options_.tokenizer->normalizes();
    if (!texts_.read(references, outputs, segment, *options_.tokenizer, [&](auto& scratch) {
          if (tokenizes_twice) tokenize_again(scratch);
        }))
      return;
    auto reference = texts_.references().begin();
    for (std::size_t r = 0; r < references.size(); ++r) {
      if (!references[r][segment].present()) continue;
      index(*reference, texts_.symbols());
      for (std::size_t s = 0; s < outputs.size(); ++s)
        if (outputs[s][segment].present())
          measure({r, s, segment, reference->size(), texts_.outputs()[s].size()}, *reference, texts_.outputs()[s], texts_.symbols(), row(r, s));
      ++reference;
    }
  }

  // sacreBLEU's TER tokenises references twice, and its scores depend on that: "it's." first becomes "it's ." and then
  // "it 's .".
  void tokenize_again(Tokenizer::Scratch<Char>& scratch) {
    joined_.clear();
    for (const auto& token : scratch.tokens) {
      joined_.insert(joined_.end(), token.start, token.start + token.length);
      joined_.push_back(' ');
    }
    joined_.push_back(' ');  // so that the pointer is valid
    (*options_.tokenizer)({joined_.data(), joined_.size(), sizeof(Char)}, scratch);
  }

  template <class Row>
  void characters(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment, Row row) {
    for (std::size_t r = 0; r < references.size(); ++r) {
      if (!references[r][segment].present()) continue;
      alphabet_.learn(stripped(references[r][segment]), buffer_, reference_);
      index(reference_, alphabet_.size());
      for (std::size_t s = 0; s < outputs.size(); ++s) {
        if (!outputs[s][segment].present()) continue;
        alphabet_.read(stripped(outputs[s][segment]), buffer_, output_);
        measure({r, s, segment, reference_.size(), output_.size()}, reference_, output_, alphabet_.size(), row(r, s));
      }
    }
  }

  void index(const std::vector<Symbol>& reference, std::size_t symbols) {
    const bool reads_output = options_.rate == Rate::cder || options_.rate == Rate::moses_ter;
    if (!reads_output && options_.rate != Rate::per) positions_.assign(reference, symbols);
  }

  void measure(const TooLong& pair, const std::vector<Symbol>& reference, const std::vector<Symbol>& output,
               std::size_t symbols, std::int64_t* row) {
    try {
      effort_.start();
      measure(reference, output, symbols, row);
    } catch (const TooMuchWork&) {
      throw pair;
    }
  }

  void measure(const std::vector<Symbol>& reference, const std::vector<Symbol>& output, std::size_t symbols,
               std::int64_t* row) {
    row[options_.columns() - 1] = static_cast<std::int64_t>(reference.size());
    switch (options_.rate) {
      case Rate::ter: row[0] = ter_(reference, positions_, output, symbols); break;
      case Rate::moses_ter: row[0] = moses_ter_(reference, output, symbols, effort_); break;
      case Rate::cder:
        positions_.assign(output, symbols);
        row[0] = cder_(positions_, reference, effort_);
        break;
      case Rate::per:
        row[0] = static_cast<std::int64_t>(words_in_common_(reference, output, symbols));
        row[1] = static_cast<std::int64_t>(output.size());
        break;
      default: row[0] = edit_distance_(positions_, output, effort_);
    }
  }

  RateOptions options_;
  Alphabet<Char> alphabet_;
  PaddedText<Char> buffer_;
  std::vector<Char> joined_;
  SegmentSymbols<Char> texts_;
  std::vector<Symbol> reference_, output_;  // in characters
  Positions positions_;
  Effort effort_;
  EditDistance edit_distance_;
  Ter ter_;
  MosesTer moses_ter_;
  Cder cder_;
  WordsInCommon words_in_common_;
};

// What counts of several references: the fewest edits, and the mean length of all references; of PER, the first row with the fewest
// errors; as Moses, the first row, unless a later one scores higher (Moses cuts off fractions before it compares scores).
class RateChoice {
 public:
  explicit RateChoice(const RateOptions& options) : options_(options) {}

  // Fills `out`, zero on entry, from the rows of an output against the references that have a text; the rows are `stride` apart.
  template <class T>
  void operator()(const std::vector<Column>& references, std::size_t segment, const std::int64_t* row, std::size_t stride, T* out) const {
    const std::size_t columns = options_.columns();
    const std::int64_t* best = nullptr;
    std::int64_t present = 0, length = 0;
    for (std::size_t r = 0; r < references.size(); ++r, row += stride) {
      if (!references[r].present(segment)) continue;
      if (best == nullptr || is_better(row, best)) best = row;
      ++present, length += row[columns - 1];
    }
    if (best == nullptr) return;
    std::copy_n(best, columns, out);
    if (present > 1 && options_.has_mean_length()) out[1] = static_cast<T>(static_cast<double>(length) / static_cast<double>(present));
  }

 private:
  bool is_better(const std::int64_t* row, const std::int64_t* best) const {
    if (options_.rate == Rate::per) return errors(row) < errors(best);
    if (!options_.chooses_as_moses) return row[0] < best[0];
    constexpr RateFormula moses{false, RateFlavour::moses};
    return std::trunc(moses.score(row)) > std::trunc(moses.score(best));
  }

  static std::int64_t errors(const std::int64_t* row) { return std::max(row[1], row[2]) - row[0]; }

  RateOptions options_;
};

// table: (system, segment, column), zero on entry; rows of absent texts stay zero.
template <class T>
void rate_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segments,
                     const RateOptions& options, int threads, T* table) {
  const std::size_t columns = options.columns(), systems = outputs.size(), stride = systems * columns;
  const RateChoice choose(options);
  parallel_blocks(segments, 16, threads, [&] {
    return [&, statistics = ByWidth<RateSegment>(options), rows = std::vector<std::int64_t>(references.size() * stride),
            progress = Progress()](std::size_t first, std::size_t last) mutable {
      const auto row = [&](std::size_t r, std::size_t s) { return rows.data() + r * stride + s * columns; };
      for (std::size_t i = first; i < last; ++i) {
        progress.spend(kCharacterWork * static_cast<std::int64_t>(characters(references, i) + characters(outputs, i)));
        std::fill(rows.begin(), rows.end(), 0);
        statistics(widest(outputs, i, widest(references, i)), references, outputs, i, row);
        for (std::size_t s = 0; s < systems; ++s)
          if (outputs[s].present(i)) choose(references, i, row(0, s), stride, table + (s * segments + i) * columns);
      }
    };
  });
}

}  // namespace assay
