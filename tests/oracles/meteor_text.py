"""METEOR 1.5's `-norm` as the chain of substitutions that it is, in regular expressions; slow."""

import re

LETTERS = r"A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
LETTER, NO_LETTER = f"[{LETTERS}]", f"[^{LETTERS}]"
WORDS = f"0-9{LETTERS}"
SPACES = r"[ \u2000-\u200a\u202f\u205f\u3000\u00a0]+"
JAVA_SPACES = r"[ \t\n\r\f]+"


def words(line, language, prefixes=None, *, normalize=True, punctuation=True):
    """The words of a line; `prefixes` maps a word after which a dot stays to whether only numbers follow it."""
    if normalize and language in ("en", "fr", "de", "es", "cs", "ru"):
        line = western(line, language, prefixes or {}, punctuation)
    elif normalize:
        line = other(line, punctuation)
    return _split(line)


def western(line, language, prefixes, punctuation):
    line = f" {line} "
    line = re.sub(rf"[^{WORDS} \t\n\x0b\f\r.'`,\-‘’]", r" \g<0> ", line)
    line = _quotes_and_dashes(_commas(_hide_dots(line)))
    line = re.sub(rf"([{WORDS}.])-([{WORDS}])", r"\1 \2", line)
    if language == "en":
        line = re.sub(f"({NO_LETTER})'({NO_LETTER})", r"\1 ' \2", line)
        line = re.sub(f"([^0-9{LETTERS}])'({LETTER})", r"\1 ' \2", line)
        line = re.sub(f"({LETTER})'({NO_LETTER})", r"\1 ' \2", line)
        line = re.sub(f"({LETTER})'({LETTER})", r"\1 '\2", line)
        line = re.sub("([0-9])'(s)", r"\1 '\2", line)
    elif language == "fr":
        line = re.sub(f"({NO_LETTER})'({NO_LETTER})", r"\1 ' \2", line)
        line = re.sub(f"({NO_LETTER})'({LETTER})", r"\1 ' \2", line)
        line = re.sub(f"({LETTER})'({NO_LETTER})", r"\1 ' \2", line)
        line = re.sub(f"({LETTER})'({LETTER})", r"\1' \2", line)
    else:
        line = line.replace("'", " ' ")
    tokens = _split(line)
    line = "".join(
        _last_dot(token, following, prefixes) + " "
        for token, following in zip(tokens, [*tokens[1:], ""], strict=False)
    )
    line = _show_dots(line)
    if not punctuation:
        line = re.sub(f"[^{WORDS}]", " ", line)
    return _trim(re.sub(SPACES, " ", line))


def other(line, punctuation):
    line = _quotes_and_dashes(_commas(_hide_dots(f" {line} ")))
    for before, after in (("[^0-9]", "[^0-9]"), ("[0-9]", "[^0-9]"), ("[^0-9]", "[0-9]")):
        line = re.sub(rf"({before})\.({after})", r"\1 . \2", line)
    marks = r"[!-+\-/:-@\[-`{-\xbf\u060c]"
    line = re.sub(marks, r" \g<0> ", line)
    if not punctuation:
        line = re.sub(marks, " ", line).replace(".", " ")
    return _trim(re.sub(SPACES, " ", _show_dots(line)))


def _last_dot(token, following, prefixes):
    if len(token) < 2 or not token.endswith("."):
        return token
    word = token[:-1]
    if "." in word and re.search(LETTER, word):
        return token.replace(".", "")
    numbers_only = prefixes.get(word)
    if numbers_only is False or re.match("[a-z]", following):
        return token
    if numbers_only and re.match("[0-9]", following):
        return token
    return word + " ."


# METEOR hides runs of dots behind a word of letters; a character that no text has does the same.
def _hide_dots(line):
    assert "\uffff" not in line
    return re.sub(r"\.\.+", lambda run: f" {chr(0xFFFF) * len(run[0])} ", line)


def _show_dots(line):
    return line.replace("\uffff", ".")


def _commas(line):
    for before, after in (("[^0-9]", "[^0-9]"), ("[0-9]", "[^0-9]"), ("[^0-9]", "[0-9]")):
        line = re.sub(f"({before}),({after})", r"\1 , \2", line)
    return line


def _quotes_and_dashes(line):
    line = re.sub("[`‘’]", "'", line)
    line = re.sub("[“”]|''", ' " ', line)
    return line.replace("–", "-").replace("--", "-")


def _split(line):
    return [word for word in re.split(JAVA_SPACES, line) if word]


def _trim(line):
    return re.sub(r"\A[\x00-\x20]+|[\x00-\x20]+\Z", "", line)
