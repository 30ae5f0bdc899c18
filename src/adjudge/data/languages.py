"""Names of languages: ISO codes, English names and METEOR's own abbreviations, folded into one code."""

from __future__ import annotations

import re

from adjudge.errors import UsageError, unknown_name
from adjudge.wording import pluralise

NAMES = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""ISO 639-1 code to the English name that METEOR and Snowball use, for every language one of them knows."""

# METEOR's abbreviations that are no ISO code (its `se` would be Northern Sami), both Norwegians, codes of old.
_ALIASES = {
    "cz": "cs",
    "nb": "no",
    "nn": "no",
    "nob": "no",
    "nno": "no",
    "se": "sv",
    "iw": "he",
    "xx": "other",
}
# The codes of three letters of languages that have one of two; some have two of three.
_THREE_LETTERS = """
aar=aa abk=ab ave=ae afr=af aka=ak amh=am arg=an ara=ar asm=as ava=av aym=ay aze=az bak=ba bel=be bul=bg bis=bi bam=bm
ben=bn bod=bo tib=bo bre=br bos=bs cat=ca che=ce cha=ch cos=co cre=cr ces=cs cze=cs chu=cu chv=cv cym=cy wel=cy dan=da
deu=de ger=de div=dv dzo=dz ewe=ee ell=el gre=el eng=en epo=eo spa=es est=et baq=eu eus=eu fas=fa per=fa ful=ff fin=fi
fij=fj fao=fo fra=fr fre=fr fry=fy gle=ga gla=gd glg=gl grn=gn guj=gu glv=gv hau=ha heb=he hin=hi hmo=ho hrv=hr hat=ht
hun=hu arm=hy hye=hy her=hz ina=ia ind=id ile=ie ibo=ig iii=ii ipk=ik ido=io ice=is isl=is ita=it iku=iu jpn=ja jav=jv
geo=ka kat=ka kon=kg kik=ki kua=kj kaz=kk kal=kl khm=km kan=kn kor=ko kau=kr kas=ks kur=ku kom=kv cor=kw kir=ky lat=la
ltz=lb lug=lg lim=li lin=ln lao=lo lit=lt lub=lu lav=lv mlg=mg mah=mh mao=mi mri=mi mac=mk mkd=mk mal=ml mon=mn mar=mr
may=ms msa=ms mlt=mt bur=my mya=my nau=na nde=nd nep=ne ndo=ng dut=nl nld=nl nor=no nbl=nr nav=nv nya=ny oci=oc oji=oj
orm=om ori=or oss=os pan=pa pli=pi pol=pl pus=ps por=pt que=qu roh=rm run=rn ron=ro rum=ro rus=ru kin=rw san=sa srd=sc
snd=sd sag=sg sin=si slk=sk slo=sk slv=sl smo=sm sna=sn som=so alb=sq sqi=sq srp=sr ssw=ss sot=st sun=su swe=sv swa=sw
tam=ta tel=te tgk=tg tha=th tir=ti tuk=tk tgl=tl tsn=tn ton=to tur=tr tso=ts tat=tt twi=tw tah=ty uig=ug ukr=uk urd=ur
uzb=uz ven=ve vie=vi vol=vo wln=wa wol=wo xho=xh yid=yi yor=yo zha=za chi=zh zho=zh zul=zu cmn=zh fil=tl
"""
# All of ISO 639-1: two letters that are not among them are a mistake.
_TWO_LETTERS = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et
eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk
kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny
oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_ALIASES |= dict(pair.split("=") for pair in _THREE_LETTERS.split())
_ISO_639_1 = frozenset(_TWO_LETTERS.split())
_COUNTRIES = {"cn": "zh", "dk": "da", "gr": "el", "jp": "ja", "kp": "ko", "ua": "uk"}
# JudgementFile so they are a language and its region, although the region's code is some other language's as well.
_LOCALES = {("pt", "br"), ("zh", "tw")}
_LANGUAGE, _SCRIPT = re.compile("[a-z]{2,3}"), re.compile("[A-Za-z]{4}")


def code(language: str) -> str:
    """The code of a language given by code (`de`, `deu`, `pt-BR`, METEOR's `cz`) or English name; `other` stays.

    The code of a language that nobody here knows comes back as it is: METEOR treats such languages as `other`.
    """
    folded = language.strip().lower()
    base = re.split(r"[-_]", folded, maxsplit=1)[0]
    if folded == "other" or folded in _BY_NAME:
        return _BY_NAME.get(folded, folded)
    if base in _COUNTRIES:
        raise UsageError(f"unknown language {language!r}; did you mean {_COUNTRIES[base]!r}?")
    if base in _ALIASES or base in _ISO_639_1 or re.fullmatch(r"[a-z]{3}", base):
        return _ALIASES.get(base, base)
    raise unknown_name(
        "language", language, [*NAMES, *_BY_NAME, "other"], "or any language's code: zh, ja, uk, …"
    )


def pair(language: str) -> tuple[str, str]:
    """Source and target, "" for a source that is not said: `en-de`, `en-GB-de-DE`, `eng_Latn-zho_Hans`, `pt-BR`, `de`.

    Tags are BCP 47's. A part in lower case that is a language begins the target; scripts (`Hans`) and regions (`DE`,
    `419`, and `us`, which is no language) belong to the language before them.
    """
    parts = [part for part in re.split(r"[-_]", language.strip()) if part]
    if len(parts) == 2 and language.isupper() and all(part.lower() in _ISO_639_1 for part in parts):
        low, region = "-".join(parts).lower(), f"{parts[0].lower()}-{parts[1]}"
        raise UsageError(f"{language!r} is two languages or one and its region; write {low} or {region}")
    starts = [0, *(at for at in range(1, len(parts)) if _begins_language(parts[0], parts[at]))]
    if len(starts) > 2:
        raise UsageError(
            f"{language!r} names {pluralise(len(starts), 'language')}; write SOURCE-TARGET, as in en-de"
        )
    tags = ["-".join(parts[begin:end]) for begin, end in zip(starts, [*starts[1:], len(parts)], strict=True)]
    return (tags[0], tags[1]) if len(tags) == 2 else ("", tags[0])


def target(language: str) -> str:
    """The code of the language that is translated into: `en-de` is a pair, `pt-BR` one language and its country."""
    return code(pair(language)[1])


def tag(language: str) -> str:
    """One language's tag in BCP 47's case, which `pair` can take apart again: `pt-BR` for `PT_br`."""
    first, *others = re.split(r"[-_]", language.strip())
    spelled = [first.lower()]
    for part in others:
        is_region = re.fullmatch(r"[A-Za-z]{2}|\d{3}", part)
        spelled.append(
            part.upper() if is_region else part.title() if _SCRIPT.fullmatch(part) else part.lower()
        )
    return "-".join(part for part in spelled if part)


def name(language: str) -> str:
    """The English name of a language, its code where we have no name for it."""
    folded = code(language)
    return NAMES.get(folded, folded)


def is_code(text: str) -> bool:
    """Whether this is the code of a language, with or without its region or script, and nothing else could be meant."""
    first, *others = re.split(r"[-_]", text)
    base = first.lower()
    known = base in _ISO_639_1 or base in _ALIASES
    return known and all(
        _SCRIPT.fullmatch(part) or re.fullmatch(r"[A-Za-z]{2}|\d{3}", part) for part in others
    )


def known_tag(text: str) -> str:
    """The tag of a language's code, "" for what is none."""
    return tag(text) if is_code(text) else ""


def of_country(text: str) -> str:
    """The language that people mean by a country's code (`jp`), "" for any other text."""
    return _COUNTRIES.get(text.lower(), "")


def _begins_language(first: str, part: str) -> bool:
    if part.lower() in _BY_NAME:
        return True
    if not _LANGUAGE.fullmatch(part) and not re.fullmatch("[A-Z]{3}", part):
        return False
    if len(part) == 2 and (part not in _ISO_639_1 and part not in _ALIASES):
        # `en-us` is English; `en-jp` is meant for a pair, and `code` says so
        return part in _COUNTRIES and first.lower() in _ISO_639_1 and _COUNTRIES[part] != first.lower()
    return (first.lower(), part) not in _LOCALES


_BY_NAME = {name: iso for iso, name in NAMES.items()} | {"chinese": "zh", "japanese": "ja", "korean": "ko"}


def same_pair(first: str, second: str) -> bool:
    """Whether two spellings (en-ja, eng-jpn) name the same language pair."""

    def known(text: str) -> tuple[str, ...]:
        try:
            return tuple(code(part) for part in pair(text))
        except UsageError:
            return (text,)

    return first == second or known(first) == known(second)
