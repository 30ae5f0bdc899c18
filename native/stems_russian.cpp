#include "stem_word.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

constexpr Letters vowels = u"аеиоуыэюя";

class Russian {
  public:
    explicit Russian(std::string_view text) : word_(text) {}

    std::string stem() {
        rv_ = word_.past(0, vowels);
        r2_ = word_.region(word_.region(0, vowels), vowels);
        if (!cut_after_a({u"в вши вшись", u"ив ивши ившись ыв ывши ывшись"})) inflection();
        word_.drop(u"и", rv_);
        if (const Suffix suffix = word_.longest({u"ост ость"}, rv_); suffix && suffix.start >= r2_)
            word_.replace(suffix, u"");
        tidy();
        return word_.text();
    }

  private:
    // Cuts the longest suffix; those of the first group only after а or я.
    bool cut_after_a(std::initializer_list<Letters> groups) {
        const Suffix suffix = word_.longest(groups, rv_);
        if (!suffix || (suffix.group == 0 && !word_.in(suffix.start, u"ая", rv_))) return false;
        word_.replace(suffix, u"");
        return true;
    }

    void inflection() {
        cut({u"ся сь"});
        if (cut({u"ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею"}))
            cut_after_a({u"ем нн вш ющ щ", u"ивш ывш ующ"});
        else if (!cut_after_a(
                     {u"ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно",
                      u"ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит "
                      u"ыт ены ить ыть ишь ую ю"}))
            cut(
                {u"а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь "
                 u"ию ью ю "
                 u"ия ья я"});
    }

    bool cut(std::initializer_list<Letters> suffixes) {
        const Suffix suffix = word_.longest(suffixes, rv_);
        if (suffix) word_.replace(suffix, u"");
        return static_cast<bool>(suffix);
    }

    void tidy() {
        const Suffix suffix = word_.longest({u"ейш ейше", u"н", u"ь"}, rv_);
        if (suffix.group == 0 || suffix.group == 2) word_.replace(suffix, u"");
        if (suffix && suffix.group < 2 && word_.ends(u"нн", rv_)) word_.cut(1);
    }

    Word word_;
    std::size_t rv_ = 0, r2_ = 0;
};

}  // namespace

std::string stem_russian(std::string_view word) { return Russian(word).stem(); }

}  // namespace adjudge
