"""METEOR against METEOR 1.5's own numbers, the example of 2005, and what options and files do."""

import gzip
import re

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.data import TestSet
from adjudge.errors import DataError, MissingResourceError, UsageError
from adjudge.metrics import meteor_settings as settings
from adjudge.metrics.meteor import Meteor
from adjudge.metrics.meteor_parameters import MATCHERS, Parameters, parameter_file

W1 = "w1.sys1.en", ["w1.ref.en"]
TOKENIZED = "w1.tok.sys1.en", ["w1.tok.ref.en"]
GOLDEN = {
    "w1.sys1.norm.exact": ("meteor(matchers=exact)", *W1),
    "w1.sys1.norm.exact_stem_syn": ("meteor(matchers=exact+stem+synonym)", *W1),
    "w1.sys1.norm.vout": ("meteor", *W1),
    "w1.sys2.norm.vout": ("meteor", "w1.sys2.en", ["w1.ref.en"]),
    "w1.sys1.norm.adq": ("meteor(task=adq)", *W1),
    "w1.sys1.norm.hter": ("meteor(task=hter)", *W1),
    "w1.sys1.norm.util": ("meteor(task=util)", *W1),
    "w1.sys1.norm.li": ("meteor(task=li)", *W1),
    "w1.sys1.norm.tune": ("meteor(task=tune)", *W1),
    "w1.sys1.norm.ch": ("meteor(characters=true)", *W1),
    "w1.sys1.norm.nopunct": ("meteor(punctuation=false)", *W1),
    "w1.tok.sys1.lower.vout": ("meteor(normalize=false)", *TOKENIZED),
    "w1.tok.sys1.plain.vout": ("meteor(normalize=false,lowercase=false)", *TOKENIZED),
    "zhen.OnlineB.2ref.norm": ("meteor", "w2.zh-en.Online-B.en", ["w2.zh-en.refA.en", "w2.zh-en.refB.en"]),
    "en-cs.exact": ("meteor(language=cs,matchers=exact)", "en-cs.Online-B.cs", ["en-cs.refB.cs"]),
    "en-de.exact_stem": (
        "meteor(language=de,matchers=exact+stem,weights=1+0.5)",
        "en-de.Online-B.de",
        ["en-de.refA.de"],
    ),
    "en-ru.exact_stem": (
        "meteor(language=ru,matchers=exact+stem,weights=1+0.5)",
        "en-ru.Online-B.ru",
        ["en-ru.refA.ru"],
    ),
}


@pytest.fixture(autouse=True)
def data():
    """Without METEOR's data there is nothing to test here."""
    try:
        Meteor().signature_fields()
    except MissingResourceError as error:
        pytest.skip(str(error))


def rows_of(metric, references, outputs):
    test_set = TestSet(references=tuple(map(tuple, references)))
    return metric.stats(metric.prepare(test_set), outputs)


@pytest.mark.parametrize("name", GOLDEN)
def test_scores_are_those_of_meteor_1_5(shared, name):
    spec, outputs, references = GOLDEN[name]
    metric, theirs = metrics.metric(spec), shared.json("meteor.json")[name]
    rows = rows_of(metric, [shared.lines(file) for file in references], shared.lines(outputs))
    precision, recall, penalty, scores = np.array(theirs["segments"], float).T
    # Java's power is another one's in the last bit, seldom; all else is the same to it.
    np.testing.assert_allclose(metric.aggregate(rows), 100 * scores, rtol=1e-15, atol=0)
    # METEOR prints NaN where there is nothing to divide by.
    np.testing.assert_array_equal(metric.precision(rows), np.nan_to_num(precision))
    np.testing.assert_array_equal(metric.recall(rows), np.nan_to_num(recall))
    numbers = metric.in_force
    ours = numbers.gamma * metric.fragmentation(rows) ** numbers.beta
    np.testing.assert_allclose(ours, np.nan_to_num(penalty), rtol=0, atol=1e-12)
    sums = rows.sum(0)
    assert metric.chunks(sums) == theirs["chunks"]
    for value, key in [
        (metric.aggregate(sums) / 100, "final"),
        (metric.f1(sums), "f1"),
    ]:
        assert float(value) == pytest.approx(theirs[key], abs=1e-12), key
    for value, key in [
        (metric.precision(sums), "precision"),
        (metric.recall(sums), "recall"),
        (metric.fmean(sums), "fmean"),
    ]:
        assert float(value) == theirs[key], key


