// Spanish and Portuguese.
#include "stem_romance.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

class Spanish : Romance {
  public:
    explicit Spanish(std::string_view text) : Romance(text, u"aeiouáéíóúü") {}

    std::string stem() {
        mark_regions();
        attached_pronoun();
        if (!standard_suffix() && !y_verb_suffix()) verb_suffix();
        residual_suffix();
        word_.change(u"áéíóú", u"aeiou");
        return word_.text();
    }

  private:
    void attached_pronoun() {
        const Suffix pronoun = word_.longest({u"me se sela selo selas selos la le lo las les los nos"});
        if (!pronoun) return;
        const Suffix verb = word_.longest_at(
            pronoun.start, {u"iéndo", u"ándo", u"ár", u"ér", u"ír", u"ando iendo ar er ir", u"yendo"});
        if (!verb || verb.start < rv_) return;
        static constexpr Letters unaccented[] = {u"iendo", u"ando", u"ar", u"er", u"ir"};
        if (verb.group < 5)
            word_.replace(verb, unaccented[verb.group]);
        else if (verb.group == 5 || word_.ends_at(verb.start, u"u"))
            word_.replace(pronoun, u"");
    }

    bool standard_suffix() {
        const Suffix suffix = word_.longest(
            {u"anza anzas ico ica icos icas ismo ismos able ables ible ibles ista istas oso osa osos osas "
             u"amiento "
             u"amientos imiento imientos",
             u"adora ador ación adoras adores aciones ante antes ancia ancias", u"logía logías",
             u"ución uciones", u"encia encias", u"amente", u"mente", u"idad idades", u"iva ivo ivas ivos"});
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
                if (!cut_in(r1_, suffix)) return false;
                if (const Suffix more = word_.longest({u"os ic ad", u"iv"});
                    more && cut_in(r2_, more) && more.group == 1)
                    word_.drop(u"at", r2_);
                return true;
            case 6:
                if (!cut_in(r2_, suffix)) return false;
                if (const Suffix more = word_.longest({u"ante able ible"})) cut_in(r2_, more);
                return true;
            case 7:
                if (!cut_in(r2_, suffix)) return false;
                if (const Suffix more = word_.longest({u"abil ic iv"})) cut_in(r2_, more);
                return true;
            case 8:
                if (!cut_in(r2_, suffix)) return false;
                word_.drop(u"at", r2_);
                return true;
        }
        return false;
    }

    bool y_verb_suffix() {
        const Suffix suffix = word_.longest({u"ya ye yan yen yeron yendo yo yó yas yes yais yamos"}, rv_);
        if (!suffix || !word_.ends_at(suffix.start, u"u")) return false;
        word_.replace(suffix, u"");
        return true;
    }

    void verb_suffix() {
        const Suffix suffix =
            word_.longest({u"en es éis emos",
                           u"arían arías arán arás aríais aría aréis aríamos aremos ará aré erían erías erán "
                           u"erás eríais ería eréis "
                           u"eríamos eremos erá eré irían irías irán irás iríais iría iréis iríamos iremos "
                           u"irá iré aba ada ida ía "
                           u"ara iera ad ed id ase iese aste iste an aban ían aran ieran asen iesen aron "
                           u"ieron ado ido ando iendo "
                           u"ió ar er ir as abas adas idas ías aras ieras ases ieses ís áis abais íais arais "
                           u"ierais aseis ieseis "
                           u"asteis isteis ados idos amos ábamos íamos imos áramos iéramos iésemos ásemos"},
                          rv_);
        if (!suffix) return;
        word_.replace(suffix, u"");
        if (suffix.group == 0 && word_.ends(u"gu")) word_.cut(1);
    }

    void residual_suffix() {
        const Suffix suffix = word_.longest({u"os a o á í ó", u"e é"});
        if (suffix && cut_in(rv_, suffix) && suffix.group == 1 && word_.ends(u"gu")) word_.drop(u"u", rv_);
    }
};

class Portuguese : Romance {
  public:
    explicit Portuguese(std::string_view text) : Romance(text, u"aeiouáéíóúâêô") {}

