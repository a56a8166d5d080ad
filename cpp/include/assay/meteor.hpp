// METEOR 1.5 (Denkowski & Lavie 2014): aligns the words of an output and a reference, and counts what is aligned.
//
// Words match if they are equal, have equal stems or share a synset; phrases match if one paraphrases the other. Matches that
// no other overlaps are in every alignment. A beam search from left to right over the reference chooses among the others:
// at each position it takes a free match that starts there, or none. More covered words are better, then fewer chunks, then a
// smaller distance of the positions. What follows from the original program rather than from its papers, and changes scores:
// - Words and stems are compared by Java's 32-bit hash of a string, so a few different ones are equal.
// - In the search a match that is not exact counts half, rounded down on each side: 0 for a pair of words.
// - The distance of a match is added to the path that does not take it, and so to those that take a later match there.
// - Between equal paths, the one that was made first wins: modules in order, then positions, and no match last.
// - A paraphrase that is found in both directions is two matches, so neither is certain.
//
// Why this is fast: words become numbers before (word_numbers.hpp), and stems, synsets and paraphrases are looked up once for
// each distinct word. Paths that leave the beam are never built: a step is its order alone until it is chosen.
// Cost: O(output length x reference length) to find matches, O(matches x beam) to choose.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "assay/paraphrases.hpp"
#include "assay/token_column.hpp"

namespace assay {

inline constexpr std::size_t kMeteorModules = 4, kMeteorColumns = 23;
enum class MeteorModule : std::uint8_t { exact, stem, synonym, paraphrase };

// What the modules compare, by number of the word. Modules whose arrays are empty are not used.
struct MeteorWords {
  std::span<const std::int32_t> forms, stems;  // hashes
  std::span<const std::int64_t> synset_starts;
  std::span<const std::int32_t> synsets;     // sorted for each word
  std::span<const std::int32_t> table_words;  // in the table of paraphrases, -1 if it is not there
  std::span<const std::int32_t> lengths;      // length in words (1) or characters
  std::span<const bool> is_function;

  std::span<const std::int32_t> synsets_of(std::int32_t word) const {
    const auto first = static_cast<std::size_t>(synset_starts[static_cast<std::size_t>(word)]);
    return synsets.subspan(first, static_cast<std::size_t>(synset_starts[static_cast<std::size_t>(word) + 1]) - first);
  }
};

struct MeteorMatch {
  std::uint16_t start, length, output_start, output_length;
  MeteorModule module;

  bool operator==(const MeteorMatch&) const = default;
};

// A text with what the modules need to know about its words and phrases.
class MeteorText {
 public:
  struct Phrase {
    std::uint32_t node;
    std::uint16_t start, length;
  };

  void read(Tokens tokens, const MeteorWords& words, const ParaphraseTable* table) {
    tokens_ = tokens;
    gather(words.forms, forms);
    gather(words.stems, stems);
    if (!words.synset_starts.empty()) read_synsets(words);
    if (table != nullptr) read_phrases(words, *table);
  }

  std::size_t size() const { return tokens_.size(); }
  std::int32_t operator[](std::size_t i) const { return tokens_[i]; }

  // Calls use(i) for every word that is in a synset; for a word that is there twice, twice.
  template <class Use>
  void each_in_synset(std::int32_t synset, Use use) const {
    for (std::uint32_t link = slots_[slot_of(synset)]; link != kNoLink; link = links_[link].next)
      if (links_[link].synset == synset) use(links_[link].place);
  }

  // Calls use(phrase) for every place of a phrase, from left to right.
  template <class Use>
  void each_place(std::uint32_t node, Use use) const {
    if ((filter_[node / 64 % filter_.size()] >> node % 64 & 1) == 0) return;
    const auto found = std::ranges::lower_bound(by_node_, node, {}, &Phrase::node);
    for (auto phrase = found; phrase != by_node_.end() && phrase->node == node; ++phrase) use(*phrase);
  }

  std::vector<std::int32_t> forms, stems;
  std::vector<Phrase> phrases;             // of the table, by start and length

 private:
  void gather(std::span<const std::int32_t> values, std::vector<std::int32_t>& out) const {
    out.clear();
    if (values.empty()) return;
    for (const std::int32_t token : tokens_) out.push_back(values[static_cast<std::size_t>(token)]);
  }

