// A kernel at each width of characters: a segment is processed at the width of its widest text.
#pragma once

#include <cstdint>

namespace assay {

// Kernel<Char> is made three times, with the same options.
template <template <class> class Kernel>
class ByWidth {
 public:
  template <class... Options>
  explicit ByWidth(const Options&... options) : narrow_(options...), medium_(options...), wide_(options...) {}

  // Calls the kernel for characters of `width` bytes.
  template <class... Arguments>
  void operator()(std::uint8_t width, const Arguments&... arguments) {
    switch (width) {
      case 1: narrow_(arguments...); break;
      case 2: medium_(arguments...); break;
      default: wide_(arguments...); break;
    }
  }

 private:
  Kernel<std::uint8_t> narrow_;
  Kernel<std::uint16_t> medium_;
  Kernel<std::uint32_t> wide_;
};

}  // namespace assay
