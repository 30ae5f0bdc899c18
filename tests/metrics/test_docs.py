"""docs/metrics.md says what there is: every metric, preset, option, default and what happens to empty text.

Of a new metric, `python tests/metrics/test_docs.py` writes all there that the code knows, and marks what it does not.
"""

import re
from dataclasses import fields
from pathlib import Path

import pytest

import adjudge
from adjudge import metrics
from adjudge.errors import MissingResourceError
from adjudge.metrics.base import spell
from adjudge.metrics.catalogue import describe
from adjudge.text import tokenizers

PROJECT = Path(__file__).resolve().parent.parent.parent

FILE = PROJECT / "docs" / "metrics.md"
PAGE = FILE.read_text(encoding="utf-8")
TO_SAY = "TO SAY"
"""What only the author knows: what an option means, whose numbers these are."""
SECTIONS = dict(re.findall(r"^## `([a-z-]+)`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def segment_score(name: str, output: str, reference: str) -> float:
    test_set = adjudge.TestSet(references=[[reference]])
    scores = adjudge.score(test_set, [adjudge.Outputs("x", [output])], [name], segments=True)
    return scores.results[0].segments[0]


def drafted_row(name: str) -> str:
    """A metric's row of the first table."""
    facts = describe(metrics.registry()[name])
    better = {True: "higher", False: "lower", None: "neither"}[facts.higher_is_better]
    low, high = facts.scale
    scale = f"from {low:g}" if high == float("inf") else f"{low:g}–{high:g}"
    presets = ", ".join(f"`{preset}`" for preset in facts.presets)
    return f"| [`{name}`](#{name}) | {better} | {scale} | {presets} | {TO_SAY}: whose numbers |"


def drafted_section(name: str) -> str:
    """A metric's section, as far as the code knows it."""
    facts = describe(metrics.registry()[name])
    parts = [f"## `{name}`", "", f"{facts.summary[:1].upper()}{facts.summary[1:]}.", ""]
    if facts.options:
        parts += ["| option | default | meaning |", "|---|---|---|"]
        for option in facts.options:
            default = f"`{spelled}`" if (spelled := spell(option.default)) else "empty"
            choices = ", ".join(f"`{choice}`" for choice in option.choices)
            parts.append(f"| `{option.name}` | {default} | {choices or f'{TO_SAY}: what it does'} |")
        parts.append("")
    try:
        empty = [segment_score(name, *texts) for texts in (("", "a b c"), ("a b c", ""), ("", ""))]
        of = "Empty output: {:g}; empty reference: {:g}; both: {:g}.".format(*empty)
    except MissingResourceError:
        of = f"Empty text: {TO_SAY}: what it scores"
    said = [f"- Several references: {TO_SAY}: which of them counts", f"- {of}"]
    return "\n".join([*parts, *said, f"- Good at: {TO_SAY}", f"- Bad at: {TO_SAY}", ""])


def with_drafts(page: str) -> str:
    """The page with rows and sections for all metrics that have none."""
    for name in metrics.registry():
        if f"| [`{name}`]" not in page:
            table, rest = page.split("\n\nA *preset* is", 1)
            page = f"{table}\n{drafted_row(name)}\n\nA *preset* is{rest}"
        if f"\n## `{name}`\n" not in page:
            page = f"{page.rstrip()}\n\n{drafted_section(name)}"
    return page


def test_a_section_a_metric_and_no_other():
    missing = sorted(set(metrics.registry()) - set(SECTIONS))
    drafts = "\n".join(f"{drafted_row(name)}\n\n{drafted_section(name)}" for name in missing)
    assert not missing, (
        f"docs/metrics.md has no section for {', '.join(missing)}. Run `.venv/bin/python tests/metrics/test_docs.py`, "
        f"which writes this, and then say there what is marked {TO_SAY}:\n\n{drafts}"
    )
    gone = set(SECTIONS) - set(metrics.registry())
    assert not gone, "docs/metrics.md describes what is no metric any more"


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_what_it_is_good_and_bad_at(name):
    for side in ("Good", "Bad"):
        assert re.search(rf"^- {side} at: \w", SECTIONS[name], re.MULTILINE), (
            f"docs/metrics.md: what is {name} {side} at?"
        )


def test_every_metric_is_in_the_first_table():
    missing = [name for name in metrics.registry() if f"| [`{name}`](#{name}) |" not in PAGE]
    assert not missing, "add to the first table of docs/metrics.md: " + "\n".join(map(drafted_row, missing))


def test_nothing_is_left_to_say():
    left = [line for line in PAGE.splitlines() if TO_SAY in line]
    assert not left, "docs/metrics.md: say what is marked:\n" + "\n".join(left)


@pytest.mark.parametrize("name", sorted(set(metrics.registry()) & set(SECTIONS)))
def test_options_defaults_and_presets(name):
    section = SECTIONS[name]
    kind = metrics.registry()[name]
    inherited = "Options are those of\n`ter`" in section
    for field in fields(kind):
        assert f"`{field.name}`" in section
        if inherited and field.name != "cap":
            continue
        row = next(
            (line for line in section.splitlines() if line.startswith("|") and f"`{field.name}`" in line), ""
        )
        default = f"`{spelled}`" if (spelled := spell(field.default)) else " empty"
        assert default in (row or section), f"{name}: default of {field.name}"
    for preset in kind.presets:
        assert f"`{preset}`" in section
        assert f"`{preset}`" in PAGE.partition("\n## ")[0], f"{preset} is not in the first table"


def test_every_tokenizer():
    for name in (*tokenizers.CORE, *tokenizers.PYTHON):
        assert f"`{name}`" in PAGE


@pytest.mark.parametrize("spec", sorted(set(re.findall(r"`([a-z-]+\+{0,2}\([a-z_]+=[^`…]+\))`", PAGE))))
def test_specs_are_read(spec):
    metrics.metric(spec)


@pytest.mark.parametrize(
    ("names", "no_output", "no_reference", "neither"),
    [
        (["bleu", "bleu+1", "chrf", "chrf++", "nist", "gtm", "gtm-2", "f1", "precision", "recall"], 0, 0, 0),
        (["meteor(language=en,matchers=exact+stem)", "m-bleu(language=en,matchers=exact)"], 0, 0, 0),
        (["ter", "hter", "terp(language=en)", "terp-ter", "wer", "per", "cder"], 100, 100, 0),
        (["m-ter(language=en,matchers=exact)"], 100, 100, 0),
        (["ribes", "exact-match"], 0, 0, 100),
        (["length-ratio"], 0, 3, 1),
    ],
)
def test_empty_text(names, no_output, no_reference, neither):
    for name in names:
        assert segment_score(name, "", "a b c") == no_output
        assert segment_score(name, "a b c", "") == no_reference
        assert segment_score(name, "", "") == neither


if __name__ == "__main__":
    FILE.write_text(with_drafts(PAGE), encoding="utf-8", newline="\n")
    print(
        "\n".join(line for line in with_drafts(PAGE).splitlines() if TO_SAY in line) or "nothing is missing"
    )
