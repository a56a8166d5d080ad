// METEOR's alignment as its definition says, one step after another: every path of the search is a full copy, all paraphrases
// are tried at all places, and coverage is a sum that is truncated after each addition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "assay/meteor.hpp"

namespace assay::reference {

using Phrase = std::vector<std::int32_t>;

class MeteorAlignment {
 public:
  MeteorAlignment(Tokens output, Tokens reference, const MeteorWords& words,
                  const std::vector<std::pair<Phrase, Phrase>>& paraphrases)
      : output_(output), reference_(reference), words_(words), paraphrases_(paraphrases), candidates_(reference.size()) {}

  std::vector<MeteorMatch> matches() {
    find();
    std::vector<MeteorMatch> found;
    for (const auto& match : search().matches)
      if (match) found.push_back(*match);
    return found;
  }

 private:
  struct Path {
    std::vector<std::optional<MeteorMatch>> matches;
    std::vector<bool> output_used, reference_used;
    int output_covered = 0, reference_covered = 0, chunks = 0, distance = 0, position = 0, last_end = -1;
  };

  template <class Values>
  std::int32_t of(const Values& values, std::int32_t word) const {
    return values[static_cast<std::size_t>(word)];
  }

  void find() {
    bool is_equal = output_.size() == reference_.size();
    for (std::size_t i = 0; i < output_.size() && is_equal; ++i)
      is_equal = of(words_.forms, output_[i]) == of(words_.forms, reference_[i]);
    const auto same_form = [&](std::int32_t a, std::int32_t b) { return of(words_.forms, a) == of(words_.forms, b); };
    each_pair(MeteorModule::exact, same_form);
    if (is_equal) return;
    if (!words_.stems.empty())
      each_pair(MeteorModule::stem, [&](std::int32_t a, std::int32_t b) {
        return of(words_.stems, a) == of(words_.stems, b) && !same_form(a, b);
      });
    if (!words_.synset_starts.empty())
      each_pair(MeteorModule::synonym, [&](std::int32_t a, std::int32_t b) {
        const auto x = words_.synsets_of(a), y = words_.synsets_of(b);
        return !same_form(a, b) && std::ranges::find_first_of(x, y) != x.end();
      });
    find_paraphrases(reference_, output_, false);
    find_paraphrases(output_, reference_, true);
  }

  template <class Matches>
  void each_pair(MeteorModule module, Matches are_match) {
    for (std::size_t i = 0; i < reference_.size(); ++i)
      for (std::size_t j = 0; j < output_.size(); ++j)
        if (are_match(output_[j], reference_[i])) add(i, 1, j, 1, module);
  }

  bool stands_at(const Phrase& phrase, Tokens text, std::size_t place) const {
    if (place + phrase.size() > text.size()) return false;
    for (std::size_t k = 0; k < phrase.size(); ++k)
      if (of(words_.table_words, text[place + k]) != phrase[k]) return false;
    return true;
  }

  void find_paraphrases(Tokens text, Tokens other, bool is_reversed) {
    for (std::size_t place = 0; place < text.size(); ++place)
      for (std::size_t length = 1; place + length <= text.size(); ++length)
        for (const auto& [phrase, paraphrase] : paraphrases_) {
          if (phrase.size() != length || !stands_at(phrase, text, place)) continue;
          for (std::size_t at = 0; at < other.size(); ++at) {
            if (!stands_at(paraphrase, other, at)) continue;
            if (is_reversed) add(at, paraphrase.size(), place, length, MeteorModule::paraphrase);
            else add(place, length, at, paraphrase.size(), MeteorModule::paraphrase);
          }
        }
  }

  void add(std::size_t start, std::size_t length, std::size_t output_start, std::size_t output_length, MeteorModule module) {
    const auto narrow = [](std::size_t value) { return static_cast<std::uint16_t>(value); };
    candidates_[start].push_back({narrow(start), narrow(length), narrow(output_start), narrow(output_length), module});
  }

  template <class Use>
  static void each_word(const MeteorMatch& match, Use use) {
    for (std::size_t k = 0; k < match.length; ++k) use(true, match.start + k);
    for (std::size_t k = 0; k < match.output_length; ++k) use(false, match.output_start + k);
  }

  static void use(Path& path, const MeteorMatch& match) {
    path.matches[match.start] = match;
    each_word(match, [&](bool is_reference, std::size_t word) { (is_reference ? path.reference_used : path.output_used)[word] = true; });
  }

  static void take(Path& path, const MeteorMatch& match) {
    const double weight = match.module == MeteorModule::exact ? 1 : 0.5;
    path.output_covered = static_cast<int>(path.output_covered + match.output_length * weight);
    path.reference_covered = static_cast<int>(path.reference_covered + match.length * weight);
    if (path.last_end != -1 && match.output_start != path.last_end) ++path.chunks;
    path.position = match.start + match.length;
    path.last_end = match.output_start + match.output_length;
  }

