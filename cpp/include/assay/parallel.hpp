// Splits the items of a range over threads, in blocks. What is computed for an item depends on the item alone and is written
// to a place of its own, so the result does not depend on the number of threads or on which thread processes which block.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "assay/interrupt.hpp"

namespace assay {

// Base of exceptions that depend on an item alone, so that the first of the range can be found on any number of threads.
struct ItemFailure {};

// Calls worker(first, last) on consecutive blocks of [0, size). `make_worker` is called once on each thread and
// returns its worker, which may own scratch memory. The first exception is rethrown, after all threads have stopped at
// their next checkpoint; there is one between two blocks. After the failure of an item, blocks that were begun are finished,
// because an earlier item may fail, too.
template <class MakeWorker>
void parallel_blocks(std::size_t size, std::size_t block, int threads, MakeWorker make_worker) {
  const std::size_t blocks = (size + block - 1) / block;
  const Watch::Ask ask = Watch::ask();
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::exception_ptr failure;
  std::mutex guard;
  std::condition_variable changed;
  std::size_t finished = 0;  // of the other threads
  std::size_t failed = blocks;  // the first block with a failure
  const auto fail = [&] {
    const std::lock_guard lock(guard);
    if (!stop) failure = std::current_exception();
    next = blocks;
    stop = true;
  };
  const auto fail_at = [&](std::size_t b) {
    const std::lock_guard lock(guard);
    if (!stop && b < failed) failed = b, failure = std::current_exception();
    next = blocks;
  };
  const auto run = [&](Watch::Ask own_ask) {
    std::size_t b = 0;
    try {
      const Watch watch(own_ask, &stop);
      auto worker = make_worker();
      for (b = next++; b < blocks; b = next++) {
        worker(b * block, std::min(size, (b + 1) * block));
        checkpoint(Watch::kPatience);
      }
    } catch (const ItemFailure&) {
      fail_at(b);
    } catch (...) {
      fail();
    }
  };
  const auto run_beside = [&] {
    run(nullptr);
    const std::lock_guard lock(guard);
    ++finished;
    changed.notify_one();
  };
  std::vector<std::thread> others;
  const std::size_t wanted = std::min(blocks, static_cast<std::size_t>(std::max(threads, 1)));
  try {
    others.reserve(wanted);
    for (std::size_t t = 1; t < wanted; ++t) others.emplace_back(run_beside);
  } catch (...) {
    // The system cannot start more threads; the ones that started, and this one, do the work.
  }
  run(ask);
  const auto wait = [&] {  // false if it takes longer than the interval
    std::unique_lock lock(guard);
    return changed.wait_for(lock, Watch::kInterval, [&] { return finished == others.size(); });
  };
  while (ask != nullptr && !stop && !wait()) {
    try {
      ask();
    } catch (...) {
      fail();
    }
  }
  for (auto& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace assay
