#include "stem_word.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

constexpr Letters vowels = u"aeiouyè", vowels_and_i = u"aeiouyèI", vowels_and_j = u"aeiouyèj";

class Dutch {
  public:
    explicit Dutch(std::string_view text) : word_(text) {}

    std::string stem() {
        prelude();
        r1_ = word_.region(0, vowels);
        r2_ = word_.region(r1_, vowels);
        r1_ = std::max<std::size_t>(r1_, 3);
        plural();
        e_ending();
        if (word_.ends(u"heid", r2_) && !word_.ends(u"cheid")) {
            word_.cut(4);
            if (word_.ends(u"en")) en_ending(2);
        }
        derivation();
        shorten();
        word_.change(u"IY", u"iy");
        return word_.text();
    }

  private:
    // Accents go; i between vowels and y after one (or in front) are consonants.
    void prelude() {
        word_.change(u"äáëéïíöóüú", u"aaeeiioouu");
        std::u16string& letters = word_.letters();
        if (word_.starts(u"y")) letters[0] = u'Y';
        for (std::size_t i = 1; i < letters.size(); ++i) {
            if (!one_of(letters[i - 1], vowels)) continue;
            if (letters[i] == u'i' && i + 1 < letters.size() && one_of(letters[i + 1], vowels))
                letters[i] = u'I';
            if (letters[i] == u'y') letters[i] = u'Y';
        }
    }

    void plural() {
        const Suffix suffix = word_.longest({u"heden", u"en ene", u"s se"});
        if (!suffix || suffix.start < r1_) return;
        if (suffix.group == 0) word_.replace(suffix, u"heid");
        if (suffix.group == 1) en_ending(suffix.text.size());
        if (suffix.group == 2 && word_.out(suffix.start, vowels_and_j)) word_.replace(suffix, u"");
    }

    void en_ending(std::size_t size) {
        const std::size_t before = word_.size() - size;
        if (before < r1_ || !word_.out(before, vowels) || word_.ends_at(before, u"gem")) return;
        word_.cut(size);
        undouble();
    }

    void e_ending() {
        e_found_ = false;
        if (!word_.ends(u"e", r1_) || !word_.out(word_.size() - 1, vowels)) return;
        word_.cut(1);
        e_found_ = true;
        undouble();
    }

    void undouble() {
        if (word_.longest({u"kk dd tt"})) word_.cut(1);
    }

    void derivation() {
        const Suffix suffix = word_.longest({u"end ing", u"ig", u"lijk", u"baar", u"bar"});
        if (!suffix || suffix.start < r2_) return;
        if (suffix.group == 1 && word_.ends_at(suffix.start, u"e")) return;
        if (suffix.group == 4 && !e_found_) return;
        word_.replace(suffix, u"");
        if (suffix.group == 2) e_ending();
        if (suffix.group == 0) {
            if (word_.ends(u"ig", r2_) && !word_.ends(u"eig"))
                word_.cut(2);
            else
                undouble();
        }
    }

    // A long vowel before the last consonant is written short: maan, man.
    void shorten() {
        const std::size_t size = word_.size();
        if (size < 4 || !word_.out(size, vowels_and_i)) return;
        const Suffix pair = word_.longest_at(size - 1, {u"aa ee oo uu"});
        if (pair && word_.out(pair.start, vowels)) word_.letters().erase(size - 2, 1);
    }

    Word word_;
    std::size_t r1_ = 0, r2_ = 0;
    bool e_found_ = false;
};

}  // namespace

std::string stem_dutch(std::string_view word) { return Dutch(word).stem(); }

}  // namespace adjudge
