// Clipped n-gram matches of many outputs against the references of one segment, without hashing n-grams.
//
// Class refinement: the n-grams of the references are numbered order by order. The class of an n-gram is looked
// up by (class of its first n-1 symbols, its last symbol) in a small table that holds one order at a time.
// Output symbols that do not occur in the references are 0, and class 0 leads to class 0, so looking up an output needs
// no branch. The result is exact: classes are assigned, so they cannot collide. Cost: O(length x order) for each
// reference and for each output.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "assay/interrupt.hpp"
#include "assay/secret_hash.hpp"
#include "assay/shift_and.hpp"
#include "assay/tokenize.hpp"

namespace assay {

// Two machine words that identify a token of up to 16 bytes uniquely among tokens of its length: its words. For longer tokens,
// the first mixes all words but the last. Reads 16 bytes from the start of the token, and whole words after that.
struct TokenKey {
  std::uint64_t mixture, second;

  bool operator==(const TokenKey&) const = default;

  static TokenKey of(const void* start, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(start);
    std::size_t left = size;
    std::uint64_t key = 0;
    for (; left > kExact; left -= 8, bytes += 8) key = folded_product(key ^ load(bytes) ^ kSecret.first, kSecret.chain);
    // Both words of the rest, without checking whether there is a second one.
    const auto& masks = kMasks[left];
    return {key ^ (load(bytes) & masks[0]), load(bytes + 8) & masks[1]};
  }

  std::uint64_t hash() const { return secret_hash(mixture, second); }

  static constexpr std::size_t kExact = 16;

 private:
  static std::uint64_t load(const unsigned char* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    return word;
  }

  // The bytes of the first and the second word that belong to a token of 0 to 16 bytes.
  static constexpr auto kMasks = [] {
    std::array<std::array<std::uint64_t, 2>, 17> masks{};
    for (std::size_t bytes = 0; bytes <= 16; ++bytes)
      for (std::size_t i = 0; i < bytes; ++i) masks[bytes][i / 8] |= std::uint64_t{0xFF} << (i % 8 * 8);
    return masks;
  }();
};

// Token -> symbol for the references of one segment. Tokens must be followed by 16 readable bytes. In texts of
// two-byte characters, tokens of one character, nearly all of Chinese, are looked up by the character.
template <class Char>
class Vocabulary {
 public:
  // Clears the vocabulary; at most this many tokens will be added.
  void reset(std::size_t tokens) {
    const std::size_t size = std::bit_ceil(tokens * 3 + 16);
    std::memset(slots_.reserve(size), 0, size * sizeof(Slot));
    if (kHasCharacters && of_character_.empty()) of_character_.resize(0x10000);
    for (const Char c : characters_) of_character_[c] = 0;
    characters_.clear();
    starts_.reserve(tokens + 1);
    size_ = 1;
    last_slot_ = size - 1;
    shift_ = 64 - std::countr_zero(size);
  }

  // The symbols of a reference; new tokens get new symbols.
  void learn(std::span<const Token<Char>> tokens, std::vector<Symbol>& symbols) {
    symbols.resize(tokens.size());
    const std::size_t before = characters_.size();
    if (kHasCharacters) characters_.resize(before + tokens.size());
    Char* next = characters_.data() + before;
    const auto learn_character = [&](std::size_t i) {  // branchless: whether a character is new is unpredictable
      const Char c = *tokens[i].start;
      Symbol& known = of_character_[c];
      const Symbol is_new = known == 0;
      symbols[i] = known += is_new * static_cast<Symbol>(size_);
      *next = c;
      next += is_new;
      size_ += is_new;
    };
    for_each(tokens, learn_character, [&](std::size_t i, const TokenKey& key, std::uint64_t hash) {
      Slot& slot = find_slot(tokens[i], key, hash);
      if (slot.symbol == 0) {
        slot = {key.mixture, tokens[i].length, static_cast<Symbol>(size_)};
        starts_[size_] = {tokens[i].start, key.second};
        ++size_;
      }
      symbols[i] = slot.symbol;
    });
    characters_.resize(static_cast<std::size_t>(next - characters_.data()));
  }

  // The symbols of an output; tokens that occur in no reference are 0.
  void read(std::span<const Token<Char>> tokens, std::vector<Symbol>& symbols) {
    symbols.resize(tokens.size());
    const auto read_character = [&](std::size_t i) { symbols[i] = of_character_[*tokens[i].start]; };
    for_each(tokens, read_character, [&](std::size_t i, const TokenKey& key, std::uint64_t hash) {
      symbols[i] = find_slot(tokens[i], key, hash).symbol;
    });
  }

  // One more than the largest symbol.
  std::size_t size() const { return size_; }

 private:
  static constexpr bool kHasCharacters = sizeof(Char) == 2;  // for four bytes the table would be too large

