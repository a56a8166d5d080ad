// Compares CharacTER's and EED's statistics of a small corpus with the reference implementations.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/character.hpp"
#include "assay/eed.hpp"
#include "fuzz/texts_from_bytes.hpp"
#include "reference/character.hpp"
#include "reference/eed.hpp"
#include "tests/stored_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  BytesReader reader(bytes, size);
  const auto rule = reader.byte() % 2 == 0 ? assay::MoveRule::cer : assay::MoveRule::exact;
  assay::EedOptions options;
  options.program = static_cast<assay::EedProgram>(reader.between(0, 2));
  options.form = options.program == assay::EedProgram::torchmetrics ? assay::EedForm::english : assay::EedForm::authors_english;
  Corpus corpus(1, reader.between(1, 2), reader.between(1, 2));
  for (std::size_t segment = 0; segment < corpus.segments; ++segment) {
    for (auto& column : corpus.references) reader.put_text(corpus, column, segment);
    for (auto& column : corpus.outputs) reader.put_text(corpus, column, segment);
  }

  std::vector<double> edits(corpus.outputs.size() * corpus.segments * assay::kErrorShareColumns), extended(edits.size());
  assay::character_statistics(corpus.references, corpus.outputs, corpus.segments, assay::Tokenizer::named("none"), rule,
                              assay::Effort::kUnlimited, 1, edits.data());
  assay::eed_statistics(corpus.references, corpus.outputs, corpus.segments, options, 1, extended.data());

  const bool is_authors = options.program != assay::EedProgram::torchmetrics;
  std::size_t row = 0;
  for (const auto& column : corpus.outputs) {
    for (std::size_t segment = 0; segment < corpus.segments; ++segment, row += assay::kErrorShareColumns) {
      if (!column.present(segment) || !corpus.references[0].present(segment)) continue;
      const std::u32string output = assay::reference::decode(column[segment]),
                           reference = assay::reference::decode(corpus.references[0][segment]);
      const auto found = assay::reference::character_row(assay::reference::split(output), assay::reference::split(reference),
                                                         rule == assay::MoveRule::cer);
      require_equal(std::vector<double>{edits[row], edits[row + 1]}, std::vector<double>{found.edits, found.length}, segment, output);
      const std::u32string ours = assay::reference::eed_text(output, is_authors), theirs = assay::reference::eed_text(reference, is_authors);
      const auto slow = is_authors ? assay::reference::eed_row<float>(ours, theirs, options)
                                   : assay::reference::eed_row<double>(ours, theirs, options);
      require_equal(std::vector<double>{extended[row], extended[row + 1]}, std::vector<double>{slow.errors, slow.length}, segment, output);
    }
  }
  return 0;
}
