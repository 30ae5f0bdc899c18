"""WMT's files: direct assessment byte for byte, rankings and choices in their order."""

import csv
import io
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import KINDS, Judgements, NameColumn, Span
from adjudge.errors import DataError
from adjudge.io.judgements import read, write
from helpers.alike import assert_same
from helpers.judged import ratings

DA21 = "01_wmt21_da_toen/is-en/human/judgements-z.orig.csv"
PAIRS = [
    *(
        "06_rankings_wmt16/data/wmt16.ron-eng.csv",
        "06_rankings_wmt16/data/collapsed/wmt16.collapsed.deu-eng.csv",
    ),
    "06_rankings_wmt16/data/collapsed/wmt16.collapsed.tur-eng.csv",
]


def test_direct_assessment_byte_for_byte(shared):
    path = shared.data / DA21
    written = write(read([str(path)]).judgements, None, "wmt-da")
    assert written.data == path.read_bytes()
    assert written.warnings == ()


@pytest.mark.parametrize("pair", ["is-en", "cs-en"])
def test_direct_assessment_from_another_table(shared, tmp_path, pair):
    judgements = read([str(shared.data / "01_wmt21_da_toen" / pair / "human" / "judgements.tsv")]).judgements
    written = write(judgements, None, "wmt-da", languages=tuple(pair.split("-")), path=tmp_path / "da.csv")
    assert written.warnings == (
        "WMT's direct assessment has no place for the label doc_rid and the measure z: left out here",
    )
    back = read([str(tmp_path / "da.csv")]).judgements
    assert_same(back, judgements, but=("labels", "measures"))
    assert back.labels["hit"].values() == judgements.labels["hit"].values()
    assert back.measures["hit_seconds"].tolist() == judgements.measures["hit_seconds"].tolist()


def test_what_direct_assessment_cannot_hold():
    judgements = ratings(
        [("ann", "A", str(number), float(number)) for number in range(5)],
        KINDS,
        start=np.arange(5.0),
        seconds=np.arange(5.0),
        spans=((Span(0, 1, "minor"),), (), (), (), ()),
        labels={"domain": NameColumn.of(["news"] * 5), "hit": NameColumn.of(["h1"] * 5)},
        measures={"hit_seconds": np.full(5, 7.0), "words": np.ones(5)},
    )
    written = write(judgements, None, "wmt-da")
    lines = written.data.decode().splitlines()
    assert lines[0] == "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time"
    assert lines[1] == "h1\tann\t\t\tad\th1\tA\t\tSYSTEM\t0\t0\t7.0"
    assert [line.split("\t")[8] for line in lines[1:]] == ["SYSTEM", "REPEAT", "BAD_REF", "REF"]
    assert written.warnings == (
        "WMT's files have no tutorials: 1 judgement left out here",
        "WMT's direct assessment has no place for the label domain, the measure words, when judgements were begun, "
        "seconds of judgements beside those of HITs and errors: left out here",
    )
    with pytest.raises(DataError, match="judgement 1: there is no score"):
        write(ratings([("ann", "A", "1", np.nan)]), None, "wmt-da")
    with pytest.raises(DataError, match="these are rankings, not direct assessment"):
        write(pairs_of([("A", "B", 1)]), None, "wmt-da")
    guarded = write(ratings([("=1", "A", "1", -1.0)]), None, "wmt-da", for_spreadsheet=True).data.decode()
    assert guarded.splitlines()[1].split("\t")[1] == "'=1"
    assert guarded.startswith("\ufeffHITId ")


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_say_what_the_real_ones_say(shared, tmp_path, name):
    """All but ranks with gaps, which reading does not keep, and the numbers of rankings."""
    judgements = read([str(shared.data / name)]).judgements
    written = write(judgements, None, "rankings", path=tmp_path / "x.csv")
    assert written.warnings == ()
    assert_same(read([str(tmp_path / "x.csv")]).judgements, judgements)
    real = (shared.data / name).read_bytes().replace(b"\r\r\n", b"\n").decode()
    theirs = list(csv.DictReader(io.StringIO(real)))
    ours = list(csv.DictReader(io.StringIO(written.data.decode())))
    numbers, real_ranks, our_ranks = {}, defaultdict(dict), defaultdict(dict)
    for first, other in zip(ours, theirs, strict=True):
        for column in ("srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system2Id"):
            assert first[column] == other[column]
        key = (other["rankingID"], other["judgeID"], other["segmentId"])
        assert numbers.setdefault(first["rankingID"], key) == key
        for ranks, row in ((our_ranks, first), (real_ranks, other)):
            ranks[key] |= {row[f"system{n}Id"]: int(row[f"system{n}rank"]) for n in (1, 2)}
    whole = 0
    for key, ranks in real_ranks.items():
        order = sorted({*ranks.values()})
        assert our_ranks[key] == {system: order.index(rank) + 1 for system, rank in ranks.items()}
        whole += our_ranks[key] == ranks
    assert whole > 300


