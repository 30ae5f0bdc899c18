"""Porter's stemmer against nltk's."""

from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.text import porter

ENDINGS = (
    *(
        "ational",
        "tional",
        "enci",
        "anci",
        "izer",
        "bli",
        "alli",
        "entli",
        "eli",
        "ousli",
        "ization",
        "ation",
    ),
    *("ator", "alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "logi", "icate", "ative"),
    *(
        "alize",
        "iciti",
        "ical",
        "ful",
        "ness",
        "al",
        "ance",
        "er",
        "ic",
        "able",
        "ant",
        "ement",
        "ment",
        "ent",
    ),
    *(
        "sion",
        "tion",
        "ion",
        "ou",
        "ism",
        "ate",
        "ous",
        "ive",
        "ize",
        "e",
        "ll",
        "s",
        "sses",
        "ies",
        "eed",
        "ed",
    ),
    *("ing", "ting", "bling", "y", ""),
)


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("agreed", "agre"),
        ("hopping", "hop"),
        ("generalizations", "gener"),
        ("is", "is"),
        ("", ""),
        ("señores", "señor"),
    ],
)
def test_words(word, stem):
    assert porter.stem(word) == stem


@cache
def nltk_stemmer():
    from nltk.stem.porter import PorterStemmer  # takes seconds, in every process that collects

    return PorterStemmer(mode=PorterStemmer.MARTIN_EXTENSIONS)


@settings(max_examples=300)
@given(st.text(alphabet="abeiloustyz'", max_size=6), st.sampled_from(ENDINGS), st.sampled_from(ENDINGS))
@example("", "ies", "")
@example("", "eed", "")
def test_nltk_agrees(start, middle, end):
    word = start + middle + end
    assert porter.stem(word) == nltk_stemmer().stem(word, to_lowercase=False)