    std::string stem() {
        spread(u"ã", u"a~");
        spread(u"õ", u"o~");
        mark_regions();
        if (standard_suffix() || verb_suffix()) {
            if (word_.ends(u"ci")) word_.drop(u"i", rv_);
        } else if (const Suffix suffix = word_.longest({u"os a i o á í ó"})) {
            cut_in(rv_, suffix);
        }
        residual_form();
        spread(u"a~", u"ã");
        spread(u"o~", u"õ");
        return word_.text();
    }

  private:
    // Nasal vowels count as two letters.
    void spread(Letters from, Letters to) {
        std::u16string& letters = word_.letters();
        for (std::size_t i = 0; (i = letters.find(from, i)) != letters.npos; i += to.size())
            letters.replace(i, from.size(), to);
    }

    bool standard_suffix() {
        const Suffix suffix =
            word_.longest({u"eza ezas ico ica icos icas ismo ismos ável ível ista istas oso osa osos osas "
                           u"amento amentos imento "
                           u"imentos adora ador aça~o adoras adores aço~es ante antes ância",
                           u"logía logías", u"ución uciones", u"ência ências", u"amente", u"mente",
                           u"idade idades", u"iva ivo ivas ivos", u"ira iras"});
        switch (suffix.group) {
            case 0:
                return cut_in(r2_, suffix);
            case 1:
                return put_in(r2_, suffix, u"log");
            case 2:
                return put_in(r2_, suffix, u"u");
            case 3:
                return put_in(r2_, suffix, u"ente");
            case 4:
                if (!cut_in(r1_, suffix)) return false;
                if (const Suffix more = word_.longest({u"os ic ad", u"iv"});
                    more && cut_in(r2_, more) && more.group == 1)
                    word_.drop(u"at", r2_);
                return true;
            case 5:
                if (!cut_in(r2_, suffix)) return false;
                if (const Suffix more = word_.longest({u"ante avel ível"})) cut_in(r2_, more);
                return true;
            case 6:
                if (!cut_in(r2_, suffix)) return false;
                if (const Suffix more = word_.longest({u"abil ic iv"})) cut_in(r2_, more);
                return true;
            case 7:
                if (!cut_in(r2_, suffix)) return false;
                word_.drop(u"at", r2_);
                return true;
            case 8:
                return word_.ends_at(suffix.start, u"e") && put_in(rv_, suffix, u"ir");
        }
        return false;
    }

    bool verb_suffix() {
        const Suffix suffix = word_.longest({u"ada ida ia aria eria iria ará ara erá era irá ava asse esse "
                                             u"isse aste este iste ei arei erei irei am "
                                             u"iam ariam eriam iriam aram eram iram avam em arem erem irem "
                                             u"assem essem issem ado ido ando endo indo "
                                             u"ara~o era~o ira~o ar er ir as adas idas ias arias erias irias "
                                             u"arás aras erás eras irás avas es ardes "
                                             u"erdes irdes ares eres ires asses esses isses astes estes "
                                             u"istes is ais eis íeis aríeis eríeis iríeis "
                                             u"áreis areis éreis ereis íreis ireis ásseis ésseis ísseis "
                                             u"áveis ados idos ámos amos íamos aríamos "
                                             u"eríamos iríamos áramos éramos íramos ávamos emos aremos "
                                             u"eremos iremos ássemos êssemos íssemos imos "
                                             u"armos ermos irmos eu iu ou ira iras"},
                                            rv_);
        if (suffix) word_.replace(suffix, u"");
        return static_cast<bool>(suffix);
    }

    void residual_form() {
        const Suffix suffix = word_.longest({u"e é ê", u"ç"});
        if (suffix.group == 1) word_.replace(suffix, u"c");
        if (suffix.group == 0 && cut_in(rv_, suffix) && (word_.ends(u"gu") || word_.ends(u"ci")) &&
            word_.size() > rv_)
            word_.cut(1);
    }
};

}  // namespace

std::string stem_spanish(std::string_view word) { return Spanish(word).stem(); }
std::string stem_portuguese(std::string_view word) { return Portuguese(word).stem(); }

}  // namespace adjudge
