// The only file that uses Python: converts strings to views and results to arrays, and releases the GIL in between.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "assay/bleu.hpp"
#include "assay/chrf.hpp"
#include "assay/interrupt.hpp"
#include "assay/moments.hpp"
#include "assay/nist.hpp"
#include "assay/numpy_draws.hpp"
#include "assay/rank.hpp"
#include "assay/rates.hpp"
#include "assay/resample.hpp"
#include "assay/score_lines.hpp"
#include "assay/sums.hpp"
#include "assay/swapped_pairs.hpp"
#include "assay/swapped_spa.hpp"
#include "assay/text.hpp"
#include "assay/tie_calibration.hpp"
#include "assay/tie_steps.hpp"
#include "assay/tokenize.hpp"
#include "assay/trigrams.hpp"
#include "assay/trueskill.hpp"

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

// Tuples, because they cannot change while the GIL is released.
Column column(const nb::tuple& texts) {
  Column out;
  out.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) out.push_back(view(PyTuple_GET_ITEM(texts.ptr(), static_cast<Py_ssize_t>(i))));
  return out;
}

std::vector<Column> columns(const nb::tuple& tuples, std::size_t segments) {
  std::vector<Column> out;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    out.push_back(column(nb::cast<nb::tuple>(tuples[i])));
    if (out.back().size() != segments) throw nb::value_error("columns differ in length");
  }
  return out;
}

std::size_t segment_count(const nb::tuple& tuples) {
  if (tuples.size() == 0) throw nb::value_error("no texts were given");
  return nb::cast<nb::tuple>(tuples[0]).size();
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

// A zeroed NumPy array that owns its memory.
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
  void shorten(std::size_t size) { shape_[0] = size; }
  nb::ndarray<nb::numpy, T> array() { return {data_, shape_.size(), shape_.data(), owner_}; }

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
  return table.array();
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
    return table.array();
  }

  std::uint64_t digest() const { return information_->digest(); }

 private:
  nb::tuple fitted_on_;
  std::unique_ptr<assay::Information> information_;
};

auto chrf_statistics(const nb::tuple& references, const nb::tuple& outputs, int char_order, int word_order,
                     bool whitespace, int threads) {
  if (char_order < 0 || word_order < 0 || char_order + word_order < 1)
    throw nb::value_error("char_order and word_order must not be negative nor both be 0");
  const std::size_t segments = segment_count(outputs);
  const auto reference_columns = columns(references, segments), output_columns = columns(outputs, segments);
  const assay::ChrfOptions options{char_order, word_order, whitespace};
  Output<std::int64_t> table({reference_columns.size(), output_columns.size(), segments, options.columns()});
  {
    const Released released;
    assay::chrf_statistics(reference_columns, output_columns, segments, options, threads, table.data());
  }
  return table.array();
}

PyObject* too_long_error = nullptr;  // the type _core.TooLongError

