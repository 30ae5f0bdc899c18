// English: Porter 2.
#include <span>

#include "stem_word.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

struct Rule {
    Letters suffix, ending = u"";
};

// Rules by the last letter of their suffix, which tells most of them apart; it is one of a to z.
template <std::size_t count>
class Rules {
  public:
    consteval explicit Rules(const Rule (&rules)[count]) {
        for (std::size_t letter = 0, to = 0; letter < 26; ++letter) {
            for (const Rule& rule : rules)
                if (rule.suffix.back() == u'a' + letter) rules_[to++] = rule;
            ends_[letter + 1] = to;
        }
    }

    // The one with the longest suffix that the word ends in, or null.
    const Rule* longest(const Word& word) const {
        const Rule* found = nullptr;
        for (const Rule& rule : of(word))
            if ((!found || rule.suffix.size() > found->suffix.size()) && word.ends(rule.suffix))
                found = &rule;
        return found;
    }

    // The one whose suffix is all of the word, or null.
    const Rule* whole(const Word& word) const {
        for (const Rule& rule : of(word))
            if (word.is(rule.suffix)) return &rule;
        return nullptr;
    }

  private:
    std::span<const Rule> of(const Word& word) const {
        const auto letter = static_cast<std::size_t>(word.size() == 0 ? 0 : word[word.size() - 1]) - u'a';
        if (letter >= 26) return {};
        return {rules_ + ends_[letter], ends_[letter + 1] - ends_[letter]};
    }

    Rule rules_[count];
    std::size_t ends_[27] = {};
};

class English {
  public:
    explicit English(std::string_view text) : word_(text) {}

    std::string stem() {
        if (exception() || word_.size() < 3) return word_.text();
        if (word_.starts(u"'")) word_.letters().erase(0, 1);
        mark_y();
        regions();
        if (ends_in(u"s'"))
            if (const Suffix suffix = word_.longest({u"' 's 's'"})) word_.replace(suffix, u"");
        if (ends_in(u"sd")) plurals();
        if (!whole_word()) {
            if (ends_in(u"dgy")) past_and_ing();
            last_y();
            step2();
            step3();
            step4();
            step5();
        }
        if (marked_) word_.change(u"Y", u"y");
        return word_.text();
    }

  private:
    static constexpr Letters vowels = u"aeiouy";

    bool ends_in(Letters letters) const { return word_.in(word_.size(), letters); }

    bool exception() {
        static constexpr Rules rules({{u"skis", u"ski"},
                                      {u"skies", u"sky"},
                                      {u"dying", u"die"},
                                      {u"lying", u"lie"},
                                      {u"tying", u"tie"},
                                      {u"idly", u"idl"},
                                      {u"gently", u"gentl"},
                                      {u"ugly", u"ugli"},
                                      {u"early", u"earli"},
                                      {u"only", u"onli"},
                                      {u"singly", u"singl"},
                                      {u"sky", u"sky"},
                                      {u"news", u"news"},
                                      {u"howe", u"howe"},
                                      {u"atlas", u"atlas"},
                                      {u"cosmos", u"cosmos"},
                                      {u"bias", u"bias"},
                                      {u"andes", u"andes"}});
        const Rule* rule = rules.whole(word_);
        if (rule) word_.letters() = rule->ending;
        return rule;
    }

    // A y that stands for a consonant becomes Y.
    void mark_y() {
        std::u16string& letters = word_.letters();
        for (std::size_t i = 0; i < letters.size(); ++i)
            if (letters[i] == u'y' && (i == 0 || one_of(letters[i - 1], vowels))) {
                letters[i] = u'Y';
                marked_ = true;
            }
    }

    void regions() {
        r1_ = word_.region(0, vowels);
        for (const Letters prefix : {u"gener", u"commun", u"arsen"})
            if (word_.starts(prefix)) r1_ = prefix.size();
        r2_ = word_.region(r1_, vowels);
    }

    bool has_vowel(std::size_t end) const {
        for (std::size_t i = 0; i < end; ++i)
            if (one_of(word_[i], vowels)) return true;
        return false;
    }

    // Whether the first `end` letters end in a short syllable.
    bool short_syllable(std::size_t end) const {
        if (end == 2) return word_.in(1, vowels) && word_.out(2, vowels);
        return end > 2 && word_.out(end - 2, vowels) && word_.in(end - 1, vowels) &&
               word_.out(end, u"aeiouywxY");
    }

    void plurals() {
        const Suffix suffix = word_.longest({u"sses", u"ied ies", u"us ss", u"s"});
        if (suffix.group == 0) word_.cut(2);
        if (suffix.group == 1) word_.cut(word_.size() > 4 ? 2 : 1);
        if (suffix.group == 3 && suffix.start > 0 && has_vowel(suffix.start - 1)) word_.cut(1);
    }

