// The tokenisers as they are defined: one substitution after another on the whole line, then a split.
//
// The rules are those of mteval-v13a.pl, mteval-v14.pl and sacreBLEU. Each substitution produces a new line, which is the
// input of the next; no rules are derived, merged or skipped.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/unicode_tables.hpp"
#include "reference/text.hpp"

namespace assay::reference {

using CharacterClass = bool (*)(char32_t);

// re.sub(pattern, replacement, line) for patterns that are a sequence of groups of one character each.
// In the replacement, \1 and \2 stand for the character that the first and the second group matched.
struct Substitution {
  std::vector<CharacterClass> pattern;
  std::u32string replacement;

  // From left to right, without overlap: a match cannot use characters that the previous match consumed.
  std::u32string operator()(const std::u32string& line) const {
    std::u32string out;
    std::size_t at = 0;
    while (at < line.size()) {
      if (matches(line, at)) {
        out += expand(line, at);
        at += pattern.size();
      } else {
        out += line[at++];
      }
    }
    return out;
  }

 private:
  bool matches(const std::u32string& line, std::size_t at) const {
    if (line.size() - at < pattern.size()) return false;
    for (std::size_t group = 0; group < pattern.size(); ++group)
      if (!pattern[group](line[at + group])) return false;
    return true;
  }