auto rate_statistics(const nb::tuple& references, const nb::tuple& outputs, const std::string& rate,
                     const std::string& tokenizer, bool whitespace, std::int64_t max_cells, int threads) {
  const std::size_t segments = segment_count(outputs);
  const auto reference_columns = columns(references, segments), output_columns = columns(outputs, segments);
  const assay::RateOptions options{assay::rate_named(rate), &assay::Tokenizer::named(tokenizer), whitespace, max_cells / 64};
  Output<std::int64_t> table({reference_columns.size(), output_columns.size(), segments, options.columns()});
  try {
    const Released released;
    assay::rate_statistics(reference_columns, output_columns, segments, options, threads, table.data());
  } catch (const assay::TooLong& pair) {
    const auto where = nb::make_tuple(pair.reference, pair.system, pair.segment, pair.reference_length, pair.output_length);
    PyErr_SetObject(too_long_error, where.ptr());
    throw nb::python_error();
  }
  return table.array();
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
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

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

// A table transposed for summing, once for any number of resamples.
class Summable {
 public:
  explicit Summable(Table<std::int64_t> table) : table_(assay::IntegerTable(table.data(), shape_of(table))) {}
  explicit Summable(Table<double> table) : table_(assay::RealTable(table.data(), shape_of(table))) {}

  std::size_t segments() const {
    return std::visit([](const auto& table) { return table.shape.segments; }, table_);
  }

  // Adds the sum of this table to others, and returns the array for its totals.
  nb::object add_to(std::vector<assay::AnySum>& sums, std::size_t rows) const {
    return std::visit(
        [&]<class T>(const T& table) {
          Output<typename T::Total> totals({table.shape.systems, rows, table.shape.columns});
          sums.push_back(assay::TableSum<T>(table, rows, totals.data()));
          return nb::cast(totals.array());
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
    totals.append(table->add_to(sums, rows));
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

// Characters that Python maps to lower case one by one. Scripts of East Asia, which have no capitals, need no look-up.
Py_UCS4 lower(Py_UCS4 c) {
  if (c < 0x80) return c + 32 * (c >= 'A' && c <= 'Z');
  return c >= 0x2E80 && c < 0xA640 ? c : Py_UNICODE_TOLOWER(c);
}

// The characters of str.lower, as far as Python maps them one by one. There are two exceptions: U+0130 becomes two characters,
// and the lower case of a capital sigma depends on its neighbours. False if a text contains either.
template <class Char>
bool lower(const Char* text, std::size_t length, std::vector<Py_UCS4>& lowered) {
  lowered.resize(length);
  for (std::size_t i = 0; i < length; ++i) {
    if (text[i] == 0x130 || text[i] == 0x3A3) return false;
    lowered[i] = lower(text[i]);
  }
  return true;
}

bool lower(const Text& text, std::vector<Py_UCS4>& lowered) {
  switch (text.width) {
    case 1: return lower(static_cast<const Py_UCS1*>(text.data), text.length, lowered);
    case 2: return lower(static_cast<const Py_UCS2*>(text.data), text.length, lowered);
    default: return lower(static_cast<const Py_UCS4*>(text.data), text.length, lowered);
  }
}

// str.lower
nb::object lower(PyObject* text, std::vector<Py_UCS4>& buffer) {
  const Text view_of_text = view(text);
  if (!view_of_text.present()) return nb::none();
  const auto length = static_cast<Py_ssize_t>(view_of_text.length);
  if (view_of_text.width == 1) {
    nb::object lowered = nb::steal(PyUnicode_New(length, PyUnicode_IS_ASCII(text) ? 0x7F : 0xFF));
    const auto* in = static_cast<const Py_UCS1*>(view_of_text.data);
    Py_UCS1* const out = PyUnicode_1BYTE_DATA(lowered.ptr());
    for (Py_ssize_t i = 0; i < length; ++i) {
      const bool is_capital = (in[i] >= 'A' && in[i] <= 'Z') || (in[i] >= 0xC0 && in[i] <= 0xDE && in[i] != 0xD7);
      out[i] = static_cast<Py_UCS1>(in[i] + 32 * is_capital);
    }
    return lowered;
  }
  if (!lower(view_of_text, buffer)) return nb::handle(text).attr("lower")();
  return nb::steal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, buffer.data(), length));
}

nb::tuple lower_column(const nb::tuple& texts) {
  nb::tuple lowered = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(texts.size())));
  std::vector<Py_UCS4> buffer;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto at = static_cast<Py_ssize_t>(i);
    PyTuple_SET_ITEM(lowered.ptr(), at, lower(PyTuple_GET_ITEM(texts.ptr(), at), buffer).release().ptr());
  }
  return lowered;
}

// Which elements of a column are not None.
auto present(const nb::tuple& texts) {
  Output<bool> is_present({texts.size()});
  for (std::size_t i = 0; i < texts.size(); ++i)
    is_present.data()[i] = PyTuple_GET_ITEM(texts.ptr(), static_cast<Py_ssize_t>(i)) != Py_None;
  return is_present.array();
}

// The number of characters of every text, NaN where it is absent.
auto lengths(const nb::tuple& texts) {
  Output<double> numbers({texts.size()});
  double* out = numbers.data();
  for (const Text& text : column(texts))
    *out++ = text.present() ? static_cast<double>(text.length) : std::numeric_limits<double>::quiet_NaN();
  return numbers.array();
}

// The indices of the texts that a condition holds for.
template <class Condition>
nb::list indices_where(const Column& texts, Condition condition) {
  nb::list indices;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (condition(texts[i], i)) indices.append(i);
  return indices;
}

nb::list blank_lines(const nb::tuple& texts) {
  return indices_where(column(texts), [](const Text& text, std::size_t) { return assay::is_blank(text); });
}

nb::list equal_lines(const nb::tuple& texts, const nb::tuple& others) {
  if (texts.size() != others.size()) throw nb::value_error("columns differ in length");
  const Column other = column(others);
  return indices_where(column(texts), [&](const Text& text, std::size_t i) { return assay::are_equal(text, other[i]); });
}

nb::list lines_to_normalize(const nb::tuple& texts) {
  return indices_where(column(texts), [](const Text& text, std::size_t) { return assay::may_be_decomposed(text); });
}

nb::list lines_to_decode(const nb::tuple& texts) {
  return indices_where(column(texts), [](const Text& text, std::size_t) { return assay::may_be_double_encoded(text); });
}

