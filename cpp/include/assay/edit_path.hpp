// The edits that turn a reference into an output, word by word.
//
// The rows of the edit-distance table (edit.hpp) are kept as bits: where a cell is no larger than its diagonal neighbour, and
// where D rises along the reference. Of all paths with the fewest edits, this is the one that, read from the end, prefers a
// substitution to a deletion, and a deletion to an insertion.
// Cost: O(output x reference / 64); memory: two bits for each cell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/edit.hpp"
#include "assay/interrupt.hpp"

namespace assay {

// What happens to a word: nothing, a substitution, or a deletion (of a reference word) or insertion (of an output word).
enum class Edit : std::uint8_t { none, substitution, gap };

class EditPath {
 public:
  // `positions` are those of the reference. Fills the edits of both sides; returns their number.
  std::int64_t operator()(Positions& positions, std::span<const Symbol> reference, std::span<const Symbol> output,
                          std::vector<Edit>& reference_edits, std::vector<Edit>& output_edits) {
    reference_edits.assign(reference.size(), Edit::gap);
    output_edits.assign(output.size(), Edit::gap);
    fill(positions, output);
    std::size_t r = reference.size(), h = output.size();
    std::int64_t edits = 0;
    while (r > 0 && h > 0) {
      const bool is_equal = reference[r - 1] == output[h - 1];
      if (is_equal || !is_set(kept_, h, r)) {
        --r, --h;
        reference_edits[r] = output_edits[h] = is_equal ? Edit::none : Edit::substitution;
        edits += !is_equal;
      } else {
        ++edits;
        if (is_set(rises_, h, r)) --r;
        else --h;
      }
    }
    return edits + static_cast<std::int64_t>(r + h);
  }

 private:
  void fill(Positions& positions, std::span<const Symbol> output) {
    words_ = positions.words();
    if (words_ == 0) return;
    rows_.assign(words_, Deltas{});
    kept_.resize(output.size() * words_);
    rises_.resize(output.size() * words_);
    std::size_t at = 0;
    for (const Symbol symbol : output) {
      const std::uint64_t* const equal = positions.of(symbol, 0, 0, words_ - 1);
      Carry carry;
      for (std::size_t w = 0; w < words_; ++w, ++at) {
        kept_[at] = advance(rows_[w], equal[w], carry);
        rises_[at] = rows_[w].rises;
      }
      progress_.spend(static_cast<std::int64_t>(words_));
    }
  }

  // The bit of the cell after h words of the output and r words of the reference, both from 1.
  bool is_set(const std::vector<std::uint64_t>& bits, std::size_t h, std::size_t r) const {
    return bits[(h - 1) * words_ + (r - 1) / 64] >> ((r - 1) % 64) & 1;
  }

  std::size_t words_ = 0;
  std::vector<Deltas> rows_;
  std::vector<std::uint64_t> kept_, rises_;
  Progress progress_;
};

}  // namespace assay
