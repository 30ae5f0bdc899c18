"""The plan of a study: what its file says, what is typed in place of it, and faults with their line."""

import pytest

from adjudge.comparison.plan import study_plan
from adjudge.errors import DataError, UsageError
from adjudge.io.study_file import read_study

TEXT = """baseline = "a"

[plan]
seed = 5
resamples = 77
unit = "document"
alpha = 0.01
correction = "bh"
family = "all"
margin = { chrf = 1.5 }

[[test_set]]
name = "x"
references = ["ref"]
"""


@pytest.fixture
def study(tmp_path):
    (tmp_path / "ref").write_text("a\n")

    def made(old="", new=""):
        assert old in TEXT
        (tmp_path / "study.toml").write_text(TEXT.replace(old, new) if old else TEXT)
        return read_study(str(tmp_path / "study.toml"))

    return made


def test_every_field_arrives_and_what_is_typed_comes_first(study):
    plan = study_plan(study(), {"alpha": 0.1, "baseline": None})
    assert (plan.seed, plan.resamples, plan.unit, plan.correction) == (5, 77, "document", "bh")
    assert (plan.family, plan.margin, plan.alpha, plan.baseline) == ("all", {"chrf": 1.5}, 0.1, None)
    assert study_plan(study()).baseline == "a"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 5", "sead = 5", r"study\.toml, line 4: unknown field 'sead'; did you mean 'seed'"),
        ("seed = 5", "seed = -5", r"line 4: plan\.seed: -5"),
        ("seed = 5", 'seed = "five"', r"line 4: plan\.seed: a text, but a whole number was expected"),
        ("resamples = 77", "resamples = 0", r"line 5: plan\.resamples: resamples=0"),
        ("alpha = 0.01", "alpha = 5", r"line 7: plan\.alpha: alpha=5"),
        ('correction = "bh"', 'correction = "bonferoni"', r"line 8: plan\.correction: unknown correction"),
        ('correction = "bh"', 'test = "rank-sum"', r"line 8: plan\.test: rank-sum is no test of a mean"),
        ('correction = "bh"', 'by = ["domain"]', r"line 8: plan\.by: a study groups whole test sets"),
        ("{ chrf = 1.5 }", "{ chrf = -1.0 }", r"line 10: plan\.margin: margin=-1"),
        ("seed = 5", 'baseline = "b"', r"line 4: unknown field 'baseline'"),
    ],
)
def test_faults_have_their_line(study, old, new, message):
    with pytest.raises(DataError, match=message):
        study_plan(study(old, new))


def test_what_is_typed_is_checked_as_well(study):
    with pytest.raises(UsageError, match="on both sides"):
        study_plan(study(), {"alternative": "one-sided"})
