// TER as defined by sacreBLEU and by Moses: computes the whole table for every candidate, and skips no candidate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace assay::reference {

// A table of costs with the step that led to each cell.
struct EditTable {
  std::vector<std::vector<std::int64_t>> cost;
  std::vector<std::vector<char>> step;  // 'd'iagonal, delete 'o'utput word, insert 'r'eference word

  EditTable(std::size_t rows, std::size_t columns)
      : cost(rows, std::vector<std::int64_t>(columns, kUnreachable)), step(rows, std::vector<char>(columns, '?')) {}

  void consider(std::size_t i, std::size_t j, std::int64_t value, char how) {
    if (value < cost[i][j]) cost[i][j] = value, step[i][j] = how;
  }

  static constexpr std::int64_t kUnreachable = 1'000'000'000;
};

template <class Unit>
EditTable beam_table(const std::vector<Unit>& output, const std::vector<Unit>& reference) {
  const auto rows = static_cast<std::int64_t>(output.size()), columns = static_cast<std::int64_t>(reference.size());
  EditTable table(output.size() + 1, reference.size() + 1);
  for (std::int64_t j = 0; j <= columns; ++j) table.consider(0, j, j, 'r');
  const double ratio = rows == 0 ? 1.0 : static_cast<double>(columns) / static_cast<double>(rows);
  const std::int64_t beam = ratio / 2 > 25 ? static_cast<std::int64_t>(std::ceil(ratio / 2 + 25)) : 25;
  for (std::int64_t i = 1; i <= rows; ++i) {
    const auto middle = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio));
    const std::int64_t low = std::max<std::int64_t>(0, middle - beam);
    const std::int64_t high = i == rows ? columns + 1 : std::min(columns + 1, middle + beam);
    for (std::int64_t j = low; j < high; ++j) {
      if (j > 0) table.consider(i, j, table.cost[i - 1][j - 1] + (output[i - 1] != reference[j - 1]), 'd');
      table.consider(i, j, table.cost[i - 1][j] + 1, 'o');
      if (j > 0) table.consider(i, j, table.cost[i][j - 1] + 1, 'r');
    }
  }
  return table;
}

template <class Unit>
std::vector<Unit> shifted(const std::vector<Unit>& words, std::int64_t start, std::int64_t length, std::int64_t target) {
  const auto size = static_cast<std::int64_t>(words.size());
  std::vector<Unit> out;
  const auto append = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < std::min(to, size); ++i) out.push_back(words[static_cast<std::size_t>(i)]);
  };
  if (target < start) {
    append(0, target), append(start, start + length), append(target, start), append(start + length, size);
  } else if (target > start + length) {
    append(0, start), append(start + length, target), append(start, start + length), append(target, size);
  } else {
    append(0, start), append(start + length, length + target), append(start, start + length), append(length + target, size);
  }
  return out;
}

template <class Unit>
std::int64_t ter(std::vector<Unit> output, const std::vector<Unit>& reference) {
  if (reference.empty()) return static_cast<std::int64_t>(output.size());
  const auto words = static_cast<std::int64_t>(output.size()), places = static_cast<std::int64_t>(reference.size());
  std::int64_t shifts = 0, candidates = 0;
  while (true) {
    const EditTable table = beam_table(output, reference);
    std::vector<std::int64_t> aligned(reference.size());
    std::vector<int> output_error(output.size(), 1), reference_error(reference.size(), 1);
    for (std::int64_t i = words, j = places; i > 0 || j > 0;) {
      if (table.step[i][j] == 'd') {
        --i, --j;
        aligned[j] = i;
        output_error[i] = reference_error[j] = output[i] != reference[j];
      } else if (table.step[i][j] == 'o') {
        --i;
      } else {
        aligned[--j] = i - 1;
      }
    }
    using Candidate = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;  // gain, length, -start, -target
    Candidate best{-EditTable::kUnreachable, 0, 0, 0};
    for (std::int64_t start = 0; start < words && candidates < 1000; ++start)
      for (std::int64_t place = 0; place < places && candidates < 1000; ++place) {
        if (std::abs(place - start) > 50) continue;
        for (std::int64_t length = 1; length <= 10 && start + length <= words && place + length <= places &&
                                      output[start + length - 1] == reference[place + length - 1] && candidates < 1000;
             ++length) {
          const auto any = [&](const std::vector<int>& errors, std::int64_t from) {
            return std::count(errors.begin() + from, errors.begin() + from + length, 1) > 0;
          };
          if (!any(output_error, start) || !any(reference_error, place)) continue;
          if (aligned[place] >= start && aligned[place] < start + length) continue;
          std::int64_t before = -1;
          for (std::int64_t offset = -1; offset < length; ++offset) {
            const std::int64_t target = place + offset < 0 ? 0 : aligned[place + offset] + 1;
            if (target == before) continue;
            before = target;
            const auto tried = beam_table(shifted(output, start, length, target), reference);
            const std::int64_t gain = table.cost.back().back() - tried.cost.back().back();
            best = std::max(best, Candidate{gain, length, -start, -target});
            ++candidates;
          }
        }
      }
    if (candidates >= 1000 || std::get<0>(best) <= 0) return shifts + table.cost.back().back();
    output = shifted(output, -std::get<2>(best), std::get<1>(best), -std::get<3>(best));
    ++shifts;
  }
}

