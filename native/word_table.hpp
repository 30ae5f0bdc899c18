// Words to 0, 1, 2, …, for as long as the table lives; it keeps their text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "intern.hpp"

namespace adjudge {

class WordTable {
  public:
    static constexpr std::int32_t absent = -1;

    WordTable() = default;
    WordTable(const WordTable&) = delete;
    WordTable& operator=(const WordTable&) = delete;
    WordTable(WordTable&&) = default;
    WordTable& operator=(WordTable&&) = default;

    std::int32_t add(std::string_view word) {
        if (2 * (keys_.size() + 1) > slots_.size()) grow();
        const TokenKey key(word);
        const std::uint64_t hash = key.hash();
        Slot& slot = slots_[place(key, hash)];
        if (slot.id == absent) {
            slot = {static_cast<std::uint32_t>(hash), static_cast<std::int32_t>(keys_.size())};
            keys_.emplace_back(kept(word));
        }
        return slot.id;
    }

    std::int32_t find(std::string_view word) const {
        if (slots_.empty()) return absent;
        const TokenKey key(word);
        return slots_[place(key, key.hash())].id;
    }

    std::size_t size() const { return keys_.size(); }
    std::string_view text(std::int32_t id) const { return keys_[static_cast<std::size_t>(id)].text; }

  private:
    struct Slot {
        std::uint32_t hash = 0;
        std::int32_t id = absent;
    };

    std::size_t place(const TokenKey& key, std::uint64_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = hash >> 32;; ++i) {
            const Slot& slot = slots_[i & mask];
            if (slot.id == absent) return i & mask;
            if (slot.hash == static_cast<std::uint32_t>(hash) &&
                keys_[static_cast<std::size_t>(slot.id)] == key)
                return i & mask;
        }
    }

    void grow() {
        slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), Slot{});
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t id = 0; id < keys_.size(); ++id) {
            const std::uint64_t hash = keys_[id].hash();
            std::size_t i = hash >> 32;
            while (slots_[i & mask].id != absent) ++i;
            slots_[i & mask] = {static_cast<std::uint32_t>(hash), static_cast<std::int32_t>(id)};
        }
    }

    std::string_view kept(std::string_view word) {
        if (free_ < word.size()) {
            free_ = std::max<std::size_t>(word.size(), 1 << 16);
            blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_));
            at_ = blocks_.back().get();
        }
        if (word.empty()) return {};
        std::memcpy(at_, word.data(), word.size());
        const std::string_view text(at_, word.size());
        at_ += word.size();
        free_ -= word.size();
        return text;
    }

    std::vector<Slot> slots_;
    std::vector<TokenKey> keys_;
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* at_ = nullptr;
    std::size_t free_ = 0;
};

}  // namespace adjudge
