#include "tokenize.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "unicode_classes.hpp"
#include "utf8.hpp"

namespace adjudge {
namespace {

// What the scanner below does with a character. mteval's rules rewrite a line four times; all they decide is
// where a token ends, and that follows from the class of a character and of its neighbours.
enum Kind : std::uint8_t {
    kWord,     // stays with its neighbours
    kNumber,   // the same, but protects a neighbouring stop
    kStop,     // cut off unless a number protects it (13a: full stop and comma; intl: all punctuation)
    kAlone,    // always a token of its own
    kSpace,    // between tokens
    kDash,     // a word, or alone after a digit (13a)
    kUnknown,  // first byte of something that needs decoding
};

constexpr std::array<Kind, 256> ascii_kinds_13a() {
    std::array<Kind, 256> kinds{};
    for (int c = 0; c < 128; ++c) {
        const bool symbol = (c >= 0x7b && c <= 0x7e) || (c >= 0x5b && c <= 0x60) ||
                            (c >= 0x20 && c <= 0x26) || (c >= 0x28 && c <= 0x2b) ||
                            (c >= 0x3a && c <= 0x40) || c == '/';
        const bool space = c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
        kinds[c] = space                  ? kSpace
                   : symbol               ? kAlone
                   : c >= '0' && c <= '9' ? kNumber
                   : c == '.' || c == ',' ? kStop
                   : c == '-'             ? kDash
                                          : kWord;
    }
    for (int c = 128; c < 256; ++c) kinds[c] = kWord;
    // Only these can begin a space outside ASCII.
    for (int c : {0xc2, 0xe1, 0xe2, 0xe3}) kinds[c] = kUnknown;
    return kinds;
}

struct Rules13a {
    static constexpr std::array<Kind, 256> table = ascii_kinds_13a();
    static constexpr bool padded = true;  // mteval puts a space at both ends before it applies its rules
    static Kind decide(char32_t c) { return is_space(c) ? kSpace : kWord; }
};

// sacreBLEU writes two of its ranges with five hex digits after \u, which Python reads as a character and a
// digit; so they cover U+2001–2A6D and U+2F81–2FA1. Scores are published with that, so it stays.
bool is_chinese(char32_t c) {
    return (c >= 0x3400 && c <= 0x4db5) || (c >= 0x4e00 && c <= 0x9fbb) || (c >= 0xf900 && c <= 0xfa2d) ||
           (c >= 0xfa30 && c <= 0xfa6a) || (c >= 0xfa70 && c <= 0xfad9) || (c >= 0x2001 && c <= 0x2a6d) ||
           (c >= 0x2f81 && c <= 0x2fa1) || (c >= 0xff00 && c <= 0xffef) || (c >= 0x2e80 && c <= 0x2eff) ||
           (c >= 0x3000 && c <= 0x303f) || (c >= 0x31c0 && c <= 0x31ef) || (c >= 0x2f00 && c <= 0x2fdf) ||
           (c >= 0x2ff0 && c <= 0x2fff) || (c >= 0x3100 && c <= 0x312f) || (c >= 0x31a0 && c <= 0x31bf) ||
           (c >= 0xfe10 && c <= 0xfe1f) || (c >= 0xfe30 && c <= 0xfe4f) || (c >= 0x2600 && c <= 0x27bf) ||
           (c >= 0x3200 && c <= 0x33ff);
}

struct RulesZh {
    static constexpr std::array<Kind, 256> table = [] {
        auto kinds = ascii_kinds_13a();
        for (int c = 128; c < 256; ++c) kinds[c] = kUnknown;
        return kinds;
    }();
    static constexpr bool padded = false;
    static Kind decide(char32_t c) { return is_space(c) ? kSpace : is_chinese(c) ? kAlone : kWord; }
};

struct RulesIntl {
    static constexpr std::array<Kind, 256> table = [] {
        std::array<Kind, 256> kinds{};
        for (int c = 0; c < 128; ++c) {
            const bool space = c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
            const bool graphic = c > 0x20 && c < 0x7f;
            const bool digit = c >= '0' && c <= '9';
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            const bool symbol = c == '$' || c == '+' || c == '<' || c == '=' || c == '>' || c == '^' ||
                                c == '`' || c == '|' || c == '~';
            kinds[c] = space                ? kSpace
                       : digit              ? kNumber
                       : symbol             ? kAlone
                       : graphic && !letter ? kStop
                                            : kWord;
        }
        for (int c = 128; c < 256; ++c) kinds[c] = kUnknown;
        return kinds;
    }();
    static constexpr bool padded = false;
    static Kind decide(char32_t c) {
        if (is_space(c)) return kSpace;
        switch (unicode_class(c)) {
            case 'P':
                return kStop;
            case 'S':
                return kAlone;
            case 'N':
                return kNumber;
            default:
                return kWord;
        }
    }
};

struct Character {
    Kind kind;
    unsigned size;
};

template <class Rules>
inline Character look(const char* at) {
    const Kind kind = Rules::table[static_cast<unsigned char>(*at)];
    if (kind != kUnknown) [[likely]]
        return {kind, 1};
    const CodePoint c = decode(at);
    return {Rules::decide(c.value), c.size};
}

inline bool is_letter(char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }

// How far ASCII letters go on from a place, which they do for most of a text: eight at a time, by their bits.
inline const char* after_letters(const char* at, const char* end) {
    constexpr std::uint64_t each = 0x0101010101010101u, high = 0x80 * each;
    while (end - at >= 8) {
        std::uint64_t bytes;
        std::memcpy(&bytes, at, 8);
        const std::uint64_t lower = (bytes | 0x20 * each) & ~high;
        // The high bit of a sum says whether the byte is at least 'a', and whether it is beyond 'z'.
        const std::uint64_t letters =
            (lower + (0x80 - 'a') * each) & ~(lower + (0x7f - 'z') * each) & ~bytes & high;
        if (letters != high) {
            const std::uint64_t others = letters ^ high;
            return at + (std::endian::native == std::endian::little ? std::countr_zero(others)
                                                                    : std::countl_zero(others)) /
                            8;
        }
        at += 8;
    }
    while (at < end && is_letter(*at)) ++at;
    return at;
}

// One pass. A stop is cut off on both sides when the rules pair it with the character before it (which must
// not be a number, nor a stop that is itself the second half of a pair), with a stop after it, or with any
// non-number after it. The regular expressions match without overlap, which is what `paired` remembers.
// With `watched` it gives up, and says so, at a character that mteval may rewrite before it looks for tokens.
template <class Rules, bool watched = false>
bool scan(std::string_view line, Tokens& tokens) {
    const char* at = line.data();
    const char* const end = at + line.size();
    const char* start = nullptr;  // of the token being built
    const auto close = [&](const char* stop) {
        if (start != nullptr) tokens.emplace_back(start, static_cast<std::size_t>(stop - start));
        start = nullptr;
    };
    Kind before = kSpace;
    bool first = !Rules::padded;  // no character stands before this one
    bool paired = false;
    while (at < end) {
        const Character c = look<Rules>(at);
        const char* next = at + c.size;
        bool now_paired = false;
        switch (c.kind) {
            case kWord:
                if (start == nullptr) start = at;
                next = after_letters(next, end);  // words, all of them
                // Most words stand between two spaces: those need no other rule.
                while (end - next > 1 && *next == ' ' && is_letter(next[1])) {
                    close(next);
                    start = next + 1;
                    next = after_letters(next + 2, end);
                }
                break;
            case kNumber:
                if (start == nullptr) start = at;
                break;
            case kSpace:
                if (watched && *at == '\n') return false;
                close(at);
                break;
            case kAlone:
                if (watched && (*at == '&' || *at == '<')) return false;
                close(at);
                tokens.emplace_back(at, c.size);
                break;
            case kDash:
                if (before == kNumber) {
                    close(at);
                    tokens.emplace_back(at, c.size);
                } else if (start == nullptr) {
                    start = at;
                }
                break;
            default: {  // kStop
                bool alone;
                if (!first && before != kNumber && !paired) {
                    alone = now_paired = true;
                } else if (next == end) {
                    alone = Rules::padded;
                } else {
                    const Kind after = look<Rules>(next).kind;
                    alone = after != kNumber;
                    // A stop that is the first half of a pair: the one after it is then the second half, and
                    // sees `paired` false here, so it pairs. Nothing to remember.
                }
                if (alone) {
                    close(at);
                    tokens.emplace_back(at, c.size);
                } else if (start == nullptr) {
                    start = at;
                }
            }
        }
        before = c.kind;
        paired = now_paired;
        first = false;
        at = next;
    }
    close(end);
    return true;
}

void split(std::string_view line, Tokens& tokens) {
    const char* at = line.data();
    const char* const end = at + line.size();
    const char* start = nullptr;
    while (at < end) {
        const auto byte = static_cast<unsigned char>(*at);
        const CodePoint c = byte < 0x80 ? CodePoint{byte, 1} : decode(at);
        if (is_space(c.value)) {
            if (start != nullptr) tokens.emplace_back(start, static_cast<std::size_t>(at - start));
            start = nullptr;
        } else if (start == nullptr) {
            start = at;
        }
        at += c.size;
    }
    if (start != nullptr) tokens.emplace_back(start, static_cast<std::size_t>(end - start));
}

void characters(std::string_view line, Tokens& tokens) {
    for (const char *at = line.data(), *end = at + line.size(); at < end;) {
        const CodePoint c = decode(at);
        if (!is_space(c.value)) tokens.emplace_back(at, c.size);
        at += c.size;
    }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    std::size_t found = text.find(from);
    if (found == std::string::npos) return;
    std::string result;
    std::size_t copied = 0;
    for (; found != std::string::npos; found = text.find(from, copied)) {
        result.append(text, copied, found - copied).append(to);
        copied = found + from.size();
    }
    text = result.append(text, copied);
}

// mteval's language-independent part; most lines have none of it and are scanned where they lie.
std::string_view unescape_13a(std::string_view line, std::string& scratch) {
    const bool has_entity = line.find('&') != std::string_view::npos;
    const bool has_newline = line.find('\n') != std::string_view::npos;
    const bool has_skipped = line.find("<skipped>") != std::string_view::npos;
    if (!has_entity && !has_newline && !has_skipped) return line;
    scratch.assign(line);
    if (has_skipped) replace_all(scratch, "<skipped>", "");
    if (has_newline) replace_all(scratch, "-\n", "");
    if (has_entity) {
        replace_all(scratch, "&quot;", "\"");
        replace_all(scratch, "&amp;", "&");
        replace_all(scratch, "&lt;", "<");
        replace_all(scratch, "&gt;", ">");
    }
    return scratch;
}

}  // namespace

Tokenizer tokenizer_by_name(std::string_view name) {
    if (name == "13a") return Tokenizer::v13a;
    if (name == "intl") return Tokenizer::intl;
    if (name == "char") return Tokenizer::character;
    if (name == "zh") return Tokenizer::zh;
    if (name == "none") return Tokenizer::none;
    throw std::invalid_argument("no such tokenizer in the core: " + std::string(name));
}

char unicode_class(char32_t code_point) { return class_of(code_point); }

void tokenize(Tokenizer tokenizer, Line line, Tokens& tokens, std::string& scratch) {
    cut(tokenizer, rstrip(line), tokens, scratch);
}

void cut(Tokenizer tokenizer, Line line, Tokens& tokens, std::string& scratch) {
    tokens.clear();
    switch (tokenizer) {
        case Tokenizer::none:
            return split(line, tokens);
        case Tokenizer::character:
            return characters(line, tokens);
        case Tokenizer::v13a:
            if (scan<Rules13a, true>(line, tokens)) return;
            tokens.clear();
            scan<Rules13a>(unescape_13a(line, scratch), tokens);
            return;
        case Tokenizer::zh:
            scan<RulesZh>(lstrip(rstrip(line)), tokens);
            return;
        case Tokenizer::intl:
            scan<RulesIntl>(line, tokens);
            return;
    }
}

}  // namespace adjudge
