// Every item is processed once, with any number of threads, and exceptions are not lost.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
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

}  // namespace

int main() {
  for (int repetition = 0; repetition < 5; ++repetition) {
    every_item_once();
    one_worker_per_thread();
    failures_are_passed_on();
  }
  return check::finish("parallel");
}
