// The only file that uses Python: converts strings to views and results to arrays, and releases the GIL in between.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "assay/best_reference.hpp"
#include "assay/bertscore.hpp"
#include "assay/bleu.hpp"
#include "assay/bleu_score.hpp"
#include "assay/character.hpp"
#include "assay/chrf.hpp"
#include "assay/chrf_score.hpp"
#include "assay/clipped_matches.hpp"
#include "assay/column.hpp"
#include "assay/cosines.hpp"
#include "assay/cut.hpp"
#include "assay/ebleu.hpp"
#include "assay/eed.hpp"
#include "assay/error_share.hpp"
#include "assay/hjerson.hpp"
#include "assay/interrupt.hpp"
#include "assay/java_strings.hpp"
#include "assay/lepor.hpp"
#include "assay/line_lengths.hpp"
#include "assay/line_marks.hpp"
#include "assay/means.hpp"
#include "assay/meteor.hpp"
#include "assay/meteor_normalize.hpp"
#include "assay/moments.hpp"
#include "assay/nist.hpp"
#include "assay/nist_score.hpp"
#include "assay/numpy_draws.hpp"
#include "assay/paraphrases.hpp"
#include "assay/percentiles.hpp"
#include "assay/rank.hpp"
#include "assay/rates.hpp"
#include "assay/resample.hpp"
#include "assay/score_lines.hpp"
#include "assay/sequence_matches.hpp"
#include "assay/sums.hpp"
#include "assay/swapped_pairs.hpp"
#include "assay/swapped_spa.hpp"
#include "assay/synonyms.hpp"
#include "assay/text.hpp"
#include "assay/tie_calibration.hpp"
#include "assay/tie_steps.hpp"
#include "assay/token_column.hpp"
#include "assay/tokenize.hpp"
#include "assay/too_long.hpp"
#include "assay/totals.hpp"
#include "assay/trigrams.hpp"
#include "assay/trueskill.hpp"
#include "assay/utilities.hpp"
#include "assay/word_numbers.hpp"
#include "assay/yisi.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using assay::Column;
using assay::Text;

// A view of the buffer of a str; None is an absent text. The caller must keep the string alive.
Text view(PyObject* object) {
  if (object == Py_None) return {};
  if (!PyUnicode_Check(object)) throw nb::type_error("a text must be a str or None");
  return {PyUnicode_DATA(object), static_cast<std::size_t>(PyUnicode_GET_LENGTH(object)),
          static_cast<std::uint8_t>(PyUnicode_KIND(object))};
}

nb::object checked(PyObject* object) {
  if (object == nullptr) throw nb::python_error();
  return nb::steal(object);
}

nb::object string_of(const Text& text) {
  return assay::visit_characters(text, [](auto characters) {
    return checked(PyUnicode_FromKindAndData(sizeof characters[0], characters.data(), static_cast<Py_ssize_t>(characters.size())));
  });
}

constexpr std::size_t kBlock = 1 << 16;  // texts after which a loop answers Ctrl-C

// The lines of a large file, which are read when they are needed. read(first, size) returns so many bytes of the file, or fewer.
class FileLines {
 public:
  FileLines(nb::object read, assay::Lines lines) : read_(std::move(read)), lines_(std::move(lines)) {}

  const assay::Lines& lines() const { return lines_; }
  std::size_t size() const { return lines_.starts.size() - 1; }

  // Lines [first, last) in memory.
  Column load(std::size_t first, std::size_t last) const {
    const auto memory = free_memory();
    memory->copy(lines_, first, last, [&](std::size_t begin, std::size_t size, std::uint8_t* out) {
      read(read_, begin, size, out);
    });
    keep(memory);
    return assay::LineMemory::column(memory);
  }

  // Bytes are copied, because Python may keep what it is given for longer than `out` exists.
  static void read(const nb::object& read, std::size_t first, std::size_t size, std::uint8_t* out) {
    while (size > 0) {
      const auto piece = nb::cast<nb::bytes>(read(first, size));
      if (piece.size() == 0 || piece.size() > size) throw nb::value_error("read returned another number of bytes");
      std::memcpy(out, piece.c_str(), piece.size());
      out += piece.size(), first += piece.size(), size -= piece.size();
    }
  }

 private:
  using Memory = std::shared_ptr<assay::LineMemory>;

  // The memory of the latest lines, if nobody uses them any more: memory that is used again need not be cleared by the system.
  Memory free_memory() const {
    const std::scoped_lock lock(mutex_);
    Memory memory = std::exchange(latest_, nullptr);
    if (memory == nullptr || memory.use_count() > 1) return std::make_shared<assay::LineMemory>();
    std::atomic_thread_fence(std::memory_order_acquire);  // its last user is done
    return memory;
  }

  void keep(const Memory& memory) const {
    constexpr std::size_t most = 1 << 25;
    const std::scoped_lock lock(mutex_);
    latest_ = memory->capacity() <= most ? memory : nullptr;
  }

  nb::object read_;
  assay::Lines lines_;
  mutable std::mutex mutex_;
  mutable Memory latest_;
};

// The texts of one side of a test set, as Python's `Column`: a tuple of strings, which cannot change while the GIL is released,
// texts in the memory of other objects, or the lines of a file, which are in memory only while they are used.
class TextColumn {
 public:
  // The first element that is not text is found at once, so that later uses need not check.
  explicit TextColumn(nb::tuple texts) : column_(0), size_(texts.size()), texts_(std::move(texts)) {
    std::vector<Text> views;
    views.reserve(texts_.size());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      PyObject* const text = PyTuple_GET_ITEM(texts_.ptr(), static_cast<Py_ssize_t>(i));
      const bool is_text = text == Py_None || PyUnicode_Check(text);
      views.push_back(is_text ? view(text) : Text{});
      if (flaw_ != nullptr) continue;
      if (PyList_Check(text) || PyTuple_Check(text)) flaw_ = "nested";
      else if (!is_text) flaw_ = "type";
      else if (assay::has_surrogate(views.back())) flaw_ = "surrogate";
      if (flaw_ != nullptr) flawed_ = i;
    }
    column_ = Column(std::move(views));
  }

  TextColumn(Column column, nb::object memory) : column_(std::move(column)), size_(column_.size()), memory_(std::move(memory)) {}

  TextColumn(std::shared_ptr<const FileLines> file, std::size_t first, std::size_t size)
      : column_(0), size_(size), memory_(nb::none()), file_(std::move(file)), first_(first) {}

  std::size_t size() const { return size_; }
  bool is_utf8() const { return file_ != nullptr || column_.is_utf8(); }
  bool present(std::size_t i) const { return file_ != nullptr || column_.present(i); }
  bool is_complete() const {
    if (file_ != nullptr || !column_.has_gaps()) return true;
    for (std::size_t i = 0; i < size(); ++i)
      if (!column_.present(i)) return false;
    return true;
  }

  // Texts [first, last) in memory: for a file, they are read.
  Column load(std::size_t first, std::size_t last) const {
    return file_ == nullptr ? column_.slice(first, last - first) : file_->load(first_ + first, first_ + last);
  }
  Column load() const { return load(0, size()); }

  // (index, reason) of the first element that is not text, or None.
  nb::object flaw() const { return flaw_ == nullptr ? nb::none() : nb::object(nb::make_tuple(flawed_, flaw_)); }
  bool is_flawed() const { return flaw_ != nullptr && std::string_view(flaw_) != "surrogate"; }

  nb::object text(std::size_t i) const {
    if (has_strings()) return nb::borrow(PyTuple_GET_ITEM(texts_.ptr(), static_cast<Py_ssize_t>(i)));
    return file_ == nullptr ? text_of(column_, i) : text_of(load(i, i + 1), 0);
  }

  static nb::object text_of(const Column& column, std::size_t i) {
    if (!column.present(i)) return nb::none();
    if (!column.is_utf8()) return string_of(column[i]);
    const auto* const bytes = reinterpret_cast<const char*>(column.bytes(i));
    return checked(PyUnicode_DecodeUTF8(bytes, static_cast<Py_ssize_t>(column.bytes_of(i)), nullptr));
  }

  nb::object at(Py_ssize_t i) const {
    const auto length = static_cast<Py_ssize_t>(size());
    if (i < -length || i >= length) throw nb::index_error("column index out of range");
    return text(static_cast<std::size_t>(i < 0 ? i + length : i));
  }

  // In the same memory or file if the texts are neighbours; otherwise they are copied.
  TextColumn slice(const nb::slice& slice) const {
    const auto [start, stop, step, size] = slice.compute(this->size());
    const auto first = static_cast<std::size_t>(start);
    if (step == 1 && size == this->size()) return *this;
    if (step == 1 && file_ != nullptr) return {file_, first_ + first, size};
    if (step == 1 && !has_strings()) return {column_.slice(first, size), memory_};
    if (has_strings()) return TextColumn(nb::tuple(nb::handle(texts_)[slice]));
    std::vector<std::size_t> places(size);
    for (std::size_t k = 0; k < size; ++k) places[k] = static_cast<std::size_t>(start + static_cast<Py_ssize_t>(k) * step);
    return take(places);
  }

  TextColumn take(const std::vector<std::size_t>& places) const;
  TextColumn without(const std::string& text) const;
  nb::tuple tuple() const {
    if (has_strings()) return texts_;
    nb::tuple texts = nb::borrow<nb::tuple>(checked(PyTuple_New(static_cast<Py_ssize_t>(size()))));
    for_each([&](const Column& block, std::size_t k, std::size_t i) {
      PyTuple_SET_ITEM(texts.ptr(), static_cast<Py_ssize_t>(i), text_of(block, k).release().ptr());
    });
    return texts;
  }

  bool is_equal(const TextColumn& other) const {
    if (size() != other.size()) return false;
    if (has_strings() && other.has_strings()) return texts_.is(other.texts_) || texts_.equal(other.texts_);
    bool are_equal = true;
    for_each_pair(other, [&](const Column& block, const Column& other_block, std::size_t k, std::size_t) {
      const bool is_present = block.present(k);
      are_equal = is_present == other_block.present(k) && (!is_present || assay::are_equal(block, other_block, k));
      return are_equal;
    });
    return are_equal;
  }

  // The texts from `first` to before this one can be in memory together.
  std::size_t block_end(std::size_t first) const {
    constexpr std::int64_t bytes = 1 << 20;
    const std::size_t last = std::min(size(), first + kBlock);
    if (file_ == nullptr) return last;
    const std::int64_t* const starts = file_->lines().starts.data() + first_;
    return static_cast<std::size_t>(std::upper_bound(starts + first + 1, starts + last, starts[first] + bytes) - starts);
  }

  // Calls use(block, k, i) for each text i, which is text k of a block in memory.
  template <class Use>
  void for_each(Use use) const {
    for_each_block(*this, [&](std::size_t first, std::size_t last) {
      const Column block = load(first, last);
      for (std::size_t i = first; i < last; ++i) use(block, i - first, i);
      return true;
    });
  }

  // Calls use(block, other block, k, i) for each pair of texts, until it returns false.
  template <class Use>
  void for_each_pair(const TextColumn& other, Use use) const {
    for_each_block(file_ != nullptr ? *this : other, [&](std::size_t first, std::size_t last) {
      const Column block = load(first, last), other_block = other.load(first, last);
      for (std::size_t i = first; i < last; ++i)
        if (!use(block, other_block, i - first, i)) return false;
      return true;
    });
  }

 private:
  // Calls use(first, last) for texts that can be in memory together, until it returns false. Answers Ctrl-C in between.
  template <class Use>
  static void for_each_block(const TextColumn& column, Use use) {
    for (std::size_t first = 0, last = 0; first < column.size(); first = last) {
      last = column.block_end(first);
      if (!use(first, last)) return;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  }

  // Whether the texts are those of `texts_`, and not in the memory of another object or in a file.
  bool has_strings() const { return !memory_.is_valid(); }

  Column column_;
  std::size_t size_;
  nb::tuple texts_;
  nb::object memory_;
  std::shared_ptr<const FileLines> file_;
  std::size_t first_ = 0;  // line of the file
  const char* flaw_ = nullptr;
  std::size_t flawed_ = 0;
};

// The texts of a column one after the other, as Python strings.
class TextIterator {
 public:
  explicit TextIterator(TextColumn column) : column_(std::move(column)) {}

  nb::object next() {
    if (i_ == end_ && !advance()) throw nb::stop_iteration();
    return TextColumn::text_of(block_, i_++);
  }

 private:
  bool advance() {
    first_ += end_;
    const std::size_t last = first_ < column_.size() ? column_.block_end(first_) : first_;
    block_ = column_.load(first_, last);
    i_ = 0;
    end_ = last - first_;
    return end_ > 0;
  }

  TextColumn column_;
  Column block_{0};
  std::size_t first_ = 0, i_ = 0, end_ = 0;  // of the block, in the block, texts of the block
};

// UTF-8 that is written text by text.
class Utf8Writer {
 public:
  explicit Utf8Writer(std::size_t texts) : validity_((texts + 7) / 8) { starts_.push_back(0); }

  // Room for so many more bytes.
  std::uint8_t* reserve(std::size_t bytes) {
    bytes_.resize(end_ + bytes);
    return bytes_.data() + end_;
  }

  void end_text(std::size_t size) {
    validity_[texts_ / 8] |= static_cast<std::uint8_t>(1 << texts_ % 8);
    end_absent(size);
  }

  void end_absent(std::size_t size = 0) {
    end_ += size;
    ++texts_;
    starts_.push_back(static_cast<std::int64_t>(end_));
  }

  void write(const Column& column, std::size_t i) {
    if (!column.present(i)) return end_absent();
    std::copy_n(column.bytes(i), column.bytes_of(i), reserve(column.bytes_of(i)));
    end_text(column.bytes_of(i));
  }

  TextColumn column() && {
    const std::size_t texts = texts_;
    auto* const memory = new Utf8Writer(std::move(*this));
    return {Column(memory->bytes_.data(), memory->starts_.data(), texts, 0, memory->validity_.data()),
            nb::capsule(memory, [](void* p) noexcept { delete static_cast<Utf8Writer*>(p); })};
  }

 private:
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(1);  // an empty text has an address, too
  std::vector<std::int64_t> starts_;
  std::vector<std::uint8_t> validity_;
  std::size_t texts_ = 0, end_ = 0;
};

TextColumn TextColumn::take(const std::vector<std::size_t>& places) const {
  if (is_utf8()) {
    constexpr std::size_t neighbours = 64;  // are read together, because they are often taken together
    Utf8Writer writer(places.size());
    std::size_t first = 0, last = file_ == nullptr ? size() : 0;
    Column block = load(first, last);
    for (const std::size_t place : places) {
      if (place < first || place >= last) {
        first = place;
        last = std::min(size(), first + neighbours);
        block = load(first, last);
      }
      writer.write(block, place - first);
    }
    return std::move(writer).column();
  }
  nb::tuple texts = nb::borrow<nb::tuple>(checked(PyTuple_New(static_cast<Py_ssize_t>(places.size()))));
  for (std::size_t k = 0; k < places.size(); ++k)
    PyTuple_SET_ITEM(texts.ptr(), static_cast<Py_ssize_t>(k), text(places[k]).release().ptr());
  return TextColumn(std::move(texts));
}

