// The tokenisers 13a, intl, zh, tercom, char, none, space and those of mteval: one bit-parallel scanner, with a table for each.
//
// mteval's rules are a sequence of regular-expression substitutions. Their joint effect on a line depends only on the
// class of each character and of its neighbours (docs/methods/tokenizers.md has the derivation):
//
//   symbol               is a separate token;
//   stop (. and , or \p{P}) is a separate token unless it is between two numbers; in a run of k >= 2 stops,
//                        the last one stays with a following number if the rule that consumes stops in
//                        pairs did not split it off (k even after a non-number, odd after a number);
//   dash                 is a separate token after a digit;
//   's                   (tercom) starts a token if a symbol, a space or the end follows;
//   anything else        extends the current token; white space separates tokens.
//
// Classes are therefore 64-bit masks, and the rules are shifts and bitwise ands: 64 characters at a time, one
// branch per token. Cost: O(characters).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__SSE2__) && !defined(ASSAY_PORTABLE)
#define ASSAY_HAS_SSE2
#include <immintrin.h>
#endif

#include "assay/processor.hpp"
#include "assay/text.hpp"
#include "assay/unicode_tables.hpp"

namespace assay {

template <class Char>
struct Token {
  const Char* start;
  std::uint32_t length;
};

class Tokenizer {
 public:
  static const Tokenizer& named(std::string_view name) {
    if (name == "13a") { static const Tokenizer tokenizer = thirteen_a(); return tokenizer; }
    if (name == "intl") { static const Tokenizer tokenizer = international(); return tokenizer; }
    if (name == "zh") { static const Tokenizer tokenizer = chinese(); return tokenizer; }
    if (name == "char") { static const Tokenizer tokenizer = Tokenizer(kSymbol).with_spaces(); return tokenizer; }
    if (name == "none") { static const Tokenizer tokenizer = Tokenizer(0).with_spaces(); return tokenizer; }
    if (name == "space") { static const Tokenizer tokenizer = single_space(); return tokenizer; }
    if (name == "mteval") { static const Tokenizer tokenizer = mteval(false); return tokenizer; }
    if (name == "mteval-lower") { static const Tokenizer tokenizer = mteval(true); return tokenizer; }
    if (name == "mteval-intl") { static const Tokenizer tokenizer = mteval_international(false); return tokenizer; }
    if (name == "mteval-intl-split") { static const Tokenizer tokenizer = mteval_international(true); return tokenizer; }
    if (name.starts_with("tercom")) return tercom(name.substr(6));
    throw std::invalid_argument("no tokeniser of the core is called '" + std::string(name) + "'");
  }

  // Whether this is tercom's normalisation.
  bool normalizes() const { return splits_possessives_; }

  // Per-thread storage; the tokens of `text` point into `text` and live as long as it does.
  template <class Char>
  struct Scratch {
    PaddedText<Char> text;
    Buffer<Token<Char>> tokens;
    std::vector<Char> rewritten;
    std::vector<std::uint64_t> masks;
    Buffer<std::uint32_t> starts, ends;  // of the tokens
  };

  // Tokenise one text into scratch.tokens.
  template <class Char>
  void operator()(const Text& text, Scratch<Char>& scratch) const {
    scratch.text.assign(text);
    const bool rewritten = classify(scratch);
    if (rewritten) {
      rewrite(scratch);
      classify(scratch);
    }
    if (lowers_) scratch.text.lower_ascii();  // upper and lower case have the same class, so the masks do not change
    cut(scratch, rewritten);
    if (!removed_.empty()) remove(scratch);
  }

 private:
  enum : std::uint8_t { kSpace = 1, kSymbol = 2, kStop = 4, kDash = 8, kNumber = 16, kRewrite = 32, kMixed = 128 };
  enum Mask { SPACE, SYMBOL, STOP, DASH, NUMBER, REWRITE, MASKS, START = SYMBOL, END = SPACE };

