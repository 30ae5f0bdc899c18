#include "stem_word.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

constexpr Letters vowels = u"aeiouyâàëéêèïîôûù";

class French {
  public:
    explicit French(std::string_view text) : word_(text) {}

    std::string stem() {
        prelude();
        regions();
        if (standard_suffix() || i_verb_suffix() || verb_suffix()) {
            if (word_.ends(u"Y")) word_.letters().back() = u'i';
            if (word_.ends(u"ç")) word_.letters().back() = u'c';
        } else {
            residual_suffix();
        }
        if (word_.longest({u"enn onn ett ell eill"})) word_.cut(1);
        unaccent();
        word_.change(u"IUY", u"iuy");
        return word_.text();
    }

  private:
    // Consonants written as vowels become capitals: u and i between vowels, y beside one, u after q.
    void prelude() {
        std::u16string& letters = word_.letters();
        const auto is = [&](std::size_t i, char16_t letter) {
            return i < letters.size() && letters[i] == letter;
        };
        const auto vowel = [&](std::size_t i) { return i < letters.size() && one_of(letters[i], vowels); };
        // A y is a vowel to what follows it until its own turn, which comes after theirs.
        for (std::size_t i = 0; i < letters.size(); ++i) {
            if (vowel(i) && is(i + 1, u'u') && vowel(i + 2)) letters[i + 1] = u'U';
            if (vowel(i) && is(i + 1, u'i') && vowel(i + 2)) letters[i + 1] = u'I';
            if (vowel(i) && is(i + 1, u'y')) letters[i + 1] = u'Y';
            if (is(i, u'y') && vowel(i + 1)) letters[i] = u'Y';
            if (is(i, u'q') && is(i + 1, u'u')) letters[i + 1] = u'U';
        }
    }

    void regions() {
        const std::size_t size = word_.size();
        r1_ = word_.region(0, vowels);
        r2_ = word_.region(r1_, vowels);
        const bool two_vowels = size >= 3 && one_of(word_[0], vowels) && one_of(word_[1], vowels);
        const bool exception = word_.starts(u"par") || word_.starts(u"col") || word_.starts(u"tap");
        rv_ = two_vowels || exception ? 3 : word_.past(std::min<std::size_t>(1, size), vowels);
    }

    bool in_r1(const Suffix& suffix) const { return suffix.start >= r1_; }
    bool in_r2(const Suffix& suffix) const { return suffix.start >= r2_; }
    bool in_rv(const Suffix& suffix) const { return suffix.start >= rv_; }

    // Cuts -ic in R2, elsewhere makes it -iqU.
    void ic() {
        if (!word_.drop(u"ic", r2_) && word_.ends(u"ic")) word_.replace(word_.longest({u"ic"}), u"iqU");
    }

    // -eus, -euse: cut in R2, elsewhere -eux.
    bool eux(const Suffix& suffix) {
        if (!in_r1(suffix) && !in_r2(suffix)) return false;
        word_.replace(suffix, in_r2(suffix) ? u"" : u"eux");
        return true;
    }

