// Compares chrF's statistics of a small corpus with the reference implementation.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/chrf.hpp"
#include "fuzz/texts_from_bytes.hpp"
#include "reference/chrf.hpp"
#include "tests/stored_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  BytesReader reader(bytes, size);
  assay::ChrfOptions options;
  options.char_order = static_cast<int>(reader.between(0, 8));
  options.word_order = static_cast<int>(reader.between(options.char_order == 0 ? 1 : 0, 3));
  options.whitespace = reader.byte() % 2 == 1;
  Corpus corpus(reader.between(1, 3), reader.between(1, 3), reader.between(1, 3));
  for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
    for (auto& column : corpus.references) reader.put_text(corpus, column, segment);
    for (auto& column : corpus.outputs) reader.put_text(corpus, column, segment);
  }

  const assay::ChrfFormula formula{options.columns() / 3, 2, false};
  std::vector<std::int64_t> table(corpus.outputs.size() * corpus.segments * options.columns(), 0);
  assay::chrf_statistics(corpus.references, corpus.outputs, corpus.segments, options, formula, 1, table.data());

  auto row = table.begin();
  for (const auto& output : corpus.outputs) {
    for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
      const auto end = row + static_cast<std::ptrdiff_t>(options.columns());
      require_equal(std::vector<std::int64_t>(row, end),
                    assay::reference::chrf_row(corpus.references, output, segment, options.char_order, options.word_order,
                                               options.whitespace, [&](const auto& slow) { return formula.score(slow.data()); }),
                    segment, assay::reference::decode(output[segment]));
      row = end;
    }
  }
  return 0;
}
