// EED, the extended edit distance of characters (Stanchev et al. 2019): per system and segment [errors, length].
//
// A path reads the reference from its first to its last character and moves over the gaps between the characters of the output,
// as in CDER (cder.hpp): a match is free, a substitution costs 1, to read a reference character without a step `insertion`, to
// step over an output character `deletion`, and after a space of the reference a jump to any gap costs `alpha`. Each character
// of the reference is read at the gap that is cheapest after it. The visits of all gaps, where no visit counts as one and the first
// visit is free, times `rho`, are the coverage cost: it is added to the cost and to the length of the reference, which it is divided by.
//
// Costs are sums of the real numbers above in the order of the path, and rounding errors decide which of two gaps is cheapest, so
// every addition is done as the programs do it. `EedProgram::rwth` is the authors' compiled program, which computes in single
// precision, compares with the integer part of the lowest cost so far, and does not count visits of the gap before the output.
// Cost: O(output x reference) time, and memory linear in the texts. Up to four rows are computed at once, because each cell of a
// row waits for the one before it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "assay/column.hpp"
#include "assay/eed_text.hpp"
#include "assay/effort.hpp"
#include "assay/error_share.hpp"
#include "assay/segment.hpp"
#include "assay/text.hpp"
#include "assay/too_long.hpp"

namespace assay {

enum class EedProgram { torchmetrics, rwth, wmt19 };

inline EedProgram eed_program_named(std::string_view name) {
  if (name == "torchmetrics") return EedProgram::torchmetrics;
  if (name == "rwth") return EedProgram::rwth;
  if (name == "wmt19") return EedProgram::wmt19;
  throw std::invalid_argument("no program of EED is called '" + std::string(name) + "'");
}

struct EedOptions {
  double alpha = 2, rho = 0.3, deletion = 0.2, insertion = 1;
  EedProgram program = EedProgram::torchmetrics;
  EedForm form = EedForm::english;
  std::int64_t max_work = Effort::kUnlimited;  // on one output and one reference (effort.hpp)
};

// `Real` is the precision of the program.
template <class Real>
class EedDistance {
 public:
  explicit EedDistance(const EedOptions& options)
      : program_(options.program), alpha_(static_cast<Real>(options.alpha)), rho_(static_cast<Real>(options.rho)),
        deletion_(static_cast<Real>(options.deletion)), insertion_(static_cast<Real>(options.insertion)) {}

  // Fills a row; characters are numbers, which are exact in single precision.
  void operator()(std::span<const Real> reference, std::span<const Real> output, Effort& effort, double* row) {
    effort.plan(static_cast<std::int64_t>((reference.size() + 1) * (output.size() + 1)));
    costs_.assign(output.size() + 1, 1);
    costs_[0] = 0;
    visits_.assign(output.size() + 1, 0);
    for (std::size_t first = 0; first < reference.size();) {
      // A jump ends a group of rows.
      const auto most = reference.subspan(first, std::min(kRows, reference.size() - first));
      const auto rows = static_cast<std::size_t>(std::ranges::find(most, kSpace) - most.begin());
      const bool has_jump = rows < most.size();
      const Real lowest = advance(most.first(has_jump ? rows + 1 : rows), output);
      if (has_jump) jump(alpha_ + lowest);
      first += has_jump ? rows + 1 : rows;
      effort.spend(static_cast<std::int64_t>(kRows * costs_.size()));
    }
    const Real coverage = rho_ * static_cast<Real>(visits());
    row[0] = static_cast<double>(costs_.back() + coverage);
    row[1] = static_cast<double>(static_cast<Real>(reference.size()) + coverage);
  }

 private:
  static constexpr bool kIsAuthors = std::is_same_v<Real, float>;
  static constexpr Real kSpace = ' ';
  static constexpr std::size_t kRows = 4;

  // Reads some characters of the reference. Returns the lowest cost after the last of them.
  Real advance(std::span<const Real> characters, std::span<const Real> output) {
    switch (characters.size()) {
      case 1: return advance_rows<1>(characters.data(), output);
      case 2: return advance_rows<2>(characters.data(), output);
      case 3: return advance_rows<3>(characters.data(), output);
      default: return advance_rows<4>(characters.data(), output);
    }
  }

