"""Options of a comparison in files: every field of a plan, and nothing that is not one."""

import json
from dataclasses import asdict, fields, replace

import pytest

from adjudge.comparison import Plan
from adjudge.comparison.documents import plain
from adjudge.comparison.plan import checked_options
from adjudge.errors import DataError
from adjudge.io.fields import Fields

FULL = Plan(
    baseline="a",
    test="bootstrap",
    trials=7,
    resamples=8,
    sampling="half",
    interval="basic",
    confidence=0.9,
    seed=2**64 - 1,
    unit="document",
    strata="domain",
    correction="bh",
    family="all",
    alpha=0.1,
    by=("domain", "length"),
    alternative="one-sided",
    margin={"bleu": 1.0, "ter(case_sensitive=true)": 2.5},
)


def read(options):
    return checked_options(Fields("run.json", json.loads(json.dumps(options))))


@pytest.mark.parametrize(
    "plan", [Plan(), FULL, replace(FULL, baseline=None, expected=("b", "a"), margin=0.5)], ids=str
)
def test_a_plan_comes_back_from_a_file(plan):
    assert Plan(**read(plain(asdict(plan)) | {"comparisons": 3})) == plan


def test_every_field_but_the_sides_is_set_apart_from_its_default_above():
    same = [f.name for f in fields(Plan) if getattr(FULL, f.name) == getattr(Plan(), f.name)]
    assert same == ["expected"]


@pytest.mark.parametrize("field", [f.name for f in fields(Plan)])
def test_what_is_of_another_kind_is_refused(field):
    with pytest.raises(DataError, match=rf"run.json: {field}"):
        read({field: {"a": "b"}} if field == "margin" else {field: {}})
    optional = getattr(Plan(), field) is None
    if optional:
        assert read({field: None}) == {field: None}
    else:
        with pytest.raises(DataError, match="null"):
            read({field: None})