def test_rows_are_the_statistics_that_meteor_prints(shared):
    lines = shared.json("meteor.json")["w1.sys1.norm.ssout"]["lines"]
    theirs = np.array([[float(number) for number in line.split()] for line in lines])
    rows = rows_of(Meteor(), [shared.lines("w1.ref.en")], shared.lines("w1.sys1.en"))
    np.testing.assert_array_equal(rows[:, :4], theirs[:, :4])
    np.testing.assert_array_equal(rows[:, 4:6], theirs[:, 21:23])
    # Theirs has content words of both sides before function words, ours the output's words before the reference's.
    by_matcher = theirs[:, 4:20].reshape(-1, 4, 4)[:, :, [0, 2, 1, 3]]
    np.testing.assert_array_equal(rows[:, 7:].reshape(-1, 4, 4), by_matcher)
    whole = rows[:, 6] == 0
    np.testing.assert_array_equal(rows[~whole, 6], theirs[~whole, 20])


def paraphrase_file(folder, *pairs):
    path = folder / "table.gz"
    text = "".join(f"0.5\n{phrase}\n{other}\n" for phrase, other in pairs)
    path.write_bytes(gzip.compress(text.encode()))
    return str(path)


def test_the_worked_example_of_2005(tmp_path):
    reference = "the Iraqi weapons are to be handed over to the army within two weeks"
    output = "in two weeks Iraq's weapons will give army"
    table = paraphrase_file(tmp_path, ("iraqi", "iraq's"))
    metric = metrics.metric(f'meteor-2005(matchers=exact+paraphrase,normalize=false,paraphrases="{table}")')
    row = rows_of(metric, [[reference]], [output])[0]
    assert float(metric.precision(row)) == 5 / 8
    assert float(metric.recall(row)) == 5 / 14
    assert float(metric.fmean(row)) == pytest.approx(
        10 * (5 / 8) * (5 / 14) / (9 * 5 / 8 + 5 / 14), abs=1e-15
    )
    assert round(float(metric.fmean(row)), 4) == 0.3731
    assert float(metric.chunks(row)) == 3
    assert float(metric.fragmentation(row)) == 0.5
    assert round(float(metric.aggregate(row)), 2) == 34.98
    assert float(metric.aggregate(row)) == pytest.approx(100 * (1 - 0.5 * 0.5**3) * 25 / 67, abs=1e-12)


def test_the_2005_form_has_no_fragmentation_in_a_single_match():
    metric = metrics.metric("meteor-2005(matchers=exact)")
    row = rows_of(metric, [["one two"]], ["one zebra"])[0]
    assert float(metric.fragmentation(row)) == 0
    assert float(metric.aggregate(row)) == 50


def test_paraphrases_of_a_file_are_used_in_any_language(tmp_path):
    table = paraphrase_file(tmp_path, ("guten tag", "hallo"))
    metric = Meteor(language="de", matchers="exact+paraphrase", paraphrases=table)
    [alignment] = metric.alignments(
        metric.prepare(TestSet(references=(("Guten Tag , Welt",),))), ["Hallo , Welt"]
    )
    first = alignment.links[0]
    assert (first.hypothesis, first.reference, first.kind) == ((0, 1), (0, 2), "paraphrase")
    assert alignment.reference == ("guten", "tag", ",", "welt")


