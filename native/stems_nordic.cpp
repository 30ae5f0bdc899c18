// Danish, Norwegian, Swedish.
#include "stem_word.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

constexpr Letters danish_vowels = u"aeiouyæåø", swedish_vowels = u"aeiouyäåö";

// The region after the first vowel and consonant, at least three letters in.
std::size_t region_of(const Word& word, Letters vowels) {
    if (word.size() < 3) return word.size();
    return std::max<std::size_t>(word.region(0, vowels), 3);
}

void danish_pair(Word& word, std::size_t region) {
    if (word.longest({u"gd dt gt kt"}, region)) word.cut(1);
}

}  // namespace

std::string stem_danish(std::string_view text) {
    Word word(text);
    const std::size_t region = region_of(word, danish_vowels);
    if (const Suffix suffix = word.longest({u"hed ethed ered e erede ende erende ene erne ere en heden eren "
                                            u"er heder erer heds es endes erendes "
                                            u"enes ernes eres ens hedens erens ers ets erets et eret",
                                            u"s"},
                                           region);
        suffix && (suffix.group == 0 || word.in(suffix.start, u"abcdfghjklmnoprtvyzå")))
        word.replace(suffix, u"");
    danish_pair(word, region);
    if (word.ends(u"igst")) word.cut(2);
    const Suffix suffix = word.longest({u"ig lig elig els", u"løst"}, region);
    if (suffix.group == 0) {
        word.replace(suffix, u"");
        danish_pair(word, region);
    } else if (suffix) {
        word.cut(1);
    }
    if (word.out(word.size(), danish_vowels, region) && word.size() > 1 &&
        word[word.size() - 1] == word[word.size() - 2])
        word.cut(1);
    return word.text();
}

std::string stem_norwegian(std::string_view text) {
    Word word(text);
    const std::size_t region = region_of(word, danish_vowels);
    const Suffix suffix =
        word.longest({u"a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes "
                      u"hetenes ens hetens ers ets et het ast",
                      u"s", u"erte ert"},
                     region);
    const auto may_go = [&](std::size_t s) {
        return word.in(s, u"bcdfghjlmnoprtvyz") || (word.ends_at(s, u"k") && word.out(s - 1, danish_vowels));
    };
    if (suffix.group == 0 || (suffix.group == 1 && may_go(suffix.start)))
        word.replace(suffix, u"");
    else if (suffix.group == 2)
        word.replace(suffix, u"er");
    if (word.longest({u"dt vt"}, region)) word.cut(1);
    if (const Suffix other = word.longest({u"leg eleg ig eig lig elig els lov elov slov hetslov"}, region))
        word.replace(other, u"");
    return word.text();
}

std::string stem_swedish(std::string_view text) {
    Word word(text);
    const std::size_t region = region_of(word, swedish_vowels);
    if (const Suffix suffix =
            word.longest({u"a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar "
                          u"er heter or as arnas "
                          u"ernas ornas es ades andes ens arens hetens erns at andet het ast",
                          u"s"},
                         region);
        suffix && (suffix.group == 0 || word.in(suffix.start, u"bcdfghjklmnoprtvy")))
        word.replace(suffix, u"");
    if (word.longest({u"dd gd nn dt gt kt tt"}, region)) word.cut(1);
    const Suffix suffix = word.longest({u"lig ig els", u"löst", u"fullt"}, region);
    if (suffix) word.replace(suffix, suffix.group == 0 ? u"" : suffix.group == 1 ? u"lös" : u"full");
    return word.text();
}

}  // namespace adjudge
