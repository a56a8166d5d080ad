// Every item is processed once, with any number of threads, and exceptions are not lost.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "assay/parallel.hpp"
#include "tests/check.hpp"

namespace {

constexpr int kThreads[] = {-1, 0, 1, 2, 4, 9};

void every_item_once() {
  for (const std::size_t block : {1, 2, 16, 64})
    for (const std::size_t size : {0, 1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000})
      for (const int threads : kThreads) {
        std::vector<int> visits(size, 0);
        std::atomic<bool> blocks_are_aligned{true};
        assay::parallel_blocks(size, block, threads, [&] {
          return [&](std::size_t first, std::size_t last) {
            if (first % block != 0 || (last % block != 0 && last != size) || last - first > block)
              blocks_are_aligned = false;
            for (std::size_t i = first; i < last; ++i) ++visits[i];
          };
        });
        CHECK_EQUAL(visits, std::vector<int>(size, 1), block, size, threads);
        CHECK(blocks_are_aligned, block, size, threads);
      }
}

// A worker owns its memory: only one thread uses it, and no more workers are created than needed.
void one_worker_per_thread() {
  for (const std::size_t size : {1, 3, 200})
    for (const int threads : kThreads) {
      std::atomic<std::size_t> workers{0}, blocks{0};
      assay::parallel_blocks(size, 1, threads, [&] {
        ++workers;
        return [&, own = std::size_t{0}](std::size_t, std::size_t) mutable {
          ++own;
          ++blocks;
        };
      });
      CHECK_EQUAL(blocks.load(), size, threads);
      CHECK_EQUAL(workers.load(), std::min(size, static_cast<std::size_t>(std::max(threads, 1))), size, threads);
    }
}

template <class MakeWorker>
std::string message_of_failure(int threads, MakeWorker make_worker) {
  try {
    assay::parallel_blocks(500, 1, threads, make_worker);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no failure";
}

void failures_are_passed_on() {
  for (const int threads : kThreads) {
    for (const std::size_t bad : {0, 1, 250, 499}) {
      const auto fails_at_one_item = [&] {
        return [&](std::size_t first, std::size_t) {
          if (first == bad) throw std::runtime_error("bad item");
        };
      };
      CHECK_EQUAL(message_of_failure(threads, fails_at_one_item), std::string("bad item"), threads, bad);
    }
    const auto fails_to_start = [] {
      throw std::runtime_error("no worker");
      return [](std::size_t, std::size_t) {};
    };
    CHECK_EQUAL(message_of_failure(threads, fails_to_start), std::string("no worker"), threads);
  }
}

struct BadItem : assay::ItemFailure {
  explicit BadItem(std::size_t item) : item(item) {}
  std::size_t item;
};

// Later items fail sooner, and still the first one is named.
void the_first_item_that_fails_is_named() {
  for (int repeat = 0; repeat < 20; ++repeat)
    for (const int threads : kThreads) {
      std::size_t found = 0;
      try {
        assay::parallel_blocks(64, 2, threads, [] {
          return [](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              if (i < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
              if (i >= 3) throw BadItem(i);
            }
          };
        });
      } catch (const BadItem& failure) {
        found = failure.item;
      }
      CHECK_EQUAL(found, std::size_t{3}, threads);
    }
}

std::atomic<int> questions{0};

void ask() {
  if (++questions >= 2) throw std::runtime_error("interrupted");
}

// A computation that would never end is interrupted when the caller asks for it, on all threads: at their checkpoints, or
// while the calling thread waits for the others.
void interruption() {
  for (const int threads : {1, 2, 4}) {
    questions = 0;
    const assay::Watch watch(ask);
    const auto never_ends = [] {
      return [](std::size_t, std::size_t) {
        for (;;) assay::checkpoint(1000);
      };
    };
    CHECK_EQUAL(message_of_failure(threads, never_ends), std::string("interrupted"), threads);
    questions = 0;
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> others_work{threads == 1};
    const auto others_never_end = [&] {
      return [&](std::size_t, std::size_t) {
        const bool is_caller = std::this_thread::get_id() == caller;
        if (!is_caller) others_work = true;
        while (threads == 1 || !is_caller || !others_work) assay::checkpoint(1000);
      };
    };
    CHECK_EQUAL(message_of_failure(threads, others_never_end), std::string("interrupted"), threads);
  }
  assay::parallel_blocks(10, 1, 2, [] { return [](std::size_t, std::size_t) { assay::checkpoint(1 << 30); }; });  // no watch
}

}  // namespace

int main() {
  for (int repetition = 0; repetition < 5; ++repetition) {
    every_item_once();
    one_worker_per_thread();
    failures_are_passed_on();
  the_first_item_that_fails_is_named();
  }
  interruption();
  return check::finish("parallel");
}