  struct Slot {
    std::uint64_t key;
    std::uint32_t length;
    Symbol symbol;  // 0: free
  };

  struct Learnt {
    const Char* start;
    std::uint64_t second;  // second word of the key
  };

  // Calls visit_character(i) for a token of one two-byte character, and visit(i, key of token i, its hash) for others.
  // Keys and hashes are computed in batches, in a separate loop, so that a mispredicted look-up does not delay the following
  // keys.
  template <class VisitCharacter, class Visit>
  void for_each(std::span<const Token<Char>> tokens, VisitCharacter visit_character, Visit visit) {
    for (std::size_t first = 0; first < tokens.size(); first += keys_.size()) {
      const std::size_t end = std::min(tokens.size(), first + keys_.size());
      if (first > 0) checkpoint(static_cast<std::int64_t>(32 * (end - first)));
      std::size_t keyed = 0;
      for (std::size_t i = first; i < end; ++i) {
        if (is_character(tokens[i])) {
          visit_character(i);
          continue;
        }
        keys_[keyed] = TokenKey::of(tokens[i].start, tokens[i].length * sizeof(Char));
        hashes_[keyed] = keys_[keyed].hash();
        if constexpr (kHasCharacters) places_[keyed] = i;
        ++keyed;
      }
      for (std::size_t k = 0; k < keyed; ++k) visit(kHasCharacters ? places_[k] : first + k, keys_[k], hashes_[k]);
    }
  }

  static bool is_character(const Token<Char>& token) { return kHasCharacters && token.length == 1; }

  Slot& find_slot(const Token<Char>& token, const TokenKey& key, std::uint64_t hash) {
    std::size_t at = hash >> shift_;
    while (slots_[at].symbol != 0 && !same(slots_[at], token, key)) at = (at + 1) & last_slot_;
    return slots_[at];
  }

  bool same(const Slot& slot, const Token<Char>& token, const TokenKey& key) const {
    const Learnt& learnt = starts_[slot.symbol];
    const std::size_t bytes = token.length * sizeof(Char);
    return slot.key == key.mixture && slot.length == token.length && learnt.second == key.second &&
           (bytes <= TokenKey::kExact || std::memcmp(learnt.start, token.start, bytes) == 0);
  }

  Buffer<Slot> slots_;
  Buffer<Learnt> starts_;              // by symbol
  std::vector<Symbol> of_character_;   // 0: not in the references
  std::vector<Char> characters_;       // those in the references
  std::array<TokenKey, 1024> keys_;
  std::array<std::uint64_t, 1024> hashes_;
  std::array<std::size_t, kHasCharacters ? 1024 : 0> places_;  // of the tokens that have a key
  std::size_t size_ = 1, last_slot_ = 0;
  int shift_ = 0;
};

// (class, symbol) -> class of the next order, as a table of 16-bit ids. All writes are undone after each order.
class DenseTable {
 public:
  using Class = std::uint16_t;

  static bool fits(std::size_t classes, std::size_t symbols) {
    constexpr std::size_t max_cells = std::size_t{1} << 18;
    return classes < 0xFFFF && classes * symbols <= max_cells;
  }

  // The table as plain pointers, which the compiler keeps in registers.
  struct Cursor {
    Class* cells;
    std::uint32_t* cell_of;
    std::uint32_t columns;

    Class get(Class prefix, Symbol symbol) const { return cells[prefix * columns + symbol]; }

    // A new pair gets class `next`, which is then incremented. Branchless, because whether an n-gram is new is unpredictable.
    Class get_or_add(Class prefix, Symbol symbol, std::uint32_t& next) const {
      const std::uint32_t at = prefix * columns + symbol;
      const std::uint32_t known = cells[at];
      const std::uint32_t is_new = known == 0;
      const auto result = static_cast<Class>(known + next * is_new);
      cells[at] = result;
      cell_of[next] = at;
      next += is_new;
      return result;
    }
  };

  Cursor open(std::size_t classes, std::size_t symbols, std::size_t new_classes) {
    if (cells_.size() < classes * symbols) cells_.resize(classes * symbols);
    if (cell_of_.size() < new_classes + 2) cell_of_.resize(new_classes + 2);
    return {cells_.data(), cell_of_.data(), static_cast<std::uint32_t>(symbols)};
  }

  void undo(std::size_t classes) {
    for (std::size_t c = 1; c < classes; ++c) cells_[cell_of_[c]] = 0;
  }

 private:
  std::vector<Class> cells_;
  std::vector<std::uint32_t> cell_of_;  // by class: the cell it was written to
};

// The same as a growing hash table, for segments whose dense table would be too large.
class SparseTable {
 public:
  using Class = std::uint32_t;

  struct Cursor {
    SparseTable* table;