def test_wide_rankings_of_wmt13(shared, tmp_path):
    path = shared.data / "07_rankings_wmt13_fren/human/rankings-test.csv"
    judgements = read([str(path)]).judgements
    written = write(judgements, None, "rankings-wide", path=tmp_path / "x.csv")
    assert written.warnings == ()
    assert_same(read([str(tmp_path / "x.csv")]).judgements, judgements)
    theirs, ours = path.read_text().splitlines(), written.data.decode().splitlines()
    assert ours[0] == theirs[0]
    assert len(ours) == len(theirs)
    ranks = [{*line.split(",")[-5:]} for line in theirs]
    without_gaps = [at for at, rank in enumerate(ranks) if rank == {*map(str, range(1, len(rank) + 1))}]
    assert len(without_gaps) > 100
    assert [ours[at] for at in without_gaps] == [theirs[at] for at in without_gaps]
    for first, other in zip(ours[1:], theirs[1:], strict=True):
        assert first.split(",")[:-5] == other.split(",")[:-5]


def test_rankings_of_toral(shared, tmp_path):
    for number in (1, 7, 49):
        judgements = read(
            [str(shared.data / f"08_rankings_toral18_zhen/judgements/hp_{number:03}.csv")]
        ).judgements
        write(judgements, None, "rankings", path=tmp_path / "x.csv")
        assert_same(read([str(tmp_path / "x.csv")]).judgements, judgements)


def test_choices_of_laeubli(shared, tmp_path):
    judgements = read([str(shared.data / "09_laeubli18_pairwise/ratings.csv")]).judgements
    written = write(judgements, None, "choices", path=tmp_path / "x.csv")
    back = read([str(tmp_path / "x.csv")]).judgements
    assert_same(back, judgements, but=("labels", "kind"))
    assert written.warnings[0].startswith("WMT's rankings has no place for the labels")


def pairs_of(rows, ranking=None, **columns):
    first, second, score = zip(*rows, strict=True)
    count = len(rows)
    columns = {"annotator": NameColumn.of(["ann"] * count), "item": NameColumn.of(["7"] * count), **columns}
    return Judgements(
        "rank",
        NameColumn.of(first),
        score=np.array(score, float),
        other=NameColumn.of(second),
        ranking=np.array(ranking if ranking is not None else range(count)),
        **columns,
    )


