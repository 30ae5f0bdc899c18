"""MQM as Google publishes it: errors a row."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adjudge.data.judgements import NameColumn, Span
from adjudge.errors import DataError
from adjudge.io.judgements import Texts, read, read_texts, write
from helpers.alike import NASTY, assert_same
from helpers.judged import ratings

TED = "15_ted_mqm_ende"


def test_the_real_file_byte_for_byte(shared, tmp_path):
    path = shared.data / TED / "mqm_ted_ende.tsv"
    loaded = read([str(path)])
    texts = read_texts(loaded.judgements)
    written = write(loaded.judgements, texts, "mqm", path=tmp_path / "mqm.tsv")
    assert written.warnings == ()
    real, ours = path.read_bytes().split(b"\n"), written.data.split(b"\n")
    assert len(real) == len(ours)
    other = [(a, b) for a, b in zip(real, ours, strict=True) if a != b]
    # One mark in the file is never closed; it goes up to the end, and here it says so.
    ((theirs, own),) = other
    assert theirs.count(b"<v>") == 1
    assert theirs.count(b"</v>") == 0
    assert own == theirs.replace(b"<v>?\t", b"<v>?</v>\t")
    again = read([str(tmp_path / "mqm.tsv")]).judgements
    assert_same(again, loaded.judgements)
    assert read_texts(again) == texts


@pytest.mark.parametrize(
    "path", [f"{TED}/mqm_ted_ende.avg_seg_scores.tsv", "02_wmt21_mqm_ende/en-de/human/mqm_avg_seg_scores.tsv"]
)
def test_mean_scores_byte_for_byte(shared, path):
    real = (shared.data / path).read_bytes()
    loaded = read([str(shared.data / path)])
    items = list(dict.fromkeys(line.split()[-1].decode() for line in real.splitlines()[1:]))
    written = write(loaded.judgements, None, "mqm-scores", items=items)
    assert written.data == real
    assert written.warnings == ()


severities = st.sampled_from(("minor", "major", "critical", "neutral"))
plain = st.lists(
    st.sampled_from([text for text in NASTY if "v>" not in text])
    | st.characters(codec="utf-8", exclude_characters="\0"),
    max_size=6,
).map("".join)
names = st.sampled_from(("A", "b#c", "שלום", "=x", "a+b", "漢"))


@st.composite
def marked(draw):
    """Texts with errors that lie somewhere in them, empty and overlapping ones as well."""
    count = draw(st.integers(1, 5))
    rows, texts, sources, spans = [], [], [], []
    for number in range(count):
        source, target = draw(plain), draw(plain)
        results = []
        for _ in range(draw(st.integers(0, 3))):
            side = draw(st.sampled_from(("source", "target")))
            length = len(source if side == "source" else target)
            start, end = sorted((draw(st.integers(0, length)), draw(st.integers(0, length))))
            category = draw(st.sampled_from(("Accuracy/Omission", "Style", "")))
            comment = draw(st.sampled_from(("", 'why, "so"', "😀")))
            if draw(st.booleans()):
                results.append(Span(None, None, draw(severities), category, comment=comment))
            else:
                results.append(Span(start, end, draw(severities), category, side, comment=comment))
        rows.append((draw(names), draw(st.sampled_from(("A", "B"))), str(number), np.nan))
        texts.append(target)
        sources.append(source)
        spans.append(tuple(results))
    results = ratings(rows, protocol="mqm", spans=tuple(spans))
    return results, Texts(source=tuple(sources), target=tuple(texts))


@given(marked(), st.booleans())
def test_whatever_is_marked_comes_back(tmp_path_factory, drawn, for_spreadsheet):
    result, texts = drawn
    path = tmp_path_factory.mktemp("mqm") / "x.tsv"
    written = write(result, texts, "mqm", path=path, for_spreadsheet=for_spreadsheet)
    cells = [text for column in texts.columns().values() for text in column]
    broken = any(sign in text for text in cells for sign in "\t\n\r")
    assert bool(written.warnings) == broken
    if for_spreadsheet:
        assume(not any(name.startswith("=") for name in result.annotator.names))
        assume(not any(text.startswith(tuple("=+-@'＝")) or text[:1].isspace() for text in cells))
    back = read([str(path)]).judgements
    assert_same(back, result, but=("labels",))
    again = read_texts(back)
    for name in ("source", "target"):
        expected = [text.translate({9: " ", 10: " ", 13: " "}) for text in getattr(texts, name)]
        assert list(getattr(again, name)) == expected


def test_what_the_rows_look_like():
    judgements = ratings(
        [("r", "A", "7", np.nan), ("r", "B", "7", np.nan)],
        protocol="mqm",
        spans=((Span(1, 2, "major", "Accuracy/Addition"), Span(0, 4, "minor", "Source", "source")), ()),
        labels={"document": NameColumn.of(["d", "d"])},
    )
    written = write(judgements, Texts(source=("quel", "quel"), target=("a😀c", "e\u0301")), "mqm")
    assert written.data.decode().splitlines() == [
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment",
        "A\td\t1\t7\tr\tquel\ta<v>😀</v>c\tAccuracy/Addition\tMajor\t",
        "A\td\t1\t7\tr\t<v>quel</v>\ta😀c\tSource\tMinor\t",
        "B\td\t1\t7\tr\tquel\te\u0301\tNo-error\tNo-error\t",
    ]


def test_what_it_cannot_hold_is_told():
    judgements = ratings(
        [("r", "A", "7", 3.0), ("r", "A", "7", 4.0), ("r", "A", "7", 5.0)],
        ["ordinary", "ordinary", "repeat"],
        protocol="mqm",
        spans=((), (Span(0, 1, "minor", weight=1.0),), ()),
        seconds=np.array([1.0, 2.0, 3.0]),
        labels={"domain": NameColumn.of(["n", "n", "n"])},
        measures={"words": np.array([1.0, 1.0, 1.0])},
    )
    written = write(judgements, Texts(target=("x", "y", "z")), "mqm")
    assert written.data.decode().splitlines()[1:] == ["A\t\t\t7\tr\t\t<v>y</v>\t\tMinor\t"]
    assert written.warnings == (
        "Google's MQM knows no control items: 1 control item left out here",
        "1 judgement left out that the same rater gave again: the last one counts",
        "Google's MQM has no place for scores, times, the label domain, the measure words and weights of errors: "
        "left out here",
    )


def of(span, target="abc"):
    judgements = ratings([("r", "A", "7", np.nan)], protocol="mqm", spans=((span,),))
    return judgements, Texts(target=(target,))


def test_what_cannot_be_written():
    with pytest.raises(
        DataError, match=r"A on 7 \(judgement 1\): an error from 1 to 4, but the target has 3 char"
    ):
        write(*of(Span(1, 4, "minor")), "mqm")
    with pytest.raises(DataError, match=r"there is <v> or </v> in the target itself"):
        write(*of(Span(1, 2, "minor"), "a <v> b"), "mqm")
    with pytest.raises(DataError, match="it cannot be written without the texts"):
        write(of(Span(1, 2, "minor"))[0], None, "mqm")
    with pytest.raises(DataError, match="there is no score; errors have to be weighed first"):
        write(of(Span(1, 2, "minor"))[0], None, "mqm-scores")


def test_several_raters_have_their_mean():
    judgements = ratings(
        [("r", "A", "10", -1.0), ("s", "A", "10", -2.0), ("s", "B", "9", -0.0)], protocol="mqm"
    )
    written = write(judgements, None, "mqm-scores")
    assert written.data.decode().splitlines() == [
        "system mqm_avg_score seg_id",
        "A\tNone 9",
        "A\t-1.500000 10",
        "B\t-0.000000 9",
        "B\tNone 10",
    ]
    assert written.warnings == ("1 translation with several judgements: their mean is written",)


MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n"


def test_errors_of_one_rater_on_one_translation_are_one_judgement(write):
    loaded = read(
        [
            write(
                MQM
                + "A\td\t1\t1\tr1\tsrc\tEin <v>Fehler</v> hier\tAccuracy/Mistranslation\tMajor\t\n"
                + "A\td\t1\t1\tr1\tsrc\tEin Fehler <v>hier\tFluency/Grammar\tMinor\tit is not closed\n"
                + "A\td\t1\t1\tr1\tthe <v>source</v>\tEin Fehler hier\tAccuracy/Omission\tMinor\t\n"
                + "A\td\t1\t1\tr1\tsrc\tEin Fehler hier\tOther\tNeutral\t\n"
                + "B\td\t1\t1\tr1\tsrc\tKein\tNo-error\tNo-error\t\n"
                + "A\td\t1\t1\tr2\tsrc\tEin Fehler hier\tNo-error\tNo-error\t\n"
            )
        ]
    )
    judgements = loaded.judgements
    assert loaded.format == judgements.protocol == "mqm"
    assert judgements.spans == (
        (
            Span(4, 10, "major", "Accuracy/Mistranslation"),
            Span(11, 15, "minor", "Fluency/Grammar", comment="it is not closed"),
            Span(4, 10, "minor", "Accuracy/Omission", "source"),
            Span(None, None, "neutral", "Other"),
        ),
        (),
        (),
    )
    assert (judgements.system.values(), judgements.annotator.values()) == (
        ["A", "B", "A"],
        ["r1", "r1", "r2"],
    )
    assert judgements.labels["document"].values() == ["d", "d", "d"]
    assert np.isnan(judgements.score).all()  # what errors weigh is a question of analysis
    assert judgements.line is not None
    assert judgements.line.tolist() == [2, 6, 7]


def test_errors_of_nobody(write):
    with pytest.raises(DataError, match="no column 'system'"):
        read([write("seg_id\tcategory\tseverity\n1\tx\tMajor\n")])
    with pytest.raises(DataError, match="line 2: no segment"):
        read([write("system\tseg_id\tcategory\tseverity\nA\t\tx\tMajor\n")])