def test_links_of_every_kind():
    metric = Meteor()
    prepared = metric.prepare(TestSet(references=(("The quick car was stopping , as far as I know",),)))
    [alignment] = metric.alignments(prepared, ["The fast cars stopped , to my knowledge"])
    kinds = {link.kind for link in alignment.links}
    assert {"exact", "stem"} <= kinds <= set(MATCHERS)
    for link in alignment.links:
        ours, theirs = (
            alignment.hypothesis[slice(*link.hypothesis)],
            alignment.reference[slice(*link.reference)],
        )
        assert (ours == theirs) == (link.kind == "exact")


def test_matchers_and_parameters_follow_language_and_task():
    assert Meteor(language="pt-BR").matchers_used == ("exact", "stem")
    assert Meteor(language="cz").matchers_used == ("exact", "paraphrase")
    assert Meteor(language="ja").matchers_used == ("exact",)
    assert Meteor(language="ja").in_force == Parameters(0.75, 1.4, 0.7, 0.5, 1.0, 0.0, 0.0, 0.0)
    assert Meteor(task="universal").in_force == Parameters(0.7, 1.4, 0.3, 0.7, 1.0, 0.0, 0.0, 0.6)
    assert Meteor(language="fr").in_force.weights == (1.0, 0.2, 0.0, 0.4)
    with pytest.raises(UsageError, match="no parameters for task 'adq' in German"):
        Meteor(language="de", task="adq")
    assert set(settings.TASKS) == {"rank", *settings.ENGLISH, *settings.ANY_LANGUAGE}


def test_the_language_is_the_test_sets_where_none_is_asked_for():
    test_set = TestSet(references=(("ein Haus",),), language="en-de")
    metric = metrics.metric("meteor(matchers=exact+stem)")
    assert metric.for_test_set(test_set) == metrics.metric("meteor(language=de,matchers=exact+stem)")
    scores = adjudge.score(test_set, adjudge.Outputs("x", ["ein Haus"]), metric)
    assert scores.results[0].metric == "meteor(language=de,matchers=exact+stem)"
    assert "lang:de|" in scores.results[0].signature
    assert metric.for_test_set(TestSet(references=(("a",),), language="de-en")) == metric
    assert Meteor(language="fr").for_test_set(test_set).language == "fr"
    assert metrics.metric("m-bleu(matchers=exact)").for_test_set(test_set).language == "de"


def test_function_words_are_english_as_in_meteor_or_those_asked_for(tmp_path):
    references, outputs = [["das Haus und der Baum"]], ["das Haus"]
    spec = "meteor(language=de,matchers=exact{})"
    theirs = rows_of(metrics.metric(spec.format("")), references, outputs)
    own = rows_of(metrics.metric(spec.format(",function_words=own")), references, outputs)
    path = tmp_path / "words"
    path.write_text("haus\n")
    listed = rows_of(metrics.metric(spec.format(f",function_words={path}")), references, outputs)
    assert [rows[0, 3] for rows in (theirs, own, listed)] == [0, 3, 1]
    path.write_text("haus baum\n" * 600 + " ".join(f"w{i}" for i in range(100)))
    derived = metrics.metric(spec.format(f",function_words=corpus:{path}"))
    assert rows_of(derived, references, outputs)[0, 3] == 2
    before = derived.signature(TestSet(references=(("a",),)))
    path.write_text("haus\n" * 1600)  # a file that changes is read again
    assert rows_of(derived, references, outputs)[0, 3] == 1
    assert derived.signature(TestSet(references=(("a",),))) != before


def test_a_signature_names_all_that_counts():
    test_set = TestSet(references=(("a",),))
    signature = Meteor().signature(test_set)
    assert signature.startswith(
        "nrefs:1|lang:en|task:rank|match:exact+stem+synonym+paraphrase|par:0.85_0.2_0.6_0.75|w:1_0.6_0.8_0.6|"
        "norm:yes|punct:yes|case:lc|function:"
    )
    assert re.search(r"\|synonyms:[a-z0-9.-]+-[0-9a-f]{8}\|", signature)
    assert "|paraphrases:" in signature
    assert "synonyms" not in Meteor(matchers="exact").signature(test_set)