TextColumn TextColumn::without(const std::string& text) const {
  const auto is_text = [&](const Column& block, std::size_t k) {
    return block.present(k) && block.bytes_of(k) == text.size() && std::memcmp(block.bytes(k), text.data(), text.size()) == 0;
  };
  if (!is_utf8()) throw nb::type_error("the texts are not UTF-8");
  std::size_t count = 0;
  for_each([&](const Column& block, std::size_t k, std::size_t) { count += is_text(block, k); });
  if (count == 0) return *this;
  Utf8Writer writer(size());
  for_each([&](const Column& block, std::size_t k, std::size_t) {
    if (is_text(block, k)) writer.end_absent();
    else writer.write(block, k);
  });
  return std::move(writer).column();
}

// A column, or a tuple of texts, which the caller keeps alive; in memory as a whole.
Column column(nb::handle texts) {
  if (nb::isinstance<TextColumn>(texts)) return nb::cast<const TextColumn&>(texts).load();
  const TextColumn from_tuple(nb::cast<nb::tuple>(texts));
  if (from_tuple.is_flawed()) throw nb::type_error("a text must be a str or None");
  return from_tuple.load();
}

std::vector<Column> columns(const nb::tuple& tuples, std::size_t segments) {
  std::vector<Column> out;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    out.push_back(column(tuples[i]));
    if (out.back().size() != segments) throw nb::value_error("columns differ in length");
  }
  return out;
}

std::size_t segment_count(const nb::tuple& tuples) {
  if (tuples.size() == 0) throw nb::value_error("no texts were given");
  return nb::len(nb::handle(tuples[0]));
}

// Releases the GIL while it exists. Kernels that run meanwhile answer Ctrl-C: they ask Python at their checkpoints.
class Released {
 private:
  static void ask() {
    const nb::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

  nb::gil_scoped_release release_;
  assay::Watch watch_{ask};
};

// A zeroed array that owns its memory. Python sees it as a NumPy array, or as a memoryview, which does not import NumPy.
template <class T>
class Output {
 public:
  explicit Output(std::vector<std::size_t> shape) : shape_(std::move(shape)) {
    std::size_t size = 1;
    for (const std::size_t extent : shape_) size *= extent;
    data_ = static_cast<T*>(std::calloc(std::max<std::size_t>(size, 1), sizeof(T)));
    if (data_ == nullptr) {
      PyErr_Format(PyExc_MemoryError, "an array of %zu MB cannot be allocated", size * sizeof(T) / 1'000'000);
      throw nb::python_error();
    }
    owner_ = nb::capsule(data_, [](void* memory) noexcept { std::free(memory); });
  }

  T* data() { return data_; }
  std::size_t extent(std::size_t axis) const { return shape_[axis]; }
  void shorten(std::size_t size) { shape_[0] = size; }
  nb::ndarray<nb::numpy, T> array() { return {data_, shape_.size(), shape_.data(), owner_}; }
  nb::ndarray<nb::memview, T> view() { return {data_, shape_.size(), shape_.data(), owner_}; }

  // Like what it was computed from: a memoryview of a memoryview, else an array.
  nb::object like(nb::handle input) { return PyMemoryView_Check(input.ptr()) ? nb::cast(view()) : nb::cast(array()); }

 private:
  std::vector<std::size_t> shape_;
  T* data_ = nullptr;
  nb::capsule owner_;
};

auto bleu_statistics(const nb::tuple& references, const nb::tuple& outputs, const std::string& tokenizer,
                     int max_order, const std::string& reference_length, int threads) {
  if (max_order < 1) throw nb::value_error("max_order must be at least 1");
  const std::size_t segments = segment_count(outputs);
  const auto reference_columns = columns(references, segments), output_columns = columns(outputs, segments);
  const auto& tokenize = assay::Tokenizer::named(tokenizer);
  const auto length = assay::reference_length_named(reference_length);
  Output<std::int64_t> table({output_columns.size(), segments, assay::bleu_columns(max_order)});
  {
    const Released released;
    assay::bleu_statistics(reference_columns, output_columns, segments, tokenize, max_order, length, threads,
                           table.data());
  }
  return table.view();
}

// Information weights and the settings needed to apply them.
class NistWeights {
 public:
  NistWeights(const nb::tuple& references, const std::string& tokenizer, int max_order, bool zero_history)
      : fitted_on_(references) {
    if (max_order < 1 || max_order > assay::NgramMatcher::kMaxHitOrder)
      throw nb::value_error("max_order must be between 1 and 8");
    const std::size_t segments = segment_count(references);
    const auto reference_columns = columns(references, segments);
    const auto& tokenize = assay::Tokenizer::named(tokenizer);
    const Released released;
    information_ = std::make_unique<assay::Information>(reference_columns, segments, tokenize, max_order, zero_history);
  }

  // The references that the weights were fitted on have already been read.
  auto statistics(const nb::tuple& references, const nb::tuple& outputs, int threads) const {
    const std::size_t segments = segment_count(outputs);
    const auto output_columns = columns(outputs, segments);
    const bool is_fitted = references.equal(fitted_on_) && segment_count(references) == segments;
    const auto reference_columns = is_fitted ? std::vector<Column>() : columns(references, segments);
    Output<double> table({output_columns.size(), segments, assay::nist_columns(information_->max_order())});
    {
      const Released released;
      const auto others = is_fitted ? assay::NumberedReferences() : information_->read(reference_columns, segments);
      assay::nist_statistics(is_fitted ? information_->fitted() : others, output_columns, segments, *information_,
                             threads, table.data());
    }
    return table.view();
  }

  std::uint64_t digest() const { return information_->digest(); }

 private:
  nb::tuple fitted_on_;
  std::unique_ptr<assay::Information> information_;
};

auto chrf_statistics(const nb::tuple& references, const nb::tuple& outputs, int char_order, int word_order,
                     bool whitespace, double beta, bool eps_smoothing, int threads) {
  if (char_order < 0 || word_order < 0 || char_order + word_order < 1)
    throw nb::value_error("char_order and word_order must not be negative nor both be 0");
  const std::size_t segments = segment_count(outputs);
  const auto reference_columns = columns(references, segments), output_columns = columns(outputs, segments);
  if (reference_columns.empty()) throw nb::value_error("no references were given");
  const assay::ChrfOptions options{char_order, word_order, whitespace};
  const assay::ChrfFormula formula{options.columns() / 3, beta, eps_smoothing};
  Output<std::int64_t> table({output_columns.size(), segments, options.columns()});
  {
    const Released released;
    assay::chrf_statistics(reference_columns, output_columns, segments, options, formula, threads, table.data());
  }
  return table.view();
}

using Starts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Texts in groups, of which each has its place.
struct TextGroups {
  TextGroups(nb::handle texts, const Starts& starts) : column(::column(texts)), starts(starts.data()), segments(starts.size() - 1) {
    if (starts.size() == 0 || this->starts[0] != 0 || static_cast<std::size_t>(this->starts[segments]) != column.size() ||
        !std::is_sorted(this->starts, this->starts + starts.size()))
      throw nb::value_error("the starts do not fit the texts");
    for (std::size_t i = 0; i < column.size(); ++i)
      if (!column.present(i)) throw nb::value_error("a text is absent");
  }

  assay::Groups groups() const { return {column, starts}; }

  Column column;
  const std::int64_t* starts;
  std::size_t segments;
};

// (mean for each candidate, utilities of all pairs or None)
template <template <class> class Reader, class Pair, class... Options>
nb::tuple expected_utilities(nb::handle texts, const Starts& starts, nb::handle references, const std::optional<Starts>& reference_starts,
                             bool keeps_all, int threads, const Pair& pair, const Options&... options) {
  const TextGroups candidates(texts, starts);
  std::optional<TextGroups> others;
  if (reference_starts.has_value()) others.emplace(references, *reference_starts);
  if (others.has_value() && others->segments != candidates.segments) throw nb::value_error("the groups differ in number");
  const assay::Groups ours = candidates.groups(), theirs = (others.has_value() ? *others : candidates).groups();
  std::size_t cells = 0;
  for (std::size_t i = 0; keeps_all && i < candidates.segments; ++i) cells += ours.size(i) * theirs.size(i);
  Output<double> means({candidates.column.size()}), matrix({cells});
  {
    const Released released;
    assay::expected_utilities<Reader>(ours, others.has_value() ? &theirs : nullptr, candidates.segments, threads, means.data(),
                                      keeps_all ? matrix.data() : nullptr, pair, options...);
  }
  return nb::make_tuple(means.array(), keeps_all ? nb::cast(matrix.array()) : nb::none());
}

nb::tuple chrf_utilities(nb::handle texts, const Starts& starts, nb::handle references, const std::optional<Starts>& reference_starts,
                         int char_order, int word_order, bool whitespace, const assay::ChrfFormula& formula, bool keeps_all,
                         int threads) {
  const assay::ChrfOptions options{char_order, word_order, whitespace};
  if (char_order < 0 || word_order < 0 || options.columns() != formula.columns()) throw nb::value_error("the orders do not fit the formula");
  return expected_utilities<assay::ChrfSequences>(texts, starts, references, reference_starts, keeps_all, threads,
                                                  assay::ChrfPair{options, formula}, options);
}

nb::tuple bleu_utilities(nb::handle texts, const Starts& starts, nb::handle references, const std::optional<Starts>& reference_starts,
                         const std::string& tokenizer, const assay::BleuFormula& formula, bool keeps_all, int threads) {
  return expected_utilities<assay::BleuSequences>(texts, starts, references, reference_starts, keeps_all, threads,
                                                  assay::BleuPair{formula}, assay::Tokenizer::named(tokenizer),
                                                  static_cast<int>(formula.max_order));
}

using AnyArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

// Calls `use(rows, first element)` for an array (..., column) of integers or reals.
template <class Use>
void visit_rows(const AnyArray& totals, std::size_t columns, Use use) {
  if (totals.ndim() < 1 || totals.shape(totals.ndim() - 1) != columns) throw nb::value_error("the rows have another number of columns");
  const std::size_t rows = columns == 0 ? 0 : totals.size() / columns;
  if (totals.dtype() == nb::dtype<std::int64_t>()) return use(rows, static_cast<const std::int64_t*>(totals.data()));
  if (totals.dtype() == nb::dtype<double>()) return use(rows, static_cast<const double*>(totals.data()));
  throw nb::type_error("sums of statistics must be int64 or float64");
}

// One number for each row: (..., column) to (...).
template <class Value>
nb::object for_each_row(nb::handle input, std::size_t columns, Value value) {
  const auto totals = nb::cast<AnyArray>(input);
  std::vector<std::size_t> shape;
  for (std::size_t axis = 0; axis + 1 < totals.ndim(); ++axis) shape.push_back(totals.shape(axis));
  Output<double> values(std::move(shape));
  visit_rows(totals, columns, [&](std::size_t rows, const auto* row) {
    const Released released;
    for (std::size_t i = 0; i < rows; ++i, row += columns) {
      values.data()[i] = value(row);
      if (i % kBlock == 0) assay::checkpoint(assay::Watch::kPatience);
    }
  });
  return values.like(input);
}

template <class Formula>
nb::object scores(const Formula& formula, nb::handle totals) {
  return for_each_row(totals, formula.columns(), [&](const auto* row) { return formula.score(row); });
}

// Column 0 divided by column 1.
nb::object ratios(nb::handle sums) {
  return for_each_row(sums, 2, [](const auto* row) { return static_cast<double>(row[0]) / static_cast<double>(row[1]); });
}

// (..., score) to (..., [score, 1]), or [0, 0] where it is NaN.
nb::object mean_table(nb::handle input) {
  const auto scores = nb::cast<nb::ndarray<const double, nb::ro, nb::c_contig, nb::device::cpu>>(input);
  std::vector<std::size_t> shape(scores.shape_ptr(), scores.shape_ptr() + scores.ndim());
  shape.push_back(2);
  Output<double> table(std::move(shape));
  assay::mean_table(scores.data(), scores.size(), table.data());
  return table.like(input);
}

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Numbers and standard deviations of scores, by system; the segments come part by part.
class Spreads {
 public:
  explicit Spreads(std::size_t systems) : spreads_(systems) {}

  void add(Matrix<double> scores) {
    if (scores.shape(0) != spreads_.size()) throw nb::value_error("the number of systems has changed");
    for (std::size_t s = 0; s < spreads_.size(); ++s) spreads_[s].add(scores.data() + s * scores.shape(1), scores.shape(1));
  }

  nb::list values() const {
    nb::list all;
    for (assay::Spread spread : spreads_) {
      spread.end();
      all.append(nb::make_tuple(spread.count(), spread.deviation()));
    }
    return all;
  }

