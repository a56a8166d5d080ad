// One segment as integers: its references and all outputs are tokenised, and every word of the references is a symbol.
//
// The references are tokenised and indexed once; all systems are then processed while the references are in cache.
// Cost: O(characters).
#pragma once

#include <cstdint>
#include <vector>

#include "assay/column.hpp"
#include "assay/ngrams.hpp"
#include "assay/parallel.hpp"
#include "assay/tokenize.hpp"

namespace assay {

template <class Char>
class SegmentSymbols {
 public:
  // Returns false if no reference is present; then no other method may be called.
  bool read(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment,
            const Tokenizer& tokenizer) {
    std::size_t used = 0, tokens = 0;
    for (const Column& reference : references) {
      if (!reference[segment].present()) continue;
      if (scratch_.size() == used) scratch_.emplace_back();
      tokenizer(reference[segment], scratch_[used]);
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

// Fills the table (system, segment, column), zero on entry. Creates one Segment<Char>(options...) per thread and width and
// calls it with (references, outputs, segment, rows); it writes rows[s] for the outputs that are present.
template <template <class> class Segment, class Cell, class... Options>
void segment_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs,
                        std::size_t segments, std::size_t columns, int threads, Cell* table,
                        const Options&... options) {
  parallel_blocks(segments, 64, threads, [&] {
    return [&, narrow = Segment<std::uint8_t>(options...), medium = Segment<std::uint16_t>(options...),
            wide = Segment<std::uint32_t>(options...),
            rows = std::vector<Cell*>(outputs.size()), progress = Progress()](std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        progress.spend(kCharacterWork * static_cast<std::int64_t>(characters(references, i) + characters(outputs, i)));
        for (std::size_t s = 0; s < outputs.size(); ++s) rows[s] = table + (s * segments + i) * columns;
        switch (widest(outputs, i, widest(references, i))) {
          case 1: narrow(references, outputs, i, rows); break;
          case 2: medium(references, outputs, i, rows); break;
          default: wide(references, outputs, i, rows); break;
        }
      }
    };
  });
}

}  // namespace assay