    Class get(Class prefix, Symbol symbol) const {
      table->progress_.spend(kWork);
      return table->slots_[table->find(pair(prefix, symbol))].value;
    }

    Class get_or_add(Class prefix, Symbol symbol, std::uint32_t& next) const {
      table->progress_.spend(kWork);
      std::size_t at = table->find(pair(prefix, symbol));
      if (table->slots_[at].value == 0) {
        if (std::size_t{next} * 2 > table->slots_.size()) {
          table->grow();
          at = table->find(pair(prefix, symbol));
        }
        table->slots_[at] = {pair(prefix, symbol), next++};
      }
      return table->slots_[at].value;
    }
  };

  Cursor open(std::size_t, std::size_t, std::size_t) {
    resize(1 << 12);
    return {this};
  }

  void undo(std::size_t) {}

 private:
  static constexpr std::int64_t kWork = 16;  // of a look-up

  struct Slot {
    std::uint64_t pair;
    Class value;  // 0: free
  };

  static std::uint64_t pair(Class prefix, Symbol symbol) { return std::uint64_t{prefix} << 32 | symbol; }

  std::size_t find(std::uint64_t wanted) const {
    std::size_t at = secret_hash(wanted, 0) >> shift_;
    while (slots_[at].value != 0 && slots_[at].pair != wanted) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void resize(std::size_t size) {
    slots_.assign(size, Slot{0, 0});
    shift_ = 64 - std::countr_zero(size);
  }

  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    resize(old.size() * 2);
    for (const Slot& slot : old)
      if (slot.value != 0) slots_[find(slot.pair)] = slot;
  }

  std::vector<Slot> slots_;
  int shift_ = 0;
  Progress progress_;
};

// Class refinement with one kind of table.
template <class Table>
class Refinement {
 public:
  void run(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
           std::size_t symbols, std::size_t length, int max_order, std::int64_t* matches) {
    refine(references, outputs, symbols, length, max_order, [](std::size_t) {},
           [&](std::size_t s, std::size_t order, std::size_t classes, const auto table) {
             matches[s * static_cast<std::size_t>(max_order) + order - 1] =
                 match(outputs[s], output_classes_[s].data(), order, classes, table);
           });
  }

  // hits[output][j]: the hits of the output n-grams that end at j; empty on entry.
  void hits(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
            std::size_t symbols, std::size_t length, int max_order, std::vector<std::vector<Hit>>& hits) {
    where_.resize(std::max(length + 1, symbols));
    refine(references, outputs, symbols, length, max_order, [&](std::size_t order) { locate(references, order); },
           [&](std::size_t s, std::size_t order, std::size_t classes, const auto table) {
             find_hits(outputs[s], output_classes_[s].data(), order, classes, table, hits[s].data());
           });
  }

 private:
  using Class = typename Table::Class;
  using Cursor = typename Table::Cursor;

  // The table of order 1: the class of a symbol is the symbol itself, as written by `start`.
  struct Symbols {
    Class get(Class prefix, Symbol) const { return prefix; }
    Class get_or_add(Class prefix, Symbol, std::uint32_t&) const { return prefix; }
  };

  // For each order, calls learnt(order) and then, for each output, visit(output, order, number of classes, table).
  template <class Learnt, class Visit>
  void refine(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
              std::size_t symbols, std::size_t length, int max_order, Learnt learnt, Visit visit) {
    start(references, reference_classes_);
    start(outputs, output_classes_);
    std::size_t classes = symbols;
    for (std::size_t order = 1; order <= static_cast<std::size_t>(max_order) && classes > 1; ++order) {
      limit_.assign(std::max(length + 1, symbols), 0);
      if (references.size() > 1) count_.assign(limit_.size(), 0);
      const Cursor table = table_.open(classes, symbols, length);
      if (order > 1) classes = learn(references, order, table);
      else learn(references, order, Symbols{});
      learnt(order);
      for (std::size_t s = 0; s < outputs.size(); ++s) {
        if (order > 1) visit(s, order, classes, table);
        else visit(s, order, classes, Symbols{});
      }
      if (order > 1) table_.undo(classes);
    }
  }

  static void start(std::span<const std::vector<Symbol>> sequences, std::vector<std::vector<Class>>& classes) {
    if (classes.size() < sequences.size()) classes.resize(sequences.size());
    for (std::size_t i = 0; i < sequences.size(); ++i) classes[i].assign(sequences[i].begin(), sequences[i].end());
  }

  static std::size_t grams(const std::vector<Symbol>& sequence, std::size_t order) {
    return sequence.size() >= order ? sequence.size() - order + 1 : 0;
  }

