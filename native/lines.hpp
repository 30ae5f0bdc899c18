// The one form in which text reaches a kernel: segments as UTF-8 views, a missing one marked.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace adjudge {

using Line = std::string_view;
using Lines = std::span<const Line>;
using References = std::vector<Lines>;  // one entry a reference set, all as long as the hypotheses

// A segment may lack a reference in one of the sets; an empty one is something else and has a data pointer.
inline bool is_missing(Line line) { return line.data() == nullptr; }

// Asks for the text of a segment that will be read soon: strings lie all over the memory, and waiting for
// each would take as long as reading it.
inline void fetch_soon(Lines lines, std::size_t segment) {
#if defined(__GNUC__)
    constexpr std::size_t ahead = 4, line = 64, most = 256;
    if (segment + ahead >= lines.size()) return;
    const Line next = lines[segment + ahead];
    for (std::size_t at = 0; at < next.size() && at < most; at += line) __builtin_prefetch(next.data() + at);
#else
    static_cast<void>(lines);
    static_cast<void>(segment);
#endif
}

}  // namespace adjudge
