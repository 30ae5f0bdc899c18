#include "stems.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "utf8.hpp"

namespace adjudge {
namespace {

// A word as characters, cut and changed at its end. Rules name suffixes in ASCII.
class Word {
  public:
    explicit Word(std::string_view text) {
        for (std::size_t i = 0; i < text.size();) {
            const CodePoint c = decode(text.data() + i);
            letters_.push_back(c.value);
            i += c.size;
        }
    }

    std::string text() const {
        std::string result;
        for (const char32_t c : letters_) {
            if (c < 0x80) {
                result.push_back(static_cast<char>(c));
            } else if (c < 0x800) {
                result.push_back(static_cast<char>(0xc0 | c >> 6));
                result.push_back(static_cast<char>(0x80 | (c & 0x3f)));
            } else if (c < 0x10000) {
                result.push_back(static_cast<char>(0xe0 | c >> 12));
                result.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3f)));
                result.push_back(static_cast<char>(0x80 | (c & 0x3f)));
            } else {
                result.push_back(static_cast<char>(0xf0 | c >> 18));
                result.push_back(static_cast<char>(0x80 | (c >> 12 & 0x3f)));
                result.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3f)));
                result.push_back(static_cast<char>(0x80 | (c & 0x3f)));
            }
        }
        return result;
    }

    std::u32string& letters() { return letters_; }
    std::size_t size() const { return letters_.size(); }
    char32_t operator[](std::size_t i) const { return letters_[i]; }
    char32_t back(std::size_t i = 0) const { return letters_[letters_.size() - 1 - i]; }

    bool ends(std::string_view suffix) const {
        if (suffix.size() > letters_.size()) return false;
        return std::equal(suffix.begin(), suffix.end(),
                          letters_.end() - static_cast<std::ptrdiff_t>(suffix.size()),
                          [](char a, char32_t b) { return static_cast<char32_t>(a) == b; });
    }
    bool is(std::string_view text) const { return text.size() == letters_.size() && ends(text); }
    bool starts(std::string_view prefix) const {
        return prefix.size() <= letters_.size() &&
               std::equal(prefix.begin(), prefix.end(), letters_.begin(),
                          [](char a, char32_t b) { return static_cast<char32_t>(a) == b; });
    }
    void cut(std::size_t count) { letters_.resize(letters_.size() - count); }
    void put(std::string_view ending) { letters_.append(ending.begin(), ending.end()); }
    void replace(std::string_view suffix, std::string_view ending) {
        cut(suffix.size());
        put(ending);
    }

    // The longest of the suffixes that the word ends with, empty for none.
    std::string_view longest(std::span<const std::string_view> suffixes) const {
        std::string_view found;
        for (const std::string_view suffix : suffixes)
            if (suffix.size() > found.size() && ends(suffix)) found = suffix;
        return found;
    }

  private:
    std::u32string letters_;
};

struct Rule {
    std::string_view suffix, ending;
};

const Rule* longest_rule(const Word& word, std::span<const Rule> rules) {
    const Rule* found = nullptr;
    for (const Rule& rule : rules)
        if ((!found || rule.suffix.size() > found->suffix.size()) && word.ends(rule.suffix)) found = &rule;
    return found;
}

// Where the region after the next vowel and the consonant behind it starts; the end where there is none.
template <class IsVowel>
std::size_t region(const Word& word, std::size_t from, IsVowel is_vowel) {
    while (from < word.size() && !is_vowel(word[from])) ++from;
    while (from < word.size() && is_vowel(word[from])) ++from;
    return std::min(from + 1, word.size());
}

bool one_of(char32_t c, std::u32string_view set) { return set.find(c) != set.npos; }

class English {
  public:
    explicit English(std::string_view text) : word_(text) {}

    std::string stem() {
        if (const Rule* rule = exception()) return std::string(rule->ending);
        if (word_.size() < 3) return word_.text();
        if (word_[0] == U'\'') word_.letters().erase(0, 1);
        mark_y();
        regions();
        apostrophes();
        plurals();
        if (!whole_words()) {
            past_and_ing();
            last_y();
            step2();
            step3();
            step4();
            step5();
        }
        if (marked_) std::replace(word_.letters().begin(), word_.letters().end(), U'Y', U'y');
        return word_.text();
    }

  private:
    static bool vowel(char32_t c) { return one_of(c, U"aeiouy"); }

    const Rule* exception() const {
        static constexpr std::array<Rule, 18> rules{{{"skis", "ski"},
                                                     {"skies", "sky"},
                                                     {"dying", "die"},
                                                     {"lying", "lie"},
                                                     {"tying", "tie"},
                                                     {"idly", "idl"},
                                                     {"gently", "gentl"},
                                                     {"ugly", "ugli"},
                                                     {"early", "earli"},
                                                     {"only", "onli"},
                                                     {"singly", "singl"},
                                                     {"sky", "sky"},
                                                     {"news", "news"},
                                                     {"howe", "howe"},
                                                     {"atlas", "atlas"},
                                                     {"cosmos", "cosmos"},
                                                     {"bias", "bias"},
                                                     {"andes", "andes"}}};
        for (const Rule& rule : rules)
            if (word_.is(rule.suffix)) return &rule;
        return nullptr;
    }

