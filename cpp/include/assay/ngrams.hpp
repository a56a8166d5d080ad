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
//
// Slots hold only symbols, so many of them can be cleared quickly, and few tokens collide. Nothing else is unpredictable:
// whether a token is known is decided without a branch.
template <class Char>
class Vocabulary {
 public:
  // Clears the vocabulary; at most this many tokens will be added.
  void reset(std::size_t tokens) {
    const std::size_t size = std::bit_ceil(tokens * 6 + 16);
    std::memset(slots_.reserve(size), 0, size * sizeof(Symbol));
    if (kHasCharacters && of_character_.empty()) of_character_.resize(0x10000);
    for (const Char c : characters_) of_character_[c] = 0;
    characters_.clear();
    entries_.reserve(tokens + 2)[0] = {{0, 0}, nullptr, 0};
    size_ = 1;
    table_ = {&slots_[0], &entries_[0], size - 1, 64 - std::countr_zero(size)};
  }

  // The symbols of a reference; new tokens get new symbols.
  void learn(std::span<const Token<Char>> tokens, std::vector<Symbol>& symbols) {
    symbols.resize(tokens.size());
    const std::size_t before = characters_.size();
    if (kHasCharacters) characters_.resize(before + tokens.size() + 1);
    Char* next_character = characters_.data() + before;
    Symbol* out = symbols.data();
    const Table table = table_;
    Symbol next = size_;
    each(tokens, [&](const Token<Char>& token) __attribute__((always_inline)) {
      if (is_character(token)) {
        Symbol& known = of_character_[*token.start];
        *next_character = *token.start;
        next_character += known == 0;
        *out++ = known = known_or_next(known, next);
        return;
      }
      const TokenKey key = key_of(token);
      const auto [at, known] = table.find(token, key);
      table.entries[next] = {key, token.start, token.length};
      *out++ = table.slots[at] = known_or_next(known, next);
    });
    size_ = next;
    characters_.resize(static_cast<std::size_t>(next_character - characters_.data()));
  }

  // The symbols of an output; tokens that occur in no reference are 0.
  void read(std::span<const Token<Char>> tokens, std::vector<Symbol>& symbols) const {
    symbols.resize(tokens.size());
    Symbol* out = symbols.data();
    const Table table = table_;
    each(tokens, [&](const Token<Char>& token) __attribute__((always_inline)) {
      *out++ = is_character(token) ? of_character_[*token.start] : table.find(token, key_of(token)).symbol;
    });
  }

  // One more than the largest symbol.
  std::size_t size() const { return size_; }

 private:
  static constexpr bool kHasCharacters = sizeof(Char) == 2;  // for four bytes the table would be too large

  struct Entry {
    TokenKey key;
    const Char* start;
    std::uint32_t length;
  };

  struct Slot {
    std::size_t at;
    Symbol symbol;  // 0: free
  };

  // The table as plain pointers, which the compiler keeps in registers.
  struct Table {
    Symbol* slots;   // 0: free
    Entry* entries;  // by symbol, for those that are not of a character
    std::size_t last;
    int shift;

    // The slot of a token, or the free slot where it would be. The first slot is the right one nearly always, so there is one
    // branch, which is predictable: whether the slot has another token, or one that must be compared byte by byte.
    [[gnu::always_inline]] Slot find(const Token<Char>& token, const TokenKey& key) const {
      const std::size_t at = key.hash() >> shift;
      const Symbol symbol = slots[at];
      const Entry& entry = entries[symbol];
      const bool is_other = ((entry.key.mixture ^ key.mixture) | (entry.key.second ^ key.second) | (entry.length ^ token.length)) != 0;
      const bool is_long = token.length * sizeof(Char) > TokenKey::kExact;
      const Symbol to_compare = symbol * static_cast<Symbol>(is_other | is_long);  // not &&, which would be a second branch
      return to_compare != 0 ? probe(token, key, at) : Slot{at, symbol};
    }

    [[gnu::noinline, gnu::cold]] Slot probe(const Token<Char>& token, const TokenKey& key, std::size_t at) const {
      while (slots[at] != 0 && !same(entries[slots[at]], token, key)) at = (at + 1) & last;
      return {at, slots[at]};
    }

    static bool same(const Entry& entry, const Token<Char>& token, const TokenKey& key) {
      const std::size_t bytes = token.length * sizeof(Char);
      return entry.key == key && entry.length == token.length &&
             (bytes <= TokenKey::kExact || std::memcmp(entry.start, token.start, bytes) == 0);
    }
  };

  template <class Visit>
  [[gnu::always_inline]] static void each(std::span<const Token<Char>> tokens, Visit visit) {
    constexpr std::size_t batch = 1024;
    for (std::size_t first = 0; first < tokens.size(); first += batch) {
      const auto some = tokens.subspan(first, std::min(batch, tokens.size() - first));
      if (first > 0) checkpoint(static_cast<std::int64_t>(32 * some.size()));
      for (const Token<Char>& token : some) visit(token);
    }
  }

  static bool is_character(const Token<Char>& token) { return kHasCharacters && token.length == 1; }

  static TokenKey key_of(const Token<Char>& token) { return TokenKey::of(token.start, token.length * sizeof(Char)); }

  // The next symbol for 0, without a branch, which would be mispredicted for many tokens.
  static Symbol known_or_next(Symbol known, Symbol& next) {
    const Symbol is_new = known == 0;
    known += is_new * next;
    next += is_new;
    return known;
  }

  Buffer<Symbol> slots_;
  Buffer<Entry> entries_;
  Table table_{};                     // in these two
  std::vector<Symbol> of_character_;  // 0: not in the references
  std::vector<Char> characters_;      // those in the references
  Symbol size_ = 1;
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