 private:
  std::vector<assay::Spread> spreads_;
};

nb::list replicate_summaries(Matrix<double> replicates, double confidence) {
  nb::list all;
  for (std::size_t s = 0; s < replicates.shape(0); ++s) {
    const auto found = assay::summary_of({replicates.data() + s * replicates.shape(1), replicates.shape(1)}, confidence);
    all.append(nb::make_tuple(found.defined, found.low, found.high, found.error));
  }
  return all;
}

PyObject* too_long_error = nullptr;            // the type _core.TooLongError
PyObject* base_count_mismatch_error = nullptr;  // the type _core.BaseCountMismatchError

[[noreturn]] void raise(PyObject* type, const nb::tuple& arguments) {
  PyErr_SetObject(type, arguments.ptr());
  throw nb::python_error();
}

// Calls a kernel without the GIL and translates the failures of items.
template <class Kernel>
void call_released(Kernel kernel) {
  try {
    const Released released;
    kernel();
  } catch (const assay::TooLong& pair) {
    raise(too_long_error, nb::make_tuple(pair.reference, pair.system, pair.segment, pair.reference_length, pair.output_length));
  } catch (const assay::BaseCountMismatch& text) {
    raise(base_count_mismatch_error, nb::make_tuple(text.is_output, text.column, text.segment, text.words, text.bases));
  }
}

template <class T>
nb::object rate_table(const nb::tuple& references, const nb::tuple& outputs, const assay::RateOptions& options, int threads) {
  const std::size_t segments = segment_count(outputs);
  const auto reference_columns = columns(references, segments), output_columns = columns(outputs, segments);
  Output<T> table({output_columns.size(), segments, options.columns()});
  call_released([&] { assay::rate_statistics(reference_columns, output_columns, segments, options, threads, table.data()); });
  return nb::cast(table.view());
}

nb::object rate_statistics(const nb::tuple& references, const nb::tuple& outputs, const std::string& rate, const std::string& tokenizer,
                           bool whitespace, bool chooses_as_moses, std::int64_t max_cells, int threads) {
  const assay::RateOptions options{assay::rate_named(rate), &assay::Tokenizer::named(tokenizer), whitespace, chooses_as_moses,
                                   max_cells / 64};
  const auto table = options.has_mean_length() ? rate_table<double> : rate_table<std::int64_t>;
  return table(references, outputs, options, threads);
}

// Computes the table (system, segment, [errors, length]) of a kernel that chooses between references itself.
template <class Statistics>
auto error_share_table(const nb::tuple& references, const nb::tuple& outputs, Statistics statistics) {
  const std::size_t segments = segment_count(outputs);
  const auto reference_columns = columns(references, segments), output_columns = columns(outputs, segments);
  Output<double> table({output_columns.size(), segments, assay::kErrorShareColumns});
  call_released([&] { statistics(reference_columns, output_columns, segments, table.data()); });
  return table.view();
}

auto character_statistics(const nb::tuple& references, const nb::tuple& outputs, const std::string& tokenizer, const std::string& moves,
                          std::int64_t max_cells, int threads) {
  const auto& tokenize = assay::Tokenizer::named(tokenizer);
  const auto rule = assay::move_rule_named(moves);
  return error_share_table(references, outputs, [&](const auto& theirs, const auto& ours, std::size_t segments, double* table) {
    assay::character_statistics(theirs, ours, segments, tokenize, rule, max_cells / 64, threads, table);
  });
}

auto eed_statistics(const nb::tuple& references, const nb::tuple& outputs, const std::string& program, bool rewrites, double alpha,
                    double rho, double deletion, double insertion, std::int64_t max_cells, int threads) {
  assay::EedOptions options{alpha, rho, deletion, insertion, assay::eed_program_named(program), assay::EedForm::as_is, max_cells / 64};
  if (rewrites)
    options.form = options.program == assay::EedProgram::torchmetrics ? assay::EedForm::english : assay::EedForm::authors_english;
  return error_share_table(references, outputs, [&](const auto& theirs, const auto& ours, std::size_t segments, double* table) {
    assay::eed_statistics(theirs, ours, segments, options, threads, table);
  });
}

auto lepor_statistics(const nb::tuple& references, const nb::tuple& outputs, const std::string& tokenizer,
                      const std::string& alignment, int max_order, std::int64_t max_cells, int threads) {
  if (max_order < 1) throw nb::value_error("max_order must be at least 1");
  const std::size_t segments = segment_count(outputs);
  const auto reference_columns = columns(references, segments), output_columns = columns(outputs, segments);
  const auto& tokenize = assay::Tokenizer::named(tokenizer);
  const auto rule = assay::lepor_alignment_named(alignment);
  Output<double> table({reference_columns.size(), output_columns.size(), segments, assay::lepor_columns(max_order)});
  call_released([&] {
    assay::lepor_statistics(reference_columns, output_columns, segments, tokenize, rule, max_order, max_cells / 64, threads,
                            table.data());
  });
  return table.array();
}

// The texts of a test set with their base forms, if these are given.
struct TextsWithBases {
  TextsWithBases(const nb::tuple& references, const nb::tuple& outputs, const nb::tuple& reference_bases, const nb::tuple& output_bases)
      : segments(segment_count(outputs)), references(columns(references, segments)), outputs(columns(outputs, segments)),
        bases{columns(reference_bases, segments), columns(output_bases, segments), output_bases.size() > 0} {
    if (bases.are_given && (bases.references.size() != this->references.size() || bases.outputs.size() != this->outputs.size()))
      throw nb::value_error("base forms are needed for all texts or for none");
  }

  const std::size_t segments;
  const std::vector<assay::Column> references, outputs;
  const assay::BaseColumns bases;
};

auto hjerson_statistics(const nb::tuple& references, const nb::tuple& outputs, const nb::tuple& reference_bases,
                        const nb::tuple& output_bases, const std::string& tokenizer, int threads) {
  const TextsWithBases texts(references, outputs, reference_bases, output_bases);
  const auto& tokenize = assay::Tokenizer::named(tokenizer);
  Output<std::int64_t> table({texts.outputs.size(), texts.segments, assay::kHjersonColumns});
  call_released([&] {
    assay::hjerson_statistics(texts.references, texts.outputs, texts.bases, texts.segments, tokenize, threads, table.data());
  });
  return table.view();
}

// [(system, segment, reference, labels of the reference, labels of the output)] of all cells with labels, by segment.
nb::list hjerson_labels(const nb::tuple& references, const nb::tuple& outputs, const nb::tuple& reference_bases,
                        const nb::tuple& output_bases, const std::string& tokenizer, int threads) {
  struct Cell {
    std::size_t reference;
    assay::ErrorLabels reference_labels, output_labels;
  };
  const TextsWithBases texts(references, outputs, reference_bases, output_bases);
  const auto& tokenize = assay::Tokenizer::named(tokenizer);
  const std::size_t systems = texts.outputs.size();
  std::vector<std::optional<Cell>> cells(texts.segments * systems);
  call_released([&] {
    assay::each_labelled(texts.references, texts.outputs, texts.bases, texts.segments, tokenize, threads,
                         [&](std::size_t s, std::size_t i, std::size_t r, const assay::ErrorLabels& of_reference, const assay::ErrorLabels& of_output) {
                           cells[i * systems + s] = Cell{r, of_reference, of_output};
                         });
  });
  const auto bytes = [](const assay::ErrorLabels& labels) { return nb::bytes(labels.data(), labels.size()); };
  nb::list all;
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (cells[k])
      all.append(nb::make_tuple(k % systems, k / systems, cells[k]->reference, bytes(cells[k]->reference_labels), bytes(cells[k]->output_labels)));
  return all;
}

nb::list tokenize(const nb::str& line, const std::string& tokenizer) {
  assay::Tokenizer::Scratch<std::uint32_t> scratch;
  assay::Tokenizer::named(tokenizer)(view(line.ptr()), scratch);
  nb::list tokens;
  for (const auto& token : scratch.tokens)
    tokens.append(nb::steal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, token.start, token.length)));
  return tokens;
}

assay::Bootstrap bootstrap_of(std::size_t segments, std::size_t size, std::uint64_t seed) {
  if (segments < 1 || segments > 0xFFFFFFFFu || size > 0xFFFFFFFFu)
    throw nb::value_error("segments and size must be between 1 and 2^32 - 1");
  return {segments, size, seed};
}

auto bootstrap_weights(std::size_t first, std::size_t resamples, std::size_t segments, std::size_t size,
                       std::uint64_t seed, int threads) {
  const auto bootstrap = bootstrap_of(segments, size, seed);
  Output<std::uint32_t> weights({resamples, segments});
  {
    const Released released;
    assay::bootstrap_weights(first, resamples, bootstrap, threads, weights.data());
  }
  return weights.array();
}

auto swap_weights(std::size_t first, std::size_t resamples, std::size_t segments, std::uint64_t seed, int threads) {
  Output<std::uint32_t> weights({resamples, segments});
  {
    const Released released;
    assay::swap_weights(first, resamples, {segments, seed}, threads, weights.data());
  }
  return weights.array();
}

auto bounded_draws(nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> words, std::uint32_t bound) {
  if (bound < 1) throw nb::value_error("bound must be at least 1");
  Output<std::uint32_t> draws({words.size()});
  {
    const Released released;
    draws.shorten(assay::bounded_draws(words.data(), words.size(), bound, draws.data()));
  }
  return draws.array();
}

auto count_draws(nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> draws, std::size_t segments) {
  const std::uint32_t* const end = draws.data() + draws.size();
  Output<float> weights({draws.shape(0), segments});
  {
    const Released released;
    if (std::any_of(draws.data(), end, [&](std::uint32_t draw) { return draw >= segments; }))
      throw nb::value_error("a draw is not below the number of segments");
    assay::count_draws(draws.data(), draws.shape(0), draws.shape(1), segments, weights.data());
  }
  return weights.array();
}

auto trueskill(nb::ndarray<const std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu> outcomes, double sigma,
               double beta_divisor, double draw_margin, bool resample, std::size_t runs, std::uint64_t seed,
               int threads) {
  if (outcomes.shape(0) != outcomes.shape(1) || outcomes.shape(2) != 3)
    throw nb::value_error("outcomes must have shape (system, system, 3)");
  if (std::accumulate(outcomes.data(), outcomes.data() + outcomes.size(), std::int64_t{0}) >= std::int64_t{1} << 32)
    throw nb::value_error("there must be fewer than 2^32 judgements");
  Output<double> means({runs, outcomes.shape(0)});
  {
    const Released released;
    assay::trueskill({outcomes.data(), outcomes.size()}, outcomes.shape(0), {sigma, beta_divisor, draw_margin, resample},
                     runs, seed, threads, means.data());
  }
  return means.array();
}

template <class T>
using Values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// (words, [(numbers of words, starts of texts)] of each column)
nb::tuple number_words(const nb::tuple& texts, const std::string& tokenizer) {
  assay::WordNumbers words(assay::Tokenizer::named(tokenizer));
  nb::list numbered;
  for (std::size_t c = 0; c < texts.size(); ++c) {
    const Column read = column(texts[c]);
    std::vector<std::int32_t> numbers;
    std::vector<std::int64_t> ends;
    {
      const Released released;
      words.read(read, numbers, ends);
    }
    Output<std::int32_t> tokens({numbers.size()});
    Output<std::int64_t> starts({ends.size() + 1});
    std::ranges::copy(numbers, tokens.data());
    std::ranges::copy(ends, starts.data() + 1);
    numbered.append(nb::make_tuple(tokens.array(), starts.array()));
  }
  nb::list strings;
  for (const std::u32string& word : words.words())
    strings.append(nb::steal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, word.data(), static_cast<Py_ssize_t>(word.size()))));
  return nb::make_tuple(strings, numbered);
}

// The tokens of one side of a test set, as rows of a table of vectors or words, with a weight each, if a kernel reads them.
class TokenColumn {
 public:
  TokenColumn(Values<std::int32_t> tokens, Values<std::int64_t> starts, Values<bool> present, std::optional<Values<double>> weights)
      : tokens_(std::move(tokens)), starts_(std::move(starts)), present_(std::move(present)), weights_(std::move(weights)) {
    const std::int64_t *const first = starts_.data(), *const end = first + starts_.size();
    if (starts_.size() != present_.size() + 1 || *first != 0 || end[-1] != static_cast<std::int64_t>(tokens_.size()) ||
        !std::is_sorted(first, end) || (weights_ && weights_->size() != tokens_.size()))
      throw nb::value_error("tokens, starts, present and weights do not fit together");
    const auto [least, most] = std::minmax_element(tokens_.data(), tokens_.data() + tokens_.size());
    if (tokens_.size() > 0 && *least < 0) throw nb::value_error("a token is negative");
    if (tokens_.size() > 0) rows_ = static_cast<std::size_t>(*most) + 1;
  }

  assay::TokenColumn view() const { return {tokens_.data(), starts_.data(), present_.data(), weights_ ? weights_->data() : nullptr}; }
  bool has_weights() const { return weights_.has_value(); }
  std::size_t segments() const { return present_.size(); }
  std::size_t rows() const { return rows_; }  // that the table of vectors must have

 private:
  Values<std::int32_t> tokens_;
  Values<std::int64_t> starts_;
  Values<bool> present_;
  std::optional<Values<double>> weights_;
  std::size_t rows_ = 0;
};

std::vector<assay::TokenColumn> token_columns(const nb::tuple& columns, std::size_t segments, std::size_t rows, bool reads_weights) {
  std::vector<assay::TokenColumn> views;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& column = nb::cast<const TokenColumn&>(columns[i]);
    if (column.segments() != segments) throw nb::value_error("columns differ in length");
    if (column.rows() > rows) throw nb::value_error("a token has no vector or word");
    if (reads_weights && !column.has_weights()) throw nb::value_error("weights are needed");
    views.push_back(column.view());
  }
  return views;
}

struct TokenPairs {
  std::vector<assay::TokenColumn> references, outputs;
  std::size_t segments;
};

TokenPairs token_pairs(const nb::tuple& references, const nb::tuple& outputs, std::size_t rows, bool reads_weights = false) {
  if (outputs.size() == 0) throw nb::value_error("no texts were given");
  const std::size_t segments = nb::cast<const TokenColumn&>(outputs[0]).segments();
  return {token_columns(references, segments, rows, reads_weights), token_columns(outputs, segments, rows, reads_weights), segments};
}

// Computes the table (reference, system, segment, column) of a kernel that compares an output with each reference.
template <class Value = double, class Statistics>
auto token_statistics(const nb::tuple& references, const nb::tuple& outputs, std::size_t rows, std::size_t columns,
                      Statistics statistics, bool reads_weights = false) {
  const TokenPairs pairs = token_pairs(references, outputs, rows, reads_weights);
  Output<Value> table({pairs.references.size(), pairs.outputs.size(), pairs.segments, columns});
  call_released([&] { statistics(pairs, table.data()); });
  return table.array();
}

auto clipped_matches(const nb::tuple& references, const nb::tuple& outputs, Values<std::int32_t> groups, std::size_t group_count,
                     int threads) {
  const std::span<const std::int32_t> of_items(groups.data(), groups.size());
  if (std::ranges::any_of(of_items, [&](std::int32_t group) { return group >= static_cast<std::int64_t>(group_count); }))
    throw nb::value_error("a group is not below the number of groups");
  return token_statistics<std::int64_t>(
      references, outputs, groups.size(), assay::kClippedColumns * group_count, [&](const TokenPairs& pairs, std::int64_t* table) {
        assay::clipped_matches(pairs.references, pairs.outputs, pairs.segments, of_items, group_count, threads, table);
      });
}

auto sequence_matches(Matrix<std::int32_t> sequences, Values<std::int64_t> starts, const nb::tuple& outputs, bool has_gaps, int threads) {
  const TokenPairs pairs = token_pairs(nb::tuple(), outputs, std::numeric_limits<std::size_t>::max());
  const std::int64_t *const first = starts.data(), *const end = first + starts.size();
  if (starts.size() != pairs.segments + 1 || *first != 0 || end[-1] != static_cast<std::int64_t>(sequences.shape(0)) ||
      !std::is_sorted(first, end) || sequences.shape(1) == 0)
    throw nb::value_error("sequences and starts do not fit together");
  Output<std::int64_t> table({pairs.outputs.size(), pairs.segments});
  call_released([&] {
    assay::sequence_matches({sequences.data(), sequences.shape(1), first}, pairs.outputs, pairs.segments, has_gaps, threads, table.data());
  });
  return table.array();
}

// (segment, [end, first and last of the equally good ends, edits]) of an output that is cut at the segments of a reference.
auto cut_words(Values<std::uint32_t> reference, Values<std::int64_t> starts, Values<std::uint32_t> output, Values<std::uint8_t> places,
               std::size_t symbols) {
  const std::span<const assay::Symbol> theirs(reference.data(), reference.size()), ours(output.data(), output.size());
  const std::span<const std::int64_t> of_segments(starts.data(), starts.size());
  const auto is_unknown = [&](assay::Symbol symbol) { return symbol >= symbols; };
  if (starts.size() == 0 || of_segments.front() != 0 || of_segments.back() != static_cast<std::int64_t>(theirs.size()) ||
      !std::is_sorted(of_segments.begin(), of_segments.end()) || places.size() != ours.size() ||
      std::ranges::any_of(theirs, is_unknown) || std::ranges::any_of(ours, is_unknown))
    throw nb::value_error("words, starts and places do not fit together");
  std::vector<assay::Place> kinds(places.size());
  std::transform(places.data(), places.data() + places.size(), kinds.begin(), [](std::uint8_t kind) { return static_cast<assay::Place>(kind); });
  Output<std::int64_t> table({starts.size() - 1, 4});
  call_released([&] {
    std::int64_t* row = table.data();
    for (const assay::Cut& cut : assay::Cutter()(theirs, of_segments, ours, kinds, symbols))
      for (const std::int64_t value : {cut.end, cut.first, cut.last, cut.edits}) *row++ = value;
  });
  return table.array();
}

