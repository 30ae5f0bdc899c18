// Where to cut an output so that its parts are nearest to the segments of its references (Matusov et al.
// 2005).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace adjudge {

// A cost that no way has; a cut that costs so much is none.
inline constexpr std::int32_t kNoWay = 1 << 29;

// The words of one reference set, segment after segment; a segment that it has no reference for is absent.
struct SegmentedWords {
    std::span<const std::int32_t> words;
    std::span<const std::int64_t> ends;
    std::span<const std::uint8_t> present;
};

// The words of ours before which the parts but the first begin, so that edits between each part and the
// nearest reference of its segment are fewest. `extra[j]` is what a cut before word j costs beside; what is
// below 0 is a gain that the first of several cuts there has. The best way is looked for in a band around the
// diagonal, at first `narrowest` words on either side, and in one twice as wide as long as a cut comes near
// its edge.
std::vector<std::int64_t> best_cuts(std::span<const std::int32_t> ours,
                                    std::span<const SegmentedWords> references,
                                    std::span<const std::int32_t> extra, std::size_t segments,
                                    std::size_t narrowest);

}  // namespace adjudge
