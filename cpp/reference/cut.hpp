// Cuts of an output at the segments of a reference, from whole tables of distances, cell by cell.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "reference/edit.hpp"

namespace assay::reference {

struct Cut {
  std::int64_t end, first, last, edits;
};

template <class Unit>
std::vector<Unit> part_of(const std::vector<Unit>& text, std::int64_t first, std::int64_t last) {
  return {text.begin() + first, text.begin() + last};
}

// The least edits of all ways to cut, segment by segment. Cost: output x output x reference.
template <class Unit>
std::int64_t least_edits(const std::vector<Unit>& reference, const std::vector<std::int64_t>& starts, const std::vector<Unit>& output) {
  const auto length = static_cast<std::int64_t>(output.size());
  std::vector<std::int64_t> best(output.size() + 1);
  for (std::int64_t j = 0; j <= length; ++j) best[static_cast<std::size_t>(j)] = j == 0 ? 0 : std::int64_t{1} << 40;
  for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
    const auto segment = part_of(reference, starts[s], starts[s + 1]);
    std::vector<std::int64_t> next(best.size(), std::int64_t{1} << 40);
    for (std::int64_t i = 0; i <= length; ++i)
      for (std::int64_t j = i; j <= length; ++j) {
        auto& cost = next[static_cast<std::size_t>(j)];
        cost = std::min(cost, best[static_cast<std::size_t>(i)] + edit_distance(part_of(output, i, j), segment));
      }
    best = next;
  }
  return best.back();
}

// Kinds of places: 0 is forbidden, 1 allowed, 2 preferred. Cuts segments [first, last), which have the words [begin, end) of the output: the boundary nearest to the middle first.
template <class Unit>
void cut_part(const std::vector<Unit>& reference, const std::vector<std::int64_t>& starts, const std::vector<Unit>& output,
              const std::vector<int>& kinds, std::size_t first, std::size_t last, std::int64_t begin, std::int64_t end,
              std::vector<Cut>& cuts) {
  if (last - first == 1) {
    cuts[first].edits = edit_distance(part_of(reference, starts[first], starts[last]), part_of(output, begin, end));
    return;
  }
  const auto far = [&](std::size_t s) { return std::abs(2 * starts[s] - starts[first] - starts[last]); };
  std::size_t boundary = first + 1;
  for (std::size_t s = first + 2; s < last; ++s)
    if (far(s) < far(boundary)) boundary = s;
  std::size_t equal = 0;  // empty segments
  while (boundary + equal < last && starts[boundary + equal] == starts[boundary]) ++equal;
  boundary += equal / 2;
  std::vector<std::int64_t> costs;
  for (std::int64_t j = begin; j <= end; ++j)
    costs.push_back(edit_distance(part_of(reference, starts[first], starts[boundary]), part_of(output, begin, j)) +
                    edit_distance(part_of(reference, starts[boundary], starts[last]), part_of(output, j, end)));
  const auto cost = [&](std::int64_t j) { return costs[static_cast<std::size_t>(j - begin)]; };
  const auto kind = [&](std::int64_t j) { return j == 0 ? 1 : kinds[static_cast<std::size_t>(j - 1)]; };
  std::vector<std::int64_t> allowed, places;
  for (std::int64_t j = begin; j <= end; ++j)
    if (kind(j) > 0 || j == end) allowed.push_back(j);
  const std::int64_t best = *std::min_element(allowed.begin(), allowed.end(), [&](auto i, auto j) { return cost(i) < cost(j); });
  std::copy_if(allowed.begin(), allowed.end(), std::back_inserter(places), [&](auto j) { return cost(j) == cost(best); });
  std::int64_t chosen = places.front();
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    if (kind(*place) == 2) chosen = *place;
  cuts[boundary - 1] = {chosen, places.front(), places.back(), 0};
  cut_part(reference, starts, output, kinds, first, boundary, begin, chosen, cuts);
  cut_part(reference, starts, output, kinds, boundary, last, chosen, end, cuts);
}

template <class Unit>
std::vector<Cut> cut(const std::vector<Unit>& reference, const std::vector<std::int64_t>& starts, const std::vector<Unit>& output,
                     const std::vector<int>& kinds) {
  std::vector<Cut> cuts(starts.size() - 1);
  if (cuts.empty()) return cuts;
  const auto all = static_cast<std::int64_t>(output.size());
  cuts.back() = {all, all, all, 0};
  cut_part(reference, starts, output, kinds, 0, cuts.size(), 0, all, cuts);
  return cuts;
}

}  // namespace assay::reference
