// Character -> integer, 0 at first. Blocks of 256 characters get memory when one of them is first written, because the texts
// of a language use few blocks: a table of all code points takes 4.4 MB, which a call would have to clear.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace assay {

template <class Char>
class CharacterTable {
 public:
  static constexpr std::uint32_t kLast = sizeof(Char) == 1 ? 0xFF : sizeof(Char) == 2 ? 0xFFFF : 0x10FFFF;

  std::uint32_t operator[](Char c) const { return cells_[place(c)]; }

  std::uint32_t& at(Char c) {
    if (sizeof(Char) > 1 && block_of_[c >> 8] == 0) [[unlikely]] add(c);
    return cells_[place(c)];
  }

 private:
  std::size_t place(Char c) const {
    if constexpr (sizeof(Char) == 1) return c;
    else return std::size_t{block_of_[c >> 8]} * 256 + (c & 0xFF);
  }

  [[gnu::noinline]] void add(Char c) {
    block_of_[c >> 8] = static_cast<std::uint16_t>(cells_.size() / 256);
    cells_.resize(cells_.size() + 256);
  }

  std::array<std::uint16_t, (kLast >> 8) + 1> block_of_{};
  std::vector<std::uint32_t> cells_ = std::vector<std::uint32_t>(256);  // block 0 stays empty if there are others
};

}  // namespace assay