    bool whole_word() const {
        static constexpr Rules words({{u"inning"},
                                      {u"outing"},
                                      {u"canning"},
                                      {u"herring"},
                                      {u"earring"},
                                      {u"proceed"},
                                      {u"exceed"},
                                      {u"succeed"}});
        return words.whole(word_);
    }

    void past_and_ing() {
        const Suffix suffix = word_.longest({u"eed eedly", u"ed edly ing ingly"});
        if (suffix.group == 0 && suffix.start >= r1_) word_.replace(suffix, u"ee");
        if (suffix.group != 1 || !has_vowel(suffix.start)) return;
        word_.replace(suffix, u"");
        const Suffix ending = word_.longest({u"at bl iz", u"bb dd ff gg mm nn pp rr tt"});
        if (ending.group == 0) {
            word_.put(u"e");
        } else if (ending.group == 1) {
            word_.cut(1);
        } else if (word_.size() == r1_ && short_syllable(word_.size())) {
            word_.put(u"e");
        }
    }

    void last_y() {
        if (word_.size() > 2 && word_.in(word_.size(), u"yY") && word_.out(word_.size() - 1, vowels))
            word_.letters().back() = u'i';
    }

    void step2() {
        static constexpr Rules rules(
            {{u"tional", u"tion"}, {u"enci", u"ence"},   {u"anci", u"ance"},   {u"abli", u"able"},
             {u"entli", u"ent"},   {u"izer", u"ize"},    {u"ization", u"ize"}, {u"ational", u"ate"},
             {u"ation", u"ate"},   {u"ator", u"ate"},    {u"alism", u"al"},    {u"aliti", u"al"},
             {u"alli", u"al"},     {u"fulness", u"ful"}, {u"ousli", u"ous"},   {u"ousness", u"ous"},
             {u"iveness", u"ive"}, {u"iviti", u"ive"},   {u"biliti", u"ble"},  {u"bli", u"ble"},
             {u"ogi", u"og"},      {u"fulli", u"ful"},   {u"lessli", u"less"}, {u"li", u""}});
        const Rule* rule = rules.longest(word_);
        if (!rule || !word_.ends(rule->suffix, r1_)) return;
        const std::size_t before = word_.size() - rule->suffix.size();
        if (rule->suffix == u"ogi" && !word_.in(before, u"l")) return;
        if (rule->suffix == u"li" && !word_.in(before, u"cdeghkmnrt")) return;
        word_.cut(rule->suffix.size());
        word_.put(rule->ending);
    }

    void step3() {
        static constexpr Rules rules({{u"tional", u"tion"},
                                      {u"ational", u"ate"},
                                      {u"alize", u"al"},
                                      {u"icate", u"ic"},
                                      {u"iciti", u"ic"},
                                      {u"ical", u"ic"},
                                      {u"ful", u""},
                                      {u"ness", u""},
                                      {u"ative", u""}});
        const Rule* rule = rules.longest(word_);
        if (!rule || !word_.ends(rule->suffix, rule->suffix == u"ative" ? r2_ : r1_)) return;
        word_.cut(rule->suffix.size());
        word_.put(rule->ending);
    }

    void step4() {
        static constexpr Rules rules({{u"al"},
                                      {u"ance"},
                                      {u"ence"},
                                      {u"er"},
                                      {u"ic"},
                                      {u"able"},
                                      {u"ible"},
                                      {u"ant"},
                                      {u"ement"},
                                      {u"ment"},
                                      {u"ent"},
                                      {u"ism"},
                                      {u"ate"},
                                      {u"iti"},
                                      {u"ous"},
                                      {u"ive"},
                                      {u"ize"},
                                      {u"ion"}});
        const Rule* rule = rules.longest(word_);
        if (!rule || !word_.ends(rule->suffix, r2_)) return;
        const std::size_t before = word_.size() - rule->suffix.size();
        if (rule->suffix == u"ion" && !word_.in(before, u"st")) return;
        word_.cut(rule->suffix.size());
    }

    void step5() {
        if (word_.ends(u"e", r2_) || (word_.ends(u"e", r1_) && !short_syllable(word_.size() - 1)))
            word_.cut(1);
        else if (word_.ends(u"ll") && word_.ends(u"l", r2_))
            word_.cut(1);
    }

    Word word_;
    std::size_t r1_ = 0, r2_ = 0;
    bool marked_ = false;
};

}  // namespace

std::string stem_english(std::string_view word) { return English(word).stem(); }

}  // namespace adjudge
