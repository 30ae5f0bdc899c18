// Reading UTF-8 that is known to be valid (the border encodes it from Python's own strings).
#pragma once

#include <cstdint>
#include <string_view>

namespace adjudge {

struct CodePoint {
    char32_t value;
    unsigned size;  // in bytes
};

inline CodePoint decode(const char* at) {
    const auto byte = [at](int i) { return static_cast<char32_t>(static_cast<unsigned char>(at[i])); };
    const char32_t first = byte(0);
    if (first < 0x80) return {first, 1};
    if (first < 0xe0) return {(first & 0x1f) << 6 | (byte(1) & 0x3f), 2};
    if (first < 0xf0) return {(first & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
    return {(first & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f), 4};
}

// What Python's str.split() splits on.
inline bool is_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
           c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

// Python's str.strip(), on one or both ends.
inline std::string_view rstrip(std::string_view text) {
    while (!text.empty()) {
        std::size_t start = text.size() - 1;
        while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
        if (!is_space(decode(text.data() + start).value)) break;
        text.remove_suffix(text.size() - start);
    }
    return text;
}

inline std::string_view lstrip(std::string_view text) {
    while (!text.empty()) {
        const CodePoint c = decode(text.data());
        if (!is_space(c.value)) break;
        text.remove_prefix(c.size);
    }
    return text;
}

}  // namespace adjudge
