// Splits independent segments over threads; a worker owns its scratch space and takes blocks until none is
// left.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace adjudge {

// How many threads a number of them means: 0 is one for each core.
inline unsigned thread_count(unsigned threads) {
    return threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
}

// Calls make_worker() once a thread and worker(i) once for each i < count, taking `block` of them at a time.
// Results must not depend on the order.
template <std::size_t block, class MakeWorker>
void for_each_block(std::size_t count, unsigned threads, MakeWorker make_worker) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_lock;
    auto run = [&] {
        try {
            auto worker = make_worker();
            for (;;) {
                const std::size_t begin = next.fetch_add(block);
                if (begin >= count) return;
                const std::size_t end = std::min(count, begin + block);
                for (std::size_t i = begin; i < end; ++i) worker(i);
            }
        } catch (...) {
            const std::lock_guard guard(failure_lock);
            failure = std::current_exception();
            next = count;
        }
    };
    threads = thread_count(threads);
    const std::size_t useful = (count + block - 1) / block;
    if (threads > useful) threads = static_cast<unsigned>(std::max<std::size_t>(1, useful));
    {
        std::vector<std::jthread> helpers;
        try {
            for (unsigned t = 1; t < threads; ++t) helpers.emplace_back(run);
        } catch (const std::system_error&) {
            // The system gives no more threads: those there are do all the work.
        }
        run();
    }
    if (failure) std::rethrow_exception(failure);
}

// The same for segments, of which one is little work.
template <class MakeWorker>
void for_each_segment(std::size_t count, unsigned threads, MakeWorker make_worker) {
    for_each_block<128>(count, threads, make_worker);
}

}  // namespace adjudge
