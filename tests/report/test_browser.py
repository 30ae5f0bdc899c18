"""The part of a page that browses segments holds none of their texts as text, and runs no script but its own."""

import base64
import hashlib
import re
from dataclasses import fields

import pytest

from adjudge.report.pages.report.segment_links import View, name_in_condition, of_label, of_mark, segment_link
from adjudge.report.render.page import digest, page, script
from helpers.pages import Page, check_alone
from helpers.report_pages import SCRIPTS, segments_page, small_table


def test_no_text_of_the_table_stands_in_the_page():
    made = segments_page(small_table())
    for word in ("ancient", "Quelle", "accuracy/mistranslation", "social media"):
        assert word not in made
    check_alone(made)


def test_the_policy_names_the_scripts_by_their_content_and_no_others():
    made = segments_page(small_table())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', made)[1]
    assert "unsafe-inline" not in policy.partition("script-src")[2]
    run = re.findall(r"<script>(.*?)</script>", made, re.DOTALL)
    named = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in run]
    assert policy.partition("script-src ")[2].partition(";")[0].split() == named
    assert policy.endswith("; worker-src blob:")
    kinds = [attributes.get("type") for tag, attributes in Page(made).tags if tag == "script"]
    assert kinds == ["application/octet-stream", "application/octet-stream", "text/plain", None]


def test_pages_without_scripts_allow_none():
    assert "script-src" not in page("x", [])
    assert digest(f"\n{script('xray.js')}") in page("x", [], script="xray.js")


@pytest.mark.parametrize("name", sorted(path.name for path in SCRIPTS.glob("*.js")))
def test_scripts_are_short_and_evaluate_nothing(name):
    text = (SCRIPTS / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser", text
    )
    assert "</script" not in text
    imports = re.findall(r"^import .*", text, re.MULTILINE)
    assert len(re.findall(r'^import \{[^}]*\} from "\./[\w-]+\.js";$', text, re.MULTILINE)) == len(imports)
    for exported in re.findall(r"^export .*", text, re.MULTILINE):
        assert re.match(r"export (async )?(function|const|class) \w+", exported)


def test_modules_become_one_script_in_the_order_they_need_each_other():
    text = script("segments/main.js")
    assert "import " not in re.sub(r"//.*", "", text)
    assert not re.search(r"^export ", text, re.MULTILINE)
    place = {name: text.index(f"const ${name} = ") for name in ("unpack", "store", "condition", "evaluate")}
    assert place["unpack"] < place["store"]
    assert place["condition"] < place["evaluate"]
    assert script("xray.js").startswith("//")  # a plain script stays as it is


def test_modules_in_a_circle_are_refused(monkeypatch):
    from adjudge.report.render import page as scripts

    texts = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    monkeypatch.setattr(scripts, "_text", texts.__getitem__)
    with pytest.raises(ValueError, match=r"a\.js → b\.js → a\.js"):
        scripts._order("a.js", ())


def test_a_link_has_what_is_not_as_usual():
    assert segment_link(View()) == "#segments"
    view = View(where="chrf < 40 & x", regex=True, system="a/b", segment="12")
    assert segment_link(view) == "#segments?where=chrf%20%3C%2040%20%26%20x&system=a%2Fb&regex=1&segment=12"
    assert [field.name for field in fields(View)] == re.findall(
        r'"(\w+)"',
        re.search(r"FIELDS = \[(.*?)\]", (SCRIPTS / "view.js").read_text(encoding="utf-8"), re.DOTALL)[1],
    )


def test_names_are_quoted_where_they_are_more_than_a_word():
    assert [name_in_condition(name) for name in ("news", "And", "a b", 'a"b\\', "1st", "")] == [
        "news",
        '"And"',
        '"a b"',
        '"a\\"b\\\\"',
        '"1st"',
        '""',
    ]
    assert of_mark("1–4 words") == 'mark:"1–4 words"'
    assert of_label("domain", "social media") == 'label:domain = "social media"'