  // A hash table from synsets to the words that are in them.
  void read_synsets(const MeteorWords& words) {
    std::size_t count = 0;
    for (const std::int32_t token : tokens_) count += words.synsets_of(token).size();
    slots_.assign(std::bit_ceil(2 * count + 1), kNoLink);
    links_.clear();
    for (std::size_t i = 0; i < size(); ++i)
      for (const std::int32_t synset : words.synsets_of(tokens_[i])) {
        std::uint32_t& slot = slots_[slot_of(synset)];
        links_.push_back({synset, static_cast<std::uint16_t>(i), slot});
        slot = static_cast<std::uint32_t>(links_.size() - 1);
      }
  }

  std::size_t slot_of(std::int32_t synset) const {
    return (static_cast<std::uint32_t>(synset) * 0x9E3779B1u >> 7) & (slots_.size() - 1);
  }

  void read_phrases(const MeteorWords& words, const ParaphraseTable& table) {
    phrases.clear();
    const auto word = [&](std::size_t i) { return words.table_words[static_cast<std::size_t>(tokens_[i])]; };
    for (std::size_t start = 0; start < size(); ++start) {
      if (word(start) < 0) continue;
      auto node = static_cast<std::uint32_t>(word(start));
      for (std::size_t end = start + 1; node != ParaphraseTable::kNone; ++end) {
        phrases.push_back({node, static_cast<std::uint16_t>(start), static_cast<std::uint16_t>(end - start)});
        if (end == size() || word(end) < 0) break;
        node = table.child(node, static_cast<std::uint32_t>(word(end)));
      }
    }
    by_node_ = phrases;
    std::ranges::sort(by_node_, {}, [](const Phrase& phrase) { return std::pair(phrase.node, phrase.start); });
    filter_.fill(0);
    for (const Phrase& phrase : phrases) filter_[phrase.node / 64 % filter_.size()] |= std::uint64_t{1} << phrase.node % 64;
  }

  static constexpr std::uint32_t kNoLink = 0xFFFFFFFF;

  struct Link {
    std::int32_t synset;
    std::uint16_t place;
    std::uint32_t next;  // in the same slot
  };

  Tokens tokens_;
  std::vector<std::uint32_t> slots_;
  std::vector<Link> links_;
  std::vector<Phrase> by_node_;
  std::array<std::uint64_t, 64> filter_{};  // of the nodes of the phrases
};

class MeteorAligner {
 public:
  static constexpr std::size_t kBeam = 40;

  MeteorAligner(const MeteorWords& words, const ParaphraseTable* table) : words_(words), table_(table) {}

  // The matches of the best alignment, from left to right in the reference.
  std::span<const MeteorMatch> align(const MeteorText& output, const MeteorText& reference) {
    find_matches(output, reference);
    find_certain(reference.size());
    search(output.size(), reference.size());
    return chosen_;
  }

 private:
  static constexpr std::int32_t kNothing = -1;

  void find_matches(const MeteorText& output, const MeteorText& reference) {
    matches_.clear();
    firsts_.assign(1, 0);
    output_covers_.assign(output.size(), 0);
    reference_covers_.assign(reference.size(), 0);
    const bool is_equal = output.forms == reference.forms;  // then a search among other modules could only go wrong
    if (!is_equal) find_reversed(output, reference);
    auto phrase = reference.phrases.begin();
    auto reversed = reversed_.begin();
    for (std::size_t i = 0; i < reference.size(); ++i) {
      match_words(i, output, reference, is_equal);
      if (!is_equal) {
        for (; phrase != reference.phrases.end() && phrase->start == i; ++phrase) match_phrase(*phrase, output);
        for (; reversed != reversed_.end() && reversed->start == i; ++reversed) add(*reversed);
      }
      firsts_.push_back(matches_.size());
    }
  }

  void match_words(std::size_t i, const MeteorText& output, const MeteorText& reference, bool only_exact) {
    const std::int32_t form = reference.forms[i];
    for (std::size_t j = 0; j < output.size(); ++j)
      if (output.forms[j] == form) add_words(i, j, MeteorModule::exact);
    if (only_exact) return;
    if (!words_.stems.empty())
      for (std::size_t j = 0; j < output.size(); ++j)
        if (output.stems[j] == reference.stems[i] && output.forms[j] != form) add_words(i, j, MeteorModule::stem);
    if (words_.synset_starts.empty()) return;
    synonyms_.assign(output.size() / 64 + 1, 0);
    for (const std::int32_t synset : words_.synsets_of(reference[i]))
      output.each_in_synset(synset, [&](std::size_t j) { synonyms_[j / 64] |= std::uint64_t{1} << j % 64; });
    for (std::size_t block = 0; block < synonyms_.size(); ++block)
      for (std::uint64_t bits = synonyms_[block]; bits != 0; bits &= bits - 1) {
        const std::size_t j = 64 * block + static_cast<std::size_t>(std::countr_zero(bits));
        if (output.forms[j] != form) add_words(i, j, MeteorModule::synonym);
      }
  }

