// Pairs of numbers to 0, 1, 2, …: how an n-gram is known by the one that is a symbol shorter, and its last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace adjudge {

class PairTable {
  public:
    // Numbers are below 2³²; the first may also be −1.
    std::int64_t add(std::int64_t first, std::int64_t second, bool& is_new) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        const std::uint64_t key =
            static_cast<std::uint64_t>(first + 1) << 32 | static_cast<std::uint64_t>(second);
        for (std::size_t i = hash(key);; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.number < 0) {
                slot = {key, static_cast<std::int64_t>(size_)};
                is_new = true;
                return static_cast<std::int64_t>(size_++);
            }
            if (slot.key == key) {
                is_new = false;
                return slot.number;
            }
        }
    }

    // Forgets everything and keeps its room.
    void clear() {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        size_ = 0;
    }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::int64_t number = -1;
    };

    static std::size_t hash(std::uint64_t key) {
        key *= 0x9e3779b97f4a7c15u;
        return key ^ key >> 32;
    }

    void grow() {
        std::vector<Slot> old(std::max<std::size_t>(1024, slots_.size() * 2));
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.number < 0) continue;
            std::size_t i = hash(slot.key);
            while (slots_[i & (slots_.size() - 1)].number >= 0) ++i;
            slots_[i & (slots_.size() - 1)] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

}  // namespace adjudge