    // A y that stands for a consonant becomes Y.
    void mark_y() {
        std::u32string& letters = word_.letters();
        for (std::size_t i = 0; i < letters.size(); ++i)
            if (letters[i] == U'y' && (i == 0 || vowel(letters[i - 1]))) {
                letters[i] = U'Y';
                marked_ = true;
            }
    }

    void regions() {
        r1_ = region(word_, 0, vowel);
        for (const std::string_view prefix : {"gener", "commun", "arsen"})
            if (word_.starts(prefix)) r1_ = prefix.size();
        r2_ = region(word_, r1_, vowel);
    }

    bool in_r1(std::string_view suffix) const { return word_.size() - suffix.size() >= r1_; }
    bool in_r2(std::string_view suffix) const { return word_.size() - suffix.size() >= r2_; }

    bool has_vowel(std::size_t end) const {
        for (std::size_t i = 0; i < end; ++i)
            if (vowel(word_[i])) return true;
        return false;
    }

    // Whether the first `end` letters end in a short syllable.
    bool short_syllable(std::size_t end) const {
        if (end < 2) return false;
        if (end == 2) return vowel(word_[0]) && !vowel(word_[1]);
        return !vowel(word_[end - 3]) && vowel(word_[end - 2]) && !vowel(word_[end - 1]) &&
               !one_of(word_[end - 1], U"wxY");
    }

    void apostrophes() {
        static constexpr std::array<std::string_view, 3> suffixes{"'", "'s", "'s'"};
        word_.cut(word_.longest(suffixes).size());
    }

    void plurals() {
        static constexpr std::array<std::string_view, 6> suffixes{"sses", "ied", "ies", "us", "ss", "s"};
        const std::string_view suffix = word_.longest(suffixes);
        if (suffix == "sses") {
            word_.cut(2);
        } else if (suffix == "ied" || suffix == "ies") {
            word_.cut(word_.size() > 4 ? 2 : 1);
        } else if (suffix == "s" && word_.size() >= 2 && has_vowel(word_.size() - 2)) {
            word_.cut(1);
        }
    }

    bool whole_words() const {
        static constexpr std::array<std::string_view, 8> words{"inning",  "outing",  "canning", "herring",
                                                               "earring", "proceed", "exceed",  "succeed"};
        return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return word_.is(w); });
    }

    void past_and_ing() {
        static constexpr std::array<std::string_view, 6> suffixes{"eed",  "eedly", "ed",
                                                                  "edly", "ing",   "ingly"};
        const std::string_view suffix = word_.longest(suffixes);
        if (suffix.empty()) return;
        if (suffix.starts_with("ee")) {
            if (in_r1(suffix)) word_.replace(suffix, "ee");
            return;
        }
        if (!has_vowel(word_.size() - suffix.size())) return;
        word_.cut(suffix.size());
        static constexpr std::array<std::string_view, 12> endings{"at", "bl", "iz", "bb", "dd", "ff",
                                                                  "gg", "mm", "nn", "pp", "rr", "tt"};
        const std::string_view ending = word_.longest(endings);
        if (ending == "at" || ending == "bl" || ending == "iz") {
            word_.put("e");
        } else if (!ending.empty()) {
            word_.cut(1);
        } else if (word_.size() == r1_ && short_syllable(word_.size())) {
            word_.put("e");
        }
    }

    void last_y() {
        if (word_.size() > 2 && one_of(word_.back(), U"yY") && !vowel(word_.back(1)))
            word_.letters().back() = U'i';
    }

    void step2() {
        static constexpr std::array<Rule, 24> rules{
            {{"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},   {"abli", "able"},   {"entli", "ent"},
             {"izer", "ize"},    {"ization", "ize"}, {"ational", "ate"}, {"ation", "ate"},   {"ator", "ate"},
             {"alism", "al"},    {"aliti", "al"},    {"alli", "al"},     {"fulness", "ful"}, {"ousli", "ous"},
             {"ousness", "ous"}, {"iveness", "ive"}, {"iviti", "ive"},   {"biliti", "ble"},  {"bli", "ble"},
             {"ogi", "og"},      {"fulli", "ful"},   {"lessli", "less"}, {"li", ""}}};
        const Rule* rule = longest_rule(word_, rules);
        if (!rule || !in_r1(rule->suffix)) return;
        const std::size_t before = word_.size() - rule->suffix.size();
        if (rule->suffix == "ogi" && (before == 0 || word_[before - 1] != U'l')) return;
        if (rule->suffix == "li" && (before == 0 || !one_of(word_[before - 1], U"cdeghkmnrt"))) return;
        word_.replace(rule->suffix, rule->ending);
    }

    void step3() {
        static constexpr std::array<Rule, 9> rules{{{"tional", "tion"},
                                                    {"ational", "ate"},
                                                    {"alize", "al"},
                                                    {"icate", "ic"},
                                                    {"iciti", "ic"},
                                                    {"ical", "ic"},
                                                    {"ful", ""},
                                                    {"ness", ""},
                                                    {"ative", ""}}};
        const Rule* rule = longest_rule(word_, rules);
        if (!rule || !in_r1(rule->suffix) || (rule->suffix == "ative" && !in_r2(rule->suffix))) return;
        word_.replace(rule->suffix, rule->ending);
    }

    void step4() {
        static constexpr std::array<std::string_view, 18> suffixes{
            "al",   "ance", "ence", "er",  "ic",  "able", "ible", "ant", "ement",
            "ment", "ent",  "ism",  "ate", "iti", "ous",  "ive",  "ize", "ion"};
        const std::string_view suffix = word_.longest(suffixes);
        if (suffix.empty() || !in_r2(suffix)) return;
        const std::size_t before = word_.size() - suffix.size();
        if (suffix == "ion" && (before == 0 || !one_of(word_[before - 1], U"st"))) return;
        word_.cut(suffix.size());
    }

    void step5() {
        if (word_.ends("e")) {
            if (in_r2("e") || (in_r1("e") && !short_syllable(word_.size() - 1))) word_.cut(1);
        } else if (word_.ends("ll") && in_r2("l")) {
            word_.cut(1);
        }
    }

    Word word_;
    std::size_t r1_ = 0, r2_ = 0;
    bool marked_ = false;
};

