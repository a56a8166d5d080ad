// Texts as EED compares them: the substitutions that its programs apply before, one after the other.
//
// For English (and every language but Japanese): white space at the end is removed; a space is put before . ! ? and ,; each
// run of white space becomes a space; "1 . 5" and "1 , 5" become "1.5" and "1,5"; after Dr, Jr, Prof, Rev, Gen, Mr, Mt, Mrs and Ms,
// also at the end of longer words, a space and the character after it, whatever it is, become a full stop; the abbreviations
// e.g., i.e. and U.S. are put together again (in the authors' programs, i.e. becomes e.g.); and there is a space at each end.
// Cost: O(characters).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/text.hpp"
#include "assay/unicode_tables.hpp"

namespace assay {

enum class EedForm { english, authors_english, as_is };

template <class Char>
class EedText {
 public:
  explicit EedText(EedForm form) : form_(form) {}

  // The characters of a text as numbers.
  template <class Real>
  void operator()(const Text& text, std::vector<Real>& characters) {
    padded_.assign(text);
    text_.assign(padded_.data(), padded_.data() + padded_.size());
    if (form_ != EedForm::as_is) rewrite();
    characters.assign(text_.begin(), text_.end());
  }

 private:
  void rewrite() {
    split_punctuation();
    join_numbers();
    shorten_titles();
    replace(U"e . g .", U"e.g.");
    replace(U"i . e .", form_ == EedForm::english ? U"i.e." : U"e.g.");
    replace(U"U . S .", U"U.S.");
    text_.insert(text_.begin(), ' ');
    text_.push_back(' ');
  }

  void split_punctuation() {
    std::size_t end = text_.size();
    while (end > 0 && is_space(text_[end - 1])) --end;
    changed_.clear();
    bool after_space = false;
    for (std::size_t i = 0; i < end; ++i) {
      const Char c = text_[i];
      const bool is_mark = c == '.' || c == '!' || c == '?' || c == ',';
      if (is_mark || is_space(c)) {
        if (!after_space) changed_.push_back(' ');
        after_space = true;
      }
      if (is_space(c)) continue;
      changed_.push_back(c);
      after_space = false;
    }
    text_.swap(changed_);
  }

  // Calls edit(i) at each place: it returns how many characters it has dealt with, or 0.
  template <class Edit>
  void substitute(Edit edit) {
    changed_.clear();
    for (std::size_t i = 0; i < text_.size();) {
      const std::size_t read = edit(i);
      if (read == 0) changed_.push_back(text_[i]);
      i += std::max<std::size_t>(read, 1);
    }
    text_.swap(changed_);
  }

  void join_numbers() {
    substitute([&](std::size_t i) -> std::size_t {
      if (i + 5 > text_.size() || text_[i + 1] != ' ' || (text_[i + 2] != '.' && text_[i + 2] != ',') || text_[i + 3] != ' ' ||
          !is_digit(text_[i]) || !is_digit(text_[i + 4]))
        return 0;
      changed_.insert(changed_.end(), {text_[i], text_[i + 2], text_[i + 4]});
      return 5;
    });
  }

  void shorten_titles() {
    static constexpr std::array<std::u32string_view, 9> titles{U"Dr", U"Jr", U"Prof", U"Rev", U"Gen", U"Mr", U"Mt", U"Mrs", U"Ms"};
    substitute([&](std::size_t i) -> std::size_t {
      if (text_[i] < 'D' || text_[i] > 'R') return 0;
      for (const auto title : titles) {
        if (!has(i, title) || i + title.size() + 2 > text_.size() || text_[i + title.size()] != ' ') continue;
        changed_.insert(changed_.end(), title.begin(), title.end());
        changed_.push_back('.');
        return title.size() + 2;
      }
      return 0;
    });
  }

  void replace(std::u32string_view pattern, std::u32string_view with) {
    if (std::search(text_.begin(), text_.end(), pattern.begin(), pattern.end()) == text_.end()) return;
    substitute([&](std::size_t i) -> std::size_t {
      if (!has(i, pattern)) return 0;
      changed_.insert(changed_.end(), with.begin(), with.end());
      return pattern.size();
    });
  }

  bool has(std::size_t i, std::u32string_view word) const {
    return i + word.size() <= text_.size() && std::equal(word.begin(), word.end(), text_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  EedForm form_;
  PaddedText<Char> padded_;
  std::vector<Char> text_, changed_;
};

}  // namespace assay
