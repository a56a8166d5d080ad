// METEOR 1.5's normaliser (-norm): splits punctuation from words, unifies quotes and dashes, opens hyphens and contractions, and
// takes the dots out of abbreviations. It is a sequence of replacements; each goes over the text once, from left to right, and a
// character that one match has consumed is not part of the next. Cost: O(characters).
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assay/column.hpp"
#include "assay/interrupt.hpp"
#include "assay/parallel.hpp"

namespace assay {

enum class Contractions { english, french, other };

inline Contractions contractions_named(std::string_view name) {
  if (name == "english") return Contractions::english;
  if (name == "french") return Contractions::french;
  if (name == "other") return Contractions::other;
  throw std::invalid_argument("contractions must be english, french or other");
}

class MeteorNormalizer {
 public:
  // Words that end in a dot inside a sentence; true: only before a number.
  using Prefixes = std::unordered_map<std::u32string, bool>;

  MeteorNormalizer(Contractions contractions, Prefixes prefixes, bool removes_punctuation)
      : contractions_(contractions), prefixes_(std::move(prefixes)), removes_punctuation_(removes_punctuation) {}

  // The words with a space between them, in the case that they had.
  std::u32string operator()(std::u32string_view line) const {
    std::u32string text = separated(line);
    text = around(std::move(text), U',', no_digit, no_digit, U" , ");
    text = around(std::move(text), U',', is_digit, no_digit, U" , ");
    text = around(std::move(text), U',', no_digit, is_digit, U" , ");
    text = with_plain_quotes_and_dashes(std::move(text));
    text = around(std::move(text), U'-', [](char32_t c) { return is_alnum(c) || c == U'.'; }, is_alnum, U" ");
    return joined(with_dots(with_contractions(std::move(text))));
  }

 private:
  static constexpr char32_t kDots = 0x110000;  // a dot of several in a row: no character, so that no rule applies to it

  // What the program takes for letters: Latin, with its extensions, and Cyrillic.
  static bool is_alpha(char32_t c) {
    return (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z') || (c >= 0xC0 && c <= 0xD6) || (c >= 0xD8 && c <= 0xF6) ||
           (c >= 0xF8 && c <= 0x17E) || (c >= 0x400 && c <= 0x527) || (c >= 0xA640 && c <= 0xA66E) ||
           (c >= 0xA67E && c <= 0xA697) || (c >= 0x1D00 && c <= 0x1D7F);
  }
  static bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
  static bool no_alpha(char32_t c) { return !is_alpha(c); }
  static bool no_digit(char32_t c) { return !is_digit(c); }
  static bool is_alnum(char32_t c) { return is_alpha(c) || is_digit(c); }
  static bool is_java_space(char32_t c) { return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r' || c == U'\f'; }
  static bool is_wide_space(char32_t c) {
    return is_java_space(c) || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
  }
  static bool stays(char32_t c) {
    return is_alnum(c) || is_java_space(c) || c == U'\v' || c == U'.' || c == U'\'' || c == U'`' || c == U',' || c == U'-' ||
           c == 0x2018 || c == 0x2019;
  }

  // Symbols and runs of dots between spaces; the text itself, too.
  static std::u32string separated(std::u32string_view line) {
    std::u32string out = U" ";
    out.reserve(line.size() + line.size() / 4 + 16);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t dots = line[i] == U'.' ? std::min(line.find_first_not_of(U'.', i), line.size()) - i : 0;
      if (dots > 1) {
        out += U' ' + std::u32string(dots, kDots) + U' ';
        i += dots - 1;
      } else if (stays(line[i])) {
        out += line[i];
      } else {
        out += {U' ', line[i], U' '};
      }
    }
    return out + U' ';
  }

  // Replaces a character between two others of some kinds, which stay.
  template <class Before, class After>
  static std::u32string around(std::u32string text, char32_t character, Before before, After after,
                               std::u32string_view replacement) {
    if (text.find(character) == text.npos) return text;
    std::u32string out;
    out.reserve(text.size() + 16);
    for (std::size_t i = 0; i < text.size(); ++i) {
      out += text[i];
      if (i + 2 < text.size() && text[i + 1] == character && before(text[i]) && after(text[i + 2])) {
        out += replacement;
        out += text[i += 2];
      }
    }
    return out;
  }

  static std::u32string with_plain_quotes_and_dashes(std::u32string text) {
    if (text.find_first_of(U"'`-\u2013\u2018\u2019\u201C\u201D") == text.npos) return text;
    for (char32_t& c : text) {
      if (c == U'`' || c == 0x2018 || c == 0x2019) c = U'\'';
      if (c == 0x2013) c = U'-';
    }
    std::u32string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_double = i + 1 < text.size() && text[i] == text[i + 1];
      if (text[i] == 0x201C || text[i] == 0x201D) {
        out += U" \" ";
      } else if (text[i] == U'\'' && is_double) {
        out += U" \" ";
        ++i;
      } else {
        out += text[i];
        i += text[i] == U'-' && is_double;
      }
    }
    return out;
  }

