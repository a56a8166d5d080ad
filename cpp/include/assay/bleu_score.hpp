// BLEU (Papineni et al. 2002) of sums of statistics, as sacreBLEU, mteval and Moses compute it.
//
//   score = min(1, exp(1 - r/c)) * exp(1/K * sum over n <= K of log p_n), with p_n = matches_n / ngrams_n
//
// A row is [output length c, reference length r, matches of each order, n-grams of each order]. The programs differ in what they
// do about orders without a match or without n-grams. Cost: O(orders) for each row.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace assay {

inline constexpr std::size_t kMaxBleuOrder = 128;

enum class BleuFlavour { sacrebleu, mteval, moses };
enum class BleuSmoothing { none, exp, floor, add_k, add_all };  // Chen & Cherry 2014

inline BleuFlavour bleu_flavour_named(std::string_view name) {
  if (name == "sacrebleu") return BleuFlavour::sacrebleu;
  if (name == "mteval") return BleuFlavour::mteval;
  if (name == "moses") return BleuFlavour::moses;
  throw std::invalid_argument("unknown flavour of BLEU");
}

inline BleuSmoothing bleu_smoothing_named(std::string_view name) {
  if (name == "none") return BleuSmoothing::none;
  if (name == "exp") return BleuSmoothing::exp;
  if (name == "floor") return BleuSmoothing::floor;
  if (name == "add-k") return BleuSmoothing::add_k;
  if (name == "add-all") return BleuSmoothing::add_all;
  throw std::invalid_argument("unknown smoothing");
}

struct BleuFormula {
  BleuFlavour flavour = BleuFlavour::sacrebleu;
  std::size_t max_order = 4;
  BleuSmoothing smoothing = BleuSmoothing::exp;
  double smooth_value = 0;
  bool effective_order = false;
  double factor = 1;

  std::size_t columns() const { return 2 + 2 * max_order; }

  template <class T>
  double score(const T* row) const {
    return factor * (flavour == BleuFlavour::sacrebleu ? sacrebleu_score(row) : plain_score(row));
  }

  // min(1, exp(1 - r/c)), and 0 for an empty output with a non-empty reference.
  template <class T>
  static double brevity_penalty(const T* row) {
    const auto output = static_cast<double>(row[0]), reference = static_cast<double>(row[1]);
    return output < reference ? std::exp(std::min(0.0, 1.0 - reference / output)) : 1.0;
  }

 private:
  static constexpr double kLogZero = -9999999999.0;  // sacreBLEU's logarithm of 0

  template <class T>
  bool any_match(const T* row) const {
    return std::any_of(row + 2, row + 2 + max_order, [](T matches) { return matches > 0; });
  }

  // What is added to matches and n-grams of an order (from 0): add-k adds from order 2 on.
  double added(std::size_t n) const {
    return smoothing == BleuSmoothing::add_all || (smoothing == BleuSmoothing::add_k && n > 0) ? smooth_value : 0.0;
  }

  template <class T>
  double matches(const T* row, std::size_t n) const { return static_cast<double>(row[2 + n]) + added(n); }

  template <class T>
  double ngrams(const T* row, std::size_t n) const { return static_cast<double>(row[2 + max_order + n]) + added(n); }

  // The precision of each order in per cent, and how many orders count: those before the first without n-grams.
  template <class T>
  std::size_t smoothed(const T* row, double* precision) const {
    std::fill_n(precision, max_order, 0.0);
    double halved = 1;
    std::size_t n = 0;
    for (; n < max_order && ngrams(row, n) > 0; ++n) {
      const double found = matches(row, n), possible = ngrams(row, n);
      precision[n] = 100.0 * found / possible;
      if (found != 0) continue;
      // each further order without a match counts half as much
      if (smoothing == BleuSmoothing::exp) precision[n] = 100.0 / ((halved *= 2) * possible);
      if (smoothing == BleuSmoothing::floor) precision[n] = 100.0 * smooth_value / possible;
    }
    return n;
  }

  template <class T>
  double sacrebleu_score(const T* row) const {
    if (!any_match(row)) return 0.0;
    std::array<double, kMaxBleuOrder> precision;
    const std::size_t counted = smoothed(row, precision.data());
    const std::size_t last = effective_order ? counted : max_order;
    double sum = 0;
    for (std::size_t n = 0; n < last; ++n) sum += precision[n] > 0 ? std::log(precision[n]) : kLogZero;
    const auto orders = static_cast<double>(effective_order ? std::max<std::size_t>(counted, 1) : max_order);
    return std::min(brevity_penalty(row) * std::exp(sum / orders), 100.0);
  }

  // mteval's and Moses' score, 0 to 1: all orders count, and smoothing also applies if nothing matches.
  template <class T>
  double plain_score(const T* row) const {
    if (flavour == BleuFlavour::mteval && !(row[0] > 0)) return 0.0;
    const bool is_exp = smoothing == BleuSmoothing::exp;
    double sum = 0, halved = 1;
    for (std::size_t n = 0; n < max_order; ++n) {
      const double found = matches(row, n), possible = ngrams(row, n);
      if (!(possible > 0)) sum += is_exp ? 0.0 : std::log(0.0);  // for mteval the logarithm of a precision without n-grams is 0
      else if (is_exp && found == 0) sum += std::log(1.0 / ((halved *= 2) * possible));
      else sum += std::log(found / possible);
    }
    return std::min(brevity_penalty(row) * std::exp(sum / static_cast<double>(max_order)), 1.0);
  }
};

}  // namespace assay
