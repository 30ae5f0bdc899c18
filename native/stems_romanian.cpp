#include "stem_romance.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

// The rules write ş and ţ with a cedilla; METEOR's edition does not know the letters with a comma.
class Romanian : Romance {
  public:
    explicit Romanian(std::string_view text) : Romance(text, u"aeiouâîă") {}

    std::string stem() {
        word_.mark_between(u"ui", u"UI", vowels_);
        mark_regions();
        article();
        bool removed = false;
        while (combined_suffix()) removed = true;
        if (standard_suffix()) removed = true;
        if (!removed) verb_suffix();
        if (const Suffix suffix = word_.longest({u"a e i ie ă"})) cut_in(rv_, suffix);
        word_.change(u"IU", u"iu");
        return word_.text();
    }

  private:
    void article() {
        const Suffix suffix = word_.longest({u"ul ului", u"aua", u"ea ele elor",
                                             u"ii iua iei iile iilor ilor", u"ile", u"atei", u"aţie aţia"});
        if (!suffix || (suffix.group == 4 && word_.ends_at(suffix.start, u"ab"))) return;
        static constexpr Letters endings[] = {u"", u"a", u"e", u"i", u"i", u"at", u"aţi"};
        put_in(r1_, suffix, endings[suffix.group]);
    }

    bool combined_suffix() {
        const Suffix suffix = word_.longest(
            {u"abilitate abilitati abilităi abilităţi", u"ibilitate", u"ivitate ivitati ivităi ivităţi",
             u"icitate icitati icităi icităţi icator icatori iciv iciva icive icivi icivă ical icala icale "
             u"icali icală",
             u"ativ ativa ative ativi ativă aţiune atoare ator atori ătoare ător ători",
             u"itiv itiva itive itivi itivă iţiune itoare itor itori"});
        static constexpr Letters endings[] = {u"abil", u"ibil", u"iv", u"ic", u"at", u"it"};
        return suffix && put_in(r1_, suffix, endings[suffix.group]);
    }

    bool standard_suffix() {
        const Suffix suffix =
            word_.longest({u"at ata ată ati ate ut uta ută uti ute it ita ită iti ite ic ica ice ici ică "
                           u"abil abila abile abili abilă "
                           u"ibil ibila ibile ibili ibilă oasa oasă oase os osi oşi ant anta ante anti antă "
                           u"ator atori itate itati "
                           u"ităi ităţi iv iva ive ivi ivă",
                           u"iune iuni", u"ism isme ist ista iste isti istă işti"});
        if (!suffix || suffix.start < r2_) return false;
        if (suffix.group == 1) {
            if (!word_.ends_at(suffix.start, u"ţ")) return false;
            word_.cut(suffix.text.size() + 1);
            word_.put(u"t");
            return true;
        }
        word_.replace(suffix, suffix.group == 0 ? u"" : u"ist");
        return true;
    }

    void verb_suffix() {
        const Suffix suffix = word_.longest({u"are ere ire âre ind ând indu ându eze ească ez ezi ează esc "
                                             u"eşti eşte ăsc ăşti ăşte am ai au eam eai ea "
                                             u"eaţi eau iam iai ia iaţi iau ui aşi arăm arăţi ară uşi urăm "
                                             u"urăţi ură işi irăm irăţi iră âi âşi ârăm "
                                             u"ârăţi âră asem aseşi ase aserăm aserăţi aseră isem iseşi ise "
                                             u"iserăm iserăţi iseră âsem âseşi âse âserăm "
                                             u"âserăţi âseră usem useşi use userăm userăţi useră",
                                             u"ăm aţi em eţi im iţi âm âţi seşi serăm serăţi seră sei se "
                                             u"sesem seseşi sese seserăm seserăţi seseră"},
                                            rv_);
        if (!suffix) return;
        const std::size_t at = suffix.start;
        if (suffix.group == 1 || word_.out(at, vowels_, rv_) || word_.ends_at(at, u"u", rv_))
            word_.replace(suffix, u"");
    }
};

}  // namespace

std::string stem_romanian(std::string_view word) { return Romanian(word).stem(); }

}  // namespace adjudge