  // Phrases of the output that are paraphrases of one of the reference.
  void match_phrase(const MeteorText::Phrase& phrase, const MeteorText& output) {
    for (const std::uint32_t paraphrase : table_->paraphrases_of(phrase.node))
      output.each_place(paraphrase, [&](const MeteorText::Phrase& place) {
        add({phrase.start, phrase.length, place.start, place.length, MeteorModule::paraphrase});
      });
  }

  // The other direction, in the order of the output, then sorted by where they start in the reference.
  void find_reversed(const MeteorText& output, const MeteorText& reference) {
    reversed_.clear();
    for (const MeteorText::Phrase& phrase : output.phrases)
      for (const std::uint32_t paraphrase : table_->paraphrases_of(phrase.node))
        reference.each_place(paraphrase, [&](const MeteorText::Phrase& place) {
          reversed_.push_back({place.start, place.length, phrase.start, phrase.length, MeteorModule::paraphrase});
        });
    std::ranges::stable_sort(reversed_, {}, &MeteorMatch::start);
  }

  void add_words(std::size_t start, std::size_t output_start, MeteorModule module) {
    add({static_cast<std::uint16_t>(start), 1, static_cast<std::uint16_t>(output_start), 1, module});
  }

  void add(const MeteorMatch& match) {
    matches_.push_back(match);
    for (std::size_t k = 0; k < match.length; ++k) ++reference_covers_[match.start + k];
    for (std::size_t k = 0; k < match.output_length; ++k) ++output_covers_[match.output_start + k];
  }

  // By reference position: the one match that starts there, if no other match covers any of its words.
  void find_certain(std::size_t size) {
    certain_.assign(size, kNothing);
    const auto is_one = [](std::uint32_t covers) { return covers == 1; };
    for (std::size_t i = 0; i < size; ++i) {
      if (firsts_[i + 1] - firsts_[i] != 1) continue;
      const MeteorMatch& match = matches_[firsts_[i]];
      if (std::all_of(reference_covers_.data() + i, reference_covers_.data() + i + match.length, is_one) &&
          std::all_of(output_covers_.data() + match.output_start,
                      output_covers_.data() + match.output_start + match.output_length, is_one))
        certain_[i] = static_cast<std::int32_t>(firsts_[i]);
    }
  }

  struct Path {
    std::int32_t covered = 0, chunks = 0;
    std::uint64_t distance = 0;  // of 4,096 equal words up to 2^35
    std::int32_t end = 0;                // the first reference word after the last match
    std::int32_t output_end = kNothing;  // the output word after it, if the reference word before this one is matched
    std::int32_t trail = kNothing;       // its matches

    // Smaller is better. Of the bits, 14 are the words that are not covered, 13 the chunks and the others the distance.
    std::uint64_t order() const {
      static_assert(2 * kMaxTokens < (1 << 14));
      constexpr int bits = 37;
      constexpr std::uint64_t largest = (std::uint64_t{1} << bits) - 1;
      return static_cast<std::uint64_t>(2 * kMaxTokens - static_cast<std::size_t>(covered)) << (bits + 13) |
             static_cast<std::uint64_t>(chunks) << bits | std::min(distance, largest);
    }

    void take(const MeteorMatch& match) {
      const bool is_exact = match.module == MeteorModule::exact;
      covered += is_exact ? 2 : match.length / 2 + match.output_length / 2;
      if (output_end != kNothing && output_end != match.output_start) ++chunks;
      end = match.start + match.length;
      output_end = match.output_start + match.output_length;
    }

    void close_chunk() {
      if (output_end != kNothing) ++chunks;
      output_end = kNothing;
    }
  };

  // A path and one more position, not yet built.
  struct Step {
    Path path;
    std::uint32_t parent;
    std::int32_t match;
  };

  struct Link {
    std::int32_t match, previous;
  };

