// Sufficient statistics of chrF and chrF++ (Popović 2015, 2017), equal to the integers of sacreBLEU.
//
// Per system and segment, for each character order and then each word order: n-grams of the output (0 if the reference has none
// of that order), n-grams of the reference, and matches, of the reference that scores highest. Cost: O(characters x order).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assay/alphabet.hpp"
#include "assay/best_reference.hpp"
#include "assay/by_width.hpp"
#include "assay/chrf_score.hpp"
#include "assay/chrf_words.hpp"
#include "assay/column.hpp"
#include "assay/ngrams.hpp"
#include "assay/parallel.hpp"
#include "assay/tokenize.hpp"

namespace assay {

struct ChrfOptions {
  int char_order = 6;
  int word_order = 0;
  bool whitespace = false;  // count spaces as characters

  std::size_t columns() const { return 3 * static_cast<std::size_t>(char_order + word_order); }
};

template <class Char>
class ChrfSegment {
 public:
  explicit ChrfSegment(const ChrfOptions& options) : options_(options), alphabet_(options.whitespace), references_(1) {}

  // Fills rows[s], zero on entry, with the statistics of system s against this reference.
  void operator()(const Text& reference, const std::vector<Column>& outputs, std::size_t segment,
                  const std::vector<std::int64_t*>& rows) {
    outputs_.resize(outputs.size());
    for (std::size_t s = 0; s < outputs.size(); ++s)
      if (!outputs[s].present(segment)) outputs_[s].clear();  // it must not keep the symbols of the previous segment
    if (options_.char_order > 0) {
      alphabet_.learn(reference, buffer_, references_[0]);
      for (std::size_t s = 0; s < outputs.size(); ++s)
        if (outputs[s][segment].present()) alphabet_.read(outputs[s][segment], buffer_, outputs_[s]);
      match(outputs, segment, alphabet_.size(), options_.char_order, 0, rows);
    }
    if (options_.word_order > 0) {
      const auto& words = words_(reference, reference_words_);
      vocabulary_.reset(words.size());
      vocabulary_.learn(words, references_[0]);
      for (std::size_t s = 0; s < outputs.size(); ++s) {
        if (!outputs[s][segment].present()) continue;
        vocabulary_.read(words_(outputs[s][segment], output_words_), outputs_[s]);
      }
      match(outputs, segment, vocabulary_.size(), options_.word_order, options_.char_order, rows);
    }
  }

 private:
  void match(const std::vector<Column>& outputs, std::size_t segment, std::size_t symbols, int max_order,
             int orders_before, const std::vector<std::int64_t*>& rows) {
    matches_.assign(outputs.size() * static_cast<std::size_t>(max_order), 0);
    matcher_(references_, outputs_, symbols, max_order, matches_.data());
    const auto theirs = static_cast<std::int64_t>(references_[0].size());
    for (std::size_t s = 0; s < outputs.size(); ++s) {
      if (!outputs[s][segment].present()) continue;
      const auto ours = static_cast<std::int64_t>(outputs_[s].size());
      std::int64_t* row = rows[s] + 3 * orders_before;
      for (int n = 0; n < max_order; ++n, row += 3) {
        row[1] = std::max<std::int64_t>(theirs - n, 0);
        row[0] = row[1] > 0 ? std::max<std::int64_t>(ours - n, 0) : 0;
        row[2] = matches_[s * static_cast<std::size_t>(max_order) + static_cast<std::size_t>(n)];
      }
    }
  }

  ChrfOptions options_;
  Alphabet<Char> alphabet_;
  PaddedText<Char> buffer_;
  Tokenizer::Scratch<Char> reference_words_, output_words_;
  ChrfWords<Char> words_;
  Vocabulary<Char> vocabulary_;
  std::vector<std::vector<Symbol>> references_;  // holds the current reference only
  std::vector<std::vector<Symbol>> outputs_;
  std::vector<std::int64_t> matches_;
  NgramMatcher matcher_;
};

// table: (system, segment, column), zero on entry; rows of absent texts stay zero.
inline void chrf_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segments,
                            const ChrfOptions& options, const ChrfFormula& formula, int threads, std::int64_t* table) {
  const std::size_t columns = options.columns(), systems = outputs.size(), stride = systems * columns;
  const bool chooses = references.size() > 1;
  parallel_blocks(segments, 64, threads, [&] {
    return [&, statistics = ByWidth<ChrfSegment>(options), compared = std::vector<std::int64_t>(chooses ? references.size() * stride : 0),
            rows = std::vector<std::int64_t*>(systems), progress = Progress()](std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        const auto row_of = [&](std::size_t s) { return table + (s * segments + i) * columns; };
        const std::uint8_t width = widest(outputs, i, widest(references, i));
        std::fill(compared.begin(), compared.end(), 0);
        for (std::size_t r = 0; r < references.size(); ++r) {
          const Text& reference = references[r][i];
          if (!reference.present()) continue;
          progress.spend(kCharacterWork * static_cast<std::int64_t>(reference.length + characters(outputs, i)));
          for (std::size_t s = 0; s < systems; ++s) rows[s] = chooses ? &compared[r * stride + s * columns] : row_of(s);
          statistics(width, reference, outputs, i, rows);
        }
        for (std::size_t s = 0; chooses && s < systems; ++s)
          std::copy_n(best_row(references, i, &compared[s * columns], stride, formula), columns, row_of(s));
      }
    };
  });
}

}  // namespace assay