  std::u32string with_contractions(std::u32string text) const {
    constexpr char32_t quote = U'\'';
    if (contractions_ == Contractions::other) {
      std::u32string out;
      for (const char32_t c : text) out += c == quote ? std::u32string(U" ' ") : std::u32string(1, c);
      return out;
    }
    const bool is_english = contractions_ == Contractions::english;
    text = around(std::move(text), quote, no_alpha, no_alpha, U" ' ");
    text = around(std::move(text), quote, [=](char32_t c) { return no_alpha(c) && !(is_english && is_digit(c)); }, is_alpha, U" ' ");
    text = around(std::move(text), quote, is_alpha, no_alpha, U" ' ");
    text = around(std::move(text), quote, is_alpha, is_alpha, is_english ? U" '" : U"' ");
    if (is_english) text = around(std::move(text), quote, is_digit, [](char32_t c) { return c == U's'; }, U" '");
    return text;
  }

  static std::vector<std::u32string_view> words(std::u32string_view text) {
    std::vector<std::u32string_view> found;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t start = i;
      while (i < text.size() && !is_java_space(text[i])) ++i;
      if (i > start) found.push_back(text.substr(start, i - start));
      while (i < text.size() && is_java_space(text[i])) ++i;
    }
    return found;
  }

  // The words, in which a final dot is part of an abbreviation, or a word of its own.
  std::u32string with_dots(std::u32string_view text) const {
    const std::vector<std::u32string_view> all = words(text);
    std::u32string out;
    out.reserve(text.size() + 16);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::u32string_view word = all[i];
      const char32_t next = i + 1 < all.size() ? all[i + 1][0] : U' ';
      if (word.size() == 1 || word.back() != U'.') {
        out += word;
      } else if (is_dotted(word)) {
        for (const char32_t c : word)
          if (c != U'.') out += c;
      } else if (keeps_dot(word, next)) {
        out += word;
      } else {
        out += word.substr(0, word.size() - 1);
        out += U" .";
      }
      out += U' ';
    }
    return out;
  }

  static bool is_dotted(std::u32string_view word) {
    const std::u32string_view stem = word.substr(0, word.size() - 1);
    return stem.find(U'.') != stem.npos && std::ranges::any_of(stem, is_alpha);
  }

  bool keeps_dot(std::u32string_view word, char32_t next) const {
    if (next >= U'a' && next <= U'z') return true;
    const auto prefix = prefixes_.find(std::u32string(word.substr(0, word.size() - 1)));
    return prefix != prefixes_.end() && (!prefix->second || is_digit(next));
  }

  std::u32string joined(std::u32string_view text) const {
    std::u32string out;
    out.reserve(text.size());
    bool is_apart = false;
    for (char32_t c : text) {
      if (c == kDots) c = U'.';
      if (is_wide_space(c) || (removes_punctuation_ && !is_alnum(c))) {
        is_apart = !out.empty();
        continue;
      }
      if (is_apart) out += U' ';
      is_apart = false;
      out += c;
    }
    const auto is_control = [](char32_t c) { return c <= U' '; };  // which Java trims
    while (!out.empty() && is_control(out.back())) out.pop_back();
    return {std::ranges::find_if_not(out, is_control), out.end()};
  }

  Contractions contractions_;
  Prefixes prefixes_;
  bool removes_punctuation_;
};

// The texts of a column, normalised; an absent one is empty.
inline std::vector<std::u32string> normalize_column(const MeteorNormalizer& normalize, const Column& column, int threads) {
  std::vector<std::u32string> normalized(column.size());
  parallel_blocks(column.size(), 64, threads, [&] {
    return [&, line = std::u32string(), progress = Progress()](std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        if (!column.present(i)) continue;
        const Text text = column[i];
        progress.spend(16 * kCharacterWork * static_cast<std::int64_t>(text.length));
        visit_characters(text, [&](auto characters) { line.assign(characters.begin(), characters.end()); });
        normalized[i] = normalize(line);
      }
    };
  });
  return normalized;
}

}  // namespace assay
