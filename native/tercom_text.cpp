#include "tercom_text.hpp"

#include <array>
#include <cstdint>
#include <string_view>

#include "utf8.hpp"

namespace adjudge {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_stop(char c) { return c == '.' || c == ','; }

// ASCII characters that become words of their own: all punctuation but ' , - . (the space is among them).
constexpr std::array<bool, 256> make_apart() {
    std::array<bool, 256> apart{};
    for (int c = 0; c < 128; ++c)
        apart[static_cast<std::size_t>(c)] = (c >= '{' && c <= '~') || (c >= '[' && c <= '`') ||
                                             (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
                                             (c >= ':' && c <= '@') || c == '/';
    return apart;
}
constexpr std::array<bool, 256> apart = make_apart();

bool is_removable(char c) {
    return c == '.' || c == ',' || c == '?' || c == ':' || c == ';' || c == '!' || c == '"' || c == '(' ||
           c == ')';
}

bool between(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

bool is_asian_punctuation(char32_t c) {
    return c == 0x3001 || c == 0x3002 || between(c, 0x3008, 0x3011) || between(c, 0x3014, 0x301f) ||
           between(c, 0xff61, 0xff65) || c == 0x30fb || c == 0xff0e || c == 0xff0c || c == 0xff1f ||
           c == 0xff1a || c == 0xff1b || c == 0xff01 || c == 0xff02 || c == 0xff08 || c == 0xff09;
}

// Ideographs, radicals, strokes, enclosed and compatibility forms, as blocks.
bool is_ideographic(char32_t c) {
    return between(c, 0x4e00, 0x9fff) || between(c, 0x3200, 0x4dbf) || between(c, 0x31c0, 0x31ef) ||
           between(c, 0x2e80, 0x2eff) || between(c, 0xf900, 0xfaff) || between(c, 0xfe30, 0xfe4f);
}

// The block a kana is of, 0 for what is none. sacreBLEU's patterns for kana can never match (they want them
// at the start of a text that was just given a space there), tercom's put every run of one block apart.
int kana_block(char32_t c) {
    if (between(c, 0x3040, 0x309f)) return 1;
    if (between(c, 0x30a0, 0x30ff)) return 2;
    return between(c, 0x31f0, 0x31ff) ? 3 : 0;
}

void remove_all(std::string& text, std::string_view what) {
    std::size_t found = text.find(what);
    if (found == std::string::npos) return;
    std::string result;
    std::size_t from = 0;
    for (; found != std::string::npos; found = text.find(what, from)) {
        result.append(text, from, found - from);
        from = found + what.size();
    }
    result.append(text, from);
    text = std::move(result);
}

void replace_all(std::string& text, std::string_view what, char with) {
    std::size_t found = text.find(what);
    if (found == std::string::npos) return;
    std::size_t from = 0, out = 0;
    for (; found != std::string::npos; found = text.find(what, from)) {
        while (from < found) text[out++] = text[from++];
        text[out++] = with;
        from = found + what.size();
    }
    while (from < text.size()) text[out++] = text[from++];
    text.resize(out);
}

// One substitution of the chain each, in the regular expressions' order: what one consumes the next does not
// see.
class Western {
  public:
    explicit Western(std::string& text) : text_(text) {}

    void run(bool terp) {
        put_apart();
        if (possessive_) possessives();
        if (stop_ && terp) stops_at_ends();
        if (stop_ && !terp) stops_after();
        if (stop_ && !terp) stops_before();
        if (dash_) dashes();
    }

  private:
    // `each` reads at an index, writes at most `growth` times what it reads and returns how much it read.
    template <class Each>
    void pass(std::size_t growth, Each each) {
        other_.resize(text_.size() * growth);
        char* out = other_.data();
        for (std::size_t i = 0; i < text_.size();) i += each(i, out);
        other_.resize(static_cast<std::size_t>(out - other_.data()));
        text_.swap(other_);
    }

    void put_apart() {
        pass(3, [&](std::size_t i, char*& out) {
            const char c = text_[i];
            if (apart[static_cast<unsigned char>(c)]) {
                *out++ = ' ';
                *out++ = c;
                *out++ = ' ';
            } else {
                *out++ = c;
                possessive_ |= c == '\'';
                stop_ |= is_stop(c);
                dash_ |= c == '-';
            }
            return std::size_t{1};
        });
    }

    // 's before a space; the pattern for one at the very end cannot match, as the text ends in a space here.
    void possessives() {
        pass(2, [&](std::size_t i, char*& out) {
            if (text_[i] == '\'' && text_.compare(i, 3, "'s ") == 0) *out++ = ' ';
            *out++ = text_[i];
            return std::size_t{1};
        });
    }

    // A full stop or comma apart unless a digit precedes.
    void stops_after() {
        pass(2, [&](std::size_t i, char*& out) {
            *out++ = text_[i];
            if (i + 1 == text_.size() || !is_stop(text_[i + 1]) || is_digit(text_[i])) return std::size_t{1};
            *out++ = ' ';
            *out++ = text_[i + 1];
            *out++ = ' ';
            return std::size_t{2};
        });
    }

    // A full stop or comma apart unless a digit follows.
    void stops_before() {
        pass(2, [&](std::size_t i, char*& out) {
            if (!is_stop(text_[i]) || i + 1 == text_.size() || is_digit(text_[i + 1])) {
                *out++ = text_[i];
                return std::size_t{1};
            }
            *out++ = ' ';
            *out++ = text_[i];
            *out++ = ' ';
            *out++ = text_[i + 1];
            return std::size_t{2};
        });
    }

    // TERp: a full stop or comma apart at the end of a word that has no other. The space before the word is
    // lost, which joins it to a punctuation mark there.
    void stops_at_ends() {
        pass(2, [&](std::size_t i, char*& out) {
            std::size_t end = i + 1;
            if (text_[i] == ' ')
                while (end < text_.size() && text_[end] != ' ' && !is_stop(text_[end])) ++end;
            if (text_[i] != ' ' || end == i + 1 || end + 1 >= text_.size() || !is_stop(text_[end]) ||
                text_[end + 1] != ' ') {
                *out++ = text_[i];
                return std::size_t{1};
            }
            for (std::size_t k = i + 1; k < end; ++k) *out++ = text_[k];
            *out++ = ' ';
            *out++ = text_[end];
            *out++ = ' ';
            return end + 2 - i;
        });
    }

    // A dash apart after a digit.
    void dashes() {
        pass(2, [&](std::size_t i, char*& out) {
            *out++ = text_[i];
            if (i + 1 == text_.size() || text_[i + 1] != '-' || !is_digit(text_[i])) return std::size_t{1};
            *out++ = ' ';
            *out++ = '-';
            *out++ = ' ';
            return std::size_t{2};
        });
    }

    std::string& text_;
    std::string other_;
    bool possessive_ = false, stop_ = false, dash_ = false;
};

void split_asian(std::string& text, bool kana_apart) {
    std::string result;
    result.reserve(text.size() * 2);
    int previous = 0;
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint c = decode(text.data() + i);
        const int block = kana_apart ? kana_block(c.value) : 0;
        if (block != previous) result += ' ';
        previous = block;
        const bool alone = c.value >= 0x2e80 && (is_ideographic(c.value) || is_asian_punctuation(c.value));
        if (alone) result += ' ';
        result.append(text, i, c.size);
        if (alone) result += ' ';
        i += c.size;
    }
    text = std::move(result);
}

void remove_punctuation(std::string& text, bool asian) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint c = decode(text.data() + i);
        const bool gone = c.size == 1 ? is_removable(text[i]) : asian && is_asian_punctuation(c.value);
        if (!gone)
            for (unsigned k = 0; k < c.size; ++k) text[out + k] = text[i + k];
        if (!gone) out += c.size;
        i += c.size;
    }
    text.resize(out);
}

