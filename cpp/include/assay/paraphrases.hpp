// A table of paraphrases: which phrases may stand for which others (METEOR 1.5; Denkowski & Lavie 2014, section 2).
//
// Phrases are nodes of a trie of words. Nodes are numbered level by level, and the children of a node lie side by side, sorted
// by word, so a child is found by binary search. Every word of the table has a node, whose number is that of the word. The
// paraphrases of a phrase keep the order of the file they come from, because it decides ties in METEOR's search.
// All of this is in four plain arrays, which can be mapped from a file. Cost: O(log children) a word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assay/interrupt.hpp"

namespace assay {

struct ParaphraseTable {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::span<const std::uint32_t> last_words;         // by node
  std::span<const std::uint32_t> first_children;     // by node, and the end
  std::span<const std::uint32_t> first_paraphrases;  // by node, and the end
  std::span<const std::uint32_t> paraphrases;        // nodes

  // How many words the table has: the first child comes right after the nodes of words.
  std::size_t words() const { return last_words.empty() ? 0 : first_children[0]; }

  // The node of a phrase and one more word; kNone if no phrase starts so.
  std::uint32_t child(std::uint32_t node, std::uint32_t word) const {
    const auto first = last_words.begin() + first_children[node], end = last_words.begin() + first_children[node + 1];
    const auto found = std::lower_bound(first, end, word);
    return found != end && *found == word ? static_cast<std::uint32_t>(found - last_words.begin()) : kNone;
  }

  std::span<const std::uint32_t> paraphrases_of(std::uint32_t node) const {
    return paraphrases.subspan(first_paraphrases[node], first_paraphrases[node + 1] - first_paraphrases[node]);
  }

  // Whether every number in the arrays is that of something that exists, so that no look-up leaves them.
  bool is_sound() const {
    const std::size_t nodes = last_words.size();
    const auto divides = [&](std::span<const std::uint32_t> starts, std::size_t end) {
      return starts.size() == nodes + 1 && starts[nodes] == end && std::is_sorted(starts.begin(), starts.end());
    };
    const auto is_node = [&](std::uint32_t node) { return node < nodes; };
    return divides(first_children, nodes) && divides(first_paraphrases, paraphrases.size()) &&
           std::ranges::all_of(paraphrases, is_node) && words() <= nodes;
  }
};

// Builds a table from the lines of a file, fed in pieces: for each entry a probability, which is not used, a phrase and a paraphrase.
class ParaphraseBuilder {
 public:
  struct Arrays {
    std::vector<std::string> words;
    std::vector<std::uint32_t> last_words, first_children, first_paraphrases, paraphrases;

    ParaphraseTable table() const { return {last_words, first_children, first_paraphrases, paraphrases}; }
  };

