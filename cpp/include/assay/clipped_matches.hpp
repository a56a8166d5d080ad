// Clipped matches of multisets: how many items of a reference an output has, each at most as often as both have it. For the
// chains of HWCM and the lemmas of SEMPOS, which are numbered before. Items are counted by group, such as their class.
//
// Cost: O(items).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/token_column.hpp"

namespace assay {

inline constexpr std::size_t kClippedColumns = 3;  // of each group: matches, items of the output, items of the reference

class ClippedPairs {
 public:
  ClippedPairs(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
               std::span<const std::int32_t> groups)
      : references_(references), outputs_(outputs), groups_(groups), left_(groups.size(), 0) {}

  void start(std::size_t segment) { segment_ = segment; }

  void output(std::size_t system) {
    for (const std::int32_t item : output_) left(item) = 0;
    output_ = outputs_[system][segment_];
    for (const std::int32_t item : output_) ++left(item);
  }

  void row(std::size_t reference, std::int64_t* row) {
    const Tokens items = references_[reference][segment_];
    count(output_, [&](std::int32_t, std::int64_t* counts) { ++counts[1]; }, row);
    count(items, [&](std::int32_t item, std::int64_t* counts) { counts[0] += --left(item) >= 0, ++counts[2]; }, row);
    count(items, [&](std::int32_t item, std::int64_t*) { ++left(item); }, row);
  }

 private:
  std::int32_t& left(std::int32_t item) { return left_[static_cast<std::size_t>(item)]; }

  template <class Use>
  void count(Tokens items, Use use, std::int64_t* row) const {
    for (const std::int32_t item : items) {
      const std::int32_t group = groups_[static_cast<std::size_t>(item)];
      if (group >= 0) use(item, row + kClippedColumns * static_cast<std::size_t>(group));
    }
  }

  const std::vector<TokenColumn>&references_, &outputs_;
  std::span<const std::int32_t> groups_;
  std::vector<std::int32_t> left_;  // how often the output has each item, less those in the reference so far
  Tokens output_;
  std::size_t segment_ = 0;
};

// table: (reference, system, segment, [group, column]), zero on entry. `groups` are those of the items; negative: not counted.
inline void clipped_matches(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                            std::size_t segments, std::span<const std::int32_t> groups, std::size_t group_count, int threads,
                            std::int64_t* table) {
  pair_statistics(references, outputs, segments, kClippedColumns * group_count, threads, table,
                  [&] { return ClippedPairs(references, outputs, groups); });
}

}  // namespace assay
