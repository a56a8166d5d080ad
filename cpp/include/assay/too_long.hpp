// An output and a reference that are too long to be compared.
#pragma once

#include <cstddef>

#include "assay/parallel.hpp"

namespace assay {

struct TooLong : ItemFailure {
  TooLong(std::size_t reference, std::size_t system, std::size_t segment, std::size_t reference_length, std::size_t output_length)
      : reference(reference), system(system), segment(segment), reference_length(reference_length), output_length(output_length) {}

  std::size_t reference, system, segment;
  std::size_t reference_length, output_length;  // in words, or in characters for CER
};

}  // namespace assay
