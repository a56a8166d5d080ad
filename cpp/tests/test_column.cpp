// Columns of UTF-8 against columns of the same texts at fixed width, and lines against a loop over bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/bleu.hpp"
#include "assay/column.hpp"
#include "assay/rates.hpp"
#include "reference/text.hpp"
#include "tests/check.hpp"
#include "tests/random_lines.hpp"
#include "tests/stored_text.hpp"

namespace {

std::string encode(const std::u32string& line) {
  std::string bytes;
  for (const char32_t c : line) {
    std::uint8_t out[4];
    bytes.append(reinterpret_cast<char*>(out), static_cast<std::size_t>(assay::encode_utf8(c, out) - out));
  }
  return bytes;
}

// Without surrogates, which UTF-8 does not have.
std::u32string valid_line(LineMaker& maker) {
  std::u32string line = maker.line(maker.width());
  for (char32_t& c : line)
    if ((c & 0xFFFFF800) == 0xD800) c = U'x';
  return line;
}

// UTF-8 in memory that ends where the last text ends.
class Utf8 {
 public:
  Utf8(const std::vector<std::optional<std::u32string>>& lines, const std::string& between)
      : gap_(between.size()), size_(lines.size()), validity_((lines.size() + 7) / 8) {
    std::string bytes;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i > 0) bytes += between;
      starts_.push_back(static_cast<std::int64_t>(bytes.size()));
      if (!lines[i]) continue;
      bytes += encode(*lines[i]);
      validity_[i / 8] = static_cast<std::uint8_t>(validity_[i / 8] | 1 << i % 8);
    }
    starts_.push_back(static_cast<std::int64_t>(bytes.size() + between.size()));
    bytes_.assign(bytes.begin(), bytes.end());
    if (bytes_.empty()) bytes_.push_back(0);  // present texts need an address
  }

  assay::Column column() const { return {bytes_.data(), starts_.data(), size_, gap_, validity_.data()}; }

 private:
  std::size_t gap_, size_;
  std::vector<std::uint8_t> bytes_, validity_;
  std::vector<std::int64_t> starts_;
};

void texts_are_those_at_fixed_width(LineMaker& maker) {
  Random& random = maker.random();
  for (int round = 0; round < 300; ++round) {
    std::vector<std::optional<std::u32string>> lines(random.below(20));
    for (auto& line : lines)
      if (!random.chance(20)) line = valid_line(maker);
    const Utf8 utf8(lines, random.chance(50) ? "" : random.chance(50) ? "\n" : "\r\n");
    const std::size_t first = lines.empty() ? 0 : random.below(lines.size());
    const assay::Column column = utf8.column().slice(first, lines.size() - first);
    for (std::size_t i = first; i < lines.size(); ++i) {
      const assay::Text text = column[i - first];
      CHECK_EQUAL(text.present(), lines[i].has_value(), i);
      if (!lines[i]) continue;
      const std::u32string& line = *lines[i];
      const StoredText stored(line);
      CHECK_EQUAL(static_cast<int>(text.width), static_cast<int>(width_of(line)), line);
      CHECK_EQUAL(assay::length_of(text), line.size(), line);
      CHECK(assay::are_equal(text, stored.view()) && assay::are_equal(stored.view(), text), line);
      CHECK(assay::are_equal(text, text), line);
      CHECK(!assay::are_equal(text, StoredText(line + U'\u00E9').view()), line);
      CHECK_EQUAL(assay::is_blank(text), assay::reference::is_blank(line), line);
      CHECK_EQUAL(assay::may_be_decomposed(text), assay::may_be_decomposed(stored.view()), line);
      CHECK_EQUAL(assay::may_be_double_encoded(text), assay::may_be_double_encoded(stored.view()), line);
      const std::size_t kept = random.below(line.size() + 2);
      CHECK(assay::are_equal(assay::start_of(text, kept), StoredText(line.substr(0, kept), text.width).view()) ||
                width_of(line.substr(0, kept)) < text.width || !text.is_utf8, line);
      assay::PaddedText<std::uint32_t> padded;
      padded.assign(text);
      CHECK_EQUAL(std::u32string(padded.data(), padded.data() + padded.size()), line);
      padded.assign(assay::stripped(text));
      CHECK_EQUAL(std::u32string(padded.data(), padded.data() + padded.size()), assay::reference::strip(line));
      padded.assign(assay::stripped(stored.view()));
      CHECK_EQUAL(std::u32string(padded.data(), padded.data() + padded.size()), assay::reference::strip(line));
    }
  }
}