@st.composite
def rankings(draw):
    """Whole rankings of two to five systems, with ties, several of one judge and segment."""
    rows, numbers, judges, items = [], [], [], []
    for number in range(draw(st.integers(1, 4))):
        systems = draw(st.lists(st.sampled_from("ABCDE"), min_size=2, max_size=5, unique=True))
        ranks = {system: draw(st.integers(1, 5)) for system in systems}
        judge, item = draw(st.sampled_from(("ann", "=b,ob"))), draw(st.sampled_from(("1", 'x"2')))
        for at, entry in enumerate(systems):
            for two in systems[at + 1 :]:
                rows.append((entry, two, np.sign(ranks[two] - ranks[entry])))
                numbers.append(number)
                judges.append(judge)
                items.append(item)
    times = draw(st.booleans())
    return pairs_of(
        rows,
        numbers,
        annotator=NameColumn.of(judges),
        item=NameColumn.of(items),
        start=np.array(numbers, float) if times else None,
        seconds=np.array([1.5 + n for n in numbers]) if times else None,
        labels={"document": NameColumn.of([f"d{item}" for item in items])},
    )


@given(rankings(), st.sampled_from(("rankings", "rankings-wide")))
def test_rankings_come_back(tmp_path_factory, judgements, output_format):
    path = tmp_path_factory.mktemp("rankings") / "x.csv"
    sizes = np.bincount(judgements.ranking)
    if output_format == "rankings-wide" and sizes.max() == 1:
        with pytest.raises(DataError, match="no ranking has more than two systems"):
            write(judgements, None, output_format)
        return
    assert write(judgements, None, output_format, path=path).warnings == ()
    assert_same(read([str(path)]).judgements, judgements)


def test_pairs_that_contradict_each_other(tmp_path):
    pairs = pairs_of([("A", "B", 1), ("B", "C", 1), ("A", "C", -1), ("A", "B", 0)], [0, 0, 0, 1])
    written = write(pairs, None, "rankings", path=tmp_path / "x.csv")
    assert written.warnings == ("1 ranking in which pairs contradict each other: written pair by pair",)
    assert written.data.decode().splitlines()[1:] == [
        "-1,-1,7,7,ann,A,1,B,2,1.1",
        "-1,-1,7,7,ann,B,1,C,2,1.2",
        "-1,-1,7,7,ann,A,2,C,1,1.3",
        "-1,-1,7,7,ann,A,1,B,1,4",
    ]
    assert_same(read([str(tmp_path / "x.csv")]).judgements, pairs, but=("ranking",))
    with pytest.raises(DataError, match="these pairs are no whole ranking; write them pair by pair"):
        write(pairs, None, "rankings-wide")


def test_kinds_of_rankings_and_choices(tmp_path):
    pairs = pairs_of(
        [("A", "B", 1), ("A", "B", 0), ("A", "B", -1)],
        kind=np.array([0, 1, 0], np.int8),
        labels={"languages": NameColumn.of(["de-en"] * 3)},
        item=NameColumn.of(["1", "2", "3"]),
    )
    write(pairs, None, "rankings", path=tmp_path / "x.csv")
    assert_same(read([str(tmp_path / "x.csv")]).judgements, pairs)
    assert write(pairs, None, "choices", path=tmp_path / "y.csv").data.decode().splitlines() == [
        "segment,annotator,system1,system2,preferred,kind",
        "1,ann,A,B,A,ordinary",
        "2,ann,A,B,tie,repeat",
        "3,ann,A,B,B,ordinary",
    ]
    assert_same(read([str(tmp_path / "y.csv")]).judgements, pairs, but=("protocol", "labels"))


def test_what_cannot_be_written():
    with pytest.raises(DataError, match="these are ratings, not rankings"):
        write(ratings([("ann", "A", "1", 1.0)]), None, "rankings")
    with pytest.raises(DataError, match="the scores of pairs are 1, 0 and −1"):
        write(pairs_of([("A", "B", 0.5)]), None, "rankings")
    with pytest.raises(DataError, match="a system is called 'tie'"):
        write(pairs_of([("A", "tie", 1)]), None, "choices")
    together = pairs_of([("A", "B", 1), ("A", "C", 1), ("B", "C", 0)], [0, 0, 0])
    assert write(together, None, "choices").warnings == (
        "a file of choices has no place for what was ranked together: left out here",
    )
