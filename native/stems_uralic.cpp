// Finnish and Hungarian.
#include "stem_word.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

class Finnish {
  public:
    explicit Finnish(std::string_view text) : word_(text) {}

    std::string stem() {
        r1_ = word_.region(0, vowels);
        r2_ = word_.region(r1_, vowels);
        particle();
        possessive();
        const bool removed = case_ending();
        other_endings();
        if (removed)
            cut({u"i j"}, r1_);
        else
            t_plural();
        tidy();
        return word_.text();
    }

  private:
    static constexpr Letters vowels = u"aeiouyäö", long_vowels = u"aa ee ii oo uu ää öö";

    void cut(std::initializer_list<Letters> suffixes, std::size_t region) {
        if (const Suffix suffix = word_.longest(suffixes, region)) word_.replace(suffix, u"");
    }

    void particle() {
        const Suffix suffix = word_.longest({u"kin kaan kään ko kö han hän pa pä", u"sti"}, r1_);
        if (suffix && (suffix.group == 0 ? word_.in(suffix.start, u"aeiouyäönt") : suffix.start >= r2_))
            word_.replace(suffix, u"");
    }

    void possessive() {
        const Suffix suffix = word_.longest({u"si", u"ni", u"nsa nsä mme nne", u"an", u"än", u"en"}, r1_);
        const std::size_t before = suffix.start;
        if (!suffix || (suffix.group == 0 && word_.ends_at(before, u"k")) ||
            (suffix.group == 3 && !word_.longest_at(before, {u"ta ssa sta lla lta na"})) ||
            (suffix.group == 4 && !word_.longest_at(before, {u"tä ssä stä llä ltä nä"})) ||
            (suffix.group == 5 && !word_.longest_at(before, {u"lle ine"})))
            return;
        word_.replace(suffix, u"");
        if (suffix.group == 1 && word_.ends(u"kse")) word_.letters().back() = u'i';
    }

    // Snowball also has -siin, -seen, -den and -tten under conditions. METEOR's program, which looks these
    // conditions up by their names, may not call them, so to it they never hold and -n is cut instead.
    bool case_ending() {
        const Suffix suffix =
            word_.longest({u"han", u"hen", u"hin", u"hon", u"hän", u"hön", u"n", u"a ä", u"tta ttä",
                           u"ta tä ssa ssä sta stä lla llä lta ltä lle na nä ksi ine"},
                          r1_);
        if (!suffix) return false;
        const std::size_t before = suffix.start;
        std::size_t size = suffix.text.size();
        if (suffix.group < 6) {
            if (before == 0 || word_[before - 1] != suffix.text[1]) return false;
        } else if (suffix.group == 6) {
            if (word_.longest_at(before, {long_vowels}) || word_.ends_at(before, u"ie")) ++size;
        } else if (suffix.group == 7) {
            if (!word_.in(before, vowels) || !word_.out(before - 1, vowels)) return false;
        } else if (suffix.group == 8 && !word_.ends_at(before, u"e")) {
            return false;
        }
        word_.cut(size);
        return true;
    }

    void other_endings() {
        const Suffix suffix =
            word_.longest({u"mpi mpa mpä mmi mma mmä", u"impi impa impä immi imma immä eja ejä"}, r2_);
        if (suffix && !(suffix.group == 0 && word_.ends_at(suffix.start, u"po"))) word_.replace(suffix, u"");
    }

    void t_plural() {
        if (!word_.ends(u"t", r1_) || !word_.in(word_.size() - 1, vowels, r1_)) return;
        word_.cut(1);
        const Suffix suffix = word_.longest({u"mma", u"imma"}, r2_);
        if (suffix && !(suffix.group == 0 && word_.ends_at(suffix.start, u"po"))) word_.replace(suffix, u"");
    }