class German {
  public:
    explicit German(std::string_view text) : word_(text) {}

    std::string stem() {
        prelude();
        regions();
        step1();
        step2();
        step3();
        for (char32_t& c : word_.letters()) {
            if (c == U'Y') c = U'y';
            if (c == U'U' || c == U'ü') c = U'u';
            if (c == U'ä') c = U'a';
            if (c == U'ö') c = U'o';
        }
        return word_.text();
    }

  private:
    static bool vowel(char32_t c) { return one_of(c, U"aeiouyäöü"); }

    // ß becomes ss; u and y between vowels are consonants, written U and Y.
    void prelude() {
        std::u32string& letters = word_.letters();
        for (std::size_t i = 0; (i = letters.find(U'ß', i)) != letters.npos;) letters.replace(i, 1, U"ss");
        for (std::size_t i = 1; i + 1 < letters.size(); ++i)
            if (one_of(letters[i], U"uy") && vowel(letters[i - 1]) && vowel(letters[i + 1]))
                letters[i] = letters[i] == U'u' ? U'U' : U'Y';
    }

    void regions() {
        r1_ = r2_ = word_.size();
        if (word_.size() < 3) return;
        const std::size_t first = region(word_, 0, vowel);
        r2_ = region(word_, first, vowel);
        r1_ = std::max<std::size_t>(first, 3);
    }

    bool in_r1(std::string_view suffix) const { return word_.size() - suffix.size() >= r1_; }
    bool in_r2(std::string_view suffix) const { return word_.size() - suffix.size() >= r2_; }

    void step1() {
        static constexpr std::array<std::string_view, 7> suffixes{"em", "ern", "er", "e", "en", "es", "s"};
        const std::string_view suffix = word_.longest(suffixes);
        if (suffix.empty() || !in_r1(suffix)) return;
        if (suffix == "s" && !(word_.size() > 1 && one_of(word_.back(1), U"bdfghklmnrt"))) return;
        word_.cut(suffix.size());
    }

    void step2() {
        static constexpr std::array<std::string_view, 4> suffixes{"en", "er", "est", "st"};
        const std::string_view suffix = word_.longest(suffixes);
        if (suffix.empty() || !in_r1(suffix)) return;
        if (suffix == "st" && !(word_.size() >= 6 && one_of(word_.back(2), U"bdfghklmnt"))) return;
        word_.cut(suffix.size());
    }

    void step3() {
        static constexpr std::array<std::string_view, 8> suffixes{"end",  "ung",  "ig",   "ik",
                                                                  "isch", "lich", "heit", "keit"};
        const std::string_view suffix = word_.longest(suffixes);
        if (suffix.empty() || !in_r2(suffix)) return;
        const std::size_t before = word_.size() - suffix.size();
        const bool after_e = before > 0 && word_[before - 1] == U'e';
        if ((suffix == "ig" || suffix == "ik" || suffix == "isch") && after_e) return;
        word_.cut(suffix.size());
        if (suffix == "end" || suffix == "ung") {
            const bool e = word_.size() > 2 && word_.back(2) == U'e';
            if (word_.ends("ig") && !e && in_r2("ig")) word_.cut(2);
        } else if (suffix == "lich" || suffix == "heit") {
            if ((word_.ends("er") || word_.ends("en")) && in_r1("er")) word_.cut(2);
        } else if (suffix == "keit") {
            if (word_.ends("lich") && in_r2("lich")) {
                word_.cut(4);
            } else if (word_.ends("ig") && in_r2("ig")) {
                word_.cut(2);
            }
        }
    }

    Word word_;
    std::size_t r1_ = 0, r2_ = 0;
};

}  // namespace

std::string stem_english(std::string_view word) { return English(word).stem(); }
std::string stem_german(std::string_view word) { return German(word).stem(); }

}  // namespace adjudge
