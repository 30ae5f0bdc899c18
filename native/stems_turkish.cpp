// Turkish: chains of suffixes, each marked from the end and held to vowel harmony before anything is cut.
#include "stem_word.hpp"
#include "stems.hpp"

namespace adjudge {
namespace {

constexpr Letters vowels = u"aeıioöuü", high_vowels = u"ıiuü";

class Turkish {
  public:
    explicit Turkish(std::string_view text) : word_(text) {}

    std::string stem() {
        const auto syllables = std::count_if(word_.letters().begin(), word_.letters().end(),
                                             [](char16_t letter) { return one_of(letter, vowels); });
        if (syllables < 2) return word_.text();
        from_the_end();
        const bool was_plural = verb_suffixes();
        if (was_plural) return word_.text();
        from_the_end();
        noun_suffixes();
        last_letters();
        return word_.text();
    }

  private:
    // Snowball's way of going backwards: the cursor moves to the left over what matches. Places are kept as
    // distances from the end, which cuts leave as they are.
    void from_the_end() { at_ = word_.size(); }
    std::size_t place() const { return word_.size() - at_; }
    void back_to(std::size_t place) { at_ = word_.size() - place; }

    // Tries one thing; the cursor stays where it was unless it holds. What was cut stays cut.
    template <class Step>
    bool attempt(Step step) {
        const std::size_t before = place();
        if (step()) return true;
        back_to(before);
        return false;
    }

    void open() { end_ = at_; }
    // Cuts from where the cursor is to where the slice was opened.
    bool close() {
        word_.letters().erase(at_, end_ - at_);
        return true;
    }

    bool harmony() const {
        std::size_t at = at_;
        while (at > 0 && !one_of(word_[at - 1], vowels)) --at;
        if (at == 0) return false;
        const char16_t vowel = word_[--at];
        const Letters fitting = vowel == u'a'                    ? Letters(u"aıou")
                                : vowel == u'e'                  ? Letters(u"eiöü")
                                : vowel == u'ı'                  ? Letters(u"aı")
                                : vowel == u'i'                  ? Letters(u"ei")
                                : vowel == u'o' || vowel == u'u' ? Letters(u"ou")
                                                                 : Letters(u"öü");
        while (at > 0 && !one_of(word_[at - 1], fitting)) --at;
        return at > 0;
    }

    bool mark(Letters suffixes) {
        const Suffix suffix = word_.longest_at(at_, {suffixes});
        if (suffix) at_ = suffix.start;
        return static_cast<bool>(suffix);
    }
    bool in_harmony(Letters suffixes) { return harmony() && mark(suffixes); }

    // A joining consonant between vowels belongs to the suffix; where there is none, a vowel must be near.
    bool joined(char16_t consonant) {
        if (at_ > 0 && word_[at_ - 1] == consonant) return word_.in(--at_, vowels);
        return at_ > 0 && word_.in(at_ - 1, vowels);
    }
    bool joined_by_vowel() {
        if (word_.in(at_, high_vowels)) return word_.out(--at_, vowels);
        return at_ > 0 && word_.out(at_ - 1, vowels);
    }

    bool possessive() {
        return attempt([&] { return mark(u"mız miz muz müz nız niz nuz nüz m n") && joined_by_vowel(); });
    }
    bool su() {
        return attempt([&] { return in_harmony(u"ı i u ü") && joined(u's'); });
    }
    bool lari() { return mark(u"leri ları"); }
    bool yu() {
        return attempt([&] { return in_harmony(u"ı i u ü") && joined(u'y'); });
    }
    bool nu() { return in_harmony(u"nı ni nu nü"); }
    bool nun() {
        return attempt([&] { return in_harmony(u"ın in un ün") && joined(u'n'); });
    }
    bool ya() {
        return attempt([&] { return in_harmony(u"a e") && joined(u'y'); });
    }
    bool na() { return in_harmony(u"na ne"); }
    bool da() { return in_harmony(u"da de ta te"); }
    bool nda() { return in_harmony(u"nda nde"); }
    bool dan() { return in_harmony(u"dan den tan ten"); }
    bool ndan() { return in_harmony(u"ndan nden"); }
    bool yla() {
        return attempt([&] { return in_harmony(u"la le") && joined(u'y'); });
    }
    bool nca() {
        return attempt([&] { return in_harmony(u"ca ce") && joined(u'n'); });
    }
    bool yum() {
        return attempt([&] { return in_harmony(u"ım im um üm") && joined(u'y'); });
    }
    bool sun() { return in_harmony(u"sın sin sun sün"); }
    bool yuz() {
        return attempt([&] { return in_harmony(u"ız iz uz üz") && joined(u'y'); });
    }
    bool sunuz() { return mark(u"sınız siniz sunuz sünüz"); }
    bool lar() { return in_harmony(u"ler lar"); }
    bool nuz() { return in_harmony(u"nız niz nuz nüz"); }
    bool dur() { return in_harmony(u"tır tir tur tür dır dir dur dür"); }
    bool casina() { return mark(u"casına cesine"); }
    bool ydu() {
        return attempt([&] {
            return in_harmony(
                       u"tım tim tum tüm dım dim dum düm tın tin tun tün dın din dun dün tık tik tuk tük dık "
                       u"dik "
                       u"duk dük tı ti tu tü dı di du dü") &&
                   joined(u'y');
        });
    }
    bool ysa() {
        return attempt([&] { return mark(u"sam san sak sem sen sek sa se") && joined(u'y'); });
    }
    bool ymus() {
        return attempt([&] { return in_harmony(u"mış miş muş müş") && joined(u'y'); });
    }
    bool yken() {
        return attempt([&] { return mark(u"ken") && joined(u'y'); });
    }

