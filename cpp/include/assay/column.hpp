// The texts of one side of a test set, one per segment: views of Python strings, or UTF-8 in Arrow's layout.
//
// UTF-8 is one block of bytes, the offset at which each text starts, and a bit for each text that is present. In a file the
// texts are apart by their line ends, so its bytes are used as they are. Texts are decoded where a kernel reads them;
// nothing is copied here. Cost: O(1) for a column, O(bytes) for each text that is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "assay/interrupt.hpp"
#include "assay/text.hpp"

namespace assay {

class Column {
 public:
  // All texts are absent until `put`.
  explicit Column(std::size_t size) : Column(std::vector<Text>(size)) {}

  explicit Column(std::vector<Text> texts)
      : size_(texts.size()), texts_(std::make_shared<std::vector<Text>>(std::move(texts))), views_(texts_->data()) {}

  // Text i is the well-formed bytes from starts[i] to starts[i + 1] - gap; absent if bit first_bit + i of `validity` is 0.
  // The caller keeps all memory that `owner` does not.
  Column(const std::uint8_t* bytes, const std::int64_t* starts, std::size_t size, std::size_t gap,
         const std::uint8_t* validity = nullptr, std::size_t first_bit = 0, std::shared_ptr<const void> owner = nullptr)
      : size_(size), bytes_(bytes), starts_(starts), gap_(static_cast<std::int64_t>(gap)), validity_(validity),
        first_bit_(first_bit), owner_(std::move(owner)) {}

  std::size_t size() const { return size_; }
  bool is_utf8() const { return starts_ != nullptr; }

  // Inlined, so that what is not used of the text is not computed.
  [[gnu::always_inline]] Text operator[](std::size_t i) const {
    if (views_ != nullptr) return views_[i];
    if (!present(i)) return {};
    return utf8_text(bytes_ + starts_[i], bytes_of(i));
  }

  bool present(std::size_t i) const {
    if (views_ != nullptr) return views_[i].present();
    const std::size_t bit = first_bit_ + i;
    return validity_ == nullptr || (validity_[bit / 8] >> (bit % 8) & 1) != 0;
  }

  // Whether any text may be absent.
  bool has_gaps() const { return views_ != nullptr || validity_ != nullptr; }

  // The bytes of a text of UTF-8 that is present.
  const std::uint8_t* bytes(std::size_t i) const { return bytes_ + starts_[i]; }
  std::size_t bytes_of(std::size_t i) const { return static_cast<std::size_t>(starts_[i + 1] - starts_[i] - gap_); }

  // Sets a text of a column that is not UTF-8 and has no slices.
  void put(std::size_t i, const Text& text) { (*texts_)[i] = text; }

  // Texts [first, first + size), in the same memory.
  Column slice(std::size_t first, std::size_t size) const {
    Column part = *this;
    part.size_ = size;
    if (views_ != nullptr) part.views_ += first;
    else part.starts_ += first;
    part.first_bit_ += first;
    return part;
  }

