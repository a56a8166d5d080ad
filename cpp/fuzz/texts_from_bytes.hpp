// Converts the fuzzer's bytes to settings and texts.
//
// Every byte sequence is valid, and small changes to it make small changes to the texts, which helps the fuzzer. Settings
// come first; texts follow until the bytes are used up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/check.hpp"
#include "tests/stored_text.hpp"

class BytesReader {
 public:
  BytesReader(const std::uint8_t* bytes, std::size_t size) : next_(bytes), end_(bytes + size) {}

  bool empty() const { return next_ == end_; }

  // 0 once the bytes are used up
  std::uint8_t byte() { return empty() ? std::uint8_t{0} : *next_++; }

  std::size_t between(std::size_t first, std::size_t last) { return first + byte() % (last - first + 1); }

  // The first byte determines how the next ones, up to 255, are read.
  std::u32string line() {
    const std::uint8_t encoding = byte();
    std::size_t length = byte();
    std::u32string line;
    for (; length > 0 && !empty(); --length) line += character(encoding);
    return line;
  }

  // Whether there is a text, its content, and whether it is stored at a larger width than necessary.
  void put_text(Corpus& corpus, assay::Column& column, std::size_t segment) {
    const std::uint8_t kind = byte();
    if (kind % 8 == 7) return;
    corpus.put(column, segment, line(), static_cast<std::uint8_t>(kind % 8 == 6 ? 4 : kind % 8 == 5 ? 2 : 1));
  }

 private:
  char32_t character(std::uint8_t encoding) {
    // Characters that affect some rule: a fuzzer that had to find them among all code points would never find two
    // in a row.
    using namespace std::string_literals;
    static const std::u32string telling =
        U"a5.,-&<>;\n "
        U"\t$'\"/b09\u0000\u001C\u0085\u00A0\u00AB\u00BD\u00E9\u0663\u1680\u2000\u2001\u2014\u2028\u20AC\u2A6D"
        U"\u2A6E\u3000\u3002\u4E2D\u9FBB\u9FBC\uFF0C\uFF10\uFFF0\U00010100\U0001D7CE\U0001F600\U00020000\U0010FFFF"s;
    switch (encoding % 4) {
      case 0: return byte();
      case 1: return telling[byte() % telling.size()];
      case 2: return two_bytes();
      default: {
        const char32_t plane = byte() % 0x11;
        return plane << 16 | two_bytes();
      }
    }
  }

  char32_t two_bytes() {
    const char32_t upper = byte();
    return upper << 8 | byte();
  }

  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

// The fuzzer stores only the bytes, so their meaning is printed here.
template <class Fast, class Slow, class... Context>
void require_equal(const Fast& fast, const Slow& slow, const Context&... context) {
  if (fast == slow) return;
  std::printf("fast and slow differ\n  fast %s\n  slow %s\n", check::describe(fast).c_str(),
              check::describe(slow).c_str());
  (std::printf("  for  %s\n", check::describe(context).c_str()), ...);
  std::fflush(stdout);
  std::abort();
}