// The vectors of tokens by number, in single or double precision, and which tokens count as equal.
class VectorTable {
 public:
  VectorTable(Matrix<float> vectors, Values<std::int32_t> forms)
      : table_{vectors.shape(0), vectors.shape(1), vectors.data(), nullptr, forms.data()}, single_(vectors), forms_(forms) {
    check();
  }
  VectorTable(Matrix<double> vectors, Values<std::int32_t> forms)
      : table_{vectors.shape(0), vectors.shape(1), nullptr, vectors.data(), forms.data()}, double_(vectors), forms_(forms) {
    check();
  }

  const assay::VectorTable& view() const { return table_; }

 private:
  void check() const {
    if (forms_.size() != table_.rows) throw nb::value_error("vectors and forms differ in length");
  }

  assay::VectorTable table_;
  Matrix<float> single_;
  Matrix<double> double_;
  Values<std::int32_t> forms_;
};

assay::EqualTokens equal_tokens_named(const std::string& name) {
  if (name == "none") return assay::EqualTokens::kNone;
  if (name == "without-vector") return assay::EqualTokens::kWithoutVector;
  if (name == "all") return assay::EqualTokens::kAll;
  throw nb::value_error("equal must be none, without-vector or all");
}

auto ebleu_statistics(const nb::tuple& references, const nb::tuple& outputs, const VectorTable& vectors,
                      bool softmax, double temperature, bool diagonal, bool spread_zero_rows, const std::string& equal,
                      int threads) {
  const assay::EbleuOptions options{softmax, temperature, diagonal, spread_zero_rows, equal_tokens_named(equal)};
  return token_statistics(references, outputs, vectors.view().rows, assay::kEbleuColumns, [&](const TokenPairs& pairs, double* table) {
    assay::ebleu_statistics(pairs.references, pairs.outputs, pairs.segments, vectors.view(), options, threads, table);
  });
}

auto yisi_statistics(const nb::tuple& references, const nb::tuple& outputs, const VectorTable& vectors,
                     const std::string& equal, std::size_t n, int threads) {
  const assay::EqualTokens rule = equal_tokens_named(equal);
  return token_statistics(references, outputs, vectors.view().rows, assay::kYisiColumns, [&](const TokenPairs& pairs, double* table) {
    assay::yisi_statistics<assay::VectorSimilarities>(pairs.references, pairs.outputs, pairs.segments, n, threads, table,
                                                      vectors.view(), rule);
  }, true);
}

auto yisi_form_statistics(const nb::tuple& references, const nb::tuple& outputs, Values<std::uint8_t> letters,
                          Values<std::int64_t> starts, bool exact, std::size_t n, int threads) {
  const std::int64_t *const first = starts.data(), *const end = first + starts.size();
  if (first == end || *first != 0 || end[-1] != static_cast<std::int64_t>(letters.size()) || !std::is_sorted(first, end))
    throw nb::value_error("letters and starts do not fit together");
  const assay::WordBytes words{letters.data(), starts.data()};
  return token_statistics(references, outputs, starts.size() - 1, assay::kYisiColumns, [&](const TokenPairs& pairs, double* table) {
    assay::yisi_statistics<assay::FormSimilarities>(pairs.references, pairs.outputs, pairs.segments, n, threads, table,
                                                    words, exact);
  }, true);
}

auto bertscore_statistics(const nb::tuple& references, const nb::tuple& outputs, const VectorTable& vectors, int threads) {
  return token_statistics(references, outputs, vectors.view().rows, assay::kBertscoreColumns, [&](const TokenPairs& pairs, double* table) {
    assay::bertscore_statistics(pairs.references, pairs.outputs, pairs.segments, vectors.view(), threads, table);
  }, true);
}

std::u32string characters_of(nb::handle string) {
  std::u32string characters(static_cast<std::size_t>(PyUnicode_GetLength(string.ptr())), U' ');
  if (PyUnicode_AsUCS4(string.ptr(), reinterpret_cast<Py_UCS4*>(characters.data()), static_cast<Py_ssize_t>(characters.size()), 0) == nullptr)
    throw nb::python_error();
  return characters;
}

nb::object string_of(const std::u32string& characters) {
  return checked(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, characters.data(), static_cast<Py_ssize_t>(characters.size())));
}

assay::MeteorNormalizer meteor_normalizer(const std::string& contractions, const nb::dict& prefixes, bool removes_punctuation) {
  assay::MeteorNormalizer::Prefixes known;
  for (const auto& [prefix, only_numbers] : prefixes) known.emplace(characters_of(prefix), nb::cast<bool>(only_numbers));
  return {assay::contractions_named(contractions), std::move(known), removes_punctuation};
}

nb::object normalize_line(const assay::MeteorNormalizer& normalizer, const nb::str& line) {
  std::u32string text = characters_of(line);
  {
    const nb::gil_scoped_release released;
    text = normalizer(text);
  }
  return string_of(text);
}

TextColumn normalize_column(const assay::MeteorNormalizer& normalizer, const TextColumn& texts, int threads) {
  const Column column = texts.load();
  std::vector<std::u32string> lines;
  Utf8Writer writer(column.size());
  {
    const Released released;
    lines = assay::normalize_column(normalizer, column, threads);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!column.present(i)) {
        writer.end_absent();
        continue;
      }
      std::uint8_t* const begin = writer.reserve(4 * lines[i].size());
      std::uint8_t* end = begin;
      for (const char32_t c : lines[i]) end = assay::encode_utf8(c, end);
      writer.end_text(static_cast<std::size_t>(end - begin));
    }
  }
  return std::move(writer).column();
}

// (hash, length) of each word as Java computes them.
nb::tuple java_hashes(const TextColumn& words) {
  const Column column = words.load();
  Output<std::int32_t> hashes({column.size()}), lengths({column.size()});
  {
    const Released released;
    for (std::size_t i = 0; i < column.size(); ++i)
      assay::visit_characters(column[i], [&](auto characters) {
        const assay::JavaString word = assay::java_string(characters);
        hashes.data()[i] = word.hash;
        lengths.data()[i] = word.length;
      });
  }
  return nb::make_tuple(hashes.array(), lengths.array());
}

class Synonyms {
 public:
  Synonyms(const nb::bytes& synsets, const nb::bytes& exceptions)
      : synonyms_({synsets.c_str(), synsets.size()}, {exceptions.c_str(), exceptions.size()}) {}

  // (starts, synsets) of words
  nb::tuple look_up(const TextColumn& words) const {
    const Column column = words.load();
    std::vector<std::int32_t> found;
    Output<std::int64_t> starts({column.size() + 1});
    {
      const Released released;
      std::vector<std::uint8_t> bytes;
      for (std::size_t i = 0; i < column.size(); ++i) {
        assay::visit_characters(column[i], [&](auto characters) {
          bytes.resize(4 * characters.size());
          std::uint8_t* end = bytes.data();
          for (const std::uint32_t c : characters) end = assay::encode_utf8(c, end);
          bytes.resize(static_cast<std::size_t>(end - bytes.data()));
        });
        synonyms_.look_up({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, found);
        starts.data()[i + 1] = static_cast<std::int64_t>(found.size());
      }
    }
    Output<std::int32_t> synsets({found.size()});
    std::ranges::copy(found, synsets.data());
    return nb::make_tuple(starts.array(), synsets.array());
  }

 private:
  assay::Synonyms synonyms_;
};

class ParaphraseBuilder {
 public:
  void add(const nb::bytes& piece) {
    const std::string_view bytes(piece.c_str(), piece.size());
    const Released released;
    builder_.add(bytes);
  }

  std::size_t lines() const { return builder_.lines(); }

  // (words in lines, last words, first children, first paraphrases, paraphrases)
  nb::tuple finish() {
    assay::ParaphraseBuilder::Arrays arrays;
    std::string words;
    {
      const Released released;
      arrays = std::exchange(builder_, {}).finish();
      for (const std::string& word : arrays.words) words += word + '\n';
    }
    const auto array = [](const std::vector<std::uint32_t>& values) {
      Output<std::uint32_t> copy({values.size()});
      std::ranges::copy(values, copy.data());
      return copy.array();
    };
    return nb::make_tuple(nb::bytes(words.data(), words.size()), array(arrays.last_words), array(arrays.first_children),
                          array(arrays.first_paraphrases), array(arrays.paraphrases));
  }

 private:
  assay::ParaphraseBuilder builder_;
};

class ParaphraseTable {
 public:
  ParaphraseTable(Values<std::uint32_t> last_words, Values<std::uint32_t> first_children, Values<std::uint32_t> first_paraphrases,
                  Values<std::uint32_t> paraphrases)
      : last_words_(last_words), first_children_(first_children), first_paraphrases_(first_paraphrases), paraphrases_(paraphrases),
        table_{span(last_words), span(first_children), span(first_paraphrases), span(paraphrases)} {
    bool is_sound = false;
    {
      const Released released;
      is_sound = table_.is_sound();
    }
    if (!is_sound) throw nb::value_error("the table of paraphrases is damaged");
  }

  const assay::ParaphraseTable& view() const { return table_; }

 private:
  static std::span<const std::uint32_t> span(const Values<std::uint32_t>& values) { return {values.data(), values.size()}; }

  Values<std::uint32_t> last_words_, first_children_, first_paraphrases_, paraphrases_;
  assay::ParaphraseTable table_;
};

// What METEOR's modules compare, by number of the word.
class MeteorWords {
 public:
  MeteorWords(Values<std::int32_t> forms, Values<std::int32_t> stems, Values<std::int64_t> synset_starts, Values<std::int32_t> synsets,
              Values<std::int32_t> table_words, Values<std::int32_t> lengths, Values<bool> is_function, const ParaphraseTable* paraphrases)
      : forms_(forms), stems_(stems), synset_starts_(synset_starts), synsets_(synsets), table_words_(table_words), lengths_(lengths),
        is_function_(is_function), paraphrases_(paraphrases),
        words_{span(forms), span(stems), span(synset_starts), span(synsets), span(table_words), span(lengths), span(is_function)} {
    const auto fits = [&](std::size_t size, std::size_t extra = 0) { return size == 0 || size == forms.size() + extra; };
    const auto starts = words_.synset_starts;
    if (!fits(stems.size()) || !fits(starts.size(), 1) || !fits(table_words.size()) || lengths.size() != forms.size() ||
        is_function.size() != forms.size() || (paraphrases != nullptr && table_words.size() != forms.size()))
      throw nb::value_error("the arrays differ in length");
    if (!starts.empty() && (starts.front() != 0 || starts.back() != static_cast<std::int64_t>(synsets.size()) || !std::ranges::is_sorted(starts)))
      throw nb::value_error("synsets and their starts do not fit together");
    for (const std::int32_t word : words_.table_words)
      if (paraphrases != nullptr && word >= static_cast<std::int64_t>(paraphrases->view().words()))
        throw nb::value_error("a word is not in the table of paraphrases");
  }

  const assay::MeteorWords& view() const { return words_; }
  const assay::ParaphraseTable* paraphrases() const { return paraphrases_ == nullptr ? nullptr : &paraphrases_->view(); }

 private:
  template <class Value>
  static std::span<const Value> span(const Values<Value>& values) {
    return {values.data(), values.size()};
  }

  Values<std::int32_t> forms_, stems_;
  Values<std::int64_t> synset_starts_;
  Values<std::int32_t> synsets_, table_words_, lengths_;
  Values<bool> is_function_;
  const ParaphraseTable* paraphrases_;  // which Python keeps alive
  assay::MeteorWords words_;
};

void check_meteor_lengths(const TokenPairs& pairs) {
  for (const auto* columns : {&pairs.references, &pairs.outputs})
    for (const assay::TokenColumn& column : *columns)
      for (std::size_t i = 0; i < pairs.segments; ++i)
        if (column.length(i) > assay::kMaxTokens) throw nb::value_error("a text has too many words");
}

auto meteor_statistics(const nb::tuple& references, const nb::tuple& outputs, const MeteorWords& words, int threads) {
  return token_statistics<std::int64_t>(
      references, outputs, words.view().forms.size(), assay::kMeteorColumns, [&](const TokenPairs& pairs, std::int64_t* table) {
        check_meteor_lengths(pairs);
        assay::meteor_statistics(pairs.references, pairs.outputs, pairs.segments, words.view(), words.paraphrases(), threads, table);
      });
}

// ((match, [start and length in the reference, start and length in the output, module]), starts by reference, system, segment)
nb::tuple meteor_alignments(const nb::tuple& references, const nb::tuple& outputs, const MeteorWords& words, int threads) {
  const TokenPairs pairs = token_pairs(references, outputs, words.view().forms.size());
  Output<std::int64_t> starts({pairs.references.size() * pairs.outputs.size() * pairs.segments + 1});
  std::vector<std::vector<assay::MeteorMatch>> alignments;
  {
    const Released released;
    check_meteor_lengths(pairs);
    alignments = assay::meteor_alignments(pairs.references, pairs.outputs, pairs.segments, words.view(), words.paraphrases(), threads);
    for (std::size_t i = 0; i < alignments.size(); ++i)
      starts.data()[i + 1] = starts.data()[i] + static_cast<std::int64_t>(alignments[i].size());
  }
  Output<std::int32_t> table({static_cast<std::size_t>(starts.data()[alignments.size()]), 5});
  {
    const Released released;
    std::int32_t* out = table.data();
    for (const auto& matches : alignments)
      for (const assay::MeteorMatch& match : matches)
        for (const int value : {int{match.start}, int{match.length}, int{match.output_start}, int{match.output_length}, static_cast<int>(match.module)})
          *out++ = value;
  }
  return nb::make_tuple(table.array(), starts.array());
}

auto co_moments(Matrix<double> x, Matrix<double> y, Matrix<bool> mask, int threads) {
  const std::size_t groups = x.shape(0), items = x.shape(1);
  if (y.shape(0) != groups || y.shape(1) != items || mask.shape(0) != groups || mask.shape(1) != items)
    throw nb::value_error("x, y and mask differ in shape");
  std::vector<assay::CoMoments> found(groups);
  {
    const Released released;
    assay::co_moments(x.data(), y.data(), mask.data(), groups, items, threads, found.data());
  }
  Output<double> table({5, groups});
  double* out = table.data();
  for (const auto part : {&assay::CoMoments::xx, &assay::CoMoments::yy, &assay::CoMoments::xy,
                          &assay::CoMoments::x_exponent, &assay::CoMoments::y_exponent})
    for (const auto& moments : found) *out++ = moments.*part;
  return table.array();
}

// Views of arrays that the caller keeps alive.
assay::PairCountInput pair_input(const Matrix<double>& x, const Matrix<double>& y, const Matrix<bool>& mask,
                                 const std::optional<Matrix<bool>>& pairs) {
  const std::size_t groups = x.shape(0), items = x.shape(1);
  for (const auto& [rows, columns] : {std::pair(y.shape(0), y.shape(1)), std::pair(mask.shape(0), mask.shape(1))})
    if (rows != groups || columns != items) throw nb::value_error("x, y and mask differ in shape");
  if (pairs && (pairs->shape(0) != items || pairs->shape(1) != items))
    throw nb::value_error("pairs must have shape (item, item)");
  return {x.data(), y.data(), mask.data(), pairs ? pairs->data() : nullptr, groups, items};
}

auto pair_counts(Matrix<double> x, Matrix<double> y, Matrix<bool> mask, std::optional<Matrix<bool>> pairs,
                 double epsilon, double tolerance, int threads) {
  auto input = pair_input(x, y, mask, pairs);
  input.tolerance = tolerance;
  std::vector<assay::PairCounts> counts(input.groups);
  {
    const Released released;
    assay::pair_counts(input, epsilon, threads, counts.data());
  }
  Output<std::int64_t> table({input.groups, 5});
  std::int64_t* out = table.data();
  for (const auto& c : counts)
    for (const std::int64_t count : {c.concordant, c.discordant, c.tied_x, c.tied_y, c.tied_both}) *out++ = count;
  return table.array();
}

double best_epsilon(Matrix<double> x, Matrix<double> y, Matrix<bool> mask, std::optional<Matrix<bool>> pairs,
                    nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> weights) {
  const auto input = pair_input(x, y, mask, pairs);
  if (weights.shape(0) != input.groups) throw nb::value_error("weights and groups differ in number");
  const Released released;
  return assay::TieCalibration(input, weights.data()).best_epsilon();
}

// Pairs sorted once, for the calibration of any number of resamples.
class TieSteps {
 public:
  TieSteps(Matrix<double> x, Matrix<double> y, Matrix<bool> mask, std::optional<Matrix<bool>> pairs)
      : steps_(sorted(pair_input(x, y, mask, pairs))) {}