  // Numbers the n-grams of the references; limit_ becomes the largest count of each over the references.
  template <class Lookup>
  std::size_t learn(std::span<const std::vector<Symbol>> references, std::size_t order, const Lookup table) {
    const bool several = references.size() > 1;
    std::uint32_t* const counts = several ? count_.data() : limit_.data();
    std::uint32_t next = 1;
    for (std::size_t r = 0; r < references.size(); ++r) {
      const std::size_t size = grams(references[r], order);
      const Symbol* const last = size == 0 ? nullptr : references[r].data() + (order - 1);
      Class* const classes = reference_classes_[r].data();
      for (std::size_t i = 0; i < size; ++i) {
        const Class here = table.get_or_add(classes[i], last[i], next);
        classes[i] = here;
        ++counts[here];
      }
      for (std::size_t i = 0; several && i < size; ++i) {
        limit_[classes[i]] = std::max(limit_[classes[i]], count_[classes[i]]);
        count_[classes[i]] = 0;
      }
    }
    return next;
  }

  // Sets where_ to the position of one n-gram of each class.
  void locate(std::span<const std::vector<Symbol>> references, std::size_t order) {
    std::size_t first = 0;
    for (std::size_t r = 0; r < references.size(); ++r) {
      for (std::size_t i = 0; i < grams(references[r], order); ++i)
        where_[reference_classes_[r][i]] = static_cast<std::uint32_t>(first + i + order - 1);
      first += references[r].size() + 1;
    }
  }

  template <class Lookup>
  std::int64_t match(const std::vector<Symbol>& output, Class* classes, std::size_t order, std::size_t known,
                     const Lookup table) {
    seen_.assign(known, 0);
    std::uint32_t* const seen = seen_.data();
    const std::size_t size = grams(output, order);
    const Symbol* const last = size == 0 ? nullptr : output.data() + (order - 1);
    for (std::size_t i = 0; i < size; ++i) {
      const Class here = table.get(classes[i], last[i]);
      classes[i] = here;
      ++seen[here];
    }
    std::uint32_t matched = 0;
    for (std::size_t c = 1; c < known; ++c) matched += std::min(seen[c], limit_[c]);
    return matched;
  }

  template <class Lookup>
  void find_hits(const std::vector<Symbol>& output, Class* classes, std::size_t order, std::size_t known,
                 const Lookup table, Hit* hits) {
    seen_.assign(known, 0);
    for (std::size_t i = 0; i < grams(output, order); ++i) {
      const Class here = table.get(classes[i], output[i + order - 1]);
      classes[i] = here;
      if (here == 0 || ++seen_[here] > limit_[here]) continue;
      Hit& hit = hits[i + order - 1];
      hit = {hit.orders | 1u << (order - 1), where_[here]};
    }
  }

  Table table_;
  std::vector<std::uint32_t> limit_, count_, seen_;
  std::vector<std::vector<Class>> reference_classes_, output_classes_;
  std::vector<std::uint32_t> where_;  // by class
};

class NgramMatcher {
 public:
  static constexpr int kMaxHitOrder = 8;  // one bit per order

  // matches[output * max_order + n - 1]: clipped matches of order n, against the largest count over the references.
  // `symbols` is one more than the largest symbol; matches are zero on entry.
  void operator()(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
                  std::size_t symbols, int max_order, std::int64_t* matches) {
    const std::size_t length = total(references);
    if (ShiftAnd::fits(references, symbols, max_order))
      shift_and_(references, outputs, symbols, max_order, matches);
    else if (DenseTable::fits(std::max(symbols, length + 1), symbols))
      dense_.run(references, outputs, symbols, length, max_order, matches);
    else
      sparse_.run(references, outputs, symbols, length, max_order, matches);
  }

  // The matching n-grams themselves: hits[output][j] has those that end at j, up to the order kMaxHitOrder.
  void hits(std::span<const std::vector<Symbol>> references, std::span<const std::vector<Symbol>> outputs,
            std::size_t symbols, int max_order, std::vector<std::vector<Hit>>& hits) {
    const std::size_t length = total(references);
    hits.resize(std::max(hits.size(), outputs.size()));
    for (std::size_t s = 0; s < outputs.size(); ++s) hits[s].assign(outputs[s].size(), Hit{});
    if (ShiftAnd::fits(references, symbols, max_order))
      shift_and_.hits(references, outputs, symbols, max_order, hits);
    else if (DenseTable::fits(std::max(symbols, length + 1), symbols))
      dense_.hits(references, outputs, symbols, length, max_order, hits);
    else
      sparse_.hits(references, outputs, symbols, length, max_order, hits);
  }

 private:
  static std::size_t total(std::span<const std::vector<Symbol>> references) {
    std::size_t length = 0;
    for (const auto& reference : references) length += reference.size();
    return length;
  }

  ShiftAnd shift_and_;
  Refinement<DenseTable> dense_;
  Refinement<SparseTable> sparse_;
};

}  // namespace assay