  void search(std::size_t output_size, std::size_t size) {
    stride_ = output_size / 64 + 1;
    used_.assign(stride_, 0);
    trail_.clear();
    paths_.assign(1, Path{});
    steps_.assign(1, Step{Path{}, 0, kNothing});
    for (std::size_t i = 0; i < size; ++i) {
      keep_best();
      for (std::uint32_t rank = 0; rank < paths_.size(); ++rank) extend(rank, i);
      checkpoint(static_cast<std::int64_t>(16 * steps_.size()));
    }
    keep_best();
    for (std::uint32_t rank = 0; rank < paths_.size(); ++rank) {
      paths_[rank].close_chunk();
      steps_.push_back({paths_[rank], rank, kNothing});
    }
    keep_best();
    chosen_.clear();
    for (std::int32_t at = paths_[0].trail; at != kNothing; at = trail_[static_cast<std::size_t>(at)].previous)
      chosen_.push_back(matches_[static_cast<std::size_t>(trail_[static_cast<std::size_t>(at)].match)]);
    std::ranges::reverse(chosen_);
  }

  void extend(std::uint32_t rank, std::size_t i) {
    Path path = paths_[rank];
    if (static_cast<std::size_t>(path.end) > i) {  // inside a match
      steps_.push_back({path, rank, kNothing});
      return;
    }
    const auto distance = [](const MeteorMatch& match) {
      return static_cast<std::uint64_t>(std::abs(static_cast<int>(match.start) - static_cast<int>(match.output_start)));
    };
    if (certain_[i] != kNothing) {
      const MeteorMatch& match = matches_[static_cast<std::size_t>(certain_[i])];
      path.take(match);
      path.distance += distance(match);
      steps_.push_back({path, rank, certain_[i]});
      return;
    }
    for (std::size_t m = firsts_[i]; m < firsts_[i + 1]; ++m) {
      if (is_used(rank, matches_[m])) continue;
      steps_.push_back({path, rank, static_cast<std::int32_t>(m)});
      steps_.back().path.take(matches_[m]);
      path.distance += distance(matches_[m]);
    }
    path.close_chunk();
    path.end = static_cast<std::int32_t>(i) + 1;
    steps_.push_back({path, rank, kNothing});
  }

  bool is_used(std::uint32_t rank, const MeteorMatch& match) const {
    const std::uint64_t* const used = used_.data() + rank * stride_;
    for (std::size_t k = match.output_start; k < std::size_t{match.output_start} + match.output_length; ++k)
      if ((used[k / 64] >> k % 64 & 1) != 0) return true;
    return false;
  }

  // Builds the paths of the best steps, the best one first.
  void keep_best() {
    order_.clear();
    for (std::uint32_t s = 0; s < steps_.size(); ++s) order_.emplace_back(steps_[s].path.order(), s);
    if (order_.size() > kBeam) {
      std::ranges::nth_element(order_, order_.begin() + kBeam);
      order_.resize(kBeam);
    }
    std::ranges::sort(order_);
    next_used_.resize(order_.size() * stride_);
    paths_.clear();
    for (std::size_t rank = 0; rank < order_.size(); ++rank) {
      const Step& step = steps_[order_[rank].second];
      std::uint64_t* const used = next_used_.data() + rank * stride_;
      std::copy_n(used_.data() + step.parent * stride_, stride_, used);
      paths_.push_back(step.path);
      if (step.match == kNothing) continue;
      const MeteorMatch& match = matches_[static_cast<std::size_t>(step.match)];
      for (std::size_t k = match.output_start; k < std::size_t{match.output_start} + match.output_length; ++k)
        used[k / 64] |= std::uint64_t{1} << k % 64;
      paths_.back().trail = static_cast<std::int32_t>(trail_.size());
      trail_.push_back({step.match, step.path.trail});
    }
    std::swap(used_, next_used_);
    steps_.clear();
  }

