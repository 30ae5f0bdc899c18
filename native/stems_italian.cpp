#include "stem_romance.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

class Italian : Romance {
  public:
    explicit Italian(std::string_view text) : Romance(text, u"aeiouàèìòù") {}

    std::string stem() {
        word_.change(u"áéíóú", u"àèìòù");
        std::u16string& letters = word_.letters();
        for (std::size_t i = 0; (i = letters.find(u"qu", i)) != letters.npos; i += 2) letters[i + 1] = u'U';
        word_.mark_between(u"ui", u"UI", vowels_);
        mark_regions();
        attached_pronoun();
        if (!standard_suffix()) verb_suffix();
        vowel_suffix();
        word_.change(u"IU", u"iu");
        return word_.text();
    }

  private:
    void attached_pronoun() {
        const Suffix pronoun =
            word_.longest({u"ci gli la le li lo mi ne si ti vi sene gliela gliele glieli glielo gliene mela "
                           u"mele meli melo mene tela "
                           u"tele teli telo tene cela cele celi celo cene vela vele veli velo vene"});
        if (!pronoun) return;
        const Suffix verb = word_.longest_at(pronoun.start, {u"ando endo", u"ar er ir"});
        if (verb && verb.start >= rv_) word_.replace(pronoun, verb.group == 0 ? u"" : u"e");
    }

    bool standard_suffix() {
        const Suffix suffix = word_.longest(
            {u"anza anze ico ici ica ice iche ichi ismo ismi abile abili ibile ibili ista iste isti istà "
             u"istè istì oso "
             u"osi osa ose mente atrice atrici ante anti",
             u"azione azioni atore atori", u"logia logie", u"uzione uzioni usione usioni", u"enza enze",
             u"amento amenti imento imenti", u"amente", u"ità", u"ivo ivi iva ive"});
        switch (suffix.group) {
            case 0:
                return cut_in(r2_, suffix);
            case 1:
                if (!cut_in(r2_, suffix)) return false;
                word_.drop(u"ic", r2_);
                return true;
            case 2:
                return put_in(r2_, suffix, u"log");
            case 3:
                return put_in(r2_, suffix, u"u");
            case 4:
                return put_in(r2_, suffix, u"ente");
            case 5:
                return cut_in(rv_, suffix);
            case 6:
                if (!cut_in(r1_, suffix)) return false;
                if (const Suffix more = word_.longest({u"os ic abil", u"iv"});
                    more && cut_in(r2_, more) && more.group == 1)
                    word_.drop(u"at", r2_);
                return true;
            case 7:
                if (!cut_in(r2_, suffix)) return false;
                if (const Suffix more = word_.longest({u"abil ic iv"})) cut_in(r2_, more);
                return true;
            case 8:
                if (!cut_in(r2_, suffix)) return false;
                if (word_.drop(u"at", r2_)) word_.drop(u"ic", r2_);
                return true;
        }
        return false;
    }

    void verb_suffix() {
        if (const Suffix suffix =
                word_.longest({u"ammo ando ano are arono asse assero assi assimo ata ate ati ato ava avamo "
                               u"avano avate avi avo emmo "
                               u"enda ende endi endo erà erai eranno ere erebbe erebbero erei eremmo eremo "
                               u"ereste eresti erete erò "
                               u"erono essero ete eva evamo evano evate evi evo Yamo iamo immo irà irai "
                               u"iranno ire irebbe irebbero "
                               u"irei iremmo iremo ireste iresti irete irò irono isca iscano isce isci isco "
                               u"iscono issero ita ite "
                               u"iti ito iva ivamo ivano ivate ivi ivo ono uta ute uti uto ar ir"},
                              rv_))
            word_.replace(suffix, u"");
    }

    void vowel_suffix() {
        if (word_.in(word_.size(), u"aeioàèìò", rv_)) {
            word_.cut(1);
            word_.drop(u"i", rv_);
        }
        if (word_.ends(u"ch", rv_) || word_.ends(u"gh", rv_)) word_.cut(1);
    }
};

}  // namespace

std::string stem_italian(std::string_view word) { return Italian(word).stem(); }

}  // namespace adjudge