// Moses' table: a path may continue from a cell only if it costs at most 10 more than the best diagonal step into its
// column. Rows are words of the output, columns are words of the shifted string.
template <class Unit>
EditTable moses_table(const std::vector<Unit>& moving, const std::vector<Unit>& output) {
  EditTable table(output.size() + 1, moving.size() + 1);
  table.cost[0][0] = 0;
  std::int64_t best_before = EditTable::kUnreachable;
  for (std::size_t j = 0; j <= moving.size(); ++j) {
    std::int64_t best = EditTable::kUnreachable;
    std::vector<bool> open(output.size() + 1);
    for (std::size_t i = 0; i <= output.size(); ++i) {
      if (i > 0 && open[i - 1]) table.consider(i, j, table.cost[i - 1][j] + 1, 'o');
      open[i] = table.cost[i][j] < EditTable::kUnreachable && (j == moving.size() || table.cost[i][j] <= best_before + 10);
      if (open[i] && i < output.size() && j < moving.size())
        best = std::min(best, table.cost[i][j] + (output[i] != moving[j]));
    }
    if (j == moving.size()) break;
    for (std::size_t i = 0; i <= output.size(); ++i) {
      if (i > 0 && open[i - 1]) table.consider(i, j + 1, table.cost[i - 1][j] + (output[i - 1] != moving[j]), 'd');
      if (open[i]) table.consider(i, j + 1, table.cost[i][j] + 1, 'm');
    }
    best_before = best;
  }
  return table;
}

template <class Unit>
std::vector<Unit> moses_moved(const std::vector<Unit>& words, int first, int last, int target) {
  const int size = static_cast<int>(words.size());
  std::vector<Unit> block(words.begin() + first, words.begin() + last + 1), rest(words.begin(), words.begin() + first);
  rest.insert(rest.end(), words.begin() + last + 1, words.end());
  target = std::min(target, size - 1);
  int at = target - static_cast<int>(block.size()) + 1;                      // after the target word
  if (target < first) at = std::max(target, 0);                              // before it
  else if (target <= last) at = std::min(target, static_cast<int>(rest.size()));  // to the right by target - first
  rest.insert(rest.begin() + at, block.begin(), block.end());
  return rest;
}

template <class Unit>
std::int64_t moses_ter(std::vector<Unit> moving, std::vector<Unit> output) {
  if (moving.empty()) moving.emplace_back();  // an empty sentence is one empty word
  if (output.empty()) output.emplace_back();
  const int size = static_cast<int>(moving.size());
  std::map<std::vector<Unit>, std::vector<int>> index;
  for (std::size_t from = 0; from < output.size(); ++from)
    for (std::size_t to = from; to < std::min(output.size(), from + 11); ++to)
      index[{output.begin() + static_cast<std::ptrdiff_t>(from), output.begin() + static_cast<std::ptrdiff_t>(to) + 1}].push_back(static_cast<int>(from));
  std::int64_t shifts = 0;
  while (true) {
    const EditTable table = moses_table(moving, output);
    std::vector<int> aligned(output.size()), moving_error(moving.size(), 1), output_error(output.size(), 1);
    for (std::size_t i = output.size(), j = moving.size(); i > 0 || j > 0;) {
      if (table.step[i][j] == 'd') {
        --i, --j;
        aligned[i] = static_cast<int>(j);
        moving_error[j] = output_error[i] = output[i] != moving[j];
      } else if (table.step[i][j] == 'm') {
        --j;
      } else {
        aligned[--i] = static_cast<int>(j);
      }
    }
    std::vector<std::vector<std::tuple<int, int, int>>> buckets(10);  // by length: first, last, target
    int found = 0;
    for (int first = 0; first < size; ++first) {
      const auto single = index.find({moving[first]});
      if (single == index.end()) continue;
      const bool near = std::any_of(single->second.begin(), single->second.end(), [&](int place) {
        return aligned[place] != first && aligned[place] - first <= 25 && first - aligned[place] - 1 <= 25;
      });
      bool goes_on = near;
      for (int last = first; goes_on && last < size && last < first + 10; ++last) {
        goes_on = false;
        const auto places = index.find({moving.begin() + first, moving.begin() + last + 1});
        if (places == index.end()) continue;
        if (std::count(moving_error.begin() + first, moving_error.begin() + last + 1, 1) == 0) {
          goes_on = true;
          continue;
        }
        for (const int place : places->second) {
          const int to = aligned[place];
          if ((to >= first && to <= last) || to - first > 25 || first - to > 25) continue;
          goes_on = true;
          if (std::count(output_error.begin() + place, output_error.begin() + place + last - first + 1, 1) == 0) continue;
          for (int offset = -1; offset <= last - first; ++offset) {
            int target = -1;
            if (offset >= 0 || place > 0) {
              target = aligned[place + offset];
              if (target == first || (offset != 0 && target == to)) continue;
            }
            if (++found <= 10) buckets[last - first].emplace_back(first, last, target);
          }
        }
      }
    }
    const std::int64_t now = table.cost.back().back();
    std::int64_t best_total = now;
    std::vector<Unit> best;
    for (int length = 10; length >= 1; --length)
      for (const auto& [first, last, target] : buckets[length - 1]) {
        const std::int64_t gained = now - best_total;
        if (gained > 2 * length || (!best.empty() && gained == 2 * length)) continue;
        const auto tried = moses_moved(moving, first, last, target);
        const std::int64_t total = moses_table(tried, output).cost.back().back() + 1;
        if (total < best_total || (best.empty() && total == best_total)) best = tried, best_total = total;
      }
    if (best.empty()) return shifts + now;
    moving = best;
    ++shifts;
  }
}

}  // namespace assay::reference