  const MeteorWords& words_;
  const ParaphraseTable* table_;
  std::vector<MeteorMatch> matches_, reversed_, chosen_;  // all matches, by reference position
  std::vector<std::size_t> firsts_;                       // of the matches at each reference position, and the end
  std::vector<std::uint32_t> output_covers_, reference_covers_;
  std::vector<std::int32_t> certain_;
  std::vector<Path> paths_;
  std::vector<Step> steps_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order_;
  std::vector<std::uint64_t> used_, next_used_;  // output words of each path
  std::vector<std::uint64_t> synonyms_;          // output words in a synset of the reference word
  std::size_t stride_ = 1;
  std::vector<Link> trail_;
};

// Counts the matches of an alignment: [output length, reference length, function words of the output, of the reference; for
// each module content words of the output and the reference, function words of the output and the reference; chunks, words
// matched in the output and in the reference]. A segment that is matched as a whole by one chunk is not fragmented: 0 chunks.
inline void count_meteor(std::span<const MeteorMatch> matches, const MeteorText& output, const MeteorText& reference,
                         const MeteorWords& words, std::int64_t* row) {
  const auto is_function = [&](std::int32_t word) { return words.is_function[static_cast<std::size_t>(word)]; };
  const auto length = [&](std::int32_t word) { return std::int64_t{words.lengths[static_cast<std::size_t>(word)]}; };
  for (std::size_t side = 0; side < 2; ++side) {
    const MeteorText& text = side == 0 ? output : reference;
    for (std::size_t i = 0; i < text.size(); ++i) {
      row[side] += length(text[i]);
      if (is_function(text[i])) row[2 + side] += length(text[i]);
    }
  }
  std::size_t end = 0, output_end = 0;
  std::int64_t chunks = 0;
  for (const MeteorMatch& match : matches) {
    std::int64_t* const counts = row + 4 + 4 * static_cast<std::size_t>(match.module);
    for (std::size_t k = match.output_start; k < std::size_t{match.output_start} + match.output_length; ++k)
      counts[is_function(output[k]) ? 2 : 0] += length(output[k]);
    for (std::size_t k = match.start; k < std::size_t{match.start} + match.length; ++k)
      counts[is_function(reference[k]) ? 3 : 1] += length(reference[k]);
    row[21] += match.output_length;
    row[22] += match.length;
    chunks += chunks == 0 || match.start != end || match.output_start != output_end;
    end = std::size_t{match.start} + match.length;
    output_end = std::size_t{match.output_start} + match.output_length;
  }
  const bool is_whole = chunks == 1 && row[21] == static_cast<std::int64_t>(output.size()) &&
                        row[22] == static_cast<std::int64_t>(reference.size());
  row[20] = is_whole ? 0 : chunks;
}

class MeteorPairs {
 public:
  MeteorPairs(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs, const MeteorWords& words,
              const ParaphraseTable* table)
      : references_(references), outputs_(outputs), words_(words), table_(table), texts_(references.size()), aligner_(words, table) {}

  void start(std::size_t segment) {
    segment_ = segment;
    for (std::size_t r = 0; r < references_.size(); ++r)
      if (references_[r].present[segment]) texts_[r].read(references_[r][segment], words_, table_);
  }

  void output(std::size_t system) { output_.read(outputs_[system][segment_], words_, table_); }

  void row(std::size_t reference, std::int64_t* row) {
    count_meteor(aligner_.align(output_, texts_[reference]), output_, texts_[reference], words_, row);
  }

  void row(std::size_t reference, std::vector<MeteorMatch>* matches) {
    const auto found = aligner_.align(output_, texts_[reference]);
    matches->assign(found.begin(), found.end());
  }

 private:
  const std::vector<TokenColumn>&references_, &outputs_;
  const MeteorWords& words_;
  const ParaphraseTable* table_;
  std::vector<MeteorText> texts_;
  MeteorText output_;
  MeteorAligner aligner_;
  std::size_t segment_ = 0;
};

// table: (reference, system, segment, column), zero on entry. `paraphrases` is null without this module.
inline void meteor_statistics(const std::vector<TokenColumn>& references, const std::vector<TokenColumn>& outputs,
                              std::size_t segments, const MeteorWords& words, const ParaphraseTable* paraphrases, int threads,
                              std::int64_t* table) {
  pair_statistics(references, outputs, segments, kMeteorColumns, threads, table,
                  [&] { return MeteorPairs(references, outputs, words, paraphrases); });
}

// The matches of all pairs: (reference, system, segment), from left to right in the reference.
inline std::vector<std::vector<MeteorMatch>> meteor_alignments(const std::vector<TokenColumn>& references,
                                                               const std::vector<TokenColumn>& outputs, std::size_t segments,
                                                               const MeteorWords& words, const ParaphraseTable* paraphrases,
                                                               int threads) {
  std::vector<std::vector<MeteorMatch>> alignments(references.size() * outputs.size() * segments);
  pair_statistics(references, outputs, segments, 1, threads, alignments.data(),
                  [&] { return MeteorPairs(references, outputs, words, paraphrases); });
  return alignments;
}

}  // namespace assay