  // All characters have the class `flags` until `set` changes it.
  explicit Tokenizer(std::uint8_t flags) : blocks_(1), latin_rows_(flags != 0 ? 0xFFFF : 0) {
    blocks_[0].fill(flags);
    flags_of_block_.fill(flags);
  }

  // Sets the class of the code points first..last. Blocks of 256 are copied when they are first written.
  void set(std::uint32_t first, std::uint32_t last, std::uint8_t flags) {
    for (std::uint32_t c = first; c <= last; ++c) {
      std::uint16_t& block = block_of_[c >> 8];
      if (block == 0) {
        block = static_cast<std::uint16_t>(blocks_.size());
        blocks_.push_back(blocks_[0]);
      }
      blocks_[block][c & 0xFF] = flags;
      if (c <= 0xFF) latin_rows_ |= 1u << (c >> 4);
    }
    for (std::uint32_t b = first >> 8; b <= std::min(last >> 8, 0xFFu); ++b)
      flags_of_block_[b] = first <= b << 8 && last >= (b << 8 | 0xFF) ? flags : std::uint8_t{kMixed};
  }

  Tokenizer& with_spaces() {
    for (std::uint32_t c = 0; c <= 0x3000; ++c)
      if (is_space(c)) set(c, c, kSpace);
    return *this;
  }

  // The characters that Perl's \s matches: all of the above except the four separators among the control characters.
  Tokenizer& with_perl_spaces() {
    with_spaces();
    set(0x1C, 0x1F, 0);
    return *this;
  }
  static constexpr std::uint8_t kWesternSymbols[][2] = {{' ', '&'}, {'(', '+'}, {'/', '/'},
                                                        {':', '@'}, {'[', '`'}, {'{', '~'}};

  void set_western() {
    for (const auto& range : kWesternSymbols) set(range[0], range[1], kSymbol);
    set('0', '9', kNumber);
    set('.', '.', kStop);
    set(',', ',', kStop);
    set('-', '-', kDash);
  }

  static Tokenizer thirteen_a() {
    Tokenizer tokenizer(0);
    tokenizer.set_western();
    tokenizer.with_spaces();
    tokenizer.set_rewritten();
    return tokenizer;
  }

  // Only U+0020 separates tokens, as in Moses.
  static Tokenizer single_space() {
    Tokenizer tokenizer(0);
    tokenizer.set(' ', ' ', kSpace);
    return tokenizer;
  }

  // Any of +normalized, +asian and +no_punct, in this order.
  static const Tokenizer& tercom(std::string_view options) {
    static const std::vector<std::pair<std::string, Tokenizer>> all = [] {
      std::vector<std::pair<std::string, Tokenizer>> made;
      for (const bool normalized : {false, true})
        for (const bool asian : {false, true})
          for (const bool no_punct : {false, true})
            made.emplace_back(std::string(normalized ? "+normalized" : "") + (asian ? "+asian" : "") +
                                  (no_punct ? "+no_punct" : ""),
                              tercom(normalized, asian, no_punct));
      return made;
    }();
    for (const auto& [name, tokenizer] : all)
      if (name == options) return tokenizer;
    throw std::invalid_argument("tercom has no options '" + std::string(options) + "'");
  }

