#include "stems.hpp"

#include <algorithm>
#include <array>

namespace adjudge {
namespace {

constexpr std::array<std::string_view, 15> languages{"da", "de", "en", "es", "fi", "fr", "hu", "it",
                                                     "nl", "no", "pt", "ro", "ru", "sv", "tr"};
constexpr std::array<Stem, languages.size()> stemmers{
    stem_danish,     stem_german,    stem_english, stem_spanish, stem_finnish,
    stem_french,     stem_hungarian, stem_italian, stem_dutch,   stem_norwegian,
    stem_portuguese, stem_romanian,  stem_russian, stem_swedish, stem_turkish};

}  // namespace

Stem stemmer(std::string_view language) {
    const auto found = std::find(languages.begin(), languages.end(), language);
    return found == languages.end() ? nullptr : stemmers[static_cast<std::size_t>(found - languages.begin())];
}

std::span<const std::string_view> stemmer_languages() { return languages; }

}  // namespace adjudge
