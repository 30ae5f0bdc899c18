"""The words of the interface: every key that is used is there in every language, and none is there for nothing."""

import inspect
import itertools
import json
import re
from pathlib import Path

import pytest

from adjudge.campaigns import campaign, fields, protocols, typology
from adjudge.human import quality
from adjudge.server import texts
from adjudge.stats import agreement

SERVER = Path(texts.__file__).parents[1]
SCRIPTS = {path: path.read_text(encoding="utf-8") for path in sorted(SERVER.glob("static/**/*.js"))}
TEMPLATES = {path: path.read_text(encoding="utf-8") for path in sorted(SERVER.glob("templates/*.html"))}
ROOMS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SERVER.glob("*.py")))
PLURALS = ("one", "other")
FORM = re.compile(r"\.(zero|one|two|few|many|other)$")


def variants():
    """Protocols with all options that change what is asked."""
    options = {
        "adequacy-fluency": {"points": protocols.POINTS, "against": protocols.AGAINST},
        "da": {"against": protocols.AGAINST, "rate": ("segment", "document"), "labels": ("da", "sqm")},
        "post-editing": {"against": (*protocols.AGAINST, "nothing")},
        "mqm": {"against": protocols.AGAINST, "typology": typology.shipped_typologies()},
        "comprehension": {},
    }
    for name in protocols.PROTOCOLS:
        chosen = options.get(name, {"against": protocols.AGAINST})
        for values in itertools.product(*chosen.values()):
            yield protocols.make(name, **dict(zip(chosen, values, strict=True)))


def asked():
    """What the screens of all protocols ask for: questions, anchors, names of errors."""
    result = {"ask.fluency", "ask.comprehension"}
    for protocol in variants():
        whole = ".document" if protocol.unit == "document" else ""
        for field in protocol.fields:
            if field.criterion != "fluency" and protocol.name != "comprehension":
                result.add(f"ask.{protocol.name}.{field.name}.{protocol.against}{whole}")
            result.update(text for _, text in getattr(field, "anchors", ()))
            result.update(f"severity.{name}" for name in getattr(field, "severities", ()))
            for name, inner in getattr(field, "categories", ()):
                result.update({f"category.{name}", f"define.{name}"})
                result.update(f"{kind}.{name}/{below}" for below in inner for kind in ("category", "define"))
    return result


def watched():
    """What organisers are told of annotators, in words that other rooms choose: of agreement, and to be looked at."""
    words = [word for _, word in agreement.LANDMARKS]
    words += [agreement.HIGHEST, agreement.NOTHING_TWICE, agreement.ALL_THE_SAME]
    return {f"agreement.{word}" for word in words} | {f"flag.{flag}" for flag in quality.FLAGS}


def test_flags_are_among_those_that_have_texts():
    source = inspect.getsource(quality._flags)
    assert re.findall(r"flags\.append\((\w+)\)", source) == re.findall(r"flags\.append\((.*)\)\n", source)
    assert set(re.findall(r"flags\.append\((\w+)\)", source)) == {"NOT_LOWER", "LOW", "TOO_FAST"}
    assert quality.FLAGS == (quality.NOT_LOWER, quality.LOW, quality.TOO_FAST)


def problems():
    """The kinds of problems that have words of their own, with the codes that exist."""
    codes = set(re.findall(r'Problem\(\s*\d+,\s*"([^"]+)"', ROOMS)) | {"not found", "unavailable", "other"}
    keys = {f"problem.{code.replace(' ', '-')}" for code in codes}
    return {key for entry in keys & set(texts.catalogue("en")) for key in (entry, f"{entry}.title")}