  // Tercom's ranges as in sacreBLEU: U+3200-3F22 is a typo for U+3200-32FF, and its rules for kana never match.
  static Tokenizer tercom(bool normalized, bool asian, bool no_punct) {
    constexpr std::uint32_t ideographs[][2] = {{0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x31C0, 0x31EF}, {0x2E80, 0x2EFF},
                                               {0x3300, 0x33FF}, {0xF900, 0xFAFF}, {0xFE30, 0xFE4F}, {0x3200, 0x3F22}};
    constexpr std::uint32_t punctuation[][2] = {
        {0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0xFF61, 0xFF65}, {0x30FB, 0x30FB}, {0xFF0E, 0xFF0E},
        {0xFF0C, 0xFF0C}, {0xFF1F, 0xFF1F}, {0xFF1A, 0xFF1B}, {0xFF01, 0xFF02}, {0xFF08, 0xFF09}};
    Tokenizer tokenizer(0);
    if (normalized) tokenizer.set_western();
    if (normalized && asian) {
      for (const auto& range : ideographs) tokenizer.set(range[0], range[1], kSymbol);
      for (const auto& range : punctuation) tokenizer.set(range[0], range[1], kSymbol);
    }
    tokenizer.with_spaces();
    if (normalized) {
      tokenizer.set('&', '&', kSymbol | kRewrite);
      tokenizer.set('\n', '\n', kSpace | kRewrite);
      tokenizer.rewrites_ = {{"\n-", ""}, {"\n", " "}, {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
      tokenizer.splits_possessives_ = true;
    }
    if (no_punct) tokenizer.removed_ = U".,?:;!\"()";
    if (no_punct && asian)
      for (const auto& range : punctuation)
        for (std::uint32_t c = range[0]; c <= range[1]; ++c) tokenizer.removed_ += static_cast<char32_t>(c);
    return tokenizer;
  }

  void set_rewritten() {
    set('&', '&', kSymbol | kRewrite);
    set('<', '<', kSymbol | kRewrite);
    set('\n', '\n', kSpace | kRewrite);
    rewrites_ = {{"<skipped>", ""}, {"-\n", ""}, {"\n", " "}, {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
  }

  // mteval-v13a itself: sacreBLEU's 13a except for Perl's definition of white space and for the end of a line.
  static Tokenizer mteval(bool lowers) {
    Tokenizer tokenizer(0);
    tokenizer.set_western();
    tokenizer.with_perl_spaces();
    tokenizer.set_rewritten();
    tokenizer.strips_end_ = false;
    tokenizer.lowers_ = lowers;
    return tokenizer;
  }

  // mteval's --international-tokenization after un-escaping; with -e (`splits`), each non-ASCII character is a token.
  static Tokenizer mteval_international(bool splits) {
    Tokenizer tokenizer(splits ? kSymbol : 0);
    if (splits) tokenizer.set(0, 0x7F, 0);
    for (const auto& [first, last, category] : kCategoryRanges)
      if (!splits || last <= 0x7F) tokenizer.set(first, last, flags_of(category));
    tokenizer.with_perl_spaces();
    tokenizer.edge_is_number_ = true;
    tokenizer.strips_end_ = false;
    return tokenizer;
  }

  static std::uint8_t flags_of(Category category) {
    return category == Category::number ? kNumber : category == Category::symbol ? kSymbol : kStop;
  }

  // The ranges that sacreBLEU's zh tokeniser treats as Chinese, including two bounds with typos (docs/differences.md).
  static Tokenizer chinese() {
    constexpr std::uint32_t ranges[][2] = {
        {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
        {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
        {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};
    Tokenizer tokenizer(0);
    tokenizer.set_western();
    for (const auto& range : ranges) tokenizer.set(range[0], range[1], kSymbol);
    tokenizer.with_spaces();
    tokenizer.edge_is_number_ = tokenizer.strips_start_ = true;
    return tokenizer;
  }

  static Tokenizer international() {
    Tokenizer tokenizer(0);
    for (const auto& [first, last, category] : kCategoryRanges)
      tokenizer.set(first, last, flags_of(category));
    tokenizer.with_spaces();
    tokenizer.edge_is_number_ = true;
    return tokenizer;
  }

  std::uint8_t flags_of(std::uint32_t c) const { return blocks_[block_of_[c >> 8]][c & 0xFF]; }

  // Computes the class masks of the whole text, kind-major within a block of 64. Returns true if a character requires `unescape`.
  template <class Char>
  bool classify(Scratch<Char>& scratch) const {
    const std::size_t words = scratch.text.size() / 64 + 1;
    scratch.masks.resize(words * MASKS);
    const Char* in = scratch.text.data();
    const std::uint8_t* latin = blocks_[block_of_[0]].data();
#ifdef ASSAY_HAS_AVX2_TARGET
    if constexpr (sizeof(Char) <= 2) {
      if (has_avx512_bytes()) return classify_avx512(in, words, scratch.masks.data());
    }
    if constexpr (sizeof(Char) == 1) {
      if (has_avx2()) return classify_narrow(in, words, scratch.masks.data());
    } else if constexpr (sizeof(Char) == 2) {
      if (has_avx2()) return classify_medium(in, words, scratch.masks.data());
    }
#endif
    std::uint64_t rewrite = 0;
    for (std::size_t w = 0; w < words; ++w) {
      std::array<std::uint8_t, 64> flags;
      for (std::size_t i = 0; i < 64; ++i) {
        if constexpr (sizeof(Char) == 1) flags[i] = latin[in[w * 64 + i]];
        else flags[i] = flags_of(in[w * 64 + i]);
      }
      std::uint64_t* masks = &scratch.masks[w * MASKS];
      for (int kind = 0; kind < MASKS; ++kind) masks[kind] = gather(flags, kind);
      rewrite |= masks[REWRITE];
    }
    return rewrite != 0;
  }

#ifdef ASSAY_HAS_AVX2_TARGET
#define ASSAY_AVX512_BYTES "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,popcnt"

  // The same for characters of one or two bytes, 64 at once. Two-byte characters are looked up by their first byte; only
  // those from blocks of 256 characters of several classes one by one.
  template <class Char>
  [[gnu::target(ASSAY_AVX512_BYTES)]] bool classify_avx512(const Char* in, std::size_t words, std::uint64_t* masks) const {
    __m512i latin[4], of_block[4];
    load_table(blocks_[block_of_[0]].data(), latin);
    if constexpr (sizeof(Char) == 2) load_table(flags_of_block_.data(), of_block);
    std::uint64_t rewrite = 0;
    for (std::size_t w = 0; w < words; ++w, in += 64, masks += MASKS) {
      __m512i flags;
      if constexpr (sizeof(Char) == 1) {
        flags = look_up(latin, _mm512_loadu_si512(in));
      } else {
        const __m512i first = _mm512_loadu_si512(in), second = _mm512_loadu_si512(in + 32);
        const __m512i block = _mm512_permutex2var_epi8(first, numbers<1, 2>(), second);  // the high bytes
        const __m512i within = _mm512_permutex2var_epi8(first, numbers<0, 2>(), second);
        const __mmask64 is_latin = _mm512_testn_epi8_mask(block, block);
        flags = _mm512_mask_mov_epi8(look_up(of_block, block), is_latin, look_up(latin, within));
        std::uint64_t mixed = _mm512_movepi8_mask(flags);
        if (mixed != 0) {
          alignas(64) std::uint8_t bytes[64];
          _mm512_store_si512(bytes, flags);
          for (; mixed != 0; mixed &= mixed - 1) {
            const int at = std::countr_zero(mixed);
            bytes[at] = flags_of(in[at]);
          }
          flags = _mm512_load_si512(bytes);
        }
      }
      for (int kind = 0; kind < MASKS; ++kind)
        masks[kind] = _mm512_test_epi8_mask(flags, _mm512_set1_epi8(static_cast<char>(1 << kind)));
      rewrite |= masks[REWRITE];
    }
    return rewrite != 0;
  }

  [[gnu::target(ASSAY_AVX512_BYTES), gnu::always_inline]] static void load_table(const std::uint8_t* bytes, __m512i (&table)[4]) {
    for (int quarter = 0; quarter < 4; ++quarter) table[quarter] = _mm512_loadu_si512(bytes + quarter * 64);
  }

  // The entries of a table of 256 bytes.
  [[gnu::target(ASSAY_AVX512_BYTES), gnu::always_inline]] static __m512i look_up(const __m512i (&table)[4], __m512i places) {
    const __m512i low = _mm512_permutex2var_epi8(table[0], places, table[1]);
    const __m512i high = _mm512_permutex2var_epi8(table[2], places, table[3]);
    return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(places), high);
  }

  // The numbers first, first + step, ... for 64 bytes.
  template <int First, int Step>
  [[gnu::target(ASSAY_AVX512_BYTES), gnu::always_inline]] static __m512i numbers() {
    alignas(64) static constexpr auto all = [] {
      std::array<std::uint8_t, 64> numbers{};
      for (int i = 0; i < 64; ++i) numbers[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(First + i * Step);
      return numbers;
    }();
    return _mm512_load_si512(all.data());
  }

  // The same for one-byte characters.
  [[gnu::target("avx2")]] bool classify_narrow(const std::uint8_t* in, std::size_t words, std::uint64_t* masks) const {
    std::uint64_t rewrite = 0;
    for (std::size_t w = 0; w < words; ++w, in += 64, masks += MASKS) {
      __m256i flags[2];
      for (int half = 0; half < 2; ++half)
        flags[half] = latin_flags(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + half * 32)));
      gather_all(flags, masks);
      rewrite |= masks[REWRITE];
    }
    return rewrite != 0;
  }

  // The same for two-byte characters: those up to U+00FF at once, and then all others one by one.
  [[gnu::target("avx2")]] bool classify_medium(const std::uint16_t* in, std::size_t words, std::uint64_t* masks) const {
    std::uint64_t rewrite = 0;
    for (std::size_t w = 0; w < words; ++w, in += 64, masks += MASKS) {
      alignas(32) std::uint8_t bytes[64];
      std::uint64_t others = 0;
      for (int half = 0; half < 2; ++half) {
        const auto* const block = reinterpret_cast<const __m256i*>(in + half * 32);
        const __m256i first = _mm256_loadu_si256(block), second = _mm256_loadu_si256(block + 1);
        const __m256i zero = _mm256_setzero_si256();
        const __m256i is_latin = packed(_mm256_packs_epi16(_mm256_cmpeq_epi16(_mm256_srli_epi16(first, 8), zero),
                                                           _mm256_cmpeq_epi16(_mm256_srli_epi16(second, 8), zero)));
        const __m256i flags = _mm256_and_si256(is_latin, latin_flags(packed(_mm256_packus_epi16(first, second))));
        _mm256_store_si256(reinterpret_cast<__m256i*>(bytes + half * 32), flags);
        others |= std::uint64_t{~static_cast<std::uint32_t>(_mm256_movemask_epi8(is_latin))} << (half * 32);
      }
      for (; others != 0; others &= others - 1) {
        const int at = std::countr_zero(others);
        bytes[at] = flags_of(in[at]);
      }
      const __m256i flags[2] = {_mm256_load_si256(reinterpret_cast<const __m256i*>(bytes)),
                                _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes + 32))};
      gather_all(flags, masks);
      rewrite |= masks[REWRITE];
    }
    return rewrite != 0;
  }

  // Undoes the order in which AVX2 packs two vectors into one.
  [[gnu::target("avx2"), gnu::always_inline]] static __m256i packed(__m256i lanes) { return _mm256_permute4x64_epi64(lanes, 0xD8); }

  // The classes of 32 characters: for each of the rows of 16 characters that have a class, characters in that row look up
  // their class by their last four bits, and all others get 0 because their index exceeds 127.
  [[gnu::target("avx2"), gnu::always_inline]] __m256i latin_flags(__m256i text) const {
    const std::uint8_t* const latin = blocks_[block_of_[0]].data();
    __m256i flags = _mm256_setzero_si256();
    for (std::uint32_t left = latin_rows_; left != 0; left &= left - 1) {
      const auto row = static_cast<std::size_t>(std::countr_zero(left)) * 16;
      const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(latin + row)));
      const __m256i in_row = _mm256_xor_si256(text, _mm256_set1_epi8(static_cast<char>(row)));
      const __m256i index = _mm256_adds_epu8(in_row, _mm256_set1_epi8(0x70));
      flags = _mm256_or_si256(flags, _mm256_shuffle_epi8(table, index));
    }
    return flags;
  }

  // The masks of all kinds, from the classes of 64 characters.
  [[gnu::target("avx2"), gnu::always_inline]] static void gather_all(const __m256i (&flags)[2], std::uint64_t* masks) {
    for (int kind = 0; kind < MASKS; ++kind) {
      const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(flags[0], 7 - kind)));
      const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(flags[1], 7 - kind)));
      masks[kind] = std::uint64_t{high} << 32 | low;
    }
  }
