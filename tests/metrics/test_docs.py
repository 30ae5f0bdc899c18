"""docs/metrics.md says what there is: every metric, preset, option, default and what happens to empty text."""

import re
from dataclasses import fields

import pytest

import adjudge
from adjudge import metrics
from adjudge.metrics.base import spell
from adjudge.text import tokenizers
from conftest import PROJECT

PAGE = (PROJECT / "docs" / "metrics.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## `([a-z-]+)`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def segment_score(name: str, output: str, reference: str) -> float:
    test_set = adjudge.TestSet(references=[[reference]])
    scores = adjudge.score(test_set, [adjudge.Outputs("x", [output])], [name], segments=True)
    return scores.results[0].segments[0]


def test_a_section_a_metric_and_no_other():
    assert set(SECTIONS) == set(metrics.registry())


@pytest.mark.parametrize("name", metrics.registry())
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
