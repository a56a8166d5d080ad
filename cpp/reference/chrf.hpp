// Sufficient statistics of chrF and chrF++, one system, one reference and one segment at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/column.hpp"
#include "assay/text.hpp"
#include "reference/ngrams.hpp"
#include "reference/text.hpp"

namespace assay::reference {

inline std::vector<char32_t> characters(const std::u32string& line, bool whitespace) {
  std::vector<char32_t> kept;
  for (const char32_t c : line)
    if (whitespace || !is_white_space(c)) kept.push_back(c);
  return kept;
}

// Python's string.punctuation
inline bool is_ascii_punctuation(char32_t c) {
  return std::u32string_view(U"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(c) != std::u32string_view::npos;
}

// Splits at white space. In a word of two or more characters, a punctuation mark at the end becomes a separate word; if
// there is none, a punctuation mark at the start does.
inline std::vector<std::u32string> words(const std::u32string& line) {
  std::vector<std::u32string> out;
  for (const std::u32string& word : split(line)) {
    if (word.size() == 1) {
      out.push_back(word);
    } else if (is_ascii_punctuation(word.back())) {
      out.push_back(word.substr(0, word.size() - 1));
      out.push_back(word.substr(word.size() - 1));
    } else if (is_ascii_punctuation(word.front())) {
      out.push_back(word.substr(0, 1));
      out.push_back(word.substr(1));
    } else {
      out.push_back(word);
    }
  }
  return out;
}

// For each order: n-grams of the output (0 if the reference has none), n-grams of the reference, matches.
template <class Unit>
void append_orders(const std::vector<Unit>& reference, const std::vector<Unit>& output, int max_order,
                   std::vector<std::int64_t>& row) {
  for (std::size_t order = 1; order <= static_cast<std::size_t>(max_order); ++order) {
    const auto theirs = count_ngrams(reference, order);
    const auto ours = count_ngrams(output, order);
    row.push_back(theirs.empty() ? 0 : total(ours));
    row.push_back(total(theirs));
    row.push_back(clipped_matches(ours, {theirs}));
  }
}

// The row of one system against one reference on one segment; zeros if either text is absent.
inline std::vector<std::int64_t> chrf_row(const Text& reference, const Text& output, int char_order, int word_order,
                                          bool whitespace) {
  if (!reference.present() || !output.present())
    return std::vector<std::int64_t>(3 * static_cast<std::size_t>(char_order + word_order), 0);
  const std::u32string theirs = decode(reference), ours = decode(output);
  std::vector<std::int64_t> row;
  append_orders(characters(theirs, whitespace), characters(ours, whitespace), char_order, row);
  append_orders(words(theirs), words(ours), word_order, row);
  return row;
}

// Of the references that have a text, the row of the one with the highest score, the first in a tie; zeros if there is none.
template <class Score>
std::vector<std::int64_t> chrf_row(const std::vector<Column>& references, const Column& output, std::size_t segment, int char_order,
                                   int word_order, bool whitespace, Score score) {
  std::vector<std::int64_t> best(3 * static_cast<std::size_t>(char_order + word_order), 0);
  double highest = -1;
  for (const Column& reference : references) {
    if (!reference.present(segment)) continue;
    const auto row = chrf_row(reference[segment], output[segment], char_order, word_order, whitespace);
    if (score(row) > highest) highest = score(row), best = row;
  }
  return best;
}

}  // namespace assay::reference