// Pieces may end within a character, or between CR and LF.
void in_pieces_they_are_the_same(Random& random, const std::vector<std::uint8_t>& memory, std::size_t first, const assay::Lines& lines) {
  assay::LineIndex index(first);
  while (first < memory.size()) {
    const std::vector<std::uint8_t> piece(memory.begin() + static_cast<std::ptrdiff_t>(first),
                                          memory.begin() + static_cast<std::ptrdiff_t>(std::min(memory.size(), first + 4 + random.below(9))));
    const std::size_t taken = index.add(piece.data(), piece.size());
    CHECK(taken > 0 && taken + 4 > piece.size(), "pieces");
    if (taken == 0) return;
    first += taken;
  }
  const assay::Lines found = std::move(index).lines();
  CHECK(std::equal(lines.starts.data(), lines.starts.data() + lines.starts.size(), found.starts.data(),
                   found.starts.data() + found.starts.size()),
        "starts");
  CHECK_EQUAL(found.gap, lines.gap);
  CHECK_EQUAL(found.returns, lines.returns);
}

void copies_have_no_returns(Random& random, const std::vector<std::uint8_t>& memory, const std::vector<std::string>& expected,
                            const assay::Lines& lines) {
  const auto copied = std::make_shared<assay::LineMemory>();
  for (int times = 0; times < 3; ++times) {
    const std::size_t first = random.below(expected.size() + 1), last = first + random.below(expected.size() - first + 1);
    copied->copy(lines, first, last, [&](std::size_t begin, std::size_t size, std::uint8_t* out) {
      CHECK(begin + size <= memory.size(), "bounds");
      std::copy_n(memory.data() + begin, size, out);
    });
    const assay::Column column = assay::LineMemory::column(copied);
    CHECK_EQUAL(column.size(), last - first);
    for (std::size_t k = 0; k < column.size(); ++k) {
      std::string line = expected[first + k];
      if (line.ends_with('\r')) line.pop_back();
      CHECK_EQUAL(std::string(column.bytes(k), column.bytes(k) + column.bytes_of(k)), line);
    }
  }
}

// Lines as Python's str.split("\n") gives them, without the last if it is empty, and without one CR at the end.
void lines_end_at_line_feeds(LineMaker& maker) {
  Random& random = maker.random();
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = random.chance(20) ? "\xEF\xBB\xBF" : "";
    const std::size_t first = bytes.size(), kind = random.below(4);
    for (std::size_t parts = random.below(6); parts > 0; --parts) {
      std::u32string line = valid_line(maker);
      std::erase_if(line, [](char32_t c) { return c == U'\n' || c == U'\0'; });
      bytes += encode(line);
      if (kind == 0) bytes += "\n";
      else if (kind == 1) bytes += "\r\n";
      else bytes += random.pick(std::vector<std::string>{"\n", "\r\n", "\r", ""});
    }
    const std::vector<std::uint8_t> memory(bytes.begin(), bytes.end());
    std::vector<std::string> expected(1);
    for (std::size_t i = first; i < bytes.size(); ++i)
      if (bytes[i] == '\n') expected.emplace_back();
      else expected.back() += bytes[i];
    if (expected.back().empty()) expected.pop_back();
    std::size_t returns = 0;
    for (const std::string& line : expected) returns += line.ends_with('\r');
    const auto lines = assay::index_lines(memory.data(), first, memory.size());
    CHECK(lines.has_value(), bytes);
    CHECK_EQUAL(lines->starts.size() - 1, expected.size(), bytes);
    CHECK_EQUAL(lines->returns, returns, bytes);
    const assay::Column column(memory.data(), lines->starts.data(), expected.size(), lines->gap);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::string line = expected[i];
      if (lines->gap == 2 && line.ends_with('\r')) line.pop_back();
      CHECK_EQUAL(std::string(column.bytes(i), column.bytes(i) + column.bytes_of(i)), line, bytes);
    }
    in_pieces_they_are_the_same(random, memory, first, *lines);
    copies_have_no_returns(random, memory, expected, *lines);
  }
}

