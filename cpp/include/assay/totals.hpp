// Rows of weights for tables whose segments come part by part.
//
// A part starts at a chunk (resample.hpp) and ends at one, or with the last segment. The draws of a bootstrap are split over
// all chunks once; a part then draws the weights of its own chunks. Its sums are added to those of the parts before it in the
// order of the chunks, so the totals are the same bytes for any parts.
// Cost: O(resamples x size) in all, and 4 bytes of memory for each resample and chunk.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assay/parallel.hpp"
#include "assay/resample.hpp"
#include "assay/sums.hpp"

namespace assay {

// How many draws of each resample fall into each chunk.
class SplitDraws {
 public:
  SplitDraws(const Bootstrap& bootstrap, std::size_t resamples, int threads)
      : bootstrap(bootstrap), resamples(resamples), shares_(resamples * chunks_of(bootstrap.segments)) {
    parallel_blocks(resamples, 16, threads, [&] {
      return [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) bootstrap.split(r, &shares_[r * chunks_of(bootstrap.segments)]);
      };
    });
  }

  std::uint32_t share(std::size_t resample, std::size_t chunk) const {
    return shares_[resample * chunks_of(bootstrap.segments) + chunk];
  }

  Bootstrap bootstrap;
  std::size_t resamples;

 private:
  std::vector<std::uint32_t> shares_;
};

// A row for each resample, for the segments of a part from chunk `first_chunk` on.
class PartRows {
 public:
  PartRows(const SplitDraws& draws, std::size_t first_chunk, std::size_t segments)
      : segments(segments), draws_(&draws), first_chunk_(first_chunk) {}

  std::uint64_t start(std::size_t) const { return draws_->bootstrap.size; }

  void draw(std::size_t row, std::size_t chunk, WeightTile& tile) const {
    const std::size_t place = first_chunk_ + chunk;
    const std::uint32_t share = draws_->share(row, place);
    tile.draw(row - tile.first_row, share, [&](auto* weights) { draws_->bootstrap.draw(row, place, share, weights); });
  }

  std::size_t segments;

 private:
  const SplitDraws* draws_;
  std::size_t first_chunk_;
};

// One row with the weight 1 for every segment of a part, of `all` segments.
class OneRow {
 public:
  OneRow(std::size_t segments, std::size_t all) : segments(segments), all_(all) {}

  std::uint64_t start(std::size_t) const { return all_; }

  void draw(std::size_t row, std::size_t, WeightTile& tile) const {
    tile.draw(row - tile.first_row, tile.segments, [&](auto* weights) { std::fill_n(weights, tile.segments, 1); });
  }

  std::size_t segments;

 private:
  std::size_t all_;
};

}  // namespace assay