  // Takes the next bytes. A line may be cut anywhere.
  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      rest_.append(bytes.substr(0, end));
      if (end == std::string_view::npos) return;
      line(rest_);
      rest_.clear();
      bytes.remove_prefix(end + 1);
    }
  }

  // How many lines there were. Three are an entry.
  std::size_t lines() const { return lines_ + !rest_.empty(); }

  Arrays finish() && {
    if (!rest_.empty()) line(rest_);
    const std::vector<std::uint32_t> order = by_level();
    std::vector<std::uint32_t> number(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<std::uint32_t>(i);
    Arrays arrays{std::move(words_), {}, {}, {}, {}};
    for (const std::uint32_t node : order) arrays.last_words.push_back(nodes_[node].word);
    arrays.first_children = starts(order.size(), [&](auto count) {
      for (const Node& node : nodes_)
        if (node.parent != kRoot) count(number[node.parent]);
    });
    for (std::uint32_t& start : arrays.first_children) start += static_cast<std::uint32_t>(arrays.words.size());
    arrays.first_paraphrases = starts(order.size(), [&](auto count) {
      for (const auto& [phrase, paraphrase] : entries_) count(number[phrase]);
    });
    arrays.paraphrases.resize(entries_.size());
    std::vector<std::uint32_t> next = arrays.first_paraphrases;
    for (const auto& [phrase, paraphrase] : entries_) arrays.paraphrases[next[number[phrase]]++] = number[paraphrase];
    return arrays;
  }

 private:
  static constexpr std::uint32_t kRoot = ParaphraseTable::kNone;

  struct Node {
    std::uint32_t parent, word, level;
  };

  void line(std::string_view text) {
    checkpoint(static_cast<std::int64_t>(8 * text.size()));
    switch (lines_++ % 3) {
      case 0: break;
      case 1: phrase_ = node_of(text); break;
      default: {
        const std::uint32_t paraphrase = node_of(text);
        if (phrase_ != kRoot && paraphrase != kRoot) entries_.emplace_back(phrase_, paraphrase);
      }
    }
  }

  std::uint32_t node_of(std::string_view text) {
    std::uint32_t node = kRoot;
    while (true) {
      const std::size_t start = text.find_first_not_of(kWhite);
      if (start == std::string_view::npos) return node;
      const std::size_t end = std::min(text.find_first_of(kWhite, start), text.size());
      node = child(node, word_number(text.substr(start, end - start)));
      text.remove_prefix(end);
    }
  }

  std::uint32_t word_number(std::string_view word) {
    const auto [place, is_new] = numbers_.try_emplace(std::string(word), static_cast<std::uint32_t>(words_.size()));
    if (is_new) {
      words_.emplace_back(word);
      child(kRoot, place->second);
    }
    return place->second;
  }

  std::uint32_t child(std::uint32_t parent, std::uint32_t word) {
    if (2 * nodes_.size() >= slots_.size()) grow();
    std::uint32_t& slot = slot_of(parent, word);
    if (slot == kRoot) {
      slot = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({parent, word, parent == kRoot ? 0 : nodes_[parent].level + 1});
    }
    return slot;
  }

  std::uint32_t& slot_of(std::uint32_t parent, std::uint32_t word) {
    const std::uint64_t key = (std::uint64_t{parent} << 32 | word) * 0x9E3779B97F4A7C15u;
    std::size_t at = static_cast<std::size_t>((key ^ key >> 32) & (slots_.size() - 1));
    while (slots_[at] != kRoot && (nodes_[slots_[at]].parent != parent || nodes_[slots_[at]].word != word))
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), kRoot);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) slot_of(nodes_[i].parent, nodes_[i].word) = i;
  }

  // The nodes by level; within a level, by the place of the parent and then by word.
  std::vector<std::uint32_t> by_level() const {
    std::vector<std::uint32_t> order(nodes_.size()), place(nodes_.size(), 0);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t node) { return nodes_[node].level; });
    for (auto first = order.begin(); first != order.end();) {
      const std::uint32_t level = nodes_[*first].level;
      const auto end = std::find_if(first, order.end(), [&](std::uint32_t node) { return nodes_[node].level != level; });
      std::sort(first, end, [&](std::uint32_t a, std::uint32_t b) {
        const auto key = [&](const Node& node) {
          return std::pair(node.parent == kRoot ? 0 : place[node.parent], node.word);
        };
        return key(nodes_[a]) < key(nodes_[b]);
      });
      checkpoint(64 * (end - first));
      for (; first != end; ++first) place[*first] = static_cast<std::uint32_t>(first - order.begin());
    }
    return order;
  }

  // Where the items of each number start, and the end; `each` counts an item by its number.
  template <class Each>
  static std::vector<std::uint32_t> starts(std::size_t numbers, Each each) {
    std::vector<std::uint32_t> found(numbers + 1, 0);
    each([&](std::uint32_t number) { ++found[number + 1]; });
    std::partial_sum(found.begin(), found.end(), found.begin());
    return found;
  }

  static constexpr std::string_view kWhite = " \t\n\r\f";  // what Java's StringTokenizer splits at

  std::string rest_;
  std::size_t lines_ = 0;
  std::uint32_t phrase_ = kRoot;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> words_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> slots_;  // a hash table of the nodes by parent and word
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries_;
};

}  // namespace assay
