// Edit rates of sums of statistics: edits over reference length, as the plain definitions, tercom and the Moses scorer have it.
//
//   score = 100 * edits / reference length; Moses prints 1 - edits / reference length
//   PER: 100 * (1 - (correct - max(0, output length - reference length)) / reference length), Moses 1 - PER / 100
//
// A row is [edits, reference length], of PER [correct, output length, reference length].
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assay {

enum class RateFlavour { plain, tercom, moses };

inline RateFlavour rate_flavour_named(std::string_view name) {
  if (name == "plain") return RateFlavour::plain;
  if (name == "tercom") return RateFlavour::tercom;
  if (name == "moses") return RateFlavour::moses;
  throw std::invalid_argument("no flavour of an edit rate is called '" + std::string(name) + "'");
}

struct RateFormula {
  bool is_per = false;
  RateFlavour flavour = RateFlavour::plain;

  std::size_t columns() const { return is_per ? 3 : 2; }

  // NaN if the references are empty and the flavour has no convention for it.
  template <class T>
  double score(const T* row) const { return is_per ? per(row) : rate(row); }

 private:
  template <class T>
  double rate(const T* row) const {
    const auto edits = static_cast<double>(row[0]), length = static_cast<double>(row[1]);
    if (flavour == RateFlavour::moses) return length == 0 ? 1.0 : 1 - edits / length;
    if (length != 0) return 100 * (edits / length);
    if (flavour == RateFlavour::tercom) return edits > 0 ? 100.0 : 0.0;  // as sacreBLEU does
    return std::numeric_limits<double>::quiet_NaN();
  }

  template <class T>
  double per(const T* row) const {
    const auto correct = static_cast<double>(row[0]), output = static_cast<double>(row[1]), length = static_cast<double>(row[2]);
    const double accuracy = (correct - std::max(0.0, output - length)) / length;
    if (flavour == RateFlavour::moses) return length == 0 ? 0.0 : accuracy;
    return length == 0 ? std::numeric_limits<double>::quiet_NaN() : 100 * (1 - accuracy);
  }
};

}  // namespace assay
