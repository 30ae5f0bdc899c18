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

}  // namespace adjudge