def test_parameters_from_a_file(tmp_path):
    path = tmp_path / "tuned.toml"
    path.write_text(parameter_file(Parameters(0.5, 2.0, 0.25, 0.6, 1.0, 0.3, 0.2, 0.1)))
    metric = metrics.metric(f"meteor(parameters={path},matchers=exact+stem)")
    assert metric.in_force == Parameters(0.5, 2.0, 0.25, 0.6, 1.0, 0.3, 0.0, 0.0)
    assert "|task:file|match:exact+stem|par:0.5_2_0.25_0.6|w:1_0.3|" in metric.signature(
        TestSet(references=(("a",),))
    )
    path.write_text(path.read_text().replace("gamma", "gama"))
    with pytest.raises(DataError, match=r"tuned.toml.*'gama'.*did you mean 'gamma'"):
        metrics.metric(f"meteor(parameters={path})")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("language=klingon", "unknown language 'klingon'"),
        ("matchers=exact+stems", "unknown matcher 'stems'; did you mean 'stem'"),
        ("matchers=exact+exact", "twice"),
        ("task=ranking", "must be one of rank, adq"),
        ("alpha=1.5", "a number from 0 to 1 was expected"),
        ("weights=1+2", "4 numbers from 0 to 1"),
        ("weights=1+a,matchers=exact+stem", "2 numbers from 0 to 1"),
        ("form=2005,task=adq", "leave the task out"),
        ("normalize=false,punctuation=false", "found by normalising"),
        ("matchers=exact,paraphrases=x.gz", "not the matcher"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(UsageError, match=message):
        metrics.metric(f"meteor({options})")


def test_resources_that_are_not_there():
    test_set = TestSet(references=(("a",),))
    with pytest.raises(DataError, match="no such folder"):
        Meteor(resources="/no/such/folder").prepare(test_set)
    with pytest.raises(UsageError, match=r"no synonyms in German.*synonyms=FILE"):
        Meteor(language="de", matchers="exact+synonym").prepare(test_set)
    with pytest.raises(UsageError, match=r"no paraphrase table for Japanese|no paraphrase table for Ja"):
        Meteor(language="ja", matchers="exact+paraphrase").prepare(test_set)
    with pytest.raises(DataError, match="no such file"):
        Meteor(paraphrases="/no/such/table.gz").prepare(test_set)


def test_m_bleu_and_m_ter_count_matches_as_the_references_words():
    references, output = [["The cars were stopping there ."]], ["The car was stopping there ."]
    m_bleu, m_ter = (
        metrics.metric("m-bleu(matchers=exact+stem)"),
        metrics.metric("m-ter(matchers=exact+stem)"),
    )
    assert float(m_ter.aggregate(rows_of(m_ter, references, output).sum(0))) == pytest.approx(100 / 6)
    assert float(m_ter.aggregate(rows_of(m_ter, references, ["the CAR were stop there ."]).sum(0))) == 0
    assert float(
        m_bleu.aggregate(rows_of(m_bleu, references, ["the car were stop there ."]).sum(0))
    ) == pytest.approx(100)
    plain = metrics.metric("bleu(tokenize=none)")
    replaced = ["the cars was stopping there ."]
    expected = rows_of(plain, [["the cars were stopping there ."]], replaced)
    np.testing.assert_array_equal(rows_of(m_bleu, references, output), expected)


def test_m_bleu_without_flexible_matches_is_bleu(shared):
    references, outputs = shared.lines("w1.tok.ref.en")[:200], shared.lines("w1.tok.sys1.en")[:200]
    flexible = metrics.metric("m-bleu(matchers=exact,normalize=false)")
    plain = metrics.metric("bleu(tokenize=none,lowercase=true)")
    np.testing.assert_array_equal(
        rows_of(flexible, [references], outputs), rows_of(plain, [references], outputs)
    )
    more = metrics.metric("m-bleu(normalize=false)")
    rows = rows_of(more, [references], outputs)
    assert more.aggregate(rows.sum(0)) > plain.aggregate(rows_of(plain, [references], outputs).sum(0))
