"""Every statistical test keeps the laws of its folder, and a wrong one is refused by the law that it breaks."""

import importlib
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from adjudge.comparison.comparing import compare_scores
from adjudge.data import ScoreMatrix
from adjudge.errors import UsageError
from adjudge.stats import tests
from adjudge.stats.crossed import Clustered
from adjudge.stats.item_pairs import ItemGroups
from adjudge.stats.metric_swaps import pearson_permutations
from adjudge.stats.tests import all_of, annotators, find_test, metrics, preferences, systems
from adjudge.stats.tests.annotators.base import AnnotatorTest
from adjudge.stats.tests.metrics.base import MetricAgreement, MetricTest
from adjudge.stats.tests.planned import planned_tests
from adjudge.stats.tests.preferences.base import Answers, PreferenceTest, preference_test
from adjudge.stats.tests.systems.base import SystemTest, system_test
from helpers.laws import LAWS, broken_laws

KINDS = {SystemTest: systems, PreferenceTest: preferences, MetricTest: metrics, AnnotatorTest: annotators}
ALPHA = 0.05


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_of_a_folder_has_a_test_of_its_name(kind):
    """But for what tests share."""
    files = {path.stem for path in Path(KINDS[kind].__path__[0]).glob("*.py")} - {"__init__", "base", "ranks"}
    assert {name.replace("-", "_") for name in all_of(kind)} == files
    for name, test in all_of(kind).items():
        assert find_test(kind, name) is find_test(kind, name)
        assert type(find_test(kind, name)) is type(test)
        assert test.title


def test_a_test_is_found_without_importing_the_others():
    code = "from adjudge.stats.tests.systems.base import system_test; system_test('rank-sum'); import sys; "
    code += "print([name for name in sys.modules if name.startswith('adjudge.stats.tests.systems.')])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "rank_sum" in shown
    assert "bootstrap" not in shown
    assert "randomisation" not in shown


@pytest.mark.parametrize("name", ["nonsense", "base", "ranks", "rank_sum", "..systems", ""])
def test_a_name_of_no_test_is_refused(name):
    with pytest.raises(UsageError, match="unknown test"):
        system_test(name)


def test_every_default_is_a_test_of_its_folder():
    for name in (systems.DEFAULT, systems.TWO_KINDS, systems.UNPAIRED, systems.PAIRED):
        assert system_test(name).name == name
    assert system_test(systems.TWO_KINDS).kinds == 2
    assert not system_test(systems.UNPAIRED).paired
    assert system_test(systems.PAIRED).paired
    assert annotators.DEFAULT in all_of(AnnotatorTest)


@pytest.mark.parametrize("name", all_of(SystemTest))
def test_every_test_of_systems_keeps_the_laws(name):
    assert broken_laws(system_test(name)) == []