  template <std::size_t Rows>
  Real advance_rows(const Real* characters, std::span<const Real> output) {
    std::array<Real, Rows> character, left, lowest, threshold;
    std::array<std::size_t, Rows> place{};
    Real above = costs_[0], before = above;
    for (std::size_t k = 0; k < Rows; ++k) {
      character[k] = characters[k];
      above = left[k] = lowest[k] = above + 1;
      threshold[k] = to_compare(above);
    }
    costs_[0] = above;
    const Real deletion = deletion_, insertion = insertion_;
    Real* const costs = costs_.data();
    for (std::size_t i = 1; i <= output.size(); ++i) {
      const Real letter = output[i - 1];
      Real diagonal = before;
      above = before = costs[i];
      for (std::size_t k = 0; k < Rows; ++k) {
        const Real substituted = diagonal + static_cast<Real>(letter != character[k]);
        const Real cost = std::min(left[k] + deletion, std::min(substituted, above + insertion));
        diagonal = left[k];
        above = left[k] = cost;
        const bool is_lower = cost < threshold[k];
        place[k] = is_lower ? i : place[k];
        threshold[k] = is_lower ? to_compare(cost) : threshold[k];
        if constexpr (kIsAuthors) lowest[k] = is_lower ? cost : lowest[k];
      }
      costs[i] = above;
    }
    for (std::size_t k = 0; k < Rows; ++k) ++visits_[place[k]];
    return kIsAuthors ? lowest[Rows - 1] : threshold[Rows - 1];
  }

  static Real to_compare(Real cost) { return kIsAuthors ? static_cast<Real>(static_cast<std::int64_t>(cost)) : cost; }

  void jump(Real most) {
    for (Real& cost : costs_) cost = std::min(cost, most);
  }

  std::int64_t visits() const {
    std::int64_t sum = 0;
    for (std::size_t i = program_ == EedProgram::rwth ? 1 : 0; i < visits_.size(); ++i) {
      const std::int64_t visits = visits_[i];
      if (program_ == EedProgram::wmt19) sum += visits > 1 ? visits : 0;
      else sum += visits > 0 ? visits - 1 : 1;
    }
    return sum;
  }

  EedProgram program_;
  Real alpha_, rho_, deletion_, insertion_;
  std::vector<Real> costs_;           // by gap of the output: of the cheapest path to it
  std::vector<std::int64_t> visits_;  // by gap of the output
};

template <class Real>
struct EedOf {
  template <class Char>
  class Segment {
   public:
    explicit Segment(const EedOptions& options) : text_(options.form), effort_(options.max_work), distance_(options) {}

    // Fills rows[s], zero on entry.
    void operator()(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segment,
                    const std::vector<double*>& rows) {
      outputs_.resize(outputs.size());
      for (std::size_t s = 0; s < outputs.size(); ++s)
        if (outputs[s][segment].present()) text_(outputs[s][segment], outputs_[s]);
      for (std::size_t r = 0, compared = 0; r < references.size(); ++r) {
        if (!references[r][segment].present()) continue;
        text_(references[r][segment], reference_);
        for (std::size_t s = 0; s < outputs.size(); ++s) {
          if (!outputs[s][segment].present()) continue;
          double row[kErrorShareColumns];
          try {
            effort_.start();
            distance_(reference_, outputs_[s], effort_, row);
          } catch (const TooMuchWork&) {
            throw TooLong(r, s, segment, reference_.size(), outputs_[s].size());
          }
          if (compared == 0 || ErrorShare::is_better(row, rows[s])) std::copy_n(row, kErrorShareColumns, rows[s]);
        }
        ++compared;
      }
    }

   private:
    EedText<Char> text_;
    Effort effort_;
    EedDistance<Real> distance_;
    std::vector<Real> reference_;
    std::vector<std::vector<Real>> outputs_;
  };
};

// table: (system, segment, column), zero on entry; rows stay zero where an output or all references are absent.
inline void eed_statistics(const std::vector<Column>& references, const std::vector<Column>& outputs, std::size_t segments,
                           const EedOptions& options, int threads, double* table) {
  const auto fill = [&]<class Real>() {
    segment_statistics<EedOf<Real>::template Segment>(references, outputs, outputs.size(), segments, kErrorShareColumns, threads,
                                                      table, options);
  };
  if (options.program == EedProgram::torchmetrics) fill.template operator()<double>();
  else fill.template operator()<float>();
}

}  // namespace assay
