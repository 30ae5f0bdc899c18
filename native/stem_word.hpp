// A word as Snowball's rules see it: letters cut and changed at the end, regions that begin somewhere inside.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "utf8.hpp"

namespace adjudge {

using Letters = std::u16string_view;

inline bool one_of(char16_t letter, Letters set) { return set.find(letter) != set.npos; }

// What a search for a suffix found: the group it stands in, from 0, -1 for none.
struct Suffix {
    Letters text;
    int group = -1;
    std::size_t start = 0;

    explicit operator bool() const { return group >= 0; }
};

// Letters are Java's, as METEOR's program is: those beyond 16 bits are two.
class Word {
  public:
    explicit Word(std::string_view text) {
        for (std::size_t i = 0; i < text.size();) {
            const CodePoint c = decode(text.data() + i);
            i += c.size;
            if (c.value < 0x10000) {
                letters_.push_back(static_cast<char16_t>(c.value));
            } else {
                letters_.push_back(static_cast<char16_t>(0xd800 + ((c.value - 0x10000) >> 10)));
                letters_.push_back(static_cast<char16_t>(0xdc00 + (c.value & 0x3ff)));
            }
        }
    }

    std::string text() const {
        std::string result;
        const auto put = [&](char32_t bits, char32_t mark) {
            result.push_back(static_cast<char>(mark | bits));
        };
        for (std::size_t i = 0; i < letters_.size(); ++i) {
            char32_t c = letters_[i];
            if (c >> 10 == 0xd800 >> 10 && i + 1 < letters_.size() && letters_[i + 1] >> 10 == 0xdc00 >> 10)
                c = 0x10000 + ((c & 0x3ff) << 10) + (letters_[++i] & 0x3ffu);
            if (c < 0x80) {
                put(c, 0);
                continue;
            }
            if (c < 0x800) {
                put(c >> 6, 0xc0);
            } else {
                if (c < 0x10000) {
                    put(c >> 12, 0xe0);
                } else {
                    put(c >> 18, 0xf0);
                    put(c >> 12 & 0x3f, 0x80);
                }
                put(c >> 6 & 0x3f, 0x80);
            }
            put(c & 0x3f, 0x80);
        }
        return result;
    }

    std::u16string& letters() { return letters_; }
    std::size_t size() const { return letters_.size(); }
    char16_t operator[](std::size_t i) const { return letters_[i]; }

    bool is(Letters text) const { return letters_ == text; }
    bool starts(Letters prefix) const { return Letters(letters_).starts_with(prefix); }
    bool ends(Letters suffix, std::size_t from = 0) const { return ends_at(size(), suffix, from); }

    // Whether the letters before `end` end in a suffix that begins at `from` or later.
    bool ends_at(std::size_t end, Letters suffix, std::size_t from = 0) const {
        if (end < from + suffix.size()) return false;
        // Nearly all suffixes are told apart by their last letter.
        for (std::size_t i = suffix.size(); i-- > 0;)
            if (letters_[--end] != suffix[i]) return false;
        return true;
    }

    // Whether there is a letter before `end`, at `from` or later, and it is one of a set or none of it.
    bool in(std::size_t end, Letters set, std::size_t from = 0) const {
        return end > from && one_of(letters_[end - 1], set);
    }
    bool out(std::size_t end, Letters set, std::size_t from = 0) const {
        return end > from && !one_of(letters_[end - 1], set);
    }

    // The longest suffix of several groups, each written as words with spaces between them.
    Suffix longest(std::initializer_list<Letters> groups, std::size_t from = 0) const {
        return longest_at(size(), groups, from);
    }
    Suffix longest_at(std::size_t end, std::initializer_list<Letters> groups, std::size_t from = 0) const {
        Suffix found;
        int number = 0;
        for (const Letters group : groups) {
            for (std::size_t at = 0; at < group.size();) {
                const std::size_t stop = std::min(group.find(u' ', at), group.size());
                const Letters suffix = group.substr(at, stop - at);
                at = stop + 1;
                if (suffix.size() > found.text.size() && ends_at(end, suffix, from))
                    found = {suffix, number, end - suffix.size()};
            }
            ++number;
        }
        return found;
    }

    void cut(std::size_t count) { letters_.resize(letters_.size() - count); }
    void put(Letters ending) { letters_.append(ending); }
    void replace(const Suffix& suffix, Letters ending) {
        letters_.resize(suffix.start);
        letters_.append(ending);
    }
    // Cuts a suffix that begins at `from` or later; whether there was one.
    bool drop(Letters suffix, std::size_t from) {
        if (!ends(suffix, from)) return false;
        cut(suffix.size());
        return true;
    }
    // Each of some letters becomes its partner.
    void change(Letters letters, Letters partners) {
        for (char16_t& letter : letters_)
            if (const std::size_t at = letters.find(letter); at != letters.npos) letter = partners[at];
    }

    // Where the region after the next vowel and the consonant behind it begins; the end where there is none.
    std::size_t region(std::size_t from, Letters vowels) const {
        while (from < size() && !one_of(letters_[from], vowels)) ++from;
        while (from < size() && one_of(letters_[from], vowels)) ++from;
        return std::min(from + 1, size());
    }

    // The place behind the next letter that is one of a set; the end where there is none.
    std::size_t past(std::size_t from, Letters set) const {
        while (from < size() && !one_of(letters_[from], set)) ++from;
        return std::min(from + 1, size());
    }

    // Writes some letters (i and u, say) as capitals where a vowel stands on either side: they are consonants
    // there.
    void mark_between(Letters letters, Letters capitals, Letters vowels) {
        for (std::size_t i = 1; i + 1 < size(); ++i) {
            const std::size_t at = letters.find(letters_[i]);
            if (at != letters.npos && one_of(letters_[i - 1], vowels) && one_of(letters_[i + 1], vowels))
                letters_[i] = capitals[at];
        }
    }

  private:
    std::u16string letters_;
};

}  // namespace adjudge