#endif

  // Bit `kind` of each of 64 bytes, as one word.
  static std::uint64_t gather(const std::array<std::uint8_t, 64>& flags, int kind) {
    std::uint64_t mask = 0;
#ifdef ASSAY_HAS_SSE2
    for (int quarter = 0; quarter < 4; ++quarter) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(flags.data()) + quarter);
      const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(bytes, 7 - kind)));
      mask |= std::uint64_t{bits} << (quarter * 16);
    }
#else
    for (int eighth = 0; eighth < 8; ++eighth) {
      std::uint64_t bytes;
      std::memcpy(&bytes, &flags[static_cast<std::size_t>(eighth) * 8], 8);
      const std::uint64_t bits = (bytes >> kind & 0x0101010101010101u) * 0x0102040810204080u >> 56;
      mask |= bits << (eighth * 8);
    }
#endif
    return mask;
  }

  static bool bit(const std::vector<std::uint64_t>& masks, Mask kind, std::size_t i) {
    return masks[i / 64 * MASKS + kind] >> (i % 64) & 1;
  }

  template <class Char>
  void cut(Scratch<Char>& scratch, bool rewritten) const {
    auto& masks = scratch.masks;
    scratch.tokens.set_size(0);
    std::size_t end = scratch.text.size(), begin = 0;
    if (strips_end_) while (end > 0 && bit(masks, SPACE, end - 1)) --end;
    if (strips_start_) while (begin < end && bit(masks, SPACE, begin)) ++begin;
    if (begin == end) return;
    isolate(masks, begin, end);
    if (splits_possessives_) {
      // White space at the end is stripped before the rules are applied, but not white space that rewriting produces.
      split_possessives(scratch, end, rewritten ? scratch.text.size() : end);
      emit<true>(scratch, end / 64 + 1);
    } else {
      emit<false>(scratch, end / 64 + 1);
    }
  }

  // Replaces the STOP mask, which is no longer needed, by the mask of apostrophes that start a token.
  template <class Char>
  void split_possessives(Scratch<Char>& scratch, std::size_t end, std::size_t line_end) const {
    for (std::size_t w = 0; w <= end / 64; ++w) scratch.masks[w * MASKS + STOP] = 0;
    const Char* const text = scratch.text.data();
    for (std::size_t i = 0; i + 1 < end; ++i)
      if (text[i] == '\'' && text[i + 1] == 's' && (i + 2 >= line_end || is_western_symbol(text[i + 2])))
        scratch.masks[i / 64 * MASKS + STOP] |= std::uint64_t{1} << (i % 64);
  }

  static bool is_western_symbol(std::uint32_t c) {
    for (const auto& range : kWesternSymbols)
      if (c >= range[0] && c <= range[1]) return true;
    return false;
  }

  // Removes characters from tokens, and removes tokens that become empty.
  template <class Char>
  void remove(Scratch<Char>& scratch) const {
    std::size_t kept = 0;
    for (const Token<Char>& token : scratch.tokens) {
      Char* const start = scratch.text.data() + (token.start - scratch.text.data());
      Char* const end = std::remove_if(start, start + token.length, [&](Char c) {
        return removed_.find(static_cast<char32_t>(c)) != std::u32string::npos;
      });
      if (end != start) scratch.tokens[kept++] = {start, static_cast<std::uint32_t>(end - start)};
    }
    scratch.tokens.set_size(kept);
  }

  // Replaces the SYMBOL mask by the mask of all characters that are separate tokens.
  void isolate(std::vector<std::uint64_t>& masks, std::size_t begin, std::size_t end) const {
    const std::size_t words = end / 64 + 1;
    std::uint64_t number_carry = 0, stop_carry = 0;
    bool runs = false;
    for (std::size_t w = 0; w < words; ++w) {
      std::uint64_t* m = &masks[w * MASKS];
      const std::uint64_t next_number = w + 1 < words ? masks[(w + 1) * MASKS + NUMBER] : 0;
      const std::uint64_t before = m[NUMBER] << 1 | number_carry, after = m[NUMBER] >> 1 | next_number << 63;
      const std::uint64_t inside = (before | edge(begin, w)) & (after | edge(end - 1, w));
      m[SYMBOL] |= (m[STOP] & ~inside) | (m[DASH] & before);
      runs |= (m[STOP] & (m[STOP] << 1 | stop_carry)) != 0;
      number_carry = m[NUMBER] >> 63;
      stop_carry = m[STOP] >> 63;
    }
    if (runs) release_last_of_runs(masks, begin, end);
  }

  // At either end of the line, where there is no neighbour, rules behave as if the neighbour were a number.
  std::uint64_t edge(std::size_t at, std::size_t word) const {
    return edge_is_number_ && at / 64 == word ? std::uint64_t{1} << (at % 64) : 0;
  }

  void release_last_of_runs(std::vector<std::uint64_t>& masks, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end;) {
      if (!bit(masks, STOP, i)) { ++i; continue; }
      const std::size_t first = i;
      while (i < end && bit(masks, STOP, i)) ++i;
      const std::size_t run = i - first;
      const bool after_number = first == begin ? edge_is_number_ : bit(masks, NUMBER, first - 1);
      const bool before_number = i == end ? edge_is_number_ : bit(masks, NUMBER, i);
      const bool last_is_cut = after_number ? run % 2 == 0 : run % 2 == 1;
      if (run >= 2 && before_number && !last_is_cut)
        masks[(i - 1) / 64 * MASKS + SYMBOL] &= ~(std::uint64_t{1} << ((i - 1) % 64));
    }
  }

  template <bool kSplits, class Char>
  static void emit(Scratch<Char>& scratch, std::size_t words) {
    find_bounds<kSplits>(scratch.masks.data(), words);
    const std::size_t count = list(scratch.masks.data() + START, words, scratch.starts);
    list(scratch.masks.data() + END, words, scratch.ends);
    const Char* const text = scratch.text.data();
    const std::uint32_t* const starts = scratch.starts.data();
    const std::uint32_t* const ends = scratch.ends.data();
    Token<Char>* const tokens = scratch.tokens.reserve(count);
    for (std::size_t i = 0; i < count; ++i) tokens[i] = {text + starts[i], ends[i] - starts[i]};
    scratch.tokens.set_size(count);
  }

  // A token starts at a visible character after a break (space or isolated character) or if it is isolated itself;
  // it ends at the next start or space. The padding is white space, so the last token ends too. The masks START and END
  // replace SYMBOL and SPACE.
  template <bool kSplits>
  static void find_bounds(std::uint64_t* masks, std::size_t words) {
    std::uint64_t break_carry = 1, visible_carry = 0;
    for (std::size_t w = 0; w < words; ++w, masks += MASKS) {
      const std::uint64_t space = masks[SPACE], isolated = masks[SYMBOL], breaks = space | isolated;
      const std::uint64_t split = kSplits ? masks[STOP] : 0;
      const std::uint64_t starts = ~space & (breaks << 1 | break_carry | isolated | split);
      masks[START] = starts;
      masks[END] = (starts | space) & (~space << 1 | visible_carry);
      break_carry = breaks >> 63;
      visible_carry = ~space >> 63;
    }
  }

  // Writes the places of the bits of one kind, and returns their number.
  static std::size_t list(const std::uint64_t* masks, std::size_t words, Buffer<std::uint32_t>& places) {
    std::uint32_t* const first = places.reserve(words * 64 + 16);
#ifdef ASSAY_HAS_AVX2_TARGET
    if (has_avx512_bytes()) return list_avx512(masks, words, first);
#endif
    std::uint32_t* next = first;
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t bits = masks[w * MASKS]; bits != 0; bits &= bits - 1)
        *next++ = static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
    return static_cast<std::size_t>(next - first);
  }

