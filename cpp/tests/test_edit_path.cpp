// Compares edit paths with those of the reference implementation, edit by edit.
#include <cstdint>
#include <string>
#include <vector>

#include "assay/edit_path.hpp"
#include "reference/edit_path.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"

namespace {

using assay::Symbol;
using assay::reference::Labels;

Labels named(const std::vector<assay::Edit>& edits) {
  static const char* const names[] = {"", "substitution", "gap"};
  Labels out;
  for (const assay::Edit edit : edits) out.push_back(names[static_cast<std::size_t>(edit)]);
  return out;
}

std::vector<std::string> spelt(const std::vector<Symbol>& symbols) {
  std::vector<std::string> words;
  for (const Symbol symbol : symbols) words.push_back(std::to_string(symbol));
  return words;
}

std::vector<Symbol> random_symbols(Random& random, std::size_t longest, std::size_t symbols) {
  std::vector<Symbol> out(random.below(longest + 1));
  for (Symbol& symbol : out) symbol = static_cast<Symbol>(random.between(1, symbols - 1));
  return out;
}

}  // namespace

int main() {
  Random random(24);
  assay::EditPath path;  // reused: state of one pair must not affect the next
  assay::Positions positions;
  std::vector<assay::Edit> reference_edits, output_edits;
  for (int round = 0; round < 4000; ++round) {
    const std::size_t symbols = random.between(2, 12), longest = round % 20 == 0 ? 200 : 12;
    const auto reference = random_symbols(random, longest, symbols), output = random_symbols(random, longest, symbols);
    positions.assign(reference, symbols);
    const std::int64_t edits = path(positions, reference, output, reference_edits, output_edits);
    const auto [right_reference, right_output] = assay::reference::edit_path(spelt(reference), spelt(output));
    CHECK_EQUAL(named(reference_edits), right_reference, reference, output);
    CHECK_EQUAL(named(output_edits), right_output, reference, output);
    std::int64_t count = 0;
    for (const auto& edit : right_reference) count += !edit.empty();
    for (const auto& edit : right_output) count += edit == "gap";
    CHECK_EQUAL(edits, count, reference, output);
  }
  return check::finish("edit_path");
}