 private:
  std::size_t size_;
  std::shared_ptr<std::vector<Text>> texts_;
  const Text* views_ = nullptr;
  const std::uint8_t* bytes_ = nullptr;
  const std::int64_t* starts_ = nullptr;
  std::int64_t gap_ = 0;
  const std::uint8_t* validity_ = nullptr;
  std::size_t first_bit_ = 0;
  std::shared_ptr<const void> owner_;
};

// The same as for texts, but without a look at the width of UTF-8, and often without a look at its bytes.
inline std::size_t length_of(const Column& column, std::size_t i) {
  if (!column.is_utf8()) return length_of(column[i]);
  return column.present(i) ? utf8_length(column.bytes(i), column.bytes_of(i)) : 0;
}

inline bool is_blank(const Column& column, std::size_t i) {
  if (!column.is_utf8()) return is_blank(column[i]);
  return column.present(i) && is_blank_utf8(column.bytes(i), column.bytes_of(i));
}

inline bool are_equal(const Column& one, const Column& other, std::size_t i) {
  if (!one.is_utf8() || !other.is_utf8()) return are_equal(one[i], other[i]);
  return one.present(i) && other.present(i) && one.bytes_of(i) == other.bytes_of(i) &&
         std::memcmp(one.bytes(i), other.bytes(i), one.bytes_of(i)) == 0;
}

// A segment is processed at the width of its widest text.
inline std::uint8_t widest(const std::vector<Column>& columns, std::size_t segment, std::uint8_t width = 1) {
  for (const Column& column : columns) width = std::max(width, column[segment].width);
  return width;
}

// How long the texts of a segment are: their characters, or bytes of UTF-8.
inline std::size_t characters(const std::vector<Column>& columns, std::size_t segment) {
  std::size_t sum = 0;
  for (const Column& column : columns) sum += column[segment].length;
  return sum;
}

// Offsets that grow without being copied: the system moves large blocks by their page tables.
class Offsets {
 public:
  Offsets() = default;
  Offsets(Offsets&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_), capacity_(other.capacity_) {}
  Offsets& operator=(Offsets&& other) noexcept {
    std::swap(data_, other.data_), std::swap(size_, other.size_), std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~Offsets() { std::free(data_); }

  void push_back(std::int64_t offset) {
    if (size_ == capacity_) grow(2 * capacity_ + 256);
    data_[size_++] = offset;
  }
  void shrink() { grow(size_); }

  const std::int64_t* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void grow(std::size_t capacity) {
    void* const grown = std::realloc(data_, std::max<std::size_t>(capacity, 1) * sizeof(std::int64_t));
    if (grown == nullptr) throw std::bad_alloc();
    data_ = static_cast<std::int64_t*>(grown);
    capacity_ = capacity;
  }

  std::int64_t* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

// Where the lines of a text start, and where one after the last would.
struct Lines {
  Offsets starts;
  std::size_t gap = 1;      // bytes between two lines: LF, or CR and LF if all line ends have CR
  std::size_t returns = 0;  // lines that end in CR

  // Whether some lines end in CR and others do not, so that CR must be removed.
  bool are_mixed() const { return returns > 0 && gap == 1; }
};

// Finds the lines of a text that comes piece by piece. A line ends at LF only.
class LineIndex {
 public:
  explicit LineIndex(std::size_t first) : first_(first), end_(first) { lines_.starts.push_back(static_cast<std::int64_t>(first)); }

  // Takes the next bytes, except for an incomplete character at their end, and returns how many it took: none if they are
  // not well-formed UTF-8 or have a NUL.
  std::size_t add(const std::uint8_t* bytes, std::size_t size) {
    const std::size_t taken = valid_utf8(bytes, size);
    if (taken == 0 || std::memchr(bytes, 0, taken) != nullptr) return 0;
    for (const std::uint8_t* at = bytes; at < bytes + taken; ++at) {
      at = static_cast<const std::uint8_t*>(std::memchr(at, '\n', static_cast<std::size_t>(bytes + taken - at)));
      if (at == nullptr) break;
      feeds_with_return_ += (at > bytes ? at[-1] : last_) == '\r';
      lines_.starts.push_back(static_cast<std::int64_t>(end_) + (at + 1 - bytes));
    }
    last_ = bytes[taken - 1];
    end_ += taken;
    return taken;
  }

  Lines lines() && {
    const std::size_t feeds = lines_.starts.size() - 1;
    const bool is_open = end_ > first_ && last_ != '\n', has_return = is_open && last_ == '\r';
    lines_.returns = feeds_with_return_ + has_return;
    if (lines_.returns > 0 && feeds_with_return_ == feeds) lines_.gap = 2;
    if (is_open) lines_.starts.push_back(static_cast<std::int64_t>(end_ + lines_.gap - (has_return && lines_.gap == 2)));
    lines_.starts.shrink();
    return std::move(lines_);
  }

 private:
  Lines lines_;
  std::size_t first_, end_, feeds_with_return_ = 0;
  std::uint8_t last_ = 0;
};

inline constexpr std::size_t kPiece = 1 << 20;  // bytes in which lines are looked for at a time

// The lines of a text from byte `first` on; nothing if it is not well-formed UTF-8 or has a NUL.
inline std::optional<Lines> index_lines(const std::uint8_t* bytes, std::size_t first, std::size_t size) {
  LineIndex index(first);
  while (first < size) {
    const std::size_t taken = index.add(bytes + first, std::min(kPiece, size - first));
    if (taken == 0) return {};
    checkpoint(static_cast<std::int64_t>(taken));
    first += taken;
  }
  return std::move(index).lines();
}

// Memory for lines that are copied, which can be used again.
class LineMemory {
 public:
  // Lines [first, last) without CR at their ends; they are valid until the next ones. read(begin, size, out) copies bytes of
  // the text.
  template <class Read>
  void copy(const Lines& lines, std::size_t first, std::size_t last, Read read) {
    const std::int64_t* const starts = lines.starts.data();
    const auto gap = static_cast<std::int64_t>(lines.gap);
    const auto size = static_cast<std::size_t>(first < last ? starts[last] - gap - starts[first] : 0);
    std::uint8_t* const bytes = room(size + 1);  // an empty text has an address, too
    if (size > 0) read(static_cast<std::size_t>(starts[first]), size, bytes);
    starts_.clear();
    starts_.reserve(last - first + 1);
    std::int64_t removed = 0;
    for (std::size_t i = first; i < last; ++i) {
      starts_.push_back(starts[i] - starts[first] - removed);
      if (!lines.are_mixed()) continue;
      const std::uint8_t* const begin = bytes + (starts[i] - starts[first]);
      const std::uint8_t* const end = bytes + (starts[i + 1] - starts[first] - gap);
      std::copy(begin, end, bytes + starts_.back());
      removed += begin < end && end[-1] == '\r';
    }
    starts_.push_back(starts[last] - starts[first] - removed);
    gap_ = lines.gap;
  }

  // The lines, whose memory lives as long as the column.
  static Column column(const std::shared_ptr<const LineMemory>& memory) {
    return {memory->bytes_.get(), memory->starts_.data(), memory->starts_.size() - 1, memory->gap_, nullptr, 0, memory};
  }

  std::size_t capacity() const { return capacity_; }

 private:
  std::uint8_t* room(std::size_t size) {
    if (size > capacity_) {
      bytes_.reset();  // before more is allocated
      bytes_ = std::make_unique_for_overwrite<std::uint8_t[]>(size);
      capacity_ = size;
    }
    return bytes_.get();
  }

  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t capacity_ = 0, gap_ = 1;
  std::vector<std::int64_t> starts_;
};

}  // namespace assay
