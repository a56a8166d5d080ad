// Token -> integer for a whole test set.
//
// Equal tokens get the same integer, whatever the width of their texts: a token is stored with one byte per character if all
// of them are Latin-1, and with four otherwise. Cost: O(characters).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "assay/ngrams.hpp"
#include "assay/text.hpp"
#include "assay/tokenize.hpp"

namespace assay {

struct SpeltToken {
  static constexpr std::uint32_t kWide = std::uint32_t{1} << 31;

  const unsigned char* bytes;
  std::uint32_t length;  // in characters; kWide is set if they take four bytes each
  TokenKey key;

  std::size_t size() const { return (length & kWide) != 0 ? std::size_t{length & ~kWide} * 4 : length; }
};

// Converts the tokens of one text at a time to this form. Tokens must be followed by 16 readable bytes.
class Speller {
 public:
  // The result is valid until the next text, and no longer than the tokens.
  template <class Char>
  std::span<const SpeltToken> operator()(std::span<const Token<Char>> tokens) {
    SpeltToken* const spelt = spelt_.reserve(tokens.size());
    if constexpr (sizeof(Char) == 1) {
      for (std::size_t i = 0; i < tokens.size(); ++i) spelt[i] = keyed(tokens[i].start, tokens[i].length, false);
    } else {
      std::size_t characters = 0;
      for (const Token<Char>& token : tokens) characters += token.length;
      std::uint32_t* memory = memory_.reserve(characters + 4);
      for (std::size_t i = 0; i < tokens.size(); ++i) memory += spell(tokens[i], memory, spelt[i]);
    }
    return {spelt, tokens.size()};
  }

 private:
  static SpeltToken keyed(const unsigned char* bytes, std::uint32_t length, bool is_wide) {
    return {bytes, length | (is_wide ? SpeltToken::kWide : 0),
            TokenKey::of(bytes, is_wide ? std::size_t{length} * 4 : length)};
  }

  // Returns the number of 32-bit words used.
  template <class Char>
  static std::size_t spell(const Token<Char>& token, std::uint32_t* memory, SpeltToken& spelt) {
    const Char* const end = token.start + token.length;
    auto* const bytes = reinterpret_cast<unsigned char*>(memory);
    const bool is_wide = std::any_of(token.start, end, [](Char c) { return c > 0xFF; });
    if (is_wide) std::copy(token.start, end, memory);
    else std::transform(token.start, end, bytes, [](Char c) { return static_cast<unsigned char>(c); });
    spelt = keyed(bytes, token.length, is_wide);
    return is_wide ? token.length : (token.length + 3) / 4;
  }

  Buffer<SpeltToken> spelt_;
  Buffer<std::uint32_t> memory_;
};

class TokenIndex {
 public:
  // One more than the largest integer; the smallest is 1.
  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }

  // The integer for a token, or 0.
  std::uint32_t find(const SpeltToken& token) const { return slots_[slot_of(token)]; }

  std::uint32_t find_or_add(const SpeltToken& token) {
    std::size_t at = slot_of(token);
    if (slots_[at] == 0) {
      if (entries_.size() * 2 > slots_.size()) {
        grow();
        at = slot_of(token);
      }
      slots_[at] = size();
      entries_.push_back({token.key, token.length, static_cast<std::uint32_t>(storage_.size())});
      if (token.size() > TokenKey::kExact) {  // a shorter token is determined by its key
        storage_.resize(storage_.size() + (token.size() + 7) / 8);
        std::memcpy(&storage_[entries_.back().start], token.bytes, token.size());
      }
    }
    return slots_[at];
  }

 private:
  struct Entry {
    TokenKey key;
    std::uint32_t length;
    std::uint32_t start;  // in storage_, in words of 8 bytes
  };

  std::size_t slot_of(const SpeltToken& token) const {
    std::size_t at = token.key.hash() >> shift_;
    while (slots_[at] != 0 && !same(entries_[slots_[at]], token)) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  bool same(const Entry& entry, const SpeltToken& token) const {
    return entry.key == token.key && entry.length == token.length &&
           (token.size() <= TokenKey::kExact || std::memcmp(&storage_[entry.start], token.bytes, token.size()) == 0);
  }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    --shift_;
    for (std::uint32_t number = 1; number < size(); ++number) {
      std::size_t at = entries_[number].key.hash() >> shift_;
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = number;
    }
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1 << 15);  // 0: free
  int shift_ = 64 - 15;
  std::vector<Entry> entries_{{{0, 0}, 0, 0}};  // by integer
  std::vector<std::uint64_t> storage_;
};

}  // namespace assay
