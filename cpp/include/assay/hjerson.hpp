// The error classes of Hjerson (Popović 2011): a label for each word of an output and of the reference with the lowest WER.
//
// A word of one side without a counterpart on the other (a PER error) is an inflection error if a base form is left over for
// it there; otherwise it is missing or extra if the edit path deletes or inserts it, and a lexical error if the path
// substitutes it. A word that the path edits on both sides is an order error. Base forms are given, or are the first letters.
// Cost: that of the edit path.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/by_width.hpp"
#include "assay/column.hpp"
#include "assay/edit.hpp"
#include "assay/edit_path.hpp"
#include "assay/ngrams.hpp"
#include "assay/parallel.hpp"
#include "assay/tokenize.hpp"
#include "assay/too_long.hpp"

namespace assay {

// `gap` is a missing word in a reference and an extra word in an output.
enum class ErrorClass : std::uint8_t { none, inflection, order, gap, lexical };
inline constexpr std::size_t kErrorClasses = 4;

// [output length, reference length, words of each class in the output, in the reference, blocks of each class in the output,
// in the reference]. A block is a run of words with the same label.
inline constexpr std::size_t kHjersonColumns = 2 + 4 * kErrorClasses;

inline constexpr std::size_t kBaseLetters = 4;  // of words without a base form

// The table of the edit path has two bits for each cell; this many take a gigabyte. To find the reference with the lowest
// WER takes no such table, but time.
inline constexpr std::size_t kMaxPathCells = std::size_t{1} << 32;
inline constexpr std::int64_t kMaxDistanceWork = 15'000'000'000;  // on one output and one reference (effort.hpp)

// A text whose number of base forms differs from its number of words.
struct BaseCountMismatch : ItemFailure {
  BaseCountMismatch(bool is_output, std::size_t column, std::size_t segment, std::size_t words, std::size_t bases)
      : is_output(is_output), column(column), segment(segment), words(words), bases(bases) {}

  bool is_output;
  std::size_t column, segment, words, bases;
};

// A text as symbols.
struct WordsWithBases {
  std::vector<Symbol> words, bases;
};

using ErrorLabels = std::vector<ErrorClass>;

class ErrorClassifier {
 public:
  // `symbols` (`bases`) is one more than the largest symbol of a word (base form).
  void operator()(const WordsWithBases& reference, const WordsWithBases& output, std::size_t symbols, std::size_t bases,
                  ErrorLabels& reference_labels, ErrorLabels& output_labels) {
    positions_.assign(reference.words, symbols);
    path_(positions_, reference.words, output.words, reference_edits_, output_edits_);
    label(reference, reference_edits_, output, output_edits_, symbols, bases, output_labels);
    label(output, output_edits_, reference, reference_edits_, symbols, bases, reference_labels);
  }

 private:
  void label(const WordsWithBases& theirs, const std::vector<Edit>& their_edits, const WordsWithBases& ours,
             const std::vector<Edit>& our_edits, std::size_t symbols, std::size_t bases, ErrorLabels& labels) {
    labels.assign(ours.words.size(), ErrorClass::none);
    find_errors_without_order(theirs, ours, symbols, bases);
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (is_error_[i]) labels[i] = class_of(ours.bases[i], our_edits[i]);
    find_order_errors(theirs, their_edits, ours, our_edits, symbols, labels);
  }

  // PER errors: words without a counterpart. Their first counterparts are used up, and with them the base forms of these.
  void find_errors_without_order(const WordsWithBases& theirs, const WordsWithBases& ours, std::size_t symbols, std::size_t bases) {
    is_error_.resize(ours.words.size());
    left_.assign(symbols, 0);
    used_.assign(symbols, 0);
    bases_left_.assign(bases, 0);
    for (const Symbol word : theirs.words) ++left_[word];
    left_[0] = 0;  // unknown words, which are not equal
    for (std::size_t i = 0; i < ours.words.size(); ++i) {
      const Symbol word = ours.words[i];
      is_error_[i] = left_[word] == 0;
      if (!is_error_[i]) --left_[word], ++used_[word];
    }
    for (std::size_t k = 0; k < theirs.words.size(); ++k) {
      if (used_[theirs.words[k]] > 0) --used_[theirs.words[k]];
      else ++bases_left_[theirs.bases[k]];
    }
    bases_left_[0] = 0;
  }

