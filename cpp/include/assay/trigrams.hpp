// Rare trigrams of characters that lines of two columns share: the core of the search for misaligned lines.
//
// Trigrams are hashed to one of kTrigramBuckets buckets. Those in many lines of a column say little and are left out.
// Cost: O(characters), and for each comparison of two columns O(trigrams).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/text.hpp"

namespace assay {

inline constexpr std::size_t kTrigramBuckets = 2048;

// The hashed trigrams of each line, in order.
class LineTrigrams {
 public:
  std::size_t lines() const { return ends_.size(); }

  std::span<const std::uint16_t> line(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {hashes_.data() + begin, ends_[i] - begin};
  }

  // Appends the next line. An absent text has no trigrams; a line feed counts as a space.
  void add(const Text& text) {
    switch (text.width) {
      case 1: add_characters(static_cast<const std::uint8_t*>(text.data), text.length); break;
      case 2: add_characters(static_cast<const std::uint16_t*>(text.data), text.length); break;
      default: add_characters(static_cast<const std::uint32_t*>(text.data), text.length); break;
    }
  }

  // Only the trigrams that a condition holds for.
  template <class Condition>
  LineTrigrams where(Condition condition) const {
    LineTrigrams kept;
    kept.hashes_.resize(hashes_.size());
    std::size_t size = 0;
    for (std::size_t i = 0; i < lines(); ++i) {
      for (const std::uint16_t hash : line(i)) {  // without a branch, which would be unpredictable
        kept.hashes_[size] = hash;
        size += condition(hash);
      }
      kept.ends_.push_back(size);
    }
    kept.hashes_.resize(size);
    return kept;
  }

 private:
  template <class Char>
  void add_characters(const Char* text, std::size_t length) {
    const std::size_t begin = hashes_.size(), count = length < 3 ? 0 : length - 2;
    hashes_.resize(begin + count);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t hash = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t character = text[i + k] == '\n' ? ' ' : text[i + k];
        hash = (hash ^ character) * 0x9E3779B1u;  // 2^32 divided by the golden ratio
        hash ^= hash >> 15;
      }
      hashes_[begin + i] = static_cast<std::uint16_t>(hash % kTrigramBuckets);
    }
    ends_.push_back(hashes_.size());
  }

  std::vector<std::uint16_t> hashes_;
  std::vector<std::size_t> ends_;
};

// Which rare trigrams each line of a column has. A trigram is rare if fewer than `rare_share` of the lines have it, or one.
class TrigramTable {
 public:
  TrigramTable(const LineTrigrams& trigrams, double rare_share) : rows_(trigrams.lines()), sizes_(trigrams.lines()) {
    std::array<std::size_t, kTrigramBuckets> lines_with{};
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const std::uint16_t hash : trigrams.line(i)) {
        lines_with[hash] += !contains(rows_[i], hash);
        insert(rows_[i], hash);
      }
    const double bound = std::max(2.0, rare_share * static_cast<double>(rows_.size()));
    for (std::size_t hash = 0; hash < kTrigramBuckets; ++hash)
      if (static_cast<double>(lines_with[hash]) < bound) insert(rare_, hash);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t word = 0; word < rare_.size(); ++word)
        sizes_[i] += static_cast<std::size_t>(std::popcount(rows_[i][word] &= rare_[word]));
  }

  std::size_t lines() const { return rows_.size(); }

  // The trigrams of another column that are rare in this one.
  LineTrigrams rare(const LineTrigrams& others) const {
    return others.where([&](std::uint16_t hash) { return contains(rare_, hash); });
  }

  // dice[i]: the Dice coefficient of line i of another column, given by its rare trigrams, with line i + offset of this one,
  // counted from the start again after the end. Repeated trigrams of the other line count every time.
  void similarities(const LineTrigrams& others, std::size_t offset, double* dice) const {
    for (std::size_t i = 0; i < others.lines(); ++i) {
      const std::size_t partner = (i + offset) % lines();
      std::size_t hits = 0;
      for (const std::uint16_t hash : others.line(i)) hits += contains(rows_[partner], hash);
      const std::size_t size = std::max<std::size_t>(others.line(i).size() + sizes_[partner], 1);
      dice[i] = static_cast<double>(2 * hits) / static_cast<double>(size);
    }
  }

 private:
  using Flags = std::array<std::uint64_t, kTrigramBuckets / 64>;

  static bool contains(const Flags& flags, std::size_t hash) { return (flags[hash / 64] >> (hash % 64) & 1) != 0; }
  static void insert(Flags& flags, std::size_t hash) { flags[hash / 64] |= std::uint64_t{1} << (hash % 64); }

  std::vector<Flags> rows_;
  std::vector<std::size_t> sizes_;  // rare trigrams of each line
  Flags rare_{};
};

}  // namespace assay