void normalize(const TercomText& options, std::string& text) {
    if (options.tercom) {
        remove_all(text, "<skipped>");
        remove_all(text, "-\n");
    } else {
        remove_all(text, "\n-");
    }
    for (char& c : text)
        if (c == '\n') c = ' ';
    if (text.find('&') != std::string::npos) {
        replace_all(text, "&quot;", '"');
        replace_all(text, "&amp;", '&');
        replace_all(text, "&lt;", '<');
        replace_all(text, "&gt;", '>');
    }
    text.insert(text.begin(), ' ');
    text += ' ';
    Western(text).run(options.terp);
    if (options.asian_support) split_asian(text, options.tercom);
}

// Python's str.split().
void split_unicode(std::string_view text, Tokens& tokens) {
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (static_cast<signed char>(text[i]) > ' ') {  // ASCII beyond the space
            ++i;
            continue;
        }
        const CodePoint c = decode(text.data() + i);
        if (is_space(c.value)) {
            if (i > start) tokens.push_back(text.substr(start, i - start));
            start = i + c.size;
        }
        i += c.size;
    }
    if (text.size() > start) tokens.push_back(text.substr(start));
}

bool is_java_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Java's String.split("\\s+"): an empty word before leading white space, none after trailing, "" is one word.
void split_java(std::string_view text, Tokens& tokens) {
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_java_space(text[i])) continue;
        tokens.push_back(text.substr(start, i - start));
        while (i + 1 < text.size() && is_java_space(text[i + 1])) ++i;
        start = i + 1;
    }
    if (start < text.size() || text.empty())
        tokens.push_back(text.substr(start));
    else if (tokens.size() == 1 && tokens[0].empty())
        tokens.clear();
}

std::string_view trim_java(std::string_view text) {
    const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

// TERp's white space: one space for any run of it before anything else is looked at, and no empty words.
void terp_tokenize(const TercomText& options, Line line, Tokens& tokens, std::string& scratch) {
    scratch.clear();
    for (const char c : trim_java(line)) {
        if (!is_java_space(c))
            scratch += c;
        else if (scratch.back() != ' ')
            scratch += ' ';
    }
    if (options.normalized) normalize(options, scratch);
    if (options.no_punct) remove_punctuation(scratch, options.asian_support);
    split_java(trim_java(scratch), tokens);
    std::erase_if(tokens, [](std::string_view token) { return token.empty(); });
}

}  // namespace

void tercom_tokenize(const TercomText& options, Line line, Tokens& tokens, std::string& scratch) {
    tokens.clear();
    if (options.terp) return terp_tokenize(options, line, tokens, scratch);
    std::string_view text = options.tercom ? trim_java(line) : rstrip(line);
    if (text.empty()) return;
    if (options.normalized || options.no_punct) {
        scratch.assign(text);
        if (options.normalized) normalize(options, scratch);
        if (options.tercom && options.normalized) {
            while (!scratch.empty() && is_java_space(scratch.back())) scratch.pop_back();
            std::size_t start = 0;
            while (start < scratch.size() && is_java_space(scratch[start])) ++start;
            scratch.erase(0, start);
        }
        if (options.no_punct) remove_punctuation(scratch, options.asian_support);
        text = scratch;
    }
    if (options.tercom)
        split_java(text, tokens);
    else
        split_unicode(text, tokens);
}

}  // namespace adjudge