    void tidy() {
        if (word_.size() < r1_) return;
        if (word_.longest({long_vowels}, r1_)) word_.cut(1);
        if (word_.in(word_.size(), u"aäei", r1_) && word_.out(word_.size() - 1, vowels, r1_)) word_.cut(1);
        if (word_.ends(u"oj", r1_) || word_.ends(u"uj", r1_)) word_.cut(1);
        if (word_.ends(u"jo", r1_)) word_.cut(1);
        // The last consonant, vowels behind it or not, is written once.
        std::size_t end = word_.size();
        while (word_.in(end, vowels)) --end;
        if (end > 1 && word_[end - 1] == word_[end - 2]) word_.letters().erase(end - 1, 1);
    }

    Word word_;
    std::size_t r1_ = 0, r2_ = 0;
};

// METEOR's edition writes long ö and ü as õ and û, and so does not know ő and ű.
class Hungarian {
  public:
    explicit Hungarian(std::string_view text) : word_(text) {}

    std::string stem() {
        region();
        if (doubled(u"al el")) halve();
        if (apply({u"ban ben ba be ra re nak nek val vel tól tõl ról rõl ból bõl hoz hez höz nál nél ig at "
                   u"et ot öt ért "
                   u"képp képpen kor ul ül vá vé onként enként anként ként en on an ön n t"},
                  {u""}))
            apply({u"á", u"é"}, {u"a", u"e"});
        apply({u"én", u"án ánként"}, {u"e", u"a"});
        apply({u"astul estül stul stül", u"ástul", u"éstül"}, {u"", u"a", u"e"});
        if (doubled(u"á é")) halve();
        apply({u"oké öké aké eké ké éi é", u"éké ééi éé", u"áké áéi"}, {u"", u"e", u"a"});
        apply({u"ünk unk nk juk jük uk ük em om am m od ed ad öd d ja je a e o", u"ánk ájuk ám ád á",
               u"énk éjük ém éd é"},
              {u"", u"a", u"e"});
        apply({u"jaim jeim aim eim im jaid jeid aid eid id jai jei ai ei i jaink jeink eink aink ink jaitok "
               u"jeitek "
               u"aitok eitek itek jeik jaik aik eik ik",
               u"áim áid ái áink áitok áik", u"éim éid éi éink éitek éik"},
              {u"", u"a", u"e"});
        apply({u"ök ak ok ek k", u"ák", u"ék"}, {u"", u"a", u"e"});
        return word_.text();
    }

  private:
    static constexpr Letters vowels = u"aeiouáéíóõöúûü";

    void region() {
        const std::size_t size = word_.size();
        region_ = size;
        if (size == 0) return;
        if (!one_of(word_[0], vowels)) {
            region_ = word_.past(1, vowels);
            return;
        }
        std::size_t at = 0;
        while (at < size && one_of(word_[at], vowels)) ++at;
        if (at == size) return;
        const Letters rest = Letters(word_.letters()).substr(at);
        region_ = at + 1;
        if (rest.starts_with(u"dzs")) region_ = at + 3;
        for (const Letters pair : {u"cs", u"gy", u"ly", u"ny", u"sz", u"ty", u"zs"})
            if (rest.starts_with(pair)) region_ = at + 2;
    }

    // Puts the ending of its group in place of the longest suffix, if that is in the region.
    bool apply(std::initializer_list<Letters> groups, std::initializer_list<Letters> endings) {
        const Suffix suffix = word_.longest(groups);
        if (!suffix || suffix.start < region_) return false;
        word_.replace(suffix, endings.begin()[suffix.group]);
        return true;
    }

    // Cuts a suffix that follows a double consonant.
    bool doubled(Letters suffixes) {
        const Suffix suffix = word_.longest({suffixes});
        if (!suffix || suffix.start < region_) return false;
        if (!word_.longest_at(
                suffix.start,
                {u"bb cc ccs dd ff gg ggy jj kk ll lly mm nn nny pp rr ss ssz tt tty vv zz zzs"}))
            return false;
        word_.replace(suffix, u"");
        return true;
    }

    void halve() { word_.letters().erase(word_.size() - 2, 1); }

    Word word_;
    std::size_t region_ = 0;
};

}  // namespace

std::string stem_finnish(std::string_view word) { return Finnish(word).stem(); }
std::string stem_hungarian(std::string_view word) { return Hungarian(word).stem(); }

}  // namespace adjudge
