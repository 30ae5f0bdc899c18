// Snowball's stemmers as METEOR 1.5 has them; later editions changed the rules of nearly every language.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace adjudge {

using Stem = std::string (*)(std::string_view);

// The stemmer of a language, given by its code; null where there is none. UTF-8 in and out.
Stem stemmer(std::string_view language);

// The codes of the languages there are stemmers for.
std::span<const std::string_view> stemmer_languages();

std::string stem_danish(std::string_view word);
std::string stem_dutch(std::string_view word);
std::string stem_english(std::string_view word);
std::string stem_finnish(std::string_view word);
std::string stem_french(std::string_view word);
std::string stem_german(std::string_view word);
std::string stem_hungarian(std::string_view word);
std::string stem_italian(std::string_view word);
std::string stem_norwegian(std::string_view word);
std::string stem_portuguese(std::string_view word);
std::string stem_romanian(std::string_view word);
std::string stem_russian(std::string_view word);
std::string stem_spanish(std::string_view word);
std::string stem_swedish(std::string_view word);
std::string stem_turkish(std::string_view word);

}  // namespace adjudge