  auto calibrate(Matrix<std::int64_t> weights, int threads) const {
    if (weights.shape(1) != steps_.groups()) throw nb::value_error("weights and groups differ in number");
    Output<double> epsilons({weights.shape(0)});
    Output<std::int64_t> hits({weights.shape(0), weights.shape(1)});
    {
      const Released released;
      steps_.calibrate(weights.data(), weights.shape(0), threads, epsilons.data(), hits.data());
    }
    return nb::make_tuple(epsilons.array(), hits.array());
  }

 private:
  static assay::TieSteps sorted(const assay::PairCountInput& input) {
    const Released released;
    return assay::TieSteps(input);
  }

  assay::TieSteps steps_;
};

template <class T>
using Table = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

using AnyOutput = std::variant<Output<std::int64_t>, Output<double>>;

// A table transposed for summing, once for any number of resamples.
class Summable {
 public:
  explicit Summable(Table<std::int64_t> table) : table_(assay::IntegerTable(table.data(), shape_of(table))) {}
  explicit Summable(Table<double> table) : table_(assay::RealTable(table.data(), shape_of(table))) {}

  std::size_t segments() const {
    return std::visit([](const auto& table) { return table.shape.segments; }, table_);
  }

  // Zeros (system, row, column).
  AnyOutput sums(std::size_t rows) const {
    return std::visit(
        [&]<class T>(const T& table) -> AnyOutput {
          return Output<typename T::Total>({table.shape.systems, rows, table.shape.columns});
        },
        table_);
  }

  // Adds the sum of this table to others; its totals are added to `output`.
  void add_to(AnyOutput& output, std::vector<assay::AnySum>& sums) const {
    std::visit(
        [&]<class T>(const T& table) {
          auto* const totals = std::get_if<Output<typename T::Total>>(&output);
          if (totals == nullptr || totals->extent(0) != table.shape.systems || totals->extent(2) != table.shape.columns)
            throw nb::value_error("the table has another shape than its totals");
          sums.push_back(assay::TableSum<T>(table, totals->extent(1), totals->data()));
        },
        table_);
  }

 private:
  template <class T>
  static assay::SumShape shape_of(const Table<T>& table) {
    return {table.shape(0), table.shape(1), table.shape(2)};
  }

  std::variant<assay::IntegerTable, assay::RealTable> table_;
};

template <class Source>
nb::list weighted_sums(const std::vector<const Summable*>& tables, const Source& source, std::size_t rows, int threads) {
  std::vector<assay::AnySum> sums;
  nb::list totals;
  for (const Summable* const table : tables) {
    if (table->segments() != source.segments) throw nb::value_error("weights and table differ in segments");
    AnyOutput output = table->sums(rows);
    table->add_to(output, sums);
    std::visit([&](auto& array) { totals.append(array.array()); }, output);
  }
  {
    const Released released;
    assay::weighted_sums<Source>(sums, source, rows, threads);
  }
  return totals;
}

nb::object sums(const Summable& table,
                nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> weights, int threads) {
  const assay::WeightMatrix rows(weights.data(), weights.shape(1));
  return weighted_sums({&table}, rows, weights.shape(0), threads)[0];
}

std::vector<const Summable*> summables(const nb::list& tables) {
  std::vector<const Summable*> all;
  for (const nb::handle table : tables) all.push_back(nb::cast<const Summable*>(table));
  return all;
}

nb::list swap_sums(const nb::list& tables, std::size_t first, std::size_t resamples, std::size_t segments,
                   std::uint64_t seed, int threads) {
  return weighted_sums(summables(tables), assay::SwapRows({segments, seed}, first), resamples, threads);
}

nb::list bootstrap_sums(const nb::list& tables, std::size_t first, std::size_t resamples, std::size_t segments,
                        std::size_t size, std::uint64_t seed, int threads) {
  return weighted_sums(summables(tables), assay::BootstrapRows(bootstrap_of(segments, size, seed), first), resamples, threads);
}

// Sums of tables over all segments and over each resample, added up over parts of the segments.
class Totals {
 public:
  Totals(std::size_t segments, std::size_t resamples, std::size_t size, std::uint64_t seed, int threads)
      : draws_(split(bootstrap_of(segments, size, seed), resamples, threads)), threads_(threads) {}

  // The next segments of each table: whole chunks, or all that are left. The first call decides what the tables are.
  void add(const nb::list& tables) {
    const auto parts = summables(tables);
    if (parts.empty()) throw nb::value_error("no tables were given");
    const std::size_t segments = parts[0]->segments(), all = draws_.bootstrap.segments;
    for (const Summable* const part : parts)
      if (part->segments() != segments) throw nb::value_error("the tables differ in segments");
    if (segments > all - seen_ || (segments % assay::kChunk != 0 && segments != all - seen_))
      throw nb::value_error("a part must end with a chunk or with the last segment");
    if (sums_.empty()) {
      std::vector<AnyOutput> sums, replicates;  // none if one cannot be allocated
      for (const Summable* const part : parts) sums.push_back(part->sums(1)), replicates.push_back(part->sums(draws_.resamples));
      sums_ = std::move(sums), replicates_ = std::move(replicates);
    }
    if (parts.size() != sums_.size()) throw nb::value_error("the number of tables has changed");
    add_rows(parts, sums_, assay::OneRow(segments, all), 1);
    add_rows(parts, replicates_, assay::PartRows(draws_, seen_ / assay::kChunk, segments), draws_.resamples);
    seen_ += segments;
  }

  // For each table (system, 1, column), and (system, resample, column).
  nb::list sums() { return views(sums_); }
  nb::list replicates() { return views(replicates_); }

 private:
  static assay::SplitDraws split(const assay::Bootstrap& bootstrap, std::size_t resamples, int threads) {
    const Released released;
    return {bootstrap, resamples, threads};
  }

  template <class Source>
  void add_rows(const std::vector<const Summable*>& parts, std::vector<AnyOutput>& totals, const Source& source,
                std::size_t rows) {
    std::vector<assay::AnySum> sums;
    for (std::size_t t = 0; t < parts.size(); ++t) parts[t]->add_to(totals[t], sums);
    const Released released;
    assay::weighted_sums<Source>(sums, source, rows, threads_);
  }

  static nb::list views(std::vector<AnyOutput>& totals) {
    nb::list all;
    for (AnyOutput& any : totals) std::visit([&](auto& output) { all.append(output.view()); }, any);
    return all;
  }

  assay::SplitDraws draws_;
  int threads_;
  std::size_t seen_ = 0;
  std::vector<AnyOutput> sums_, replicates_;
};

assay::PairStatistic pair_statistic_named(const std::string& name) {
  if (name == "tau-a") return assay::PairStatistic::tau_a;
  if (name == "tau-b") return assay::PairStatistic::tau_b;
  if (name == "accuracy") return assay::PairStatistic::accuracy;
  throw nb::value_error("statistic must be tau-a, tau-b or accuracy");
}

std::size_t pairs_of(std::size_t metrics) { return metrics < 2 ? 0 : metrics * (metrics - 1) / 2; }

auto swapped_pairs(Table<double> metrics, Matrix<double> human, Matrix<bool> mask, std::optional<Matrix<bool>> pairs,
                   nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> weights, Table<bool> swaps,
                   const std::string& statistic, int threads) {
  const std::size_t groups = metrics.shape(1), items = metrics.shape(2);
  for (const auto& [rows, columns] : {std::pair(human.shape(0), human.shape(1)), std::pair(mask.shape(0), mask.shape(1)),
                                      std::pair(swaps.shape(1), swaps.shape(2)), std::pair(weights.shape(0), items)})
    if (rows != groups || columns != items) throw nb::value_error("scores, mask, weights and swaps differ in shape");
  if (pairs && (pairs->shape(0) != items || pairs->shape(1) != items))
    throw nb::value_error("pairs must have shape (item, item)");
  if (items < 2 || items > assay::kMaxSwappedItems) throw nb::value_error("a group must have 2 to 64 items");
  const assay::SwappedScores scores{metrics.data(), human.data(), mask.data(), pairs ? pairs->data() : nullptr,
                                    weights.data(), swaps.data(), metrics.shape(0), groups, items, swaps.shape(0)};
  const auto named = pair_statistic_named(statistic);
  Output<double> differences({pairs_of(metrics.shape(0)), swaps.shape(0)});
  {
    const Released released;
    assay::swapped_pairs(scores, named, threads, differences.data());
  }
  return differences.array();
}

auto swapped_spa(Table<double> metrics, Matrix<bool> mask, Matrix<bool> pairs, Matrix<std::int64_t> human,
                 Matrix<std::uint32_t> coins, Table<bool> swaps, bool ties_in_full, int threads) {
  const std::size_t systems = metrics.shape(1), segments = metrics.shape(2);
  for (const auto& [rows, columns] : {std::pair(mask.shape(0), mask.shape(1)), std::pair(swaps.shape(1), swaps.shape(2)),
                                      std::pair(systems, coins.shape(1))})
    if (rows != systems || columns != segments) throw nb::value_error("scores, mask, coins and swaps differ in shape");
  for (const auto& [rows, columns] : {std::pair(pairs.shape(0), pairs.shape(1)), std::pair(human.shape(0), human.shape(1))})
    if (rows != systems || columns != systems) throw nb::value_error("pairs and human must have shape (system, system)");
  const assay::SwappedSystems scores{metrics.data(), mask.data(), pairs.data(), human.data(), coins.data(), swaps.data(),
                                     metrics.shape(0), systems, segments, coins.shape(0), swaps.shape(0), ties_in_full};
  Output<double> differences({pairs_of(metrics.shape(0)), swaps.shape(0)});
  {
    const Released released;
    assay::swapped_spa(scores, threads, differences.data());
  }
  return differences.array();
}

// (systems, scores of each, all scores), or None if the file is not regular.
nb::object parse_score_lines(const nb::bytes& data) {
  std::optional<assay::ScoreLines> lines;
  {
    const Released released;
    lines = assay::parse_score_lines({data.c_str(), data.size()});
  }
  if (!lines) return nb::none();
  nb::list systems;
  Output<std::int64_t> counts({lines->blocks.size()});
  Output<double> values({lines->values.size()});
  for (std::size_t b = 0; b < lines->blocks.size(); ++b) {
    systems.append(nb::bytes(lines->blocks[b].system.data(), lines->blocks[b].system.size()));
    counts.data()[b] = static_cast<std::int64_t>(lines->blocks[b].scores);
  }
  std::copy(lines->values.begin(), lines->values.end(), values.data());
  return nb::make_tuple(systems, counts.array(), values.array());
}

std::uint8_t lower_latin(std::uint8_t c) {
  const bool is_capital = (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7);
  return static_cast<std::uint8_t>(c + 32 * is_capital);
}

// Characters that Python maps to lower case one by one. Punctuation and scripts of East Asia, without capitals, need no look-up.
Py_UCS4 lower(Py_UCS4 c) {
  if (c < 0x100) return lower_latin(static_cast<std::uint8_t>(c));
  return (c >= 0x2000 && c < 0x2100) || (c >= 0x2E80 && c < 0xA640) ? c : Py_UNICODE_TOLOWER(c);
}

// The characters of str.lower, as far as Python maps them one by one. There are two exceptions: U+0130 becomes two characters,
// and the lower case of a capital sigma depends on its neighbours. False if a text contains either.
bool lower(const Text& text, std::vector<Py_UCS4>& lowered) {
  return assay::visit_characters(text, [&](auto characters) {
    lowered.resize(characters.size());
    for (std::size_t i = 0; i < characters.size(); ++i) {
      if (characters[i] == 0x130 || characters[i] == 0x3A3) return false;
      lowered[i] = lower(characters[i]);
    }
    return true;
  });
}

// Texts in lower case, without a Python string for each.
struct LoweredTexts {
  std::unique_ptr<std::uint8_t[]> characters;
  nb::list exceptions;

  // str.lower of a text, written to `out`, or else a Python string: for the exceptions above, and for the few texts that
  // Python then stores at a smaller width.
  Text add(const Text& text, std::uint8_t* out) {
    const bool is_written = assay::visit_characters(text, [&](auto characters) {
      using Char = std::remove_const_t<typename decltype(characters)::element_type>;
      auto* const lowered = reinterpret_cast<Char*>(out);
      if constexpr (sizeof(Char) == 1) {
        std::transform(characters.begin(), characters.end(), lowered, lower_latin);
        return true;
      } else {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < characters.size(); ++i) {
          if (characters[i] == 0x130 || characters[i] == 0x3A3) return false;
          bits |= lowered[i] = static_cast<Char>(lower(characters[i]));
        }
        return bits >> (sizeof(Char) == 2 ? 8 : 16) != 0;
      }
    });
    if (is_written) return {out, text.length, text.width};
    exceptions.append(string_of(text).attr("lower")());
    return view(nb::handle(exceptions[exceptions.size() - 1]).ptr());
  }
};

