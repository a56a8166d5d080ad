// Compares BLEU's statistics of a small corpus with the reference implementation.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/bleu.hpp"
#include "fuzz/texts_from_bytes.hpp"
#include "reference/bleu.hpp"
#include "tests/stored_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::array<const char*, 5> tokenizers{"13a", "intl", "zh", "char", "none"};
  BytesReader reader(bytes, size);
  const char* const tokenizer = tokenizers[reader.byte() % tokenizers.size()];
  const auto max_order = static_cast<int>(reader.between(1, 8));
  Corpus corpus(reader.between(1, 4), reader.between(1, 3), reader.between(1, 3));
  for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
    for (auto& column : corpus.references) reader.put_text(corpus, column, segment);
    for (auto& column : corpus.outputs) reader.put_text(corpus, column, segment);
  }

  const std::size_t columns = assay::bleu_columns(max_order);
  std::vector<std::int64_t> table(corpus.outputs.size() * corpus.segments * columns, 0);
  assay::bleu_statistics(corpus.references, corpus.outputs, corpus.segments, assay::Tokenizer::named(tokenizer),
                         max_order, assay::ReferenceLength::closest, 1, table.data());

  auto row = table.begin();
  for (const auto& output : corpus.outputs) {
    for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
      const auto end = row + static_cast<std::ptrdiff_t>(columns);
      require_equal(std::vector<std::int64_t>(row, end),
                    assay::reference::bleu_row(corpus.references, output, segment, tokenizer, max_order), tokenizer,
                    segment, assay::reference::decode(output[segment]));
      row = end;
    }
  }
  return 0;
}
