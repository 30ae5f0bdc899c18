#include "meteor_text.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "utf8.hpp"

namespace adjudge {
namespace {

// A dot of a run of dots while the rules for dots are at work; no byte of UTF-8.
constexpr char hidden_dot = '\xff';

constexpr bool between(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

CodePoint code_point(const char* at) {
    if (static_cast<signed char>(*at) >= 0) return {static_cast<char32_t>(*at), 1};
    return *at == hidden_dot ? CodePoint{0xffffffff, 1} : decode(at);
}

// METEOR's own idea of letters: Latin up to ž, Cyrillic, phonetic extensions.
bool is_letter(char32_t c) {
    if (c < 0x80) return between(c | 0x20, 'a', 'z');
    return between(c, 0xc0, 0xd6) || between(c, 0xd8, 0xf6) || between(c, 0xf8, 0x17e) ||
           between(c, 0x400, 0x527) || between(c, 0xa640, 0xa66e) || between(c, 0xa67e, 0xa697) ||
           between(c, 0x1d00, 0x1d7f);
}
bool is_digit(char32_t c) { return between(c, '0', '9'); }
bool is_alnum(char32_t c) { return is_digit(c) || is_letter(c); }
bool no_digit(char32_t c) { return !is_digit(c); }
bool no_letter(char32_t c) { return !is_letter(c); }
bool no_alnum(char32_t c) { return !is_alnum(c); }

// Where Java's StringTokenizer cuts.
bool is_java_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// What stays where it is at first: these have rules of their own.
constexpr auto ascii_with_rules = [] {
    std::array<bool, 128> table{};
    for (char32_t c = 0; c < 128; ++c)
        table[c] = between(c | 0x20, 'a', 'z') || between(c, '0', '9') || between(c, 0x09, 0x0d) ||
                   c == ' ' || c == '.' || c == '\'' || c == '`' || c == ',' || c == '-';
    return table;
}();
bool has_rules(char32_t c) {
    return c < 128 ? ascii_with_rules[c] : is_letter(c) || c == 0x2018 || c == 0x2019;
}

// Punctuation of the rules for other scripts: ASCII's without comma and dot, Latin-1's, the Arabic comma.
bool is_mark(char32_t c) {
    return between(c, '!', '+') || c == '-' || c == '/' || between(c, ':', '@') || between(c, '[', '`') ||
           between(c, '{', 0xbf) || c == 0x60c;
}

bool is_wide_space(char32_t c) {
    return c == 0xa0 || between(c, 0x2000, 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_ascii(std::string_view text) {
    char all = 0;
    for (const char c : text) all = static_cast<char>(all | c);
    return static_cast<signed char>(all) >= 0;
}

// Every code point through `each`, which writes what it becomes: at most two bytes more.
template <class Each>
void rewrite(std::string& text, std::string& scratch, Each each) {
    scratch.resize(3 * text.size());
    char* out = scratch.data();
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint c = code_point(text.data() + i);
        out = each(c.value, std::string_view(text).substr(i, c.size), out);
        i += c.size;
    }
    scratch.resize(static_cast<std::size_t>(out - scratch.data()));
    text.swap(scratch);
}

template <class Chosen>
void put_apart(std::string& text, std::string& scratch, Chosen chosen) {
    rewrite(text, scratch, [&](char32_t c, std::string_view bytes, char* out) {
        const bool apart = chosen(c);
        if (apart) *out++ = ' ';
        out = std::copy(bytes.begin(), bytes.end(), out);
        if (apart) *out++ = ' ';
        return out;
    });
}

template <class Chosen>
void blank(std::string& text, std::string& scratch, Chosen chosen) {
    rewrite(text, scratch, [&](char32_t c, std::string_view bytes, char* out) {
        if (!chosen(c)) return std::copy(bytes.begin(), bytes.end(), out);
        *out = ' ';
        return out + 1;
    });
}

void replace_all(std::string& text, std::string& scratch, std::string_view what, std::string_view with) {
    std::size_t found = text.find(what);
    if (found == std::string::npos) return;
    scratch.clear();
    std::size_t from = 0;
    for (; found != std::string::npos; found = text.find(what, from)) {
        scratch.append(text, from, found - from).append(with);
        from = found + what.size();
    }
    scratch.append(text, from);
    text.swap(scratch);
}

// The regular expression (before)mark(after) replaced by \1with\2: a match takes both neighbours, so what
// stood after one mark cannot stand before the next.
template <class Before, class After>
void between_neighbours(std::string& text, std::string& scratch, char mark, Before before, After after,
                        std::string_view with) {
    std::size_t found = text.find(mark);
    if (found == std::string::npos) return;
    scratch.clear();
    std::size_t from = 0;
    for (; found != std::string::npos && found + 1 < text.size(); found = text.find(mark, found + 1)) {
        if (found <= from) continue;
        std::size_t start = found - 1;
        while (start > from && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
        if (!before(code_point(text.data() + start).value)) continue;
        const CodePoint next = code_point(text.data() + found + 1);
        if (!after(next.value)) continue;
        scratch.append(text, from, found - from).append(with).append(text, found + 1, next.size);
        from = found + 1 + next.size;
    }
    scratch.append(text, from);
    text.swap(scratch);
}

void hide_runs_of_dots(std::string& text, std::string& scratch) {
    std::size_t found = text.find("..");
    if (found == std::string::npos) return;
    scratch.clear();
    std::size_t from = 0;
    for (; found != std::string::npos; found = text.find("..", from)) {
        scratch.append(text, from, found - from);
        from = std::min(text.find_first_not_of('.', found), text.size());
        scratch.append(" ").append(from - found, hidden_dot).append(" ");
    }
    scratch.append(text, from);
    text.swap(scratch);
}

// A comma (or a dot) stands apart unless it is between digits.
void split_at(std::string& text, std::string& scratch, char mark) {
    const std::array<char, 3> apart{' ', mark, ' '};
    const std::string_view with(apart.data(), apart.size());
    between_neighbours(text, scratch, mark, no_digit, no_digit, with);
    between_neighbours(text, scratch, mark, is_digit, no_digit, with);
    between_neighbours(text, scratch, mark, no_digit, is_digit, with);
}

void fold_quotes_and_dashes(std::string& text, std::string& scratch) {
    for (const std::string_view quote : {"`", "\u2018", "\u2019"}) replace_all(text, scratch, quote, "'");
    for (const std::string_view quote : {"\u201c", "\u201d", "''"}) replace_all(text, scratch, quote, " \" ");
    replace_all(text, scratch, "\u2013", "-");
    replace_all(text, scratch, "--", "-");
}

// The words of a text, as Java's StringTokenizer cuts it, with one space between them.
void join(std::string_view text, std::string& result) {
    // Most lines are so already; two loops without a branch find out.
    unsigned char control = 0, twice = 0;
    for (const char c : text)
        control = static_cast<unsigned char>(control | (static_cast<unsigned char>(c) < ' '));
    for (std::size_t i = 1; i < text.size(); ++i)
        twice = static_cast<unsigned char>(twice | ((text[i - 1] == ' ') & (text[i] == ' ')));
    if (!control && !twice && !text.starts_with(' ') && !text.ends_with(' ')) {
        result = text;
        return;
    }
    result.resize(text.size());
    char* out = result.data();
    bool after_space = true;
    for (const char c : text) {
        const bool space = is_java_space(c);
        *out = space ? ' ' : c;
        out += !(space & after_space);
        after_space = space;
    }
    if (out != result.data() && after_space) --out;
    result.resize(static_cast<std::size_t>(out - result.data()));
}

// Java's trim(): control characters go from both ends like spaces.
std::string_view trimmed(std::string_view text) {
    const auto blank_end = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && blank_end(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank_end(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

MeteorRules meteor_rules_by_name(std::string_view name) {
    if (name == "plain") return MeteorRules::plain;
    if (name == "english") return MeteorRules::english;
    if (name == "french") return MeteorRules::french;
    if (name == "western") return MeteorRules::western;
    if (name == "other") return MeteorRules::other;
    throw std::invalid_argument("no rules of METEOR are called " + std::string(name));
}

void MeteorNormalizer::operator()(Line line, std::string& result) {
    if (options_.rules == MeteorRules::plain) return join(line, result);
    text_.assign(1, ' ').append(line).append(1, ' ');
    if (options_.rules == MeteorRules::other)
        other();
    else
        western();
    if (!is_ascii(text_)) blank(text_, other_, is_wide_space);
    join(trimmed(text_), result);
}

void MeteorNormalizer::western() {
    put_apart(text_, other_, [](char32_t c) { return !has_rules(c); });
    hide_runs_of_dots(text_, other_);
    split_at(text_, other_, ',');
    fold_quotes_and_dashes(text_, other_);
    between_neighbours(text_, other_, '-', [](char32_t c) { return is_alnum(c) || c == '.'; }, is_alnum, " ");
    if (options_.rules == MeteorRules::english) {
        between_neighbours(text_, other_, '\'', no_letter, no_letter, " ' ");
        between_neighbours(text_, other_, '\'', no_alnum, is_letter, " ' ");
        between_neighbours(text_, other_, '\'', is_letter, no_letter, " ' ");
        between_neighbours(text_, other_, '\'', is_letter, is_letter, " '");
        between_neighbours(text_, other_, '\'', is_digit, [](char32_t c) { return c == 's'; }, " '");
    } else if (options_.rules == MeteorRules::french) {
        between_neighbours(text_, other_, '\'', no_letter, no_letter, " ' ");
        between_neighbours(text_, other_, '\'', no_letter, is_letter, " ' ");
        between_neighbours(text_, other_, '\'', is_letter, no_letter, " ' ");
        between_neighbours(text_, other_, '\'', is_letter, is_letter, "' ");
    } else {
        replace_all(text_, other_, "'", " ' ");
    }
    last_dots();
    std::replace(text_.begin(), text_.end(), hidden_dot, '.');
    if (!options_.keep_punctuation) blank(text_, other_, no_alnum);
}

void MeteorNormalizer::other() {
    hide_runs_of_dots(text_, other_);
    split_at(text_, other_, ',');
    fold_quotes_and_dashes(text_, other_);
    split_at(text_, other_, '.');
    if (options_.keep_punctuation)
        put_apart(text_, other_, is_mark);
    else  // runs of dots stay, and commas: METEOR's does so
        blank(text_, other_, [](char32_t c) { return is_mark(c) || c == '.'; });
    std::replace(text_.begin(), text_.end(), hidden_dot, '.');
}

void MeteorNormalizer::last_dots() {
    other_.clear();
    const std::string_view text = text_;
    const auto next_token = [&](std::size_t begin) {
        while (begin < text.size() && is_java_space(text[begin])) ++begin;
        std::size_t end = begin;
        while (end < text.size() && !is_java_space(text[end])) ++end;
        return text.substr(begin, end - begin);
    };
    for (std::string_view token = next_token(0); !token.empty();) {
        const std::string_view next = next_token(static_cast<std::size_t>(token.end() - text.begin()));
        last_dot(token, next);
        other_ += ' ';
        token = next;
    }
    text_.swap(other_);
}

// An abbreviation such as U.S. loses its dots; a dot stays with a prefix that breaks no sentence and before
// a small letter; else it is a word.
void MeteorNormalizer::last_dot(std::string_view token, std::string_view next) {
    if (token.size() < 2 || token.back() != '.') {
        other_ += token;
        return;
    }
    const std::string_view word = token.substr(0, token.size() - 1);
    if (word.find('.') != std::string_view::npos) {
        bool letter = false;
        for (std::size_t i = 0; i < word.size() && !letter;) {
            const CodePoint c = code_point(word.data() + i);
            letter = is_letter(c.value);
            i += c.size;
        }
        if (letter) {
            std::copy_if(word.begin(), word.end(), std::back_inserter(other_),
                         [](char c) { return c != '.'; });
            return;
        }
    }
    word_ = word;
    const auto prefix = options_.prefixes.find(word_);
    const bool listed = prefix != options_.prefixes.end();
    const char first = next.empty() ? ' ' : next.front();
    if ((listed && !prefix->second) || (first >= 'a' && first <= 'z') ||
        (listed && prefix->second && is_digit(static_cast<unsigned char>(first)))) {
        other_ += token;
    } else {
        other_.append(word).append(" .");
    }
}

}  // namespace adjudge
