// Hashes and lengths of strings as Java prints them.
#include <cstdint>
#include <span>
#include <string_view>

#include "assay/java_strings.hpp"
#include "tests/check.hpp"

namespace {

void compare(std::u32string_view text, std::int32_t hash, std::int32_t length) {
  const assay::JavaString found = assay::java_string(std::span<const char32_t>(text.data(), text.size()));
  CHECK_EQUAL(found.hash, hash);
  CHECK_EQUAL(found.length, length);
}

}  // namespace

int main() {
  compare(U"", 0, 0);
  compare(U"a", 97, 1);
  compare(U"hello", 99162322, 5);
  compare(U"Aa", 2112, 2);
  compare(U"BB", 2112, 2);                  // another string with the same hash
  compare(U"\u00E4\u4E2D", 31 * 0xE4 + 0x4E2D, 2);
  compare(U"\U0001F600", 31 * 0xD83D + 0xDE00, 2);  // two surrogates
  compare(U"polygenelubricants", -2147483648, 18);   // the least of all
  return check::finish("java_strings");
}