    // Whether a suffix is done with, so that no suffix of a verb is looked for.
    bool standard_suffix() {
        const Suffix suffix = word_.longest({u"ance iqUe isme able iste eux ances iqUes ismes ables istes",
                                             u"atrice ateur ation atrices ateurs ations", u"logie logies",
                                             u"usion ution usions utions", u"ence ences", u"ement ements",
                                             u"ité ités", u"if ive ifs ives", u"eaux", u"aux", u"euse euses",
                                             u"issement issements", u"amment", u"emment", u"ment ments"});
        switch (suffix.group) {
            case 0:
            case 1:
            case 2:
            case 3:
            case 4: {
                if (!in_r2(suffix)) return false;
                static constexpr Letters endings[] = {u"", u"", u"log", u"u", u"ent"};
                word_.replace(suffix, endings[suffix.group]);
                if (suffix.group == 1) ic();
                return true;
            }
            case 5:
                if (!in_rv(suffix)) return false;
                word_.replace(suffix, u"");
                before_ement();
                return true;
            case 6:
                if (!in_r2(suffix)) return false;
                word_.replace(suffix, u"");
                before_ite();
                return true;
            case 7:
                if (!in_r2(suffix)) return false;
                word_.replace(suffix, u"");
                if (word_.drop(u"at", r2_)) ic();
                return true;
            case 8:
                word_.cut(1);
                return true;
            case 9:
                if (!in_r1(suffix)) return false;
                word_.replace(suffix, u"al");
                return true;
            case 10:
                return eux(suffix);
            case 11:
                if (!in_r1(suffix) || !word_.out(suffix.start, vowels)) return false;
                word_.replace(suffix, u"");
                return true;
            case 12:
            case 13:
                if (in_rv(suffix)) word_.replace(suffix, suffix.group == 12 ? u"ant" : u"ent");
                return false;
            case 14:
                if (word_.in(suffix.start, vowels, rv_)) word_.replace(suffix, u"");
                return false;
        }
        return false;
    }

    void before_ement() {
        const Suffix suffix = word_.longest({u"iv", u"eus", u"abl iqU", u"ièr Ièr"});
        if (suffix.group == 1) {
            eux(suffix);
        } else if (suffix.group == 3) {
            if (in_rv(suffix)) word_.replace(suffix, u"i");
        } else if (suffix && in_r2(suffix)) {
            word_.replace(suffix, u"");
            if (suffix.group == 0) word_.drop(u"at", r2_);
        }
    }

    void before_ite() {
        const Suffix suffix = word_.longest({u"abil", u"ic", u"iv"});
        if (!suffix) return;
        if (in_r2(suffix))
            word_.replace(suffix, u"");
        else if (suffix.group < 2)
            word_.replace(suffix, suffix.group == 0 ? u"abl" : u"iqU");
    }

    bool i_verb_suffix() {
        const Suffix suffix = word_.longest({u"îmes ît îtes i ie ies ir ira irai iraIent irais irait iras "
                                             u"irent irez iriez irions irons iront is "
                                             u"issaIent issais issait issant issante issantes issants isse "
                                             u"issent isses issez issiez issions issons "
                                             u"it"},
                                            rv_);
        if (!suffix || !word_.out(suffix.start, vowels, rv_)) return false;
        word_.replace(suffix, u"");
        return true;
    }

    bool verb_suffix() {
        const Suffix suffix = word_.longest(
            {u"ions",
             u"é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions erons eront ez iez",
             u"âmes ât âtes a ai aIent ais ait ant ante antes ants as asse assent asses assiez assions"},
            rv_);
        if (!suffix || (suffix.group == 0 && !in_r2(suffix))) return false;
        word_.replace(suffix, u"");
        if (suffix.group == 2) word_.drop(u"e", rv_);
        return true;
    }

    void residual_suffix() {
        if (word_.ends(u"s") && word_.out(word_.size() - 1, u"aiouès")) word_.cut(1);
        const Suffix suffix = word_.longest({u"ion", u"ier ière Ier Ière", u"e", u"ë"}, rv_);
        if (suffix.group == 0 && !(in_r2(suffix) && word_.in(suffix.start, u"st", rv_))) return;
        if (suffix.group == 3 && !word_.ends_at(suffix.start, u"gu", rv_)) return;
        if (suffix) word_.replace(suffix, suffix.group == 1 ? u"i" : u"");
    }

    // é and è before the last consonants lose their accent.
    void unaccent() {
        std::size_t at = word_.size();
        while (word_.out(at, vowels)) --at;
        if (at < word_.size() && word_.in(at, u"éè")) word_.letters()[at - 1] = u'e';
    }

    Word word_;
    std::size_t rv_ = 0, r1_ = 0, r2_ = 0;
};

}  // namespace

std::string stem_french(std::string_view word) { return French(word).stem(); }

}  // namespace adjudge