  ErrorClass class_of(Symbol base, Edit edit) {
    if (bases_left_[base] > 0) {
      --bases_left_[base];
      return ErrorClass::inflection;
    }
    return edit == Edit::none ? ErrorClass::none : edit == Edit::gap ? ErrorClass::gap : ErrorClass::lexical;
  }

  void find_order_errors(const WordsWithBases& theirs, const std::vector<Edit>& their_edits, const WordsWithBases& ours,
                         const std::vector<Edit>& our_edits, std::size_t symbols, ErrorLabels& labels) {
    left_.assign(symbols, 0);
    for (std::size_t k = 0; k < theirs.words.size(); ++k) left_[theirs.words[k]] += their_edits[k] != Edit::none;
    left_[0] = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (our_edits[i] == Edit::none || left_[ours.words[i]] == 0) continue;
      --left_[ours.words[i]];
      labels[i] = ErrorClass::order;
    }
  }

  Positions positions_;
  EditPath path_;
  std::vector<Edit> reference_edits_, output_edits_;
  std::vector<std::uint32_t> left_, used_, bases_left_;
  std::vector<char> is_error_;
};

// Base forms of all texts, split at white space; without columns, the first letters of words are their base forms.
struct BaseColumns {
  std::vector<Column> references, outputs;
  bool are_given = false;
};

// All texts of a segment, and the labels of each output.
template <class Char>
class HjersonSegment {
 public:
  HjersonSegment(const Tokenizer& tokenizer, const BaseColumns& bases) : tokenizer_(tokenizer), bases_(bases) {}

  // Calls use(system, reference, labels of the reference, labels of the output) for outputs that are present.
  template <class Use>
  void operator()(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment, Use use) {
    if (!read_references(references, segment)) return;
    for (std::size_t s = 0; s < outputs.size(); ++s) {
      if (!is_present(outputs, bases_.outputs, s, segment)) continue;
      tokenize(outputs, bases_.outputs, s, segment, output_tokens_);
      words_.read(output_tokens_.words.tokens, output_.words);
      base_forms_.read(output_tokens_.bases, output_.bases);
      const std::size_t best = best_reference(s, segment);
      const WordsWithBases& reference = references_[best];
      if (reference.words.size() * output_.words.size() > kMaxPathCells)
        throw TooLong(best, s, segment, reference.words.size(), output_.words.size());
      classify_(reference, output_, words_.size(), base_forms_.size(), reference_labels_, output_labels_);
      use(s, best, reference_labels_, output_labels_);
    }
  }

 private:
  struct Tokens {
    Tokenizer::Scratch<Char> words, given_bases;
    std::vector<Token<Char>> bases;
  };

  bool is_present(const std::vector<Column>& texts, const std::vector<Column>& bases, std::size_t column, std::size_t segment) const {
    return texts[column].present(segment) && (!bases_.are_given || bases[column].present(segment));
  }

  // Returns false if no reference is present.
  bool read_references(const std::vector<Column>& references, std::size_t segment) {
    reference_tokens_.resize(references.size());
    references_.resize(references.size());
    present_.clear();
    std::size_t tokens = 0;
    for (std::size_t r = 0; r < references.size(); ++r) {
      if (!is_present(references, bases_.references, r, segment)) continue;
      tokenize(references, bases_.references, r, segment, reference_tokens_[r]);
      tokens += reference_tokens_[r].bases.size();
      present_.push_back(r);
    }
    words_.reset(tokens);
    base_forms_.reset(tokens);
    for (const std::size_t r : present_) {
      words_.learn(reference_tokens_[r].words.tokens, references_[r].words);
      base_forms_.learn(reference_tokens_[r].bases, references_[r].bases);
    }
    return !present_.empty();
  }

  void tokenize(const std::vector<Column>& texts, const std::vector<Column>& bases, std::size_t column, std::size_t segment,
                Tokens& tokens) const {
    tokenizer_(texts[column][segment], tokens.words);
    const auto& words = tokens.words.tokens;
    if (!bases_.are_given) {
      tokens.bases.assign(words.begin(), words.end());
      for (auto& base : tokens.bases) base.length = std::min<std::uint32_t>(base.length, kBaseLetters);
      return;
    }
    Tokenizer::named("none")(bases[column][segment], tokens.given_bases);
    const auto& given = tokens.given_bases.tokens;
    if (given.size() != words.size()) throw BaseCountMismatch(&bases == &bases_.outputs, column, segment, words.size(), given.size());
    tokens.bases.assign(given.begin(), given.end());
  }

