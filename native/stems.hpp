// Snowball's stemmers for English (Porter 2) and German as METEOR 1.5 has them; later editions changed the
// rules.
#pragma once

#include <string>
#include <string_view>

namespace adjudge {

// UTF-8 in and out.
std::string stem_english(std::string_view word);
std::string stem_german(std::string_view word);

}  // namespace adjudge