// Writes str.lower of a text of UTF-8. Only the exceptions above become Python strings.
void write_lower(const Text& text, std::vector<Py_UCS4>& buffer, Utf8Writer& writer) {
  if (!text.is_utf8) {
    std::uint8_t* const out = writer.reserve(text.length);
    std::transform(text.bytes(), text.bytes() + text.length, out, [](std::uint8_t c) { return static_cast<std::uint8_t>(lower(c)); });
    return writer.end_text(text.length);
  }
  if (!lower(text, buffer)) {
    const nb::object lowered = string_of(text).attr("lower")();
    assay::visit_characters(view(lowered.ptr()), [&](auto characters) { buffer.assign(characters.begin(), characters.end()); });
  }
  std::uint8_t* const begin = writer.reserve(4 * buffer.size());
  std::uint8_t* end = begin;
  for (const Py_UCS4 c : buffer) end = assay::encode_utf8(c, end);
  writer.end_text(static_cast<std::size_t>(end - begin));
}

TextColumn lower_column(const TextColumn& texts) {
  std::vector<Py_UCS4> buffer;
  if (texts.is_utf8()) {
    Utf8Writer writer(texts.size());
    texts.for_each([&](const Column& block, std::size_t k, std::size_t) {
      if (block.present(k)) write_lower(block[k], buffer, writer);
      else writer.end_absent();
    });
    return std::move(writer).column();
  }
  if (texts.is_flawed()) throw nb::type_error("a text must be a str or None");
  const Column column = texts.load();
  const auto bytes_of = [](const Text& text) { return (text.length * text.width + 3) / 4 * 4; };  // the next one is aligned
  std::size_t bytes = 1;  // an empty text has an address, too
  for (std::size_t i = 0; i < column.size(); ++i) bytes += bytes_of(column[i]);
  auto lowered = std::make_unique<LoweredTexts>(std::make_unique_for_overwrite<std::uint8_t[]>(bytes));
  std::vector<Text> views(column.size());
  std::uint8_t* out = lowered->characters.get();
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (!column.present(i)) continue;
    views[i] = lowered->add(column[i], out);
    out += bytes_of(column[i]);
  }
  nb::capsule memory(lowered.get(), [](void* p) noexcept { delete static_cast<LoweredTexts*>(p); });
  lowered.release();
  return {Column(std::move(views)), std::move(memory)};
}

// Which elements of a column are not None.
auto present(const TextColumn& texts) {
  Output<bool> is_present({texts.size()});
  for (std::size_t i = 0; i < texts.size(); ++i) is_present.data()[i] = texts.present(i);
  return is_present.array();
}

// The number of characters of every text, NaN where it is absent.
auto lengths(const TextColumn& texts) {
  Output<double> numbers({texts.size()});
  texts.for_each([&](const Column& block, std::size_t k, std::size_t i) {
    numbers.data()[i] = block.present(k) ? static_cast<double>(length_of(block, k)) : std::numeric_limits<double>::quiet_NaN();
  });
  return numbers.array();
}

nb::list length_correlations(const TextColumn& output, const TextColumn& reference, std::size_t width, double offset,
                             std::size_t min_lines) {
  if (output.size() != reference.size() || width == 0) throw nb::value_error("columns differ in length");
  assay::LengthCorrelations found(width, offset, min_lines);
  const auto length = [](const Column& block, std::size_t k) {
    return block.present(k) ? static_cast<double>(length_of(block, k)) : std::numeric_limits<double>::quiet_NaN();
  };
  output.for_each_pair(reference, [&](const Column& block, const Column& other_block, std::size_t k, std::size_t) {
    found.add(length(block, k), length(other_block, k));
    return true;
  });
  nb::list correlations;
  for (const double correlation : std::move(found).finish()) correlations.append(correlation);
  return correlations;
}

// The indices of the texts that a condition holds for: condition(block, k) for text k of a block in memory.
template <class Condition>
nb::list indices_where(const TextColumn& texts, Condition condition) {
  nb::list indices;
  texts.for_each([&](const Column& block, std::size_t k, std::size_t i) {
    if (condition(block, k)) indices.append(i);
  });
  return indices;
}

nb::list blank_lines(const TextColumn& texts) {
  return indices_where(texts, [](const Column& block, std::size_t k) { return assay::is_blank(block, k); });
}

nb::list long_lines(const TextColumn& texts, std::size_t characters) {
  return indices_where(texts, [&](const Column& block, std::size_t k) {
    const std::size_t bytes = !block.is_utf8() ? block[k].length : block.present(k) ? block.bytes_of(k) : 0;
    return bytes >= characters && assay::length_of(block, k) >= characters;  // a character has at least one byte
  });
}

bool contains(const Text& text, std::uint8_t ascii) {
  if (text.is_utf8) return std::memchr(text.data, ascii, text.length) != nullptr;
  return text.present() && assay::visit_characters(text, [&](auto characters) {
           return std::find(characters.begin(), characters.end(), ascii) != characters.end();
         });
}

nb::list lines_containing(const TextColumn& texts, const std::string& character) {
  if (character.size() != 1 || character[0] < 0) throw nb::value_error("an ASCII character is needed");
  return indices_where(texts, [c = static_cast<std::uint8_t>(character[0])](const Column& block, std::size_t k) {
    return contains(block[k], c);
  });
}

nb::list equal_lines(const TextColumn& texts, const TextColumn& others) {
  if (texts.size() != others.size()) throw nb::value_error("columns differ in length");
  nb::list indices;
  texts.for_each_pair(others, [&](const Column& block, const Column& other_block, std::size_t k, std::size_t i) {
    if (assay::are_equal(block, other_block, k) && contains(block[k], ' ')) indices.append(i);
    return true;
  });
  return indices;
}

nb::list lines_to_normalize(const TextColumn& texts) {
  return indices_where(texts, [](const Column& block, std::size_t k) { return assay::may_be_decomposed(block[k]); });
}

nb::list lines_to_decode(const TextColumn& texts) {
  return indices_where(texts, [](const Column& block, std::size_t k) { return assay::may_be_double_encoded(block[k]); });
}

