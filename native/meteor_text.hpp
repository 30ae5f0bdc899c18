// The words of METEOR: version 1.5's normaliser (-norm, -noPunct) and its plain splitting.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "lines.hpp"

namespace adjudge {

// How a line is rewritten before it is cut at spaces. English and French differ from the other western
// languages by what becomes of an apostrophe; `other` is for scripts that have no such rules.
enum class MeteorRules { plain, english, french, western, other };

// Throws std::invalid_argument for a name that is none of these.
MeteorRules meteor_rules_by_name(std::string_view name);

struct MeteorText {
    MeteorRules rules;
    bool keep_punctuation;
    // Words after which a dot is no end of a sentence; true: only where a number follows.
    std::unordered_map<std::string, bool> prefixes;
};

// One line's words with a space between each two, in `result`; case stays. Linear in the line's length.
class MeteorNormalizer {
  public:
    explicit MeteorNormalizer(const MeteorText& options) : options_(options) {}
    void operator()(Line line, std::string& result);

  private:
    void western();
    void other();
    void last_dots();
    void last_dot(std::string_view token, std::string_view next);

    const MeteorText& options_;
    std::string text_, other_, word_;
};

}  // namespace adjudge
