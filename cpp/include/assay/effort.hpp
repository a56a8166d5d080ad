// The work on one pair of texts, with a limit: a line as long as a book takes minutes, and is mostly a mistake.
#pragma once

#include <cstdint>
#include <limits>

#include "assay/interrupt.hpp"

namespace assay {

// The pair needs more work than the limit allows.
struct TooMuchWork {};

// Work is counted in steps of about a nanosecond; 64 cells of an edit-distance table are a step where they are computed at
// once. The work depends on the texts alone, so the same texts are refused everywhere.
class Effort {
 public:
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

  explicit Effort(std::int64_t limit = kUnlimited) : limit_(limit) {}

  // Starts with the next pair.
  void start() { left_ = limit_; }

  // Refuses work before it is done.
  void plan(std::int64_t work) {
    if (work > left_) throw TooMuchWork();
    left_ -= work;
  }

  // Reports work that was planned, so that it can be interrupted.
  void spend(std::int64_t work) { progress_.spend(work); }

 private:
  std::int64_t limit_;
  std::int64_t left_ = limit_;
  Progress progress_;
};

}  // namespace assay
