// A minimal test framework: one macro for comparisons, one counter, one summary line.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

namespace check {

// The context of a comparison in readable form. White space and non-ASCII characters are escaped.
inline std::string describe(const std::u32string& text) {
  std::string out = "\"";
  for (const char32_t c : text) {
    char escaped[16];
    std::snprintf(escaped, sizeof escaped, c > 0x20 && c < 0x7F ? "%c" : "\\u{%X}", static_cast<unsigned>(c));
    out += c == U' ' ? " " : escaped;
  }
  return out + "\"";
}

inline std::string describe(const std::string& text) { return text; }
inline std::string describe(const char* text) { return text; }

template <class Number>
  requires std::is_arithmetic_v<Number>
std::string describe(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%a (%.17g)", static_cast<double>(number), static_cast<double>(number));
    return digits;
  } else {
    return std::to_string(number);
  }
}

inline std::string describe(__int128 number) {
  if (number < 0) return "-" + describe(-number);
  const auto last = static_cast<char>('0' + static_cast<int>(number % 10));
  return number < 10 ? std::string(1, last) : describe(number / 10) + last;
}

template <class Item>
std::string describe(const std::vector<Item>& items) {
  std::string out = "[";
  for (const auto& item : items) out += (out.size() > 1 ? ", " : "") + describe(item);
  return out + "]";
}

struct Tally {
  std::int64_t comparisons = 0, failures = 0;
};

inline Tally& tally() {
  static Tally the_tally;
  return the_tally;
}

inline bool count(bool passed) {
  ++tally().comparisons;
  if (!passed) ++tally().failures;
  return passed;
}

// A wrong kernel fails thousands of times; the first failures are enough.
inline constexpr std::int64_t kReportedFailures = 10;

template <class Actual, class Expected, class... Context>
void report(const char* file, int line, const char* what, const Actual& actual, const Expected& expected,
            const Context&... context) {
  if (tally().failures > kReportedFailures) return;
  std::printf("%s:%d: %s\n  got      %s\n  expected %s\n", file, line, what, describe(actual).c_str(),
              describe(expected).c_str());
  (std::printf("  for      %s\n", describe(context).c_str()), ...);
  std::fflush(stdout);
}

// Prints the summary line of a test program and returns its exit status.
inline int finish(const char* program) {
  std::printf("%s: %lld comparisons, %lld failed\n", program, static_cast<long long>(tally().comparisons),
              static_cast<long long>(tally().failures));
  return tally().failures == 0 ? 0 : 1;
}

}  // namespace check

// CHECK_EQUAL(actual, expected, context...): the context is evaluated and printed only if the two differ.
#define CHECK_EQUAL(actual, expected, ...)                                                                            \
  do {                                                                                                                \
    const auto actual_value = (actual);                                                                               \
    const auto expected_value = (expected);                                                                           \
    if (!check::count(actual_value == expected_value))                                                                \
      check::report(__FILE__, __LINE__, #actual, actual_value, expected_value __VA_OPT__(, ) __VA_ARGS__);            \
  } while (false)

#define CHECK(condition, ...) CHECK_EQUAL(static_cast<bool>(condition), true __VA_OPT__(, ) __VA_ARGS__)
