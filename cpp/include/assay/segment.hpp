// One segment as integers: its references and all outputs are tokenised, and every word of the references is a symbol.
//
// The references are tokenised and indexed once; all systems are then processed while the references are in cache.
// Cost: O(characters).
#pragma once

#include <cstdint>
#include <vector>

#include "assay/by_width.hpp"
#include "assay/column.hpp"
#include "assay/ngrams.hpp"
#include "assay/parallel.hpp"
#include "assay/tokenize.hpp"

namespace assay {

template <class Char>
class SegmentSymbols {
 public:
  // Returns false if no reference is present; then no other method may be called. `change(scratch)` may change the tokens of a
  // reference.
  template <class Change>
  bool read(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment,
            const Tokenizer& tokenizer, Change change) {
    std::size_t used = 0, tokens = 0;
    for (const Column& reference : references) {
      if (!reference[segment].present()) continue;
      if (scratch_.size() == used) scratch_.emplace_back();
      tokenizer(reference[segment], scratch_[used]);
      change(scratch_[used]);
      tokens += scratch_[used++].tokens.size();
    }
    if (used == 0) return false;
    vocabulary_.reset(tokens);
    references_.resize(used);
    for (std::size_t r = 0; r < used; ++r) vocabulary_.learn(scratch_[r].tokens, references_[r]);
    outputs_.resize(outputs.size());
    for (std::size_t s = 0; s < outputs.size(); ++s) {
      if (!outputs[s][segment].present()) {
        outputs_[s].clear();
        continue;
      }
      tokenizer(outputs[s][segment], output_scratch_);
      vocabulary_.read(output_scratch_.tokens, outputs_[s]);
    }
    return true;
  }

  bool read(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment,
            const Tokenizer& tokenizer) {
    return read(references, outputs, segment, tokenizer, [](const Tokenizer::Scratch<Char>&) {});
  }

  // The references that are present, and their words.
  const std::vector<std::vector<Symbol>>& references() const { return references_; }
  const Buffer<Token<Char>>& tokens(std::size_t reference) const { return scratch_[reference].tokens; }
  // All outputs; an absent output has no symbols.
  const std::vector<std::vector<Symbol>>& outputs() const { return outputs_; }
  // One more than the largest symbol.
  std::size_t symbols() const { return vocabulary_.size(); }

 private:
  std::vector<Tokenizer::Scratch<Char>> scratch_;
  Tokenizer::Scratch<Char> output_scratch_;
  std::vector<std::vector<Symbol>> references_, outputs_;
  Vocabulary<Char> vocabulary_;
};

// Fills the table (row, segment, column), zero on entry. Creates one Segment<Char>(options...) per thread and width and calls
// it with (references, outputs, segment, rows); it writes the rows of texts that are present: one for each output, or one for
// each output against each reference.
template <template <class> class Segment, class Cell, class... Options>
void segment_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t row_count,
                        std::size_t segments, std::size_t columns, int threads, Cell* table, const Options&... options) {
  parallel_blocks(segments, 64, threads, [&] {
    return [&, statistics = ByWidth<Segment>(options...), rows = std::vector<Cell*>(row_count),
            progress = Progress()](std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        progress.spend(kCharacterWork * static_cast<std::int64_t>(characters(references, i) + characters(outputs, i)));
        for (std::size_t k = 0; k < row_count; ++k) rows[k] = table + (k * segments + i) * columns;
        statistics(widest(outputs, i, widest(references, i)), references, outputs, i, rows);
      }
    };
  });
}

}  // namespace assay