    // Suffixes that make a noun a predicate; whether they were the plural's, after which nothing more is cut.
    bool verb_suffixes() {
        bool was_plural = false;
        open();
        const bool found = attempt([&] { return ymus() || ydu() || ysa() || yken(); }) || attempt([&] {
                               if (!casina()) return false;
                               person();
                               return ymus();
                           }) ||
                           attempt([&] {
                               if (!lar()) return false;
                               close();
                               open();
                               static_cast<void>(dur() || ydu() || ysa() || ymus());
                               was_plural = true;
                               return true;
                           }) ||
                           attempt([&] { return nuz() && (ydu() || ysa()); }) || attempt([&] {
                               if (!(sunuz() || yuz() || sun() || yum())) return false;
                               close();
                               open();
                               ymus();
                               return true;
                           }) ||
                           attempt([&] {
                               if (!dur()) return false;
                               close();
                               open();
                               attempt([&] {
                                   person();
                                   return ymus();
                               });
                               return true;
                           });
        if (found) close();
        return was_plural;
    }

    void person() { static_cast<void>(sunuz() || lar() || yum() || sun() || yuz()); }

    // After a possessive: the plural, and what may stand before it.
    void plural_and_chain() {
        attempt([&] {
            open();
            return lar() && close() && chain_before_ki();
        });
    }

    bool chain_before_ki() {
        open();
        if (chains_ == longest_chain || !mark(u"ki")) return false;
        ++chains_;
        return attempt([&] {
                   if (!da()) return false;
                   close();
                   attempt([&] {
                       open();
                       if (lar()) {
                           close();
                           attempt([&] { return chain_before_ki(); });
                           return true;
                       }
                       if (!possessive()) return false;
                       close();
                       plural_and_chain();
                       return true;
                   });
                   return true;
               }) ||
               attempt([&] {
                   if (!nun()) return false;
                   close();
                   attempt([&] {
                       open();
                       if (lari()) return close();
                       if (attempt([&] {
                               open();
                               if (!(possessive() || su())) return false;
                               close();
                               plural_and_chain();
                               return true;
                           }))
                           return true;
                       return chain_before_ki();
                   });
                   return true;
               }) ||
               attempt([&] { return nda() && lari_su_or_chain(); });
    }

    bool lari_su_or_chain() {
        if (lari()) return close();
        if (su()) {
            close();
            plural_and_chain();
            return true;
        }
        return chain_before_ki();
    }

    // One of several suffixes of nouns, the first that fits, and those that may stand before it.
    void noun_suffixes() {
        const auto one = [&](auto step) {
            return attempt([&] {
                open();
                return step();
            });
        };
        const auto owner = [&] {
            return one([&] {
                if (!(possessive() || su())) return false;
                close();
                plural_and_chain();
                return true;
            });
        };
        const auto plural = [&] { return one([&] { return lar() && close() && chain_before_ki(); }); };
        static_cast<void>(
            one([&] {
                if (!lar()) return false;
                close();
                attempt([&] { return chain_before_ki(); });
                return true;
            }) ||
            one([&] {
                if (!nca()) return false;
                close();
                static_cast<void>(one([&] { return lari() && close(); }) || owner() || plural());
                return true;
            }) ||
            one([&] { return (nda() || na()) && lari_su_or_chain(); }) || one([&] {
                if (!(ndan() || nu())) return false;
                if (su()) {
                    close();
                    plural_and_chain();
                    return true;
                }
                return lari();
            }) ||
            one([&] {
                if (!dan()) return false;
                close();
                attempt([&] {
                    open();
                    if (possessive()) {
                        close();
                        plural_and_chain();
                        return true;
                    }
                    if (lar()) {
                        close();
                        attempt([&] { return chain_before_ki(); });
                        return true;
                    }
                    return chain_before_ki();
                });
                return true;
            }) ||
            one([&] {
                if (!(nun() || yla())) return false;
                close();
                static_cast<void>(plural() || owner() || attempt([&] { return chain_before_ki(); }));
                return true;
            }) ||
            one([&] { return lari() && close(); }) || attempt([&] { return chain_before_ki(); }) || one([&] {
                if (!(da() || yu() || ya())) return false;
                close();
                attempt([&] {
                    open();
                    if (possessive()) {
                        close();
                        attempt([&] {
                            open();
                            return lar();
                        });
                    } else if (!lar()) {
                        return false;
                    }
                    close();
                    open();
                    return chain_before_ki();
                });
                return true;
            }) ||
            owner());
    }

    // A stem in d or g has lost a vowel; other voiced ends of stems are hardened.
    void last_letters() {
        std::u16string& letters = word_.letters();
        if (letters.empty() || letters == u"ad" || letters == u"soyad") return;
        if (one_of(letters.back(), u"dg")) {
            const std::size_t at = letters.find_last_of(vowels);
            if (at != letters.npos) {
                static constexpr Letters lost = u"ıiıiuüuü";  // after each of the vowels
                letters.push_back(lost[vowels.find(letters[at])]);
            }
        }
        if (const std::size_t at = Letters(u"bcdğ").find(letters.back()); at != Letters::npos)
            letters.back() = u"pçtk"[at];
    }

    static constexpr int longest_chain =
        1000;  // no word's, but text may be anything, and each is a call in a call

    Word word_;
    std::size_t at_ = 0, end_ = 0;
    int chains_ = 0;
};

}  // namespace

std::string stem_turkish(std::string_view word) { return Turkish(word).stem(); }

}  // namespace adjudge
