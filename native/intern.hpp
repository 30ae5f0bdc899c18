// Small tables that give equal things equal numbers within one segment; made to stay in cache and be reused.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace adjudge {

// A token as two overlapping words: exact for up to 16 bytes, so most comparisons never touch the text again.
struct TokenKey {
    std::uint64_t low, high;
    std::string_view text;

    explicit TokenKey(std::string_view token) : text(token) {
        const char* at = token.data();
        const std::size_t size = token.size();
        if (size >= 8) {
            std::memcpy(&low, at, 8);
            std::memcpy(&high, at + size - 8, 8);
        } else if (size >= 4) {
            std::uint32_t a, b;
            std::memcpy(&a, at, 4);
            std::memcpy(&b, at + size - 4, 4);
            low = a;
            high = b;
        } else {
            low = size == 0 ? 0
                            : static_cast<std::uint64_t>(static_cast<unsigned char>(at[0])) |
                                  static_cast<std::uint64_t>(static_cast<unsigned char>(at[size / 2])) << 8 |
                                  static_cast<std::uint64_t>(static_cast<unsigned char>(at[size - 1])) << 16;
            high = 0;
        }
    }

    // The same where eight bytes may be read from any place before `end`: how long a word is, is as good as
    // random to a processor, so most words take one way. Keys of the two kinds do not go together.
    TokenKey(std::string_view token, const char* end) : high(0), text(token) {
        const char* const at = token.data();
        const std::size_t size = token.size();
        if (end - at >= 8) [[likely]] {
            std::memcpy(&low, at, 8);
            if (size > 8) {
                std::memcpy(&high, at + size - 8, 8);
            } else if constexpr (std::endian::native == std::endian::little) {
                low &= ~std::uint64_t{0} >> (8 * (8 - size));
            } else {
                low &= ~std::uint64_t{0} << (8 * (8 - size));
            }
        } else {
            low = 0;
            std::memcpy(&low, at, size);
        }
    }

    std::uint64_t hash() const {
        std::uint64_t h = (low ^ (text.size() * 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;
        h ^= high * 0xc4ceb9fe1a85ec53u;
        if (text.size() > 16) h ^= middle();
        return (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
    }

    // Long words may differ in the middle only, as links do, and must not all fall into one slot for that.
    std::uint64_t middle() const {
        std::uint64_t h = 0;
        for (std::size_t i = 8; i + 8 < text.size(); i += 8) {
            std::uint64_t part;
            std::memcpy(&part, text.data() + i, 8);
            h = (std::rotl(h, 29) ^ part) * 0x9e3779b97f4a7c15u;
        }
        return h;
    }

    bool operator==(const TokenKey& other) const {
        return ((low == other.low) & (high == other.high) & (text.size() == other.text.size())) &&
               (text.size() <= 16 || std::memcmp(text.data(), other.text.data(), text.size()) == 0);
    }
};

// Tokens to 0, 1, 2, …; entries of earlier segments are recognised by their stamp and need no clearing.
class TokenTable {
  public:
    static constexpr std::int32_t absent = -1;

    // Forgets everything and makes room for `capacity` different tokens.
    void reset(std::size_t capacity) {
        const std::size_t wanted = std::bit_ceil(capacity * 2 + 16);
        if (wanted > slots_.size()) {
            slots_.assign(wanted, Slot{});
            stamp_ = 0;
        }
        mask_ = slots_.size() - 1;
        if (++stamp_ == 0) {
            for (Slot& slot : slots_) slot.stamp = 0;
            stamp_ = 1;
        }
        keys_.clear();
    }

    std::int32_t add(std::string_view token) { return add(TokenKey(token)); }

    std::int32_t add(const TokenKey& key) {
        for (std::size_t i = key.hash() >> 32;; ++i) {
            Slot& slot = slots_[i & mask_];
            if (slot.stamp != stamp_) {
                slot = {stamp_, static_cast<std::int32_t>(keys_.size())};
                keys_.push_back(key);
                return slot.id;
            }
            if (keys_[static_cast<std::size_t>(slot.id)] == key) return slot.id;
        }
    }

    std::int32_t find(std::string_view token) const { return find(TokenKey(token)); }

    std::int32_t find(const TokenKey& key) const {
        for (std::size_t i = key.hash() >> 32;; ++i) {
            const Slot& slot = slots_[i & mask_];
            if (slot.stamp != stamp_) return absent;
            if (keys_[static_cast<std::size_t>(slot.id)] == key) return slot.id;
        }
    }

    std::size_t size() const { return keys_.size(); }
    std::string_view text(std::int32_t id) const { return keys_[static_cast<std::size_t>(id)].text; }

  private:
    struct Slot {
        std::uint32_t stamp = 0;
        std::int32_t id = 0;
    };
    std::vector<Slot> slots_;
    std::vector<TokenKey> keys_;
    std::size_t mask_ = 0;
    std::uint32_t stamp_ = 0;
};

}  // namespace adjudge