// The definition of Unicode's table 3-7, by decoding and encoding again.
bool is_well_formed(const std::string& bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    bool found = false;
    for (std::uint32_t length = 1; length <= 4 && i + length <= bytes.size() && !found; ++length) {
      std::uint32_t c = static_cast<std::uint8_t>(bytes[i]);
      if (length > 1) c &= 0xFFu >> (length + 1);
      for (std::uint32_t k = 1; k < length; ++k) c = c << 6 | (static_cast<std::uint8_t>(bytes[i + k]) & 0x3Fu);
      if (c >= 0x110000 || (c & 0xFFFFF800) == 0xD800 || encode({static_cast<char32_t>(c)}) != bytes.substr(i, length)) continue;
      found = true;
      i += length;
    }
    if (!found) return false;
  }
  return true;
}

void malformed_bytes_are_refused(LineMaker& maker) {
  Random& random = maker.random();
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = encode(valid_line(maker));
    std::erase(bytes, '\0');
    for (std::size_t damages = random.below(3); damages > 0 && !bytes.empty(); --damages)
      bytes[random.below(bytes.size())] = static_cast<char>(random.chance(50) ? 0x80 + random.below(0x80) : 0xE0 + random.below(0x18));
    if (random.chance(20) && !bytes.empty()) bytes.pop_back();
    const std::vector<std::uint8_t> memory(bytes.begin(), bytes.end());
    CHECK_EQUAL(assay::index_lines(memory.data(), 0, memory.size()).has_value(), is_well_formed(bytes), bytes);
  }
  const std::vector<std::uint8_t> nul{'a', 0, 'b'};
  CHECK(!assay::index_lines(nul.data(), 0, nul.size()), "NUL");
}

void kernels_read_utf8_as_they_read_strings(LineMaker& maker) {
  Random& random = maker.random();
  for (int round = 0; round < 50; ++round) {
    const std::size_t segments = 1 + random.below(10);
    Corpus corpus(1, 1, segments);
    std::vector<std::optional<std::u32string>> references(segments), outputs(segments);
    for (std::size_t i = 0; i < segments; ++i) {
      if (random.chance(90)) references[i] = valid_line(maker);
      if (random.chance(90)) outputs[i] = random.chance(50) && references[i] ? *references[i] + U" x" : valid_line(maker);
      if (references[i]) corpus.put(corpus.references[0], i, *references[i]);
      if (outputs[i]) corpus.put(corpus.outputs[0], i, *outputs[i]);
    }
    const Utf8 reference(references, "\n"), output(outputs, "");
    const std::vector<assay::Column> utf8_references{reference.column()}, utf8_outputs{output.column()};
    const auto& tokenizer = assay::Tokenizer::named("intl");
    std::vector<std::int64_t> expected(segments * 10), found(segments * 10);
    const auto length = assay::reference_length_named("closest");
    assay::bleu_statistics(corpus.references, corpus.outputs, segments, tokenizer, 4, length, 1, expected.data());
    assay::bleu_statistics(utf8_references, utf8_outputs, segments, tokenizer, 4, length, 1, found.data());
    CHECK(expected == found, "BLEU");
    for (const assay::Rate rate : {assay::Rate::cer, assay::Rate::wer}) {
      std::vector<std::int64_t> edits(segments * 2), edits_found(segments * 2);
      const assay::RateOptions options{rate, &tokenizer, true};
      assay::rate_statistics(corpus.references, corpus.outputs, segments, options, 1, edits.data());
      assay::rate_statistics(utf8_references, utf8_outputs, segments, options, 1, edits_found.data());
      CHECK(edits == edits_found, "edits");
    }
  }
}

}  // namespace

int main() {
  LineMaker maker(1);
  texts_are_those_at_fixed_width(maker);
  lines_end_at_line_feeds(maker);
  malformed_bytes_are_refused(maker);
  kernels_read_utf8_as_they_read_strings(maker);
  return check::finish("column");
}