  static int distance(const MeteorMatch& match) { return std::abs(match.start - match.output_start); }

  Path first_path() const {
    Path path;
    path.matches.resize(reference_.size());
    path.output_used.resize(output_.size());
    path.reference_used.resize(reference_.size());
    std::vector<int> output_covers(output_.size()), reference_covers(reference_.size());
    for (const auto& row : candidates_)
      for (const auto& match : row)
        each_word(match, [&](bool is_reference, std::size_t word) { ++(is_reference ? reference_covers : output_covers)[word]; });
    for (const auto& row : candidates_) {
      bool is_certain = row.size() == 1;
      if (is_certain)
        each_word(row[0], [&](bool is_reference, std::size_t word) {
          if ((is_reference ? reference_covers : output_covers)[word] != 1) is_certain = false;
        });
      if (is_certain) use(path, row[0]);
    }
    return path;
  }

  static void sort(std::vector<Path>& paths) {
    std::ranges::stable_sort(paths, [](const Path& a, const Path& b) {
      const int covered = a.output_covered + a.reference_covered, other = b.output_covered + b.reference_covered;
      if (covered != other) return covered > other;
      return a.chunks != b.chunks ? a.chunks < b.chunks : a.distance < b.distance;
    });
  }

  Path search() const {
    std::vector<Path> next{first_path()};
    for (std::size_t i = 0; i <= reference_.size(); ++i) {
      std::vector<Path> paths = std::exchange(next, {});
      sort(paths);
      paths.resize(std::min<std::size_t>(paths.size(), 40));
      for (Path& path : paths) {
        if (i == reference_.size()) {
          if (path.last_end != -1) ++path.chunks;
          next.push_back(path);
          continue;
        }
        if (path.reference_used[i]) {
          if (static_cast<int>(i) >= path.position) {
            const MeteorMatch match = path.matches[i].value();
            take(path, match);
            path.distance += distance(match);
          }
          next.push_back(path);
          continue;
        }
        for (const MeteorMatch& match : candidates_[i]) {
          bool is_free = true;
          each_word(match, [&](bool is_reference, std::size_t word) {
            if ((is_reference ? path.reference_used : path.output_used)[word]) is_free = false;
          });
          if (!is_free) continue;
          Path with = path;
          use(with, match);
          take(with, match);
          next.push_back(with);
          path.distance += distance(match);
        }
        if (path.last_end != -1) ++path.chunks;
        path.last_end = -1;
        ++path.position;
        next.push_back(path);
      }
    }
    sort(next);
    return next.front();
  }

  Tokens output_, reference_;
  const MeteorWords& words_;
  const std::vector<std::pair<Phrase, Phrase>>& paraphrases_;
  std::vector<std::vector<MeteorMatch>> candidates_;
};

// The counts of an alignment, one after another.
inline std::vector<std::int64_t> meteor_counts(Tokens output, Tokens reference, const MeteorWords& words,
                                               const std::vector<MeteorMatch>& matches) {
  const auto length_of = [&](Tokens text, std::size_t first, std::size_t size, bool is_function) {
    std::int64_t sum = 0;
    for (const std::int32_t word : text.subspan(first, size))
      if (words.is_function[static_cast<std::size_t>(word)] == is_function) sum += words.lengths[static_cast<std::size_t>(word)];
    return sum;
  };
  std::vector<std::int64_t> row;
  for (const Tokens text : {output, reference}) row.push_back(length_of(text, 0, text.size(), true) + length_of(text, 0, text.size(), false));
  for (const Tokens text : {output, reference}) row.push_back(length_of(text, 0, text.size(), true));
  for (const MeteorModule module : {MeteorModule::exact, MeteorModule::stem, MeteorModule::synonym, MeteorModule::paraphrase})
    for (const bool is_function : {false, true}) {
      std::int64_t in_output = 0, in_reference = 0;
      for (const MeteorMatch& match : matches) {
        if (match.module != module) continue;
        in_output += length_of(output, match.output_start, match.output_length, is_function);
        in_reference += length_of(reference, match.start, match.length, is_function);
      }
      row.insert(row.end(), {in_output, in_reference});
    }
  std::int64_t chunks = 0, output_matches = 0, reference_matches = 0;
  for (std::size_t k = 0; k < matches.size(); ++k) {
    output_matches += matches[k].output_length;
    reference_matches += matches[k].length;
    const bool continues = k > 0 && matches[k].start == matches[k - 1].start + matches[k - 1].length &&
                           matches[k].output_start == matches[k - 1].output_start + matches[k - 1].output_length;
    chunks += !continues;
  }
  const bool is_whole = chunks == 1 && output_matches == static_cast<std::int64_t>(output.size()) &&
                        reference_matches == static_cast<std::int64_t>(reference.size());
  row.insert(row.end(), {is_whole ? 0 : chunks, output_matches, reference_matches});
  return row;
}

}  // namespace assay::reference