#ifdef ASSAY_HAS_AVX2_TARGET
  // The same, 16 places at a time; up to 15 more are written.
  [[gnu::target(ASSAY_AVX512_BYTES)]] static std::size_t list_avx512(const std::uint64_t* masks, std::size_t words,
                                                                     std::uint32_t* places) {
    const __m512i all = numbers<0, 1>();
    std::size_t count = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t bits = masks[w * MASKS];
      alignas(64) std::uint8_t chosen[64];
      _mm512_store_si512(chosen, _mm512_maskz_compress_epi8(bits, all));
      const __m512i base = _mm512_set1_epi32(static_cast<int>(w * 64));
      const auto here = static_cast<std::size_t>(__builtin_popcountll(bits));
      for (std::size_t i = 0; i < here; i += 16) {
        const __m128i some = _mm_load_si128(reinterpret_cast<const __m128i*>(chosen + i));
        _mm512_storeu_si512(places + count + i, _mm512_add_epi32(_mm512_maskz_cvtepu8_epi32(0xFFFF, some), base));
      }
      count += here;
    }
    return count;
  }
#endif

  // Applies the language-independent replacements (line ends, entities, mark-up) one after another.
  template <class Char>
  void rewrite(Scratch<Char>& scratch) const {
    auto& line = scratch.rewritten;
    line.assign(scratch.text.data(), scratch.text.data() + scratch.text.size());
    while (strips_end_ && !line.empty() && is_space(line.back())) line.pop_back();
    for (const auto& [what, with] : rewrites_) replace(line, what, with);
    scratch.text.assign(line);
  }

  template <class Char>
  static void replace(std::vector<Char>& line, std::string_view what, std::string_view with) {
    auto out = line.begin();
    auto in = line.begin();
    for (auto hit = std::search(in, line.end(), what.begin(), what.end()); hit != line.end();
         hit = std::search(in, line.end(), what.begin(), what.end())) {
      out = std::copy(in, hit, out);
      out = std::copy(with.begin(), with.end(), out);
      in = hit + static_cast<std::ptrdiff_t>(what.size());
    }
    if (in != out) line.erase(std::copy(in, line.end(), out), line.end());
  }

  std::array<std::uint16_t, 0x1100> block_of_{};
  std::vector<std::array<std::uint8_t, 256>> blocks_;
  std::array<std::uint8_t, 256> flags_of_block_;  // of its characters, or kMixed: for two-byte characters
  std::uint32_t latin_rows_;  // bit r: some of the characters 16 r to 16 r + 15 may have a class
  bool edge_is_number_ = false;  // at the ends of a line, rules behave as if the neighbour were a number
  bool strips_start_ = false;
  bool strips_end_ = true;  // before any rule is applied
  bool lowers_ = false;     // lower-case A to Z after rewriting
  bool splits_possessives_ = false;
  std::vector<std::pair<std::string_view, std::string_view>> rewrites_;  // in this order
  std::u32string removed_;  // characters to remove from tokens
};

}  // namespace assay
