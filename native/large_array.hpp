// Arrays of gigabytes that are read here and there: in large pages where the system has them, for otherwise
// looking up where a page lies takes as long as reading it.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace adjudge {

template <class Value>
class LargeArray {
    static_assert(std::is_trivially_destructible_v<Value>);

  public:
    explicit LargeArray(std::size_t count) : size_(count) {
        const std::size_t bytes = (count * sizeof(Value) + page) / page * page;
        // Not std::aligned_alloc, which Windows does not have.
        values_.reset(static_cast<Value*>(::operator new(bytes, std::align_val_t{page})));
#if defined(__linux__)
        madvise(values_.get(), bytes, MADV_HUGEPAGE);  // a wish: where it is not granted, all is as before
#endif
        std::uninitialized_value_construct_n(values_.get(), count);
    }

    std::size_t size() const { return size_; }
    Value& operator[](std::size_t k) { return values_.get()[k]; }
    const Value& operator[](std::size_t k) const { return values_.get()[k]; }
    Value* begin() { return values_.get(); }
    const Value* begin() const { return values_.get(); }

  private:
    static constexpr std::size_t page = std::size_t{2} << 20;
    struct Free {
        void operator()(Value* values) const { ::operator delete(values, std::align_val_t{page}); }
    };
    std::size_t size_;
    std::unique_ptr<Value, Free> values_;
};

}  // namespace adjudge