// For each range of code points, given by its first one, how many letters of the text are in it.
nb::list letter_counts(const nb::str& text, const nb::list& ranges) {
  std::vector<std::uint32_t> starts;
  for (const nb::handle start : ranges) starts.push_back(nb::cast<std::uint32_t>(start));
  std::vector<std::size_t> counts(starts.size());
  std::uint32_t first = 1, last = 0;  // the range of the latest letter: the next one is often in the same
  std::size_t range = 0;
  assay::visit_characters(view(text.ptr()), [&](auto characters) {
    for (const Py_UCS4 c : characters) {
      if (c < 0x80 ? !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') : !Py_UNICODE_ISALPHA(c)) continue;
      if (c < first || c > last) {
        const auto next = std::upper_bound(starts.begin(), starts.end(), c);
        if (next == starts.begin()) continue;
        range = static_cast<std::size_t>(next - starts.begin()) - 1;
        first = starts[range], last = next == starts.end() ? 0x10FFFF : *next - 1;
      }
      ++counts[range];
    }
  });
  nb::list found;
  for (const std::size_t count : counts) found.append(count);
  return found;
}

// Strings to look for: lists of them, one for each mark. A range of code points, given by its first one, has a script.
assay::LineMarker line_marker(const nb::list& strings, const nb::list& starts, const nb::list& scripts, std::uint32_t spaceless) {
  using Kind = assay::CharacterKind;
  if (strings.size() > assay::kStrings || starts.size() != scripts.size()) throw nb::value_error("too many marks, or scripts");
  std::vector<std::uint16_t> kinds(Kind::characters);
  for (std::size_t range = 0; range < starts.size(); ++range) {
    const auto script = nb::cast<std::uint8_t>(scripts[range]);
    if (script >= Kind::scripts) throw nb::value_error("too many scripts");
    if (script == 0) continue;
    const std::size_t last = range + 1 < starts.size() ? nb::cast<std::size_t>(starts[range + 1]) : Kind::characters;
    for (auto c = nb::cast<std::size_t>(starts[range]); c < std::min(last, Kind::characters); ++c) {
      const auto letter = static_cast<Py_UCS4>(c);
      if (!Py_UNICODE_ISALPHA(letter)) continue;
      const int cases = (Py_UNICODE_ISUPPER(letter) ? Kind::upper : 0) | (Py_UNICODE_ISLOWER(letter) ? Kind::lower : 0);
      kinds[c] = static_cast<std::uint16_t>(script << Kind::script_shift | cases);
    }
  }
  std::vector<std::pair<std::u32string, std::size_t>> marked;
  for (std::size_t mark = 0; mark < strings.size(); ++mark)
    for (const nb::handle string : nb::cast<nb::list>(strings[mark]))
      assay::visit_characters(view(string.ptr()), [&](auto characters) {
        const auto is_wide = [](std::uint32_t c) { return c >= Kind::characters; };
        if (characters.empty() || std::any_of(characters.begin(), characters.end(), is_wide)) throw nb::value_error("not a string to look for");
        marked.emplace_back(std::u32string(characters.begin(), characters.end()), mark);
      });
  return {std::move(kinds), marked, spaceless};
}

assay::LineMarks line_marks(const assay::LineMarker& marker, const TextColumn& column) {
  assay::LineMarks marks(column.size());
  column.for_each([&](const Column& block, std::size_t k, std::size_t i) { marks.put(i, marker.mark(block[k])); });
  return marks;
}

// Other columns of the same length.
std::vector<const assay::LineMarks*> others_of(const assay::LineMarks& marks, const nb::list& others) {
  std::vector<const assay::LineMarks*> found;
  for (const nb::handle other : others) {
    found.push_back(&nb::cast<const assay::LineMarks&>(other));
    if (found.back()->size() != marks.size()) throw nb::value_error("columns differ in length");
  }
  return found;
}

const assay::LineMarks& as_long(const assay::LineMarks& marks, const assay::LineMarks& other) {
  if (marks.size() != other.size()) throw nb::value_error("columns differ in length");
  return other;
}

template <class Numbers>
nb::list list_of(const Numbers& numbers) {
  nb::list list;
  for (const std::size_t number : numbers) list.append(number);
  return list;
}

// Counts how often the words of some lists occur in a text. A word is a run of letters.
class WordLists {
 public:
  explicit WordLists(const nb::list& lists) : lists_(lists.size()) {
    if (lists_ > 64) throw nb::value_error("at most 64 lists");
    std::map<std::u32string, std::uint64_t> places;
    for (std::size_t i = 0; i < lists_; ++i)
      for (const nb::handle word : nb::cast<nb::list>(lists[i]))
        assay::visit_characters(view(word.ptr()), [&](auto characters) {
          places[std::u32string(characters.begin(), characters.end())] |= std::uint64_t{1} << i;
          longest_ = std::max(longest_, characters.size());
        });
    slots_.resize(std::bit_ceil(4 * places.size() + 1));
    for (const auto& [word, on] : places) {
      words_.push_back({letters_.size(), word.size(), on});
      letters_ += word;
      std::size_t slot = first_slot(word);
      while (slots_[slot] != 0) slot = (slot + 1) % slots_.size();
      slots_[slot] = static_cast<std::uint32_t>(words_.size());
    }
  }

  // The number of words, of those with one letter, and for every two lists how many of the words are on both.
  nb::tuple count(const nb::str& text) const {
    std::vector<std::size_t> common(lists_ * lists_);
    std::size_t words = 0, letters = 0, length = 0;
    std::u32string word;
    const auto end_word = [&] {
      words += length > 0;
      letters += length == 1;
      if (length > 0 && length <= longest_) count_pairs(lists_with(word), common);
      length = 0;
      word.clear();
    };
    assay::visit_characters(view(text.ptr()), [&](auto characters) {
      for (const Py_UCS4 c : characters) {
        if (!is_letter(c)) {
          end_word();
          continue;
        }
        if (length < longest_) word.push_back(static_cast<char32_t>(c));
        ++length;
      }
      end_word();
    });
    nb::list rows;
    for (std::size_t i = 0; i < lists_; ++i) {
      nb::list row;
      for (std::size_t k = 0; k < lists_; ++k) row.append(common[i * lists_ + k]);
      rows.append(std::move(row));
    }
    return nb::make_tuple(words, letters, rows);
  }

 private:
  struct Word {
    std::size_t start, length;
    std::uint64_t lists;  // a bit for each that it is on
  };

  std::size_t first_slot(std::u32string_view word) const {
    std::uint64_t hash = 0;
    for (const char32_t letter : word) hash = (hash ^ letter) * 0x9E3779B97F4A7C15u;
    return (hash >> 32) % slots_.size();
  }

  std::uint64_t lists_with(std::u32string_view word) const {
    for (std::size_t slot = first_slot(word); slots_[slot] != 0; slot = (slot + 1) % slots_.size()) {
      const Word& found = words_[slots_[slot] - 1];
      if (std::u32string_view(letters_).substr(found.start, found.length) == word) return found.lists;
    }
    return 0;
  }

  void count_pairs(std::uint64_t lists, std::vector<std::size_t>& common) const {
    for (std::uint64_t left = lists; left != 0; left &= left - 1)
      for (std::uint64_t other = lists; other != 0; other &= other - 1)
        ++common[static_cast<std::size_t>(std::countr_zero(left)) * lists_ + static_cast<std::size_t>(std::countr_zero(other))];
  }

  // The characters that the regular expression [^\W\d_] matches.
  static bool is_letter(Py_UCS4 c) {
    if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return Py_UNICODE_ISALNUM(c) && !Py_UNICODE_ISDECIMAL(c);
  }

  std::size_t lists_, longest_ = 0;
  // A hash table in contiguous memory: a test set is checked once, when nothing of it is in the processor's caches yet.
  std::vector<std::uint32_t> slots_;  // the number of a word, or 0
  std::vector<Word> words_;
  std::u32string letters_;  // of all words
};

// The trigrams of the first characters of every text, in lower case.
assay::LineTrigrams line_trigrams(const TextColumn& texts, std::size_t max_characters) {
  assay::LineTrigrams trigrams;
  std::vector<Py_UCS4> lowered;
  texts.for_each([&](const Column& block, std::size_t k, std::size_t) {
    const Text text = assay::start_of(block[k], max_characters);
    if (lower(text, lowered)) return trigrams.add({lowered.data(), lowered.size(), 4});
    const nb::object python_lowered = string_of(text).attr("lower")();
    trigrams.add(view(python_lowered.ptr()));
  });
  return trigrams;
}

// What identifies the texts: "-" for an absent one, else the number of bytes of its UTF-8, a colon and the bytes.
nb::bytes packed(const TextColumn& texts) {
  std::string out;
  const auto write = [&](const char* bytes, std::size_t size) {
    out += std::to_string(size) + ':';
    out.append(bytes, size);
  };
  texts.for_each([&](const Column& block, std::size_t k, std::size_t i) {
    if (!block.present(k)) {
      out += '-';
    } else if (block.is_utf8()) {
      write(reinterpret_cast<const char*>(block.bytes(k)), block.bytes_of(k));
    } else {
      const auto encoded = nb::steal<nb::bytes>(PyUnicode_AsUTF8String(texts.text(i).ptr()));
      if (!encoded.is_valid()) throw nb::python_error();
      write(encoded.c_str(), encoded.size());
    }
  });
  return nb::bytes(out.data(), out.size());
}

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The lines of UTF-8 in memory from byte `first` on, and how many of them ended in CR; None if it is not text.
nb::object read_lines(nb::handle buffer, std::size_t first) {
  const auto data = nb::cast<Bytes>(buffer);
  static const std::uint8_t nothing = 0;
  const std::uint8_t* const bytes = data.size() == 0 ? &nothing : data.data();
  struct Memory {
    std::optional<assay::Lines> lines;
    Bytes data;
  };
  auto memory = std::make_unique<Memory>(std::nullopt, data);
  const auto copied = std::make_shared<assay::LineMemory>();
  {
    const Released released;
    memory->lines = assay::index_lines(bytes, first, data.size());
    if (memory->lines && memory->lines->are_mixed())
      copied->copy(*memory->lines, 0, memory->lines->starts.size() - 1,
                   [&](std::size_t begin, std::size_t size, std::uint8_t* out) { std::copy_n(bytes + begin, size, out); });
  }
  if (!memory->lines) return nb::none();
  const assay::Lines& lines = *memory->lines;
  const std::size_t returns = lines.returns;
  if (lines.are_mixed()) return nb::make_tuple(TextColumn(assay::LineMemory::column(copied), nb::none()), returns);
  const Column column(bytes, lines.starts.data(), lines.starts.size() - 1, lines.gap);
  nb::capsule owner(memory.release(), [](void* p) noexcept { delete static_cast<Memory*>(p); });
  return nb::make_tuple(TextColumn(column, std::move(owner)), returns);
}

// The same for a file of this size, which is read when its lines are needed.
nb::object read_file_lines(nb::object read, std::size_t first, std::size_t size) {
  std::vector<std::uint8_t> piece(std::min(assay::kPiece, size));
  assay::LineIndex index(first);
  while (first < size) {
    const std::size_t left = std::min(piece.size(), size - first);
    FileLines::read(read, first, left, piece.data());
    const std::size_t taken = index.add(piece.data(), left);
    if (taken == 0) return nb::none();
    first += taken;
  }
  const auto file = std::make_shared<const FileLines>(std::move(read), std::move(index).lines());
  return nb::make_tuple(TextColumn(file, 0, file->size()), file->lines().returns);
}

// UTF-8 in Arrow's layout of large strings.
TextColumn utf8_column(const Bytes& data, nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> offsets,
                       const std::optional<Bytes>& validity, std::size_t first_bit) {
  static const std::uint8_t nothing = 0;
  if (offsets.size() == 0) throw nb::value_error("there is no offset");
  const std::size_t size = offsets.size() - 1;
  const std::int64_t* const starts = offsets.data();
  const std::uint8_t* const bytes = data.size() == 0 ? &nothing : data.data();
  if (validity && 8 * validity->size() < first_bit + size) throw nb::value_error("the validity bits are too few");
  const Column column(bytes, starts, size, 0, validity ? validity->data() : nullptr, first_bit);
  for (std::size_t i = 0; i < size; ++i) {
    if (i % kBlock == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    if (starts[i] < 0 || starts[i] > starts[i + 1] || static_cast<std::size_t>(starts[i + 1]) > data.size())
      throw nb::value_error("the offsets are not in order");
    if (column.present(i) && assay::valid_utf8(column.bytes(i), column.bytes_of(i)) < column.bytes_of(i))
      throw nb::value_error("the texts are not UTF-8");
  }
  return {column, nb::make_tuple(data, offsets, validity)};
}

auto trigram_similarities(const assay::TrigramTable& table, const assay::LineTrigrams& trigrams, std::int64_t offset) {
  const auto size = static_cast<std::int64_t>(table.lines());
  if (trigrams.lines() != table.lines()) throw nb::value_error("columns differ in length");
  Output<double> dice({table.lines()});
  if (size > 0) {
    const Released released;
    table.similarities(trigrams, static_cast<std::size_t>((offset % size + size) % size), dice.data());
  }
  return dice.array();
}

// `Column`, a sequence of str or None.
void bind_column(nb::module_& m) {
  nb::class_<TextColumn>(m, "Column", "The texts of one side of a test set.")
      .def(nb::init<nb::tuple>(), "texts"_a)
      .def_static("of_utf8", &utf8_column, "data"_a, "offsets"_a, "validity"_a.none(), "first_bit"_a,
                  "UTF-8 in Arrow's layout of large strings, used in place.")
      .def_prop_ro("flaw", &TextColumn::flaw, "(index, reason) of the first element that is not text, else None.")
      .def_prop_ro("is_utf8", &TextColumn::is_utf8, "Whether the texts are UTF-8.")
      .def("__len__", &TextColumn::size)
      .def("__getitem__", &TextColumn::at)
      .def("__getitem__", &TextColumn::slice)
      .def("__iter__", [](const TextColumn& self) -> nb::object {
        return self.is_utf8() ? nb::cast(TextIterator(self)) : nb::iter(self.tuple());
      })
      .def("__eq__", [](const TextColumn& self, const TextColumn& other) { return self.is_equal(other); }, nb::is_operator())
      .def("__hash__", [](const TextColumn& self) { return nb::hash(self.tuple()); })
      .def("__repr__", [](const TextColumn& self) {
        const std::size_t shown = 6;
        if (self.size() > shown) return "Column of " + std::to_string(self.size()) + " texts";
        return "Column(" + std::string(nb::repr(self.tuple()).c_str()) + ")";
      })
      .def("index", [](const TextColumn& self, nb::handle text) { return self.tuple().attr("index")(text); }, "text"_a.none())
      .def("count", [](const TextColumn& self, nb::handle text) { return self.tuple().attr("count")(text); }, "text"_a.none())
      .def("__reduce__", [](const TextColumn& self) { return nb::make_tuple(nb::type<TextColumn>(), nb::make_tuple(self.tuple())); })
      .def_prop_ro("is_complete", &TextColumn::is_complete, "Whether every segment has a text.")
      .def("take", [](const TextColumn& self, nb::ndarray<const std::int64_t, nb::ndim<1>, nb::device::cpu> segments) {
        std::vector<std::size_t> places(segments.size());
        for (std::size_t k = 0; k < places.size(); ++k) {
          const std::int64_t place = segments(k);
          if (place < 0 || static_cast<std::size_t>(place) >= self.size()) throw nb::index_error("column index out of range");
          places[k] = static_cast<std::size_t>(place);
        }
        return self.take(places);
      }, "segments"_a, "The texts with these numbers, in this order.")
      .def("without", &TextColumn::without, "text"_a, "None for all texts of UTF-8 that are equal to this one.");
  nb::class_<TextIterator>(m, "TextIterator", "The texts of a column of UTF-8.")
      .def(nb::init<TextColumn>(), "column"_a)
      .def("__iter__", [](const nb::object& self) { return self; })
      .def("__next__", &TextIterator::next);
  nb::implicitly_convertible<nb::tuple, TextColumn>();
  m.def("read_lines", &read_lines, "buffer"_a, "first"_a,
        "The lines of UTF-8 from a byte on, and how many ended in CR; None if it is not text.");
  m.def("read_file_lines", &read_file_lines, "read"_a, "first"_a, "size"_a,
        "The same for a file, which is read when its lines are needed: read(first, size) returns so many bytes, or fewer.");
}

}  // namespace

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);  // columns may live as long as the interpreter does
  m.doc() = "Kernels: text to sufficient statistics, and their weighted sums.";
  m.attr("unicode_tables") = assay::kUnicodeTables;
  m.def("tokenize", &tokenize, "line"_a, "tokenizer"_a, "Tokens of one line.");
  m.def("bleu_statistics", &bleu_statistics, "references"_a, "outputs"_a, "tokenizer"_a, "max_order"_a,
        "reference_length"_a, "threads"_a,
        "(system, segment, [output length, reference length, matches..., n-grams...]).");
  m.def("chrf_statistics", &chrf_statistics, "references"_a, "outputs"_a, "char_order"_a, "word_order"_a,
        "whitespace"_a, "beta"_a, "eps_smoothing"_a, "threads"_a,
        "(system, segment, [output, reference, match] per order), of the reference that scores highest.");
  nb::class_<NistWeights>(m, "NistWeights", "The information of the n-grams of references.")
      .def(nb::init<nb::tuple, std::string, int, bool>(), "references"_a, "tokenizer"_a, "max_order"_a,
           "zero_history"_a)
      .def("statistics", &NistWeights::statistics, "references"_a, "outputs"_a, "threads"_a,
           "(system, segment, [output length, mean reference length, information..., n-grams...]).")
      .def_prop_ro("digest", &NistWeights::digest, "The same for the same references.")
      .def("__deepcopy__", [](nb::object self, nb::handle) { return self; });  // immutable
  too_long_error = PyErr_NewExceptionWithDoc(
      "assay._core.TooLongError",
      "Texts that are too long to be compared. args: reference, system, segment, length of the reference, of the output.",
      PyExc_ValueError, nullptr);
  m.attr("TooLongError") = nb::borrow(too_long_error);
  m.def("rate_statistics", &rate_statistics, "references"_a, "outputs"_a, "rate"_a, "tokenizer"_a, "whitespace"_a,
        "chooses_as_moses"_a, "max_cells"_a, "threads"_a,
        "(system, segment, [edits, reference length]); per: [words in common, output length, reference length].");
  m.def("character_statistics", &character_statistics, "references"_a, "outputs"_a, "tokenizer"_a, "moves"_a, "max_cells"_a,
        "threads"_a, "(system, segment, [edits, output length]) of CharacTER, of the reference that scores best.");
  m.def("eed_statistics", &eed_statistics, "references"_a, "outputs"_a, "program"_a, "rewrites"_a, "alpha"_a, "rho"_a, "deletion"_a,
        "insertion"_a, "max_cells"_a, "threads"_a,
        "(system, segment, [errors, length]) of EED, of the reference that scores best. `rewrites`: prepare texts as for English.");
  m.def("lepor_statistics", &lepor_statistics, "references"_a, "outputs"_a, "tokenizer"_a, "alignment"_a, "max_order"_a,
        "max_cells"_a, "threads"_a,
        "(reference, system, segment, [output length, reference length, aligned words, position difference, common n-grams of order 2...]).");
  base_count_mismatch_error = PyErr_NewExceptionWithDoc(
      "assay._core.BaseCountMismatchError",
      "A text whose number of base forms differs from its number of words. args: whether it is an output, column, segment, words, base forms.",
      PyExc_ValueError, nullptr);
  m.attr("BaseCountMismatchError") = nb::borrow(base_count_mismatch_error);
  m.def("hjerson_statistics", &hjerson_statistics, "references"_a, "outputs"_a, "reference_bases"_a, "output_bases"_a,
        "tokenizer"_a, "threads"_a,
        "(system, segment, [output length, reference length, words of each class in the output, in the reference, blocks...]).");
  m.def("hjerson_labels", &hjerson_labels, "references"_a, "outputs"_a, "reference_bases"_a, "output_bases"_a, "tokenizer"_a,
        "threads"_a, "[(system, segment, reference, classes of the words of the reference, of the output)] of all cells with texts.");
  nb::class_<assay::BleuFormula>(m, "BleuFormula", "BLEU of sums of statistics.")
      .def("__init__", [](assay::BleuFormula* self, const std::string& flavour, std::size_t max_order, const std::string& smooth,
                          double smooth_value, bool effective_order, double factor) {
        if (max_order < 1 || max_order > assay::kMaxBleuOrder) throw nb::value_error("max_order must be between 1 and 128");
        new (self) assay::BleuFormula{assay::bleu_flavour_named(flavour), max_order, assay::bleu_smoothing_named(smooth),
                                      smooth_value, effective_order, factor};
      }, "flavour"_a, "max_order"_a, "smooth"_a, "smooth_value"_a, "effective_order"_a, "factor"_a)
      .def("scores", &scores<assay::BleuFormula>, "totals"_a, "(..., column) to (...).")
      .def("brevity_penalties", [](const assay::BleuFormula& self, nb::handle totals) {
        return for_each_row(totals, self.columns(), [](const auto* row) { return assay::BleuFormula::brevity_penalty(row); });
      }, "totals"_a, "(..., column) to (...).");
  nb::class_<assay::ChrfFormula>(m, "ChrfFormula", "chrF of sums of statistics.")
      .def("__init__", [](assay::ChrfFormula* self, std::size_t orders, double beta, bool eps_smoothing) {
        new (self) assay::ChrfFormula{orders, beta, eps_smoothing};
      }, "orders"_a, "beta"_a, "eps_smoothing"_a)
      .def("scores", &scores<assay::ChrfFormula>, "totals"_a, "(..., column) to (...).");
  m.def("chrf_utilities", &chrf_utilities, "texts"_a, "starts"_a, "references"_a.none(), "reference_starts"_a.none(), "char_order"_a,
        "word_order"_a, "whitespace"_a, "formula"_a, "keeps_all"_a, "threads"_a,
        "([mean utility of each candidate], [utilities (candidate, pseudo-reference) of each segment] or None).");
  m.def("bleu_utilities", &bleu_utilities, "texts"_a, "starts"_a, "references"_a.none(), "reference_starts"_a.none(), "tokenizer"_a,
        "formula"_a, "keeps_all"_a, "threads"_a,
        "([mean utility of each candidate], [utilities (candidate, pseudo-reference) of each segment] or None).");
  nb::class_<assay::NistFormula>(m, "NistFormula", "NIST of sums of statistics.")
      .def("__init__", [](assay::NistFormula* self, std::size_t max_order) { new (self) assay::NistFormula{max_order}; }, "max_order"_a)
      .def("scores", &scores<assay::NistFormula>, "totals"_a, "(..., column) to (...).");
  nb::class_<assay::RateFormula>(m, "RateFormula", "An edit rate of sums of statistics.")
      .def("__init__", [](assay::RateFormula* self, const std::string& rate, const std::string& flavour) {
        new (self) assay::RateFormula{assay::rate_named(rate) == assay::Rate::per, assay::rate_flavour_named(flavour)};
      }, "rate"_a, "flavour"_a)
      .def("scores", &scores<assay::RateFormula>, "totals"_a, "(..., column) to (...).");
  nb::class_<assay::ErrorShare>(m, "ErrorShare", "Errors as a share of a length, of sums of statistics.")
      .def(nb::init<double>(), "highest"_a)
      .def("scores", &scores<assay::ErrorShare>, "totals"_a, "(..., column) to (...).");
  m.def("ratios", &ratios, "sums"_a, "(..., [dividend, divisor]) to (...).");
  m.def("mean_table", &mean_table, "scores"_a, "(..., [score, 1]), or [0, 0] where a score is NaN.");
  nb::class_<Spreads>(m, "Spreads", "How many scores each system has, and their standard deviation; segments come part by part.")
      .def(nb::init<std::size_t>(), "systems"_a)
      .def("add", &Spreads::add, nb::lock_self(), "scores"_a, "The scores (system, segment) of the next segments; NaN is none.")
      .def_prop_ro("values", &Spreads::values, "(number, standard deviation) of each system.");
  m.def("replicate_summaries", &replicate_summaries, "replicates"_a, "confidence"_a,
        "For each row: the number of defined replicates, the percentile interval, and the standard deviation.");
  m.def("number_words", &number_words, "columns"_a, "tokenizer"_a,
        "(words, [(numbers of words, starts of texts) of each column]): the words of all texts, numbered from 0.");
  nb::class_<TokenColumn>(m, "TokenColumn", "The tokens of one side of a test set, as rows of a table of vectors.")
      .def(nb::init<Values<std::int32_t>, Values<std::int64_t>, Values<bool>, std::optional<Values<double>>>(), "tokens"_a, "starts"_a,
           "present"_a, "weights"_a.none());
  m.attr("max_tokens") = assay::kMaxTokens;
  m.def("clipped_matches", &clipped_matches, "references"_a, "outputs"_a, "groups"_a, "group_count"_a, "threads"_a,
        "(reference, system, segment, [matches, items of the output, of the reference] of each group); group -1: not counted.");
  m.def("sequence_matches", &sequence_matches, "sequences"_a, "starts"_a, "outputs"_a, "has_gaps"_a, "threads"_a,
        "(system, segment): how many of the sequences (sequence, word) of the segment are in the output.");
  m.def("cut_words", &cut_words, "reference"_a, "starts"_a, "output"_a, "places"_a, "symbols"_a,
        "(segment, [end, first and last of the equally good ends, edits]): an output cut at the segments of a reference. "
        "Places after its words: 0 is forbidden, 1 allowed, 2 preferred.");
  nb::class_<VectorTable>(m, "VectorTable", "The vectors of tokens, and which tokens count as equal.")
      .def(nb::init<Matrix<float>, Values<std::int32_t>>(), "vectors"_a, "forms"_a)
      .def(nb::init<Matrix<double>, Values<std::int32_t>>(), "vectors"_a, "forms"_a);
  m.def("ebleu_statistics", &ebleu_statistics, "references"_a, "outputs"_a, "vectors"_a, "softmax"_a, "temperature"_a,
        "diagonal"_a, "spread_zero_rows"_a, "equal"_a, "threads"_a,
        "(reference, system, segment, [output length, reference length, matched and meaning of the output..., of the "
        "reference...]).");
  m.def("yisi_statistics", &yisi_statistics, "references"_a, "outputs"_a, "vectors"_a, "equal"_a, "n"_a, "threads"_a,
        "(reference, system, segment, [precision, recall]), by the cosines of words.");
  m.def("yisi_form_statistics", &yisi_form_statistics, "references"_a, "outputs"_a, "letters"_a, "starts"_a, "exact"_a, "n"_a,
        "threads"_a, "(reference, system, segment, [precision, recall]), by the letters of words.");
  m.def("bertscore_statistics", &bertscore_statistics, "references"_a, "outputs"_a, "vectors"_a, "threads"_a,
        "(reference, system, segment, [precision, recall]); NaN if all tokens of a side have weight 0.");
  m.def("java_hashes", &java_hashes, "words"_a, "(hash, length) of each word as Java computes them.");
  nb::class_<assay::MeteorNormalizer>(m, "MeteorNormalizer", "METEOR's normaliser for a language.")
      .def(nb::new_(&meteor_normalizer), "contractions"_a, "prefixes"_a, "removes_punctuation"_a)
      .def("__call__", &normalize_line, "line"_a, "The words with a space between them.")
      .def("column", &normalize_column, "column"_a, "threads"_a, "The same for every text of a column.");
  nb::class_<Synonyms>(m, "Synonyms", "Words by synset, and the base forms of irregular words.")
      .def(nb::init<const nb::bytes&, const nb::bytes&>(), "synsets"_a, "exceptions"_a)
      .def("look_up", &Synonyms::look_up, "words"_a, "(starts, synsets): those of each word and its base forms, sorted.");
  nb::class_<ParaphraseBuilder>(m, "ParaphraseBuilder", "Builds a table of paraphrases from the lines of a file.")
      .def(nb::init<>())
      .def("add", &ParaphraseBuilder::add, nb::lock_self(), "piece"_a, "The next bytes of the file.")
      .def_prop_ro("lines", &ParaphraseBuilder::lines, nb::lock_self(), "How many lines there were.")
      .def("finish", &ParaphraseBuilder::finish, nb::lock_self(),
           "(words in lines, last words, first children, first paraphrases, paraphrases).");
  nb::class_<ParaphraseTable>(m, "ParaphraseTable", "Phrases as nodes of a trie, and the paraphrases of each.")
      .def(nb::init<Values<std::uint32_t>, Values<std::uint32_t>, Values<std::uint32_t>, Values<std::uint32_t>>(), "last_words"_a,
           "first_children"_a, "first_paraphrases"_a, "paraphrases"_a);
  nb::class_<MeteorWords>(m, "MeteorWords", "What METEOR's modules compare, by number of the word; empty: not used.")
      .def(nb::init<Values<std::int32_t>, Values<std::int32_t>, Values<std::int64_t>, Values<std::int32_t>, Values<std::int32_t>,
                    Values<std::int32_t>, Values<bool>, const ParaphraseTable*>(), nb::keep_alive<1, 9>(), "forms"_a, "stems"_a,
           "synset_starts"_a, "synsets"_a, "table_words"_a, "lengths"_a, "is_function"_a, "paraphrases"_a.none());
  m.def("meteor_statistics", &meteor_statistics, "references"_a, "outputs"_a, "words"_a, "threads"_a,
        "(reference, system, segment, [lengths, function words, matches of each module, chunks, words matched]).");
  m.def("meteor_alignments", &meteor_alignments, "references"_a, "outputs"_a, "words"_a, "threads"_a,
        "((match, [start and length in the reference, in the output, module]), starts by reference, system and segment).");
  m.def("bootstrap_weights", &bootstrap_weights, "first"_a, "resamples"_a, "segments"_a, "size"_a, "seed"_a,
        "threads"_a, "(resample, segment): how often each segment is drawn.");
  m.def("swap_weights", &swap_weights, "first"_a, "resamples"_a, "segments"_a, "seed"_a, "threads"_a,
        "(resample, segment): 1 if the segment is swapped, else 0.");
  m.def("bounded_draws", &bounded_draws, "words"_a, "bound"_a,
        "Integers below a bound from random words, by Lemire's method; words that it rejects are skipped.");
  m.def("count_draws", &count_draws, "draws"_a, "segments"_a,
        "(resample, segment): how often each segment is among the draws (resample, draw).");
  m.def("trueskill", &trueskill, "outcomes"_a, "sigma"_a, "beta_divisor"_a, "draw_margin"_a, "resample"_a, "runs"_a,
        "seed"_a, "threads"_a, "(run, system): the mean of each system after all matches.");
  m.def("co_moments", &co_moments, "x"_a, "y"_a, "mask"_a, "threads"_a,
        "([xx, yy, xy, exponent of x, of y], group): sums of products of deviations, in units of powers of two.");
  m.def("pair_counts", &pair_counts, "x"_a, "y"_a, "mask"_a, "pairs"_a.none(), "epsilon"_a, "tolerance"_a,
        "threads"_a,
        "(group, [concordant, discordant, tied in x alone, in y alone, in both]): pairs of items.");
  m.def("best_epsilon", &best_epsilon, "x"_a, "y"_a, "mask"_a, "pairs"_a.none(), "weights"_a,
        "The smallest epsilon with most pairs right, each weighing what its group does; x ties within epsilon.");
  nb::class_<TieSteps>(m, "TieSteps", "The pairs of groups, sorted for the calibration of resamples of whole groups.")
      .def(nb::init<Matrix<double>, Matrix<double>, Matrix<bool>, std::optional<Matrix<bool>>>(), "x"_a, "y"_a, "mask"_a,
           "pairs"_a.none())
      .def("calibrate", &TieSteps::calibrate, "weights"_a, "threads"_a,
           "The best epsilon of each row of weights (resample, group), and the correct pairs (resample, group) there.");
  m.def("swapped_pairs", &swapped_pairs, "metrics"_a, "human"_a, "mask"_a, "pairs"_a.none(), "weights"_a, "swaps"_a,
        "statistic"_a, "threads"_a,
        "(pair of metrics, resample): the difference of their means over groups after scores were swapped between them.");
  m.def("swapped_spa", &swapped_spa, "metrics"_a, "mask"_a, "pairs"_a, "human"_a, "coins"_a, "swaps"_a, "ties_in_full"_a,
        "threads"_a,
        "(pair of metrics, resample): the difference of their soft pairwise accuracies after scores were swapped.");
  m.def("parse_score_lines", &parse_score_lines, "data"_a,
        "(systems, number of scores of each block, scores) of a regular score file, else None.");
  bind_column(m);
  m.def("lower", &lower_column, "column"_a, "str.lower of every text of a column.");
  m.def("present", &present, "column"_a, "Which elements of a column are not None.");
  m.def("lengths", &lengths, "column"_a, "The number of characters of every text, NaN where there is none.");
  m.def("length_correlations", &length_correlations, "output"_a, "reference"_a, "width"_a, "offset"_a, "min_lines"_a,
        "How well the lengths of lines correlate in each window; NaN where there is nothing to compare.");
  m.def("blank_lines", &blank_lines, "column"_a, "The indices of texts that are empty or white space.");
  m.def("long_lines", &long_lines, "column"_a, "characters"_a, "The indices of texts with at least so many characters.");
  m.def("lines_containing", &lines_containing, "column"_a, "character"_a, "The indices of texts with an ASCII character.");
  m.def("packed", &packed, "column"_a, "The texts as bytes that differ if the texts do, for a digest.");
  m.def("equal_lines", &equal_lines, "column"_a, "other"_a, "The indices of texts that are equal in both columns and have a space, so more than one word.");
  m.def("lines_to_normalize", &lines_to_normalize, "column"_a,
        "The indices of texts that may not be in Unicode normal form C; all others are.");
  m.def("lines_to_decode", &lines_to_decode, "column"_a,
        "The indices of texts that may have been encoded as UTF-8 twice; all others were not.");
  m.def("letter_counts", &letter_counts, "text"_a, "ranges"_a,
        "How many letters of a text are in each range of code points, given by its first one, in increasing order.");
  nb::class_<WordLists>(m, "WordLists", "Counts how often the words of some lists occur in a text.")
      .def(nb::init<const nb::list&>(), "lists"_a)
      .def("count", &WordLists::count, "text"_a,
           "The number of words (runs of letters), of those with one letter, and for every two lists how many of the words are on both.");
  nb::class_<assay::LineMarker>(m, "LineMarker", "Finds strings, capitals and the script of letters in every line of a column.")
      .def("__init__", [](assay::LineMarker* self, const nb::list& strings, const nb::list& starts, const nb::list& scripts, std::uint32_t spaceless) {
        new (self) assay::LineMarker(line_marker(strings, starts, scripts, spaceless));
      }, "strings"_a, "starts"_a, "scripts"_a, "spaceless"_a);
  nb::class_<assay::LineMarks>(m, "LineMarks", "The marks of the lines of a column. Lines without text do not count.")
      .def("__init__", [](assay::LineMarks* self, const assay::LineMarker& marker, const TextColumn& column) {
        new (self) assay::LineMarks(line_marks(marker, column));
      }, "marker"_a, "column"_a)
      .def("counts", [](const assay::LineMarks& self, const nb::list& others) { return list_of(self.counts(others_of(self, others))); },
           "others"_a, "For each mark, how many lines have it in this column only.")
      .def("lines", [](const assay::LineMarks& self, std::size_t mark, const nb::list& others) {
        if (mark >= assay::kMarks) throw nb::index_error("no such mark");
        return list_of(self.lines(mark, others_of(self, others)));
      }, "mark"_a, "others"_a, "The indices of lines that have a mark in this column only.")
      .def("in_other_script", [](const assay::LineMarks& self, const assay::LineMarks& other, std::size_t letters) {
        return list_of(self.in_other_script(as_long(self, other), letters));
      }, "other"_a, "letters"_a, "The indices of lines with at least so many letters in both columns, nearly all of one script, which differs.")
      .def("of_length", [](const assay::LineMarks& self, const assay::LineMarks& other, double low, double high) {
        return list_of(self.of_length(as_long(self, other), low, high));
      }, "other"_a, "low"_a, "high"_a, "The indices of lines that have from `low` to below `high` times the characters of the other column.")
      .def("of_same_start", [](const assay::LineMarks& self, const assay::LineMarks& other) {
        return list_of(self.of_same_start(as_long(self, other)));
      }, "other"_a, "The indices of lines that start with the same characters.");
  nb::class_<assay::LineTrigrams>(m, "LineTrigrams", "The trigrams of the first characters of every text, in lower case.")
      .def("__init__", [](assay::LineTrigrams* self, const TextColumn& column, std::size_t max_characters) {
        new (self) assay::LineTrigrams(line_trigrams(column, max_characters));
      }, "column"_a, "max_characters"_a);
  nb::class_<assay::TrigramTable>(m, "TrigramTable", "Which rare trigrams each line of a column has.")
      .def(nb::init<const assay::LineTrigrams&, double>(), "trigrams"_a, "rare_share"_a)
      .def("rare", &assay::TrigramTable::rare, "trigrams"_a, "The trigrams of another column that are rare in this one.")
      .def("similarities", &trigram_similarities, "rare_trigrams"_a, "offset"_a,
           "The Dice coefficient of every line of another column with the line `offset` further on, cyclically.");
  nb::class_<Summable>(m, "Summable", "A table (system, segment, column) laid out for weighted sums.")
      .def(nb::init<Table<std::int64_t>>(), "table"_a.noconvert())
      .def(nb::init<Table<double>>(), "table"_a.noconvert())
      .def("sums", &sums, "weights"_a, "threads"_a,
           "(system, row of weights, column): exact for integers, in a fixed order for reals.");
  nb::class_<Totals>(m, "Totals", "Sums over all segments and over each resample, added up over parts of the segments.")
      .def(nb::init<std::size_t, std::size_t, std::size_t, std::uint64_t, int>(), "segments"_a, "resamples"_a, "size"_a,
           "seed"_a, "threads"_a)
      .def("add", &Totals::add, nb::lock_self(), "tables"_a, "The next segments of each table: whole chunks, or all that are left.")
      .def_prop_ro("sums", &Totals::sums, "For each table (system, 1, column).")
      .def_prop_ro("replicates", &Totals::replicates, "For each table (system, resample, column).");
  m.attr("chunk") = assay::kChunk;
  m.def("swap_sums", &swap_sums, "tables"_a, "first"_a, "resamples"_a, "segments"_a, "seed"_a, "threads"_a,
        "For each table (system, resample, column): its sums with the swap weights.");
  m.def("bootstrap_sums", &bootstrap_sums, "tables"_a, "first"_a, "resamples"_a, "segments"_a, "size"_a, "seed"_a,
        "threads"_a, "For each table (system, resample, column): its sums with the bootstrap weights.");
}
