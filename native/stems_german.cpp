#include "stem_word.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

class German {
  public:
    explicit German(std::string_view text) : word_(text) {}

    std::string stem() {
        prelude();
        regions();
        step1();
        step2();
        step3();
        word_.change(u"YUüäö", u"yuuao");
        return word_.text();
    }

  private:
    static constexpr Letters vowels = u"aeiouyäöü";

    // ß becomes ss; u and y between vowels are consonants.
    void prelude() {
        std::u16string& letters = word_.letters();
        for (std::size_t i = 0; (i = letters.find(u'ß', i)) != letters.npos;) letters.replace(i, 1, u"ss");
        word_.mark_between(u"uy", u"UY", vowels);
    }

    void regions() {
        r1_ = r2_ = word_.size();
        if (word_.size() < 3) return;
        r1_ = word_.region(0, vowels);
        r2_ = word_.region(r1_, vowels);
        r1_ = std::max<std::size_t>(r1_, 3);
    }

    void step1() {
        const Suffix suffix = word_.longest({u"em ern er e en es", u"s"});
        if (!suffix || suffix.start < r1_) return;
        if (suffix.group == 0 || word_.in(suffix.start, u"bdfghklmnrt")) word_.replace(suffix, u"");
    }

    void step2() {
        const Suffix suffix = word_.longest({u"en er est", u"st"});
        if (!suffix || suffix.start < r1_) return;
        // Three letters stand before the consonant that -st follows.
        if (suffix.group == 0 || (suffix.start > 3 && word_.in(suffix.start, u"bdfghklmnt")))
            word_.replace(suffix, u"");
    }

    void step3() {
        const Suffix suffix = word_.longest({u"end ung", u"ig ik isch", u"lich heit", u"keit"});
        if (!suffix || suffix.start < r2_) return;
        if (suffix.group == 1 && word_.ends_at(suffix.start, u"e")) return;
        word_.replace(suffix, u"");
        if (suffix.group == 0) {
            if (!word_.ends(u"eig")) word_.drop(u"ig", r2_);
        } else if (suffix.group == 2) {
            static_cast<void>(word_.drop(u"er", r1_) || word_.drop(u"en", r1_));
        } else if (suffix.group == 3) {
            static_cast<void>(word_.drop(u"lich", r2_) || word_.drop(u"ig", r2_));
        }
    }

    Word word_;
    std::size_t r1_ = 0, r2_ = 0;
};

}  // namespace

std::string stem_german(std::string_view word) { return German(word).stem(); }

}  // namespace adjudge
