// Long computations that can be interrupted.
//
// A kernel calls `checkpoint(work)` now and then with the work since the last call, in steps of about a nanosecond. About
// once a millisecond the thread then looks whether another thread of the same computation has failed. Every 50 ms the
// thread that started the computation also asks its caller whether to go on. Threads without a `Watch` never look.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

namespace assay {

// Another thread of the same computation has failed; its exception is the one that is passed on.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "another thread failed"; }
};

// Watches over the computations of this thread while it exists.
class Watch {
 public:
  using Ask = void (*)();  // throws to interrupt the computation

  static constexpr std::int64_t kPatience = 1 << 20;  // steps between two looks
  static constexpr std::chrono::milliseconds kInterval{50};

  explicit Watch(Ask ask, const std::atomic<bool>* stop = nullptr)
      : ask_(ask), stop_(stop), outer_(current_), asked_(outer_ == nullptr ? Clock::now() : outer_->asked_) {
    current_ = this;
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { current_ = outer_; }

  // What this thread asks; null if it has no watch.
  static Ask ask() { return current_ == nullptr ? nullptr : current_->ask_; }

  static void spend(std::int64_t work) {
    Watch* const watch = current_;
    if (watch != nullptr && (watch->left_ -= work) <= 0) watch->look();
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[gnu::noinline]] void look() {
    left_ = kPatience;
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw Stopped();
    if (ask_ == nullptr) return;
    const auto now = Clock::now();
    if (now - asked_ < kInterval) return;
    asked_ = now;
    ask_();
  }

  static inline constinit thread_local Watch* current_ = nullptr;

  Ask ask_;
  const std::atomic<bool>* stop_;
  Watch* outer_;
  Clock::time_point asked_;
  std::int64_t left_ = kPatience;
};

inline void checkpoint(std::int64_t work) { Watch::spend(work); }

// The work on a character of a text, roughly.
inline constexpr std::int64_t kCharacterWork = 16;

// Checkpoints for loops with short steps: collects their work, which costs an addition instead of an access to the thread.
class Progress {
 public:
  void spend(std::int64_t work) {
    if ((work_ += work) < kShare) return;
    checkpoint(work_);
    work_ = 0;
  }

 private:
  static constexpr std::int64_t kShare = 1 << 16;
  std::int64_t work_ = 0;
};

}  // namespace assay
