// Compares every tokeniser at every width with the reference implementation.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/tokenize.hpp"
#include "fuzz/texts_from_bytes.hpp"
#include "reference/tokenize.hpp"
#include "tests/stored_text.hpp"

namespace {

// Scratch memory is reused from line to line, as in the kernels.
template <class Char>
void compare(const char* tokenizer, const std::u32string& line, const std::vector<std::u32string>& slow) {
  if (width_of(line) > sizeof(Char)) return;
  static assay::Tokenizer::Scratch<Char> scratch;
  const StoredText text(line);
  assay::Tokenizer::named(tokenizer)(text.view(), scratch);
  std::vector<std::u32string> fast;
  for (const auto& token : scratch.tokens) fast.emplace_back(token.start, token.start + token.length);
  require_equal(fast, slow, tokenizer, line, sizeof(Char));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  BytesReader reader(bytes, size);
  while (!reader.empty()) {
    const std::u32string line = reader.line();
    for (const char* tokenizer : {"13a", "intl", "zh", "char", "none"}) {
      const auto slow = assay::reference::tokenize(tokenizer, line);
      compare<std::uint8_t>(tokenizer, line, slow);
      compare<std::uint16_t>(tokenizer, line, slow);
      compare<std::uint32_t>(tokenizer, line, slow);
    }
  }
  return 0;
}
