// The texts of one side of a test set, one per segment: views of Python strings, or UTF-8 in Arrow's layout.
//
// UTF-8 is one block of bytes, the offset at which each text starts, and a bit for each text that is present. In a file the
// texts are apart by their line ends, so the bytes of a mapped file are used as they are. Texts are decoded where a kernel
// reads them; nothing is copied here. Cost: O(1) for a column, O(bytes) for each text that is read.
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

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "assay/text.hpp"

namespace assay {

// Pages of a mapped file that were read: they are dropped from memory, and read again if they are needed again.
inline void drop_pages(const void* begin, const void* end) {
#if defined(__unix__) || defined(__APPLE__)
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const auto last = reinterpret_cast<std::uintptr_t>(end) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
#else
  (void)begin, (void)end;
#endif
}

class Column {
 public:
  // All texts are absent until `put`.
  explicit Column(std::size_t size) : Column(std::vector<Text>(size)) {}

  explicit Column(std::vector<Text> texts)
      : size_(texts.size()), texts_(std::make_shared<std::vector<Text>>(std::move(texts))), views_(texts_->data()) {}

  // Text i is the well-formed bytes from starts[i] to starts[i + 1] - gap; absent if bit first_bit + i of `validity` is 0.
  // The caller keeps all memory.
  Column(const std::uint8_t* bytes, const std::int64_t* starts, std::size_t size, std::size_t gap,
         const std::uint8_t* validity = nullptr, std::size_t first_bit = 0, bool is_mapped = false)
      : size_(size), bytes_(bytes), starts_(starts), gap_(static_cast<std::int64_t>(gap)), validity_(validity),
        first_bit_(first_bit), is_mapped_(is_mapped) {}

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

  // Drops the pages of texts [first, last) of a mapped file.
  void drop(std::size_t first, std::size_t last) const {
    if (is_mapped_ && first < last) drop_pages(bytes_ + starts_[first], bytes_ + starts_[last]);
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
  bool is_mapped_ = false;
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

inline constexpr std::size_t kTextBlock = 1 << 16;  // texts after which pages are dropped

// Calls use(i) for each text, and drops the pages of a mapped file behind it.
template <class Use>
void for_each_text(const Column& column, Use use) {
  for (std::size_t first = 0; first < column.size(); first += kTextBlock) {
    const std::size_t last = std::min(column.size(), first + kTextBlock);
    for (std::size_t i = first; i < last; ++i) use(i);
    column.drop(first, last);
  }
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
};

// The lines of a text from byte `first` on; nothing if it is not well-formed UTF-8 or has a NUL. A line ends at LF only.
inline std::optional<Lines> index_lines(const std::uint8_t* bytes, std::size_t first, std::size_t size, bool is_mapped) {
  constexpr std::size_t piece = 1 << 20;
  Lines lines;
  lines.starts.push_back(static_cast<std::int64_t>(first));
  std::size_t checked = first, feeds_with_return = 0;
  for (std::size_t begin = first; begin < size; begin += piece) {
    const std::size_t end = std::min(size, begin + piece);
    if (std::memchr(bytes + begin, 0, end - begin) != nullptr) return {};
    if (checked < end) checked += valid_utf8(bytes + checked, end - checked, size - checked);
    if (checked < end) return {};
    for (const std::uint8_t* at = bytes + begin; at < bytes + end; ++at) {
      at = static_cast<const std::uint8_t*>(std::memchr(at, '\n', static_cast<std::size_t>(bytes + end - at)));
      if (at == nullptr) break;
      feeds_with_return += at > bytes + first && at[-1] == '\r';
      lines.starts.push_back(at + 1 - bytes);
    }
    if (is_mapped) drop_pages(bytes + begin, bytes + end);
  }
  const std::size_t feeds = lines.starts.size() - 1;
  const bool is_open = size > first && bytes[size - 1] != '\n', has_return = is_open && bytes[size - 1] == '\r';
  lines.returns = feeds_with_return + has_return;
  if (lines.returns > 0 && feeds_with_return == feeds) lines.gap = 2;
  if (is_open) lines.starts.push_back(static_cast<std::int64_t>(size + lines.gap - (has_return && lines.gap == 2)));
  lines.starts.shrink();
  return lines;
}

}  // namespace assay