HEAD = """
import math
import numpy as np
from adjudge.stats.intervals import Interval
from adjudge.stats.tests.systems.base import Outcome, SystemTest
from adjudge.stats.tests.systems.randomisation import Randomisation


class Wrong(SystemTest):
    name = "wrong"
    title = "wrong test"

    def t(self, rows, pair):
        a, b = (rows.systems[s][0] for s in pair)
        difference = rows.direction * (a[:, 0] / a[:, 1] - b[:, 0] / b[:, 1])
        error = difference.std(ddof=1) / math.sqrt(len(difference))
        return (difference.mean() / error if error else 0.0), error, len(difference) - 1

    def run(self, rows, options):
        from scipy.special import stdtr

        p = []
        for pair in rows.pairs:
            t, _, free = self.t(rows, pair)
            p.append(2 * stdtr(free, -abs(t)) if options.sides == 2 else stdtr(free, -t))
        return Outcome(p)

    def interval(self, rows, outcome, number, delta, error):
        from scipy.special import stdtrit

        _, deviation, free = self.t(rows, rows.pairs[number])
        reach = stdtrit(free, 1 - error / 2) * deviation
        return Interval(delta - reach, delta + reach)
"""
WRONG = {
    "corpus": ("needs_means = False", "tests what is printed"),
    "signs": (
        """
    def run(self, rows, options):
        from scipy.special import bdtr

        a, b = (runs[0][:, 0] for runs in rows.systems)
        up = rows.direction * (a - b)
        wins, losses = (up > 0).sum(), (up < 0).sum()
        fewer = min(wins, losses) if options.sides == 2 else losses
        return Outcome([min(1.0, float(options.sides * bdtr(fewer, wins + losses, 0.5)))])
""",
        "tests what is printed",
    ),
    "always two-sided": (
        """
    def run(self, rows, options):
        from scipy.special import stdtr

        t, _, free = self.t(rows, (0, 1))
        return Outcome([2 * stdtr(free, -abs(t))])
""",
        "has sides and a direction",
    ),
    "always higher": (
        """
    def t(self, rows, pair):
        a, b = (rows.systems[s][0][:, 0] for s in pair)
        difference = a - b
        return difference.mean() / (e := difference.std(ddof=1) / math.sqrt(len(a))), e, len(a) - 1
""",
        "has sides and a direction",
    ),
    "too bold": (
        """
    def run(self, rows, options):
        return Outcome([p / 2 for p in super().run(rows, options).p_values])
""",
        "finds nothing where nothing is",
    ),
    "too shy": (
        """
    def run(self, rows, options):
        return Outcome([1.0])
""",
        "finds what is there",
    ),
    "narrow": (
        """
    def interval(self, rows, outcome, number, delta, error):
        limits = super().interval(rows, outcome, number, delta, 0.5)
        return limits
""",
        "has intervals that say what p says",
    ),
    "turned interval": (
        """
    def interval(self, rows, outcome, number, delta, error):
        return super().interval(rows, outcome, number, -delta, error)
""",
        "has intervals that say what p says",
    ),
    "smallest p": (
        """
    def smallest_p(self, units, *, sides=2, vary=True, several_runs=False):
        return sides * 2.0**-units
""",
        "has a smallest p",
    ),
    "blind power": (
        """
    def detectable(self, deviation, alpha, *, sides, units, kurtosis, mean, unit):
        return deviation
""",
        "finds what it calls detectable",
    ),
    "any unit": (
        """
    def refusal_of_units(self, kinds, *, unit, strata):
        return ""
""",
        "refuses",
    ),
    "any score": (
        """
    def refusal_of_scores(self, label, *, mean, several_runs, unit):
        return ""
""",
        "refuses",
    ),
    "no words": ('title = " "', "has words"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder beside that of the tests of systems: a file that is put there is one of them."""
    monkeypatch.setattr(systems, "__path__", [*systems.__path__, str(tmp_path)])
    yield tmp_path
    for path in tmp_path.glob("*.py"):
        module = f"{systems.__name__}.{path.stem}"
        sys.modules.pop(module, None)
        tests._FOUND.pop((SystemTest, path.stem.replace("_", "-")), None)
        vars(systems).pop(path.stem, None)


def put(folder: Path, fault: str) -> SystemTest:
    """A t-test of paired differences with a fault, in the folder."""
    code = HEAD
    if fault:
        body = fault if fault.startswith("\n") else f"\n    {fault}\n"
        code = HEAD.replace("class Wrong(", "class Sound(").replace('    name = "wrong"\n', "")
        code += f'\n\nclass Wrong(Sound):\n    name = "wrong"\n{body}'
    (folder / "wrong.py").write_text(code, encoding="utf-8")
    importlib.invalidate_caches()
    return system_test("wrong")


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_test_is_refused_by_the_law_that_it_breaks(case, folder):
    fault, law = WRONG[case]
    assert list(LAWS[law](put(folder, fault)))


def test_what_wrong_tests_were_made_of_breaks_no_law(folder):
    assert broken_laws(put(folder, "")) == []


def test_a_file_in_the_folder_is_a_test_of_compare(folder):
    """With p, intervals and sentences, from that file alone."""
    put(folder, "")
    rng = np.random.default_rng(1)
    scores = rng.normal(50, 10, 80) + rng.normal([[3.0], [0.0]], 5, (2, 80))
    compared = compare_scores(ScoreMatrix(("new", "old"), scores), test="wrong")
    (pair,) = compared.pairs
    assert pair.p == pytest.approx(scipy.stats.ttest_rel(*scores).pvalue)
    assert compared.test.method == "wrong"
    assert compared.test.intervals_agree
    assert pair.low > 0
    assert pair.significant
    assert "wrong" in all_of(SystemTest)
    with pytest.raises(
        UsageError, match="wrong is no test of a mean over test sets; randomisation and bootstrap"
    ):
        raise UsageError(system_test("wrong").refusal_of_sets())


UNITS = ("pair", "ranking", "item", "document", "domain", "annotator", "item,annotator", "document,annotator")


@pytest.mark.parametrize("unit", UNITS)
def test_one_test_of_preferences_is_for_every_unit(unit):
    assert [name for name, test in all_of(PreferenceTest).items() if test.takes(unit)] == [
        preference_test(unit).name
    ]
    assert 0 < len(preference_test(unit).describe(unit).split()) <= 25


def _answers(rng: np.random.Generator, shift: float = 0.0) -> Answers:
    """What ten people say of twenty items, as every test of preferences takes it."""
    said = np.sign(np.round(rng.normal(shift, 1, (20, 10))))
    mean = Clustered(said.mean(), float(said.mean(0).std(ddof=1) / math.sqrt(10)), 10.0)
    return Answers(said.sum(1), 1, Answers(said.sum(0), 1), mean)


@pytest.mark.parametrize("name", all_of(PreferenceTest))
def test_every_test_of_preferences_keeps_the_laws(name):
    test, rng, sets = find_test(PreferenceTest, name), np.random.default_rng(2), 300
    p = [test.p(_answers(rng)) for _ in range(sets)]
    assert 0 < min(p) <= max(p) <= 1
    assert sum(value <= ALPHA for value in p) <= ALPHA * sets + 3.3 * math.sqrt(sets * ALPHA * (1 - ALPHA))
    for shift in (0.1, 0.4):
        answers = _answers(rng, shift)
        turned = Answers(-answers.values, 1, Answers(-answers.people.values, 1), answers.mean)
        assert test.p(turned) == test.p(answers)
    assert test.p(_answers(rng, 1.0)) <= ALPHA
    few = Answers(np.ones(4), 1, Answers(np.ones(3), 1), Clustered(1.0, math.nan, 3.0))
    assert test.p(few) >= test.smallest_p(few) > 0
    assert test.p(Answers(np.zeros(4), 1, Answers(np.zeros(3), 1), Clustered(0.0, 1.0, 3.0))) == 1


@pytest.mark.parametrize("mean", [None, Clustered(1.0, math.nan, 3.0)])
def test_people_turn_by_a_coin_where_they_are_too_few_for_an_error(mean):
    people = Answers(np.ones(3), 1)
    few = Answers(np.ones(8), 1, people, mean)
    assert find_test(PreferenceTest, "clustered-t").smallest_p(few) == people.smallest_p == 0.25


def _agreement(rng: np.random.Generator, better: float) -> MetricAgreement:
    """Two metrics and people's scores of thirty systems; the first metric follows people more closely."""
    people = rng.normal(0, 1, 30)
    noise = rng.normal(0, 1, (2, 30))
    lists = people + np.array([[1 / (1 + better)], [1.0]]) * noise
    drawn = rng.integers(0, 30, (300, 30))

    def r(of: np.ndarray) -> list[np.ndarray]:
        ours, theirs = (own - own.mean(-1, keepdims=True) for own in (lists[:, of], people[of]))
        spread = np.sqrt((ours**2).sum(-1) * (theirs**2).sum(-1))
        return list((ours * theirs).sum(-1) / spread)

    gold, scores = people[:, None], lists[:, :, None]
    groups = ItemGroups.of(gold, "none")
    return MetricAgreement(
        np.array(r(np.arange(30))),
        300,
        permuted=lambda: pearson_permutations(gold, scores, groups, swap="systems", draws=300, seed=1),
        resampled=lambda: r(drawn),
        scores=lambda: lists,
    )


@pytest.mark.parametrize("name", all_of(MetricTest))
def test_every_test_of_metrics_keeps_the_laws(name):
    test, rng, sets = find_test(MetricTest, name), np.random.default_rng(3), 100
    found = [test.p_values(_agreement(rng, 0.0)) for _ in range(sets)]
    for p, least in found:
        assert p[0, 1] == p[1, 0]
        assert max(least * (1 - 1e-9), 1e-300) <= p[0, 1] <= 1
    false = sum(bool(p[0, 1] <= ALPHA) for p, _ in found)
    # Resamples of thirty systems vary too little: the bootstrap is known to be bold with so few.
    allowed = 2.2 if name == "bootstrap" else 1.0
    assert false <= allowed * ALPHA * sets + 3.3 * math.sqrt(sets * ALPHA * (1 - ALPHA))
    assert test.p_values(_agreement(rng, 9.0))[0][0, 1] <= ALPHA
    assert 0 < len(test.describe("whole systems", over_errors=True).split()) <= 25


@pytest.mark.parametrize("name", all_of(AnnotatorTest))
def test_every_test_of_annotators_keeps_the_laws(name):
    test, rng, sets = find_test(AnnotatorTest, name), np.random.default_rng(4), 400
    p = [test.p(*rng.normal(0, 1, (2, 15))) for _ in range(sets)]
    assert 0 <= min(p) <= max(p) <= 1
    assert sum(value <= ALPHA for value in p) <= ALPHA * sets + 3.3 * math.sqrt(sets * ALPHA * (1 - ALPHA))
    whole, damaged = rng.normal([[2.0], [0.0]], 1, (2, 15))
    assert test.p(whole, damaged) <= ALPHA
    assert test.p(damaged, whole) > 0.9


@pytest.mark.parametrize("name", planned_tests())
def test_power_of_every_planned_test_grows_with_numbers_and_effect(name):
    test = planned_tests()[name]
    for method in test.power_methods:
        if method in ("shieh", "noether"):
            asked = {"ties": 0.0, "method": method}
            few, many = (test.normal(n, 0.4, other=n, **asked).power(ALPHA) for n in (50, 200))
            far = test.normal(50, 0.3, other=50, **asked).power(ALPHA)
            assert ALPHA < few < many < 1
            assert few < far
    near, far = (test.power_apart(d, 60, 60, ALPHA, sides=2, levels=None) for d in (0.2, 0.8))
    assert near < far
    assert 0.5 < test.share_apart(0.5, 60, 60, None) < 1