DYNAMIC = {
    "ask.${protocol}.${field.name}.${against}${whole}": asked(),
    "end.stage.${sheet.next_stage.protocol}": {"end.stage.acceptability"},
    "feedback.${kind}": {"feedback.right", "feedback.wrong", "feedback.title"},
    "guide.${protocol}": {f"guide.{name}" for name in protocols.PROTOCOLS},
    "guide.${protocol}.${against}": {"guide.post-editing.nothing", "guide.mqm.reference"},
    "guide.${only}": {"guide.fluency", "guide.adequacy"},
    "define.${category}": set(),
    "protocol.${protocol}": {f"protocol.{name}" for name in protocols.PROTOCOLS},
    "protocol.${name}": set(),
    "criterion.${name}": {"criterion.adequacy", "criterion.fluency"},
    "veil.${this.campaign.against}": {f"veil.{name}" for name in protocols.AGAINST},
    "locked.${this.campaign.against}": {f"locked.{name}" for name in protocols.AGAINST},
    "revealed.${this.campaign.against}": {f"revealed.{name}" for name in protocols.AGAINST},
    'summary.${value.state.replaceAll(" ", "-")}': {
        f"summary.{state.replace(' ', '-')}" for state in fields.Edit.STATES
    },
    "banner.${outbox.state}": {"banner.signed-out", "banner.someone-else", "banner.withdrawn"},
    "theme.${one}": {"theme.auto", "theme.light", "theme.dark"},
    "organiser.${wanted}": {"organiser.pause", "organiser.resume", "organiser.close"},
    "organiser.${key}": {
        f"organiser.{key}"
        for key in (
            *("annotators", "systems", "quality", "agreement", "export"),
            *("format", "criterion", "anonymous", "for_spreadsheet"),
        )
    },
    "organiser.${part}": {"organiser.between", "organiser.within"},
    "organiser.passed.${key}": {"organiser.passed.yes", "organiser.passed.no", "organiser.passed.open"},
    "status.${status}": {"status.running", "status.paused", "status.closed"},
}


def literal_keys():
    """Keys that scripts and templates name as they are."""
    calls = re.compile(r'\b(?:t|has)\(\s*"([^"]+)"')
    values = {key for script in SCRIPTS.values() for key in calls.findall(script)}
    places = re.compile(r"""\bt\[(?:"([^"]+)"|'([^']+)')\]""")
    return values | {a or b for template in TEMPLATES.values() for a, b in places.findall(template)}


def present(key, catalogue):
    return key in catalogue or all(f"{key}.{form}" in catalogue for form in PLURALS)


def plain(language):
    return json.loads((texts.FOLDER / f"{language}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", texts.languages())
def test_every_key_that_is_used_is_there(language):
    wanted = literal_keys() | set().union(*DYNAMIC.values()) | problems() | watched()
    assert len(wanted) > 300
    assert sorted(key for key in wanted if not present(key, plain(language))) == []


def test_every_key_that_is_made_up_is_known():
    pattern = re.compile(r"\b(?:t|has)\(\s*`([^`]+)`|`(guide\.[^`]+)`")
    made = {first or other for script in SCRIPTS.values() for first, other in pattern.findall(script)}
    assert made - {"${key}.${form}"} == set(DYNAMIC)


@pytest.mark.parametrize("language", texts.languages())
def test_no_key_is_there_for_nothing(language):
    literals = {key for script in SCRIPTS.values() for key in re.findall(r'"([^"\n]+)"', script)}
    used = literals | literal_keys() | set().union(*DYNAMIC.values()) | problems() | watched()
    assert [key for key in plain(language) if key not in used and FORM.sub("", key) not in used] == []


@pytest.mark.parametrize("language", texts.languages())
def test_places_to_be_filled_in_agree_with_english(language):
    english = plain("en")
    places = re.compile(r"\{\w+\}")
    for key, text in plain(language).items():
        same = (
            english.get(key) or english[FORM.sub(".other", key)]
        )  # some languages have more forms for numbers
        assert sorted(places.findall(text)) == sorted(places.findall(same)), key
        assert text.strip() == text, key
        assert text, key
        assert not re.search(r"</?[a-z]", text), key
    assert {FORM.sub("", key) for key in plain(language)} == {FORM.sub("", key) for key in english}


@pytest.mark.parametrize("language", texts.languages())
def test_keys_that_answer_are_single_letters_of_their_own(language):
    letters = [plain(language)[f"{word}.key"] for word in ("yes", "no")]
    assert all(len(letter) == 1 and letter.islower() for letter in letters)
    assert len(set(letters)) == 2
    assert not set(letters) & set("bdiou")  # commands


def test_campaigns_know_the_languages():
    assert set(campaign.LANGUAGES) == set(texts.languages())


def test_no_page_has_a_script_or_a_style_of_its_own():
    for path, template in TEMPLATES.items():
        assert not re.search(r"\sstyle=|<style|\son\w+=", template), path
        for attributes in re.findall(r"<script([^>]*)>", template):
            assert "src=" in attributes or "application/json" in attributes, path
    for path, script in SCRIPTS.items():
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", script
        ), path