  std::u32string expand(const std::u32string& line, std::size_t at) const {
    std::u32string out;
    for (std::size_t i = 0; i < replacement.size(); ++i) {
      if (replacement[i] == U'\\') {
        const std::size_t group = replacement[++i] - U'1';
        out += line[at + group];
      } else {
        out += replacement[i];
      }
    }
    return out;
  }
};

inline std::u32string substitute_in_turn(const std::vector<Substitution>& rules, std::u32string line) {
  for (const Substitution& rule : rules) line = rule(line);
  return line;
}

// [0-9] and its complement
inline bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
inline bool is_no_digit(char32_t c) { return !is_digit(c); }

// [\.,]
inline bool is_period_or_comma(char32_t c) { return c == U'.' || c == U','; }

inline bool is_dash(char32_t c) { return c == U'-'; }

// [\{-\~\[-\` -\&\(-\+\:-\@\/]
inline bool is_western_symbol(char32_t c) {
  return (c >= U'{' && c <= U'~') || (c >= U'[' && c <= U'`') || (c >= U' ' && c <= U'&') || (c >= U'(' && c <= U'+') ||
         (c >= U':' && c <= U'@') || c == U'/';
}

// The part of 13a and zh that assumes a Western language.
inline const std::vector<Substitution>& western_rules() {
  static const std::vector<Substitution> rules{
      {{is_western_symbol}, U" \\1 "},
      {{is_no_digit, is_period_or_comma}, U"\\1 \\2 "},
      {{is_period_or_comma, is_no_digit}, U" \\1 \\2"},
      {{is_digit, is_dash}, U"\\1 \\2 "},
  };
  return rules;
}

// The part of mteval's default tokeniser that does not depend on the language.
inline std::u32string unescape(std::u32string line) {
  line = replace(line, U"<skipped>", U"");
  line = replace(line, U"-\n", U"");
  line = replace(line, U"\n", U" ");
  line = replace(line, U"&quot;", U"\"");
  line = replace(line, U"&amp;", U"&");
  line = replace(line, U"&lt;", U"<");
  return replace(line, U"&gt;", U">");
}

inline std::vector<std::u32string> tokenize_13a(const std::u32string& line) {
  return split(substitute_in_turn(western_rules(), U" " + unescape(line) + U" "));
}

// The result of splitting a line at \s+ in Perl, which does not treat four control characters as white space.
inline std::vector<std::u32string> split_as_perl(const std::u32string& line) {
  std::vector<std::u32string> words(1);
  for (const char32_t c : line) {
    if (is_white_space(c) && (c < 0x1C || c > 0x1F)) words.emplace_back();
    else words.back() += c;
  }
  std::erase(words, U"");
  return words;
}

inline std::vector<std::u32string> tokenize_mteval(const std::u32string& text, bool lowers) {
  std::u32string line = U" " + unescape(text) + U" ";
  for (char32_t& c : line)
    if (lowers && c >= U'A' && c <= U'Z') c += U'a' - U'A';
  return split_as_perl(substitute_in_turn(western_rules(), line));
}

// sacreBLEU compares one-character strings with bounds. Four of the bounds were meant to have five hexadecimal digits, but
// Python reads only four after \u, so they are strings of two characters. Comparing strings reproduces this.
inline bool is_chinese(char32_t c) {
  static const std::vector<std::pair<std::u32string, std::u32string>> ranges{
      {U"\u3400", U"\u4DB5"}, {U"\u4E00", U"\u9FA5"}, {U"\u9FA6", U"\u9FBB"}, {U"\uF900", U"\uFA2D"},
      {U"\uFA30", U"\uFA6A"}, {U"\uFA70", U"\uFAD9"}, {U"\u20000", U"\u2A6D6"}, {U"\u2F800", U"\u2FA1d"},
      {U"\uFF00", U"\uFFEF"}, {U"\u2E80", U"\u2EFF"}, {U"\u3000", U"\u303F"}, {U"\u31C0", U"\u31EF"},
      {U"\u2F00", U"\u2FDF"}, {U"\u2FF0", U"\u2FFF"}, {U"\u3100", U"\u312F"}, {U"\u31A0", U"\u31BF"},
      {U"\uFE10", U"\uFE1F"}, {U"\uFE30", U"\uFE4F"}, {U"\u2600", U"\u26FF"}, {U"\u2700", U"\u27BF"},
      {U"\u3200", U"\u32FF"}, {U"\u3300", U"\u33FF"}};
  const std::u32string character(1, c);
  for (const auto& [first, last] : ranges)
    if (first <= character && character <= last) return true;
  return false;
}

inline std::vector<std::u32string> tokenize_zh(const std::u32string& line) {
  static const Substitution pad_chinese{{is_chinese}, U" \\1 "};
  return split(substitute_in_turn(western_rules(), pad_chinese(strip(line))));
}

// \p{N}, \p{P}, \p{S} and the complement of the first
inline bool is_number(char32_t c) { return general_category(c) == Category::number; }
inline bool is_no_number(char32_t c) { return !is_number(c); }
inline bool is_punctuation(char32_t c) { return general_category(c) == Category::punctuation; }
inline bool is_symbol(char32_t c) { return general_category(c) == Category::symbol; }

inline const std::vector<Substitution>& international_rules() {
  static const std::vector<Substitution> rules{
      {{is_no_number, is_punctuation}, U"\\1 \\2 "},
      {{is_punctuation, is_no_number}, U" \\1 \\2"},
      {{is_symbol}, U" \\1 "},
  };
  return rules;
}

inline std::vector<std::u32string> tokenize_intl(const std::u32string& line) {
  return split(substitute_in_turn(international_rules(), line));
}

// [^[:ascii:]]
inline bool is_beyond_ascii(char32_t c) { return c > 0x7F; }

inline std::vector<std::u32string> tokenize_mteval_intl(const std::u32string& line, bool splits) {
  static const Substitution pad_beyond_ascii{{is_beyond_ascii}, U" \\1 "};
  return split_as_perl(substitute_in_turn(international_rules(), splits ? pad_beyond_ascii(line) : line));
}

inline std::vector<std::u32string> tokenize_space(const std::u32string& line) {
  std::vector<std::u32string> words(1);
  for (const char32_t c : line) {
    if (c == U' ') words.emplace_back();
    else words.back() += c;
  }
  std::erase(words, U"");
  return words;
}

inline bool is_in(char32_t c, std::initializer_list<std::pair<char32_t, char32_t>> ranges) {
  for (const auto& [first, last] : ranges)
    if (c >= first && c <= last) return true;
  return false;
}

inline bool is_asian_punctuation(char32_t c) {
  return is_in(c, {{0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0xFF61, 0xFF65}, {0x30FB, 0x30FB}}) ||
         std::u32string_view(U"\uFF0E\uFF0C\uFF1F\uFF1A\uFF1B\uFF01\uFF02\uFF08\uFF09").find(c) != std::u32string_view::npos;
}

inline bool is_asian(char32_t c) {
  return is_in(c, {{0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x31C0, 0x31EF}, {0x2E80, 0x2EFF},
                   {0x3300, 0x33FF}, {0xF900, 0xFAFF}, {0xFE30, 0xFE4F}, {0x3200, 0x3F22}}) ||
         is_asian_punctuation(c);
}

inline bool is_removed(char32_t c) { return std::u32string_view(U".,?:;!\"()").find(c) != std::u32string_view::npos; }

inline std::vector<std::u32string> tokenize_tercom(std::u32string line, bool normalized, bool asian, bool no_punct) {
  const auto& rules = western_rules();
  if (normalized) {
    line = replace(line, U"\n-", U"");
    line = replace(line, U"\n", U" ");
    line = replace(line, U"&quot;", U"\"");
    line = replace(line, U"&amp;", U"&");
    line = replace(line, U"&lt;", U"<");
    line = replace(line, U"&gt;", U">");
    line = rules[0](U" " + line + U" ");
    line = replace(line, U"'s ", U" 's ");
    line = substitute_in_turn({rules.begin() + 1, rules.end()}, line);
    if (asian) line = Substitution{{is_asian}, U" \\1 "}(line);
  }
  if (no_punct) line = Substitution{{is_removed}, U""}(line);
  if (no_punct && asian) line = Substitution{{is_asian_punctuation}, U""}(line);
  return split(line);
}

inline bool is_any(char32_t) { return true; }

inline std::vector<std::u32string> tokenize_char(const std::u32string& line) {
  static const Substitution pad_every_character{{is_any}, U" \\1 "};
  return split(pad_every_character(line));
}

// sacreBLEU strips white space at the end of a line before tokenising it.
inline std::vector<std::u32string> tokenize(std::string_view name, const std::u32string& text) {
  if (name == "space") return tokenize_space(text);
  if (name == "mteval") return tokenize_mteval(text, false);
  if (name == "mteval-lower") return tokenize_mteval(text, true);
  if (name == "mteval-intl") return tokenize_mteval_intl(text, false);
  if (name == "mteval-intl-split") return tokenize_mteval_intl(text, true);
  const std::u32string line = strip_right(text);
  if (name == "13a") return tokenize_13a(line);
  if (name == "zh") return tokenize_zh(line);
  if (name == "intl") return tokenize_intl(line);
  if (name == "char") return tokenize_char(line);
  if (name == "none") return split(line);
  if (name.starts_with("tercom")) {
    const auto has = [&](std::string_view option) { return name.find(option) != std::string_view::npos; };
    return tokenize_tercom(line, has("+normalized"), has("+asian"), has("+no_punct"));
  }
  throw std::invalid_argument("no slow twin of a tokeniser is called '" + std::string(name) + "'");
}

}  // namespace assay::reference