  // The reference with the fewest edits in relation to its length, the first one in a tie; an empty one if there is no other.
  std::size_t best_reference(std::size_t system, std::size_t segment) {
    std::size_t best = present_[0];
    std::int64_t fewest = 0;
    for (const std::size_t r : present_) {
      if (present_.size() == 1) break;
      positions_.assign(references_[r].words, words_.size());
      const std::int64_t edits = distance(r, system, segment);
      const auto length = length_of(r), best_length = length_of(best);
      if (r != present_[0] && (length == 0 || (best_length > 0 && edits * best_length >= fewest * length))) continue;
      best = r;
      fewest = edits;
    }
    return best;
  }

  std::int64_t distance(std::size_t reference, std::size_t system, std::size_t segment) {
    try {
      effort_.start();
      return distance_(positions_, output_.words, effort_);
    } catch (const TooMuchWork&) {
      throw TooLong(reference, system, segment, references_[reference].words.size(), output_.words.size());
    }
  }

  std::int64_t length_of(std::size_t reference) const { return static_cast<std::int64_t>(references_[reference].words.size()); }

  const Tokenizer& tokenizer_;
  const BaseColumns& bases_;
  std::vector<Tokens> reference_tokens_;
  Tokens output_tokens_;
  Vocabulary<Char> words_, base_forms_;
  std::vector<WordsWithBases> references_;
  std::vector<std::size_t> present_;  // references
  WordsWithBases output_;
  Positions positions_;
  EditDistance distance_;
  Effort effort_{kMaxDistanceWork};
  ErrorClassifier classify_;
  ErrorLabels reference_labels_, output_labels_;
};

// Adds the words, and the blocks, of each class.
inline void count_classes(const ErrorLabels& labels, std::int64_t* words, std::int64_t* blocks) {
  ErrorClass last = ErrorClass::none;
  for (const ErrorClass label : labels) {
    if (label != ErrorClass::none) {
      const std::size_t column = static_cast<std::size_t>(label) - 1;
      ++words[column];
      blocks[column] += label != last;
    }
    last = label;
  }
}

// Calls use(system, segment, reference, labels of the reference, labels of the output) for all cells with labels; those of
// different segments on several threads.
template <class Use>
void each_labelled(const std::vector<Column>& references, const std::vector<Column>& outputs, const BaseColumns& bases,
                   std::size_t segments, const Tokenizer& tokenizer, int threads, Use use) {
  parallel_blocks(segments, 16, threads, [&] {
    return [&, label = ByWidth<HjersonSegment>(tokenizer, bases), progress = Progress()](std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        progress.spend(2 * kCharacterWork * static_cast<std::int64_t>(characters(references, i) + characters(outputs, i)));
        const auto use_cell = [&](std::size_t s, std::size_t r, const ErrorLabels& theirs, const ErrorLabels& ours) {
          use(s, i, r, theirs, ours);
        };
        const std::uint8_t width = widest(outputs, i, widest(references, i));
        label(bases.are_given ? widest(bases.outputs, i, widest(bases.references, i, width)) : width, references, outputs, i, use_cell);
      }
    };
  });
}

// table: (system, segment, column), zero on entry; rows of absent texts stay zero.
inline void hjerson_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs, const BaseColumns& bases,
                               std::size_t segments, const Tokenizer& tokenizer, int threads, std::int64_t* table) {
  each_labelled(references, outputs, bases, segments, tokenizer, threads,
                [&](std::size_t s, std::size_t i, std::size_t, const ErrorLabels& theirs, const ErrorLabels& ours) {
                  std::int64_t* const row = table + (s * segments + i) * kHjersonColumns;
                  row[0] = static_cast<std::int64_t>(ours.size());
                  row[1] = static_cast<std::int64_t>(theirs.size());
                  count_classes(ours, row + 2, row + 2 + 2 * kErrorClasses);
                  count_classes(theirs, row + 2 + kErrorClasses, row + 2 + 3 * kErrorClasses);
                });
}

}  // namespace assay
