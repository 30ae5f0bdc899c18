// Arrays of gigabytes that are read here and there: in large pages where the system has them, for otherwise
// looking up where a page lies takes as long as reading it.
#pragma once

#include <cstddef>
#include <cstdlib>
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
        constexpr std::size_t page = std::size_t{2} << 20;
        const std::size_t bytes = (count * sizeof(Value) + page) / page * page;
        values_.reset(static_cast<Value*>(std::aligned_alloc(page, bytes)));
        if (!values_) throw std::bad_alloc();
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
    struct Free {
        void operator()(Value* values) const { std::free(values); }
    };
    std::size_t size_;
    std::unique_ptr<Value, Free> values_;
};

}  // namespace adjudge