// The trigrams of the first characters of every text, in lower case.
assay::LineTrigrams line_trigrams(const nb::tuple& texts, std::size_t max_characters) {
  assay::LineTrigrams trigrams;
  std::vector<Py_UCS4> lowered;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    PyObject* const object = PyTuple_GET_ITEM(texts.ptr(), static_cast<Py_ssize_t>(i));
    Text text = view(object);
    text.length = std::min(text.length, max_characters);
    if (lower(text, lowered)) trigrams.add({lowered.data(), text.length, 4});
    else {
      const nb::object start = nb::steal(PyUnicode_Substring(object, 0, static_cast<Py_ssize_t>(text.length)));
      const nb::object python_lowered = start.attr("lower")();
      trigrams.add(view(python_lowered.ptr()));
    }
  }
  return trigrams;
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

// The first element of a column that is not valid text, as (index, reason), or None.
nb::object first_flaw(const nb::tuple& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    PyObject* const text = PyTuple_GET_ITEM(texts.ptr(), static_cast<Py_ssize_t>(i));
    if (text == Py_None) continue;
    if (PyList_Check(text) || PyTuple_Check(text)) return nb::make_tuple(i, "nested");
    if (!PyUnicode_Check(text)) return nb::make_tuple(i, "type");
    if (assay::has_surrogate(view(text))) return nb::make_tuple(i, "surrogate");
  }
  return nb::none();
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "Kernels: text to sufficient statistics, and their weighted sums.";
  m.attr("unicode_tables") = assay::kUnicodeTables;
  m.def("tokenize", &tokenize, "line"_a, "tokenizer"_a, "Tokens of one line.");
  m.def("bleu_statistics", &bleu_statistics, "references"_a, "outputs"_a, "tokenizer"_a, "max_order"_a,
        "reference_length"_a, "threads"_a,
        "(system, segment, [output length, reference length, matches..., n-grams...]).");
  m.def("chrf_statistics", &chrf_statistics, "references"_a, "outputs"_a, "char_order"_a, "word_order"_a,
        "whitespace"_a, "threads"_a, "(reference, system, segment, [output, reference, match] per order).");
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
        "max_cells"_a, "threads"_a,
        "(reference, system, segment, [edits, reference length]); per: [words in common, output length, reference length].");
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
  m.def("lower", &lower_column, "column"_a, "str.lower of every text of a column.");
  m.def("present", &present, "column"_a, "Which elements of a column are not None.");
  m.def("lengths", &lengths, "column"_a, "The number of characters of every text, NaN where there is none.");
  m.def("blank_lines", &blank_lines, "column"_a, "The indices of texts that are empty or white space.");
  m.def("equal_lines", &equal_lines, "column"_a, "other"_a, "The indices of texts that are equal in both columns.");
  m.def("lines_to_normalize", &lines_to_normalize, "column"_a,
        "The indices of texts that may not be in Unicode normal form C; all others are.");
  m.def("lines_to_decode", &lines_to_decode, "column"_a,
        "The indices of texts that may have been encoded as UTF-8 twice; all others were not.");
  nb::class_<assay::LineTrigrams>(m, "LineTrigrams", "The trigrams of the first characters of every text, in lower case.")
      .def("__init__", [](assay::LineTrigrams* self, const nb::tuple& column, std::size_t max_characters) {
        new (self) assay::LineTrigrams(line_trigrams(column, max_characters));
      }, "column"_a, "max_characters"_a);
  nb::class_<assay::TrigramTable>(m, "TrigramTable", "Which rare trigrams each line of a column has.")
      .def(nb::init<const assay::LineTrigrams&, double>(), "trigrams"_a, "rare_share"_a)
      .def("rare", &assay::TrigramTable::rare, "trigrams"_a, "The trigrams of another column that are rare in this one.")
      .def("similarities", &trigram_similarities, "rare_trigrams"_a, "offset"_a,
           "The Dice coefficient of every line of another column with the line `offset` further on, cyclically.");
  m.def("first_flaw", &first_flaw, "column"_a, "(index, reason) of the first element that is not text, else None.");
  nb::class_<Summable>(m, "Summable", "A table (system, segment, column) laid out for weighted sums.")
      .def(nb::init<Table<std::int64_t>>(), "table"_a)
      .def(nb::init<Table<double>>(), "table"_a)
      .def("sums", &sums, "weights"_a, "threads"_a,
           "(system, row of weights, column): exact for integers, in a fixed order for reals.");
  m.def("swap_sums", &swap_sums, "tables"_a, "first"_a, "resamples"_a, "segments"_a, "seed"_a, "threads"_a,
        "For each table (system, resample, column): its sums with the swap weights.");
  m.def("bootstrap_sums", &bootstrap_sums, "tables"_a, "first"_a, "resamples"_a, "segments"_a, "size"_a, "seed"_a,
        "threads"_a, "For each table (system, resample, column): its sums with the bootstrap weights.");
}
