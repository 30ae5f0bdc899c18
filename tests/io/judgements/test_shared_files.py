"""Every file of judgements beside the project loads as it is, and says what was published of it."""

import collections
import csv
import re

import numpy as np
import pytest

from adjudge.data.joint_systems import expand_joint_systems
from adjudge.data.judgements import BAD_REFERENCE, KINDS, ORDINARY, REFERENCE, REPEAT, TUTORIAL, NameColumn
from adjudge.errors import DataError
from adjudge.io.judgements import join_labels, read

DA21, MQM21, WMT23 = "01_wmt21_da_toen", "02_wmt21_mqm_ende/en-de/human", "03_wmt23_mqm_esa/en-de"
DA17, DA18, WMT16 = "04_wmt17_da_seg_toen", "05_wmt18_fwdrev/de-en", "06_rankings_wmt16/data"
WMT13, TORAL, PARITY = "07_rankings_wmt13_fren", "08_rankings_toral18_zhen", "09_laeubli18_pairwise"
MLQE, GRAHAM, TED = "10_mlqe_pe/en-de", "11_graham15_16_da_hter", "15_ted_mqm_ende"
CAMPAIGN = f"{WMT23}/esa_campaign"

# file, format, protocol, judgements, systems, items, annotators, of each kind
FILES = [
    (f"{DA21}/is-en/human/judgements.tsv", "table", "da", 13230, 10, 1000, 106, (10090, 1033, 1049, 1058)),
    (f"{DA21}/cs-en/human/judgements.tsv", "table", "da", 13069, 9, 1000, 92, (9449, 1202, 1216, 1202)),
    (
        f"{DA21}/is-en/human/judgements-z.orig.csv",
        "table",
        "da",
        13230,
        10,
        1000,
        106,
        (10090, 1033, 1049, 1058),
    ),
    (f"{DA21}/is-en/human/seg-scores.csv", "table", "da", 8903, 10, 1000, 0, (8903,)),
    (f"{DA21}/cs-en/human/seg-scores.csv", "table", "da", 8155, 9, 1000, 0, (8155,)),
    (f"{DA21}/is-en/human/sys-scores.csv", "table", "da", 10, 10, 0, 0, (10,)),
    (f"{MQM21}/mqm_avg_seg_scores.tsv", "table", "mqm", 8959, 17, 527, 0, (8959,)),
    (f"{WMT23}/human/mqm.seg.score", "scores", "mqm", 5980, 13, 460, 0, (5980,)),
    (f"{WMT23}/human/mqm.sys.score", "scores", "mqm", 13, 13, 0, 0, (13,)),
    (f"{WMT23}/human/mqm.domain.score", "scores", "mqm", 52, 13, 0, 0, (52,)),
    (f"{WMT23}/human/da-sqm.seg.score", "scores", "sqm", 7137, 13, 549, 0, (7137,)),
    (f"{WMT23}/human/da-sqm.sys.score", "scores", "sqm", 13, 13, 0, 0, (13,)),
    (f"{WMT23}/human/da-sqm.domain.score", "scores", "sqm", 52, 13, 0, 0, (52,)),
    (f"{WMT23}/human/mqm.ratings.tsv", "table", "mqm", 5980, 13, 460, 0, (5980,)),
    (f"{CAMPAIGN}/240315rc5ESA.scores.csv", "appraise", "esa", 3300, 15, 213, 33, (2691, 14, 397, 0, 198)),
    (f"{CAMPAIGN}/240315rc5GEMBA.scores.csv", "appraise", "esa", 3300, 15, 213, 33, (2691, 14, 397, 0, 198)),
    (f"{CAMPAIGN}/240315rc5MQM.scores.csv", "appraise", "mqm", 3300, 15, 213, 33, (2691, 14, 397, 0, 198)),
    (f"{CAMPAIGN}/240520rc6ESA.scores.csv", "appraise", "esa", 3300, 15, 213, 33, (2691, 14, 397, 0, 198)),
    (f"{CAMPAIGN}/240520rc6GEMBA.scores.csv", "appraise", "esa", 3300, 15, 213, 33, (2691, 14, 397, 0, 198)),
    (f"{CAMPAIGN}/240521rc6ESA.scores.csv", "appraise", "esa", 1200, 15, 213, 12, (984, 0, 144, 0, 72)),
    (f"{CAMPAIGN}/240521rc6GEMBA.scores.csv", "appraise", "esa", 1221, 15, 213, 13, (995, 0, 148, 0, 78)),
    (f"{CAMPAIGN}/240521rc6MQM.scores.csv", "appraise", "mqm", 1200, 15, 213, 12, (984, 0, 144, 0, 72)),
    *(
        (f"{CAMPAIGN}/en-de.{name}.seg.score", "scores", protocol, count, 13, 207, 0, (count,))
        for name, protocol, count in (
            ("ESA-1", "esa", 2691),
            ("ESA-2", "esa", 2691),
            ("ESA-IAA", "esa", 984),
            ("ESAAI-1", "esa", 2691),
            ("ESAAI-2", "esa", 2691),
            ("ESAAI-IAA", "esa", 995),
            ("MQM-1", "mqm", 2691),
            ("MQM-IAA", "mqm", 984),
            ("LLM", "da", 2691),
        )
    ),
    # 560 lines each; those of joint systems count for each of them
    (f"{DA17}/de-en/human/DA-seglevel.csv", "table", "da", 622, 11, 506, 0, (622,)),
    (f"{DA17}/zh-en/human/DA-seglevel.csv", "table", "da", 581, 16, 490, 0, (581,)),
    (f"{DA17}/de-en/human/DA-syslevel.csv", "table", "da", 11, 11, 0, 0, (11,)),
    (f"{DA17}/zh-en/human/DA-syslevel.csv", "table", "da", 16, 16, 0, 0, (16,)),
    (f"{DA17}/de-en/human/testset_with_sentBLEU.tsv", "table", "da", 560, 1, 560, 0, (560,)),
    (f"{DA18}/human/DA-syslevel.csv", "table", "da", 16, 16, 0, 0, (16,)),
    (f"{WMT16}/wmt16.ron-eng.csv", "rankings", "rank", 15822, 7, 520, 43, (15822,)),
    (f"{WMT16}/collapsed/wmt16.collapsed.ron-eng.csv", "rankings", "rank", 11978, 60, 519, 43, (11978,)),
    (f"{WMT16}/collapsed/wmt16.collapsed.deu-eng.csv", "rankings", "rank", 12926, 155, 758, 35, (12926,)),
    (f"{WMT16}/collapsed/wmt16.collapsed.eng-ron.csv", "rankings", "rank", 8642, 95, 474, 5, (8642,)),
    (f"{WMT16}/collapsed/wmt16.collapsed.eng-tur.csv", "rankings", "rank", 10095, 49, 652, 6, (10095,)),
    (f"{WMT16}/collapsed/wmt16.collapsed.tur-eng.csv", "rankings", "rank", 9684, 40, 642, 33, (9684,)),
    (f"{WMT13}/human/rankings-train.csv", "rankings", "rank", 99960, 13, 2278, 218, (99960,)),
    (f"{WMT13}/human/rankings-test.csv", "rankings", "rank", 2000, 12, 184, 47, (2000,)),
    (f"{WMT13}/mturk/Batch_1959533_batch_results.csv", "mturk", "da", 200, 12, 138, 2, (140, 20, 20, 20)),
    (f"{TORAL}/judgements/hp_*.csv", "rankings", "rank", 6675, 3, 503, 5, (6675,)),
    (f"{PARITY}/ratings.csv", "choices", "pairwise", 1232, 2, 308, 9, (1232,)),
    (f"{PARITY}/ratings.with-spam.csv", "choices", "pairwise", 1400, 2, 350, 9, (1400,)),
    (f"{MLQE}/da/train/train.ende.df.short.tsv", "lists", "da", 3 * 6407 + 6 * 593, 1, 7000, 0, (22779,)),
    (f"{MLQE}/da/dev/dev.ende.df.short.tsv", "lists", "da", 6000, 1, 1000, 0, (6000,)),
    (f"{MLQE}/da/test/test20.ende.df.short.tsv", "lists", "da", 6000, 1, 1000, 0, (6000,)),
    (f"{MLQE}/pe/train/train.hter", "numbers", "hter", 7000, 1, 7000, 0, (7000,)),
    (f"{MLQE}/pe/dev/dev.hter", "numbers", "hter", 1000, 1, 1000, 0, (1000,)),
    (f"{MLQE}/pe/test/test20.hter", "numbers", "hter", 1000, 1, 1000, 0, (1000,)),
    (f"{GRAHAM}/dataset/human-scores.es-en.csv", "table", "da", 500, 17, 371, 0, (500,)),
    (f"{GRAHAM}/raw-seg-scrs/seg.ad.es-en.csv", "table", "da", 840, 17, 611, 0, (840,)),
    (f"{GRAHAM}/z-seg-scrs/seg.ad.stnd.en-ru.csv", "table", "da", 140, 19, 70, 0, (140,)),
    (f"{TED}/mqm_ted_ende.tsv", "mqm", "mqm", 7406, 14, 529, 4, (7406,)),
    (f"{TED}/mqm_ted_ende.avg_seg_scores.tsv", "table", "mqm", 7406, 14, 529, 0, (7406,)),
]


@pytest.fixture(scope="module")
def loaded(shared):
    known = {}

    def load(path, **options):
        if path not in known:
            known[path] = read([str(shared.data / path)], **options)
        return known[path]

    return load


@pytest.mark.parametrize("row", FILES, ids=lambda row: row[0])
def test_it_loads_as_it_is(loaded, row):
    path, form, protocol, count, systems, items, annotators, kinds = row
    result = loaded(path)
    judgements = result.judgements
    assert (result.format, judgements.protocol, len(judgements)) == (form, protocol, count)
    named = {*judgements.system.names, *(judgements.other.names if judgements.other is not None else ())}
    assert (len(named), len(judgements.item.names), len(judgements.annotator.names)) == (
        systems,
        items,
        annotators,
    )
    assert np.bincount(judgements.kind).tolist() == list(kinds)
    assert judgements.line is not None
    assert (judgements.line > 0).all()
    assert judgements.higher_is_better == (protocol != "hter")
    assert "" not in judgements.place(0).split(", line ")


def test_all_other_pairs_of_graham_load(shared):
    for folder in ("dataset", "raw-seg-scrs", "z-seg-scrs"):
        files = sorted((shared.data / GRAHAM / folder).glob("*.csv"))
        assert len(files) == 9
        for file in files:
            judgements = read([str(file)]).judgements
            with file.open() as lines:
                rows = [line.split() for line in lines][1:]
            assert [row[1] for row in rows] == judgements.system.values()
            assert [row[2] for row in rows] == judgements.item.values()
            assert [float(row[3]) for row in rows] == judgements.score.tolist()


def test_what_is_not_rated_is_counted(loaded):
    assert (
        loaded(f"{MQM21}/mqm_avg_seg_scores.tsv")
        .warnings[0]
        .endswith(": 8,075 translations without a judgement (None) left out")
    )
    assert "1,261 translations" in loaded(f"{WMT23}/human/mqm.seg.score").warnings[0]


def test_spot_values_of_direct_assessment(loaded):
    judgements = loaded(f"{DA21}/is-en/human/judgements.tsv").judgements
    assert judgements.place(0).endswith("judgements.tsv, line 2")
    assert (judgements.system.values()[0], judgements.item.values()[0], judgements.annotator.values()[0]) == (
        "Manifold",
        "984",
        "M0955",
    )
    assert (judgements.score[0], judgements.measures["z"][0]) == (72, -1.43008372840218)
    assert (
        judgements.measures["hit_seconds"][0] == 3153
    )  # the same for a whole HIT, so no time of a judgement
    assert judgements.seconds is None
    original = loaded(f"{DA21}/is-en/human/judgements-z.orig.csv").judgements
    assert original.system.values()[0] == "Manifold.0"
    assert np.array_equal(original.score, judgements.measures["z"])
    assert np.array_equal(original.kind, judgements.kind)
    assert original.labels["languages"].names == ("is-en",)


def test_standardised_scores_follow_from_raw_ones(loaded):
    """README: mean and sd (n − 1) of an annotator are over all four kinds of items."""
    judgements = loaded(f"{DA21}/cs-en/human/judgements.tsv").judgements
    for annotator in range(0, len(judgements.annotator.names), 7):
        rows = judgements.annotator.codes == annotator
        raw = judgements.score[rows]
        z = (raw - raw.mean()) / raw.std(ddof=1)
        assert np.allclose(z, judgements.measures["z"][rows], atol=1e-4)


def test_segment_means_follow_from_judgements(loaded):
    """Official means over ordinary items and repeats, but for one line that README names."""
    judgements = loaded(f"{DA21}/is-en/human/judgements.tsv").judgements
    means = loaded(f"{DA21}/is-en/human/seg-scores.csv").judgements
    scores = collections.defaultdict(list)
    which = np.isin(judgements.kind, (ORDINARY, REPEAT))
    for system, item, score in zip(
        judgements[which].system.values(),
        judgements[which].item.values(),
        judgements.score[which],
        strict=True,
    ):
        scores[system, item].append(score)
    wrong = [
        (system, item)
        for system, item, mean, count in zip(
            (name.rsplit(".", 1)[0] for name in means.system.values()),
            means.item.values(),
            means.score,
            means.measures["n"],
            strict=True,
        )
        if len(scores[system, item]) != count or abs(np.mean(scores[system, item]) - mean) > 1e-9
    ]
    assert wrong == [("Online-A", "1")]


def test_published_mqm(loaded):
    judgements = loaded(f"{MQM21}/mqm_avg_seg_scores.tsv").judgements
    penalty = {
        name: round(-judgements.score[judgements.system.codes == code].mean(), 2)
        for code, name in enumerate(judgements.system.names)
    }
    published = {
        "ref-C": 0.51,
        "VolcTrans-GLAT": 1.04,
        "Facebook-AI": 1.05,
        "ref-A": 1.22,
        "Nemo": 1.34,
        "HuaweiTSC": 1.38,
    }
    published |= {"Online-W": 1.46, "UEdin": 1.51, "eTranslation": 1.70, "VolcTrans-AT": 1.74}
    assert {name: penalty[name] for name in published} == published


def test_errors_as_json_weigh_what_the_scores_say(loaded):
    ratings = loaded(f"{WMT23}/human/mqm.ratings.tsv").judgements
    scores = loaded(f"{WMT23}/human/mqm.seg.score").judgements
    official = dict(
        zip(zip(scores.system.values(), scores.item.values(), strict=True), scores.score, strict=True)
    )
    own = dict(
        zip(zip(ratings.system.values(), ratings.item.values(), strict=True), ratings.score, strict=True)
    )
    assert own.keys() == official.keys()
    assert max(abs(own[key] - official[key]) for key in own) < 1e-9
    assert ratings.spans is not None
    assert sum(map(len, ratings.spans)) == 19569
    assert sum(span.side == "source" for spans in ratings.spans for span in spans) == 1334


def judged_lines(shared, judgements):
    """The lines of each document that were judged at all."""
    rows = (shared.data / WMT23 / "docs.domain_docid.tsv").read_text().splitlines()
    result = collections.defaultdict(list)
    for line in sorted(map(int, judgements.item.names)):
        result[rows[line - 1].split("\t")[1]].append(line)
    return result


ROUNDS = [("240315rc5ESA", "ESA-1"), ("240520rc6ESA", "ESA-2"), ("240521rc6ESA", "ESA-IAA")]
ROUNDS += [("240315rc5GEMBA", "ESAAI-1"), ("240520rc6GEMBA", "ESAAI-2"), ("240521rc6GEMBA", "ESAAI-IAA")]


@pytest.mark.parametrize(("campaign", "official"), ROUNDS)
def test_a_campaign_says_what_its_authors_made_of_it(shared, loaded, campaign, official):
    """Their scores a line of the test set: the same systems, places in documents, last answers."""
    theirs = loaded(f"{CAMPAIGN}/en-de.{official}.seg.score").judgements
    judged = judged_lines(shared, theirs)
    places = {
        str(line): f"{name}#{turn}" for name, lines in judged.items() for turn, line in enumerate(lines, 1)
    }
    expected = {
        (system, places[item]): score
        for system, item, score in zip(
            theirs.system.values(), theirs.item.values(), theirs.score, strict=True
        )
    }
    ours = loaded(f"{CAMPAIGN}/{campaign}.scores.csv").judgements
    ordinary = ours[ours.kind == ORDINARY]
    by_name = dict(
        zip(zip(ordinary.system.values(), ordinary.item.values(), strict=True), ordinary.score, strict=True)
    )
    assert len(by_name) == len(ordinary)
    assert by_name == expected


def test_control_items_stand_beside_what_they_were_made_from(loaded):
    judgements = loaded(f"{CAMPAIGN}/240315rc5ESA.scores.csv").judgements
    keys = np.array(
        list(
            zip(
                judgements.annotator.values(),
                judgements.system.values(),
                judgements.item.values(),
                strict=True,
            )
        )
    )
    ordinary = {tuple(key) for key in keys[judgements.kind == ORDINARY]}
    for kind in (BAD_REFERENCE, REPEAT):
        assert all(tuple(key) in ordinary for key in keys[judgements.kind == kind]), KINDS[kind]
    assert {*judgements[judgements.kind == TUTORIAL].system.names} == {"ende-tutorial1", "ende-tutorial2"}
    assert judgements.start is not None
    assert judgements.seconds is not None
    assert (np.diff(judgements.start) >= 0).all()
    assert (judgements.seconds >= 0).all()
    assert int((judgements.seconds == 0).sum()) > 1000  # Appraise starts the clock where something is touched


def test_hand_marked_words_are_whole_words(shared, loaded):
    """The marks of annotators end where words do if the last character is counted in."""
    theirs = loaded(f"{CAMPAIGN}/en-de.ESA-2.seg.score").judgements
    judged = judged_lines(shared, theirs)
    judgements = loaded(f"{CAMPAIGN}/240520rc6ESA.scores.csv").judgements
    ordinary = judgements[judgements.kind == ORDINARY]
    assert ordinary.spans is not None
    counted_in = left_out = 0
    texts = {}
    for system, item, spans in zip(
        ordinary.system.values(), ordinary.item.values(), ordinary.spans, strict=True
    ):
        if system not in texts:
            texts[system] = (shared.data / WMT23 / "hyp" / f"{system}.de").read_text().split("\n")
        document, place = item.rsplit("#", 1)
        text = texts[system][judged[document][int(place) - 1] - 1]
        for span in spans:
            if span.end is not None:
                counted_in += _ends_a_word(text, span.end)
                left_out += _ends_a_word(text, span.end - 1)
    assert counted_in > 1900
    assert left_out < counted_in / 5


def _ends_a_word(text, end):
    return text[end - 1 : end].isalnum() and not text[end : end + 1].isalnum()


def test_joint_systems_of_wmt17_count_for_each(shared, loaded):
    judgements = loaded(f"{DA17}/de-en/human/DA-seglevel.csv").judgements
    with (shared.data / DA17 / "de-en/human/DA-seglevel.csv").open() as lines:
        rows = [line.split() for line in lines][1:]
    expected = [(name, row[3], float(row[4])) for row in rows for name in row[2].split("+")]
    assert (
        list(zip(judgements.system.values(), judgements.item.values(), judgements.score, strict=True))
        == expected
    )


def test_rankings_of_wmt16_apart_are_those_that_were_published_apart(loaded):
    """But for one ranking in which all seven wrote the same: nothing is left of it where joint systems are one."""

    def bag(judgements):
        assert judgements.other is not None
        rows = zip(
            judgements.system.values(),
            judgements.other.values(),
            judgements.item.values(),
            judgements.annotator.values(),
            judgements.score.tolist(),
            strict=True,
        )
        return collections.Counter(
            (a, b, item, judge, score) if a < b else (b, a, item, judge, 0 - score)
            for a, b, item, judge, score in rows
        )

    apart = bag(loaded(f"{WMT16}/wmt16.ron-eng.csv").judgements)
    joint = bag(expand_joint_systems(loaded(f"{WMT16}/collapsed/wmt16.collapsed.ron-eng.csv").judgements))
    assert not joint - apart
    missing = apart - joint
    assert missing.total() == 21
    assert {(item, judge, score) for _, _, item, judge, score in missing} == {("464", "judge81", 0)}


def test_expected_wins_of_wmt13(loaded):
    judgements = loaded(f"{WMT13}/human/rankings-train.csv").judgements
    assert judgements.other is not None
    assert judgements.ranking is not None
    assert len({*judgements.ranking}) == 9996
    names = NameColumn.joined([judgements.system, judgements.other])
    first, second = names.codes[: len(judgements)], names.codes[len(judgements) :]
    wins = np.zeros((len(names.names),) * 2)
    np.add.at(wins, (first, second), judgements.score > 0)
    np.add.at(wins, (second, first), judgements.score < 0)
    np.fill_diagonal(wins, np.nan)
    share = np.nanmean(wins / (wins + wins.T), axis=1)
    published = {
        "heafield": 0.638,
        "uedin-wmt13": 0.603,
        "online-B": 0.591,
        "LIMSI": 0.573,
        "KIT": 0.561,
        "online-A": 0.540,
    }
    published |= {
        "MES": 0.512,
        "DCU": 0.485,
        "RWTH": 0.438,
        "CMU": 0.428,
        "cu-zeman": 0.420,
        "JHU": 0.389,
        "Shef": 0.322,
    }
    for word, value in published.items():
        (place,) = [at for at, name in enumerate(names.names) if word in name]
        assert round(share[place], 3) == value


def test_shares_of_laeubli(loaded):
    judgements = loaded(f"{PARITY}/ratings.csv").judgements
    kept = judgements[np.array([not item.startswith("U") for item in judgements.item.values()])]
    counts = collections.Counter(
        zip(kept.labels["condition"].values(), kept.labels["type"].values(), kept.score.tolist(), strict=True)
    )
    assert [counts["adequacy", "document", score] for score in (1, 0, -1)] == [104, 22, 74]
    assert judgements.system.names == ("human",)
    assert judgements.other is not None
    assert judgements.other.names == ("mt",)


def test_origins_join_by_document_and_segment(shared, loaded):
    rankings = loaded(f"{TORAL}/judgements/hp_*.csv")
    assert len(rankings.inputs) == 49
    assert not rankings.judgements.labels
    labelled = join_labels(rankings.judgements, str(shared.data / TORAL / "segments.tsv"))
    assert {*labelled.labels} == {"document", "docid", "origin"}
    assert collections.Counter(labelled.labels["origin"].values()) == {"zh": 3873, "en": 2802}
    assert all(
        item.split("_")[0] == document
        for item, document in zip(labelled.item.values(), labelled.labels["document"].values(), strict=True)
    )


def test_other_labels_join(shared, loaded):
    lines = join_labels(
        loaded(f"{DA17}/zh-en/human/DA-seglevel.csv").judgements, str(shared.data / DA17 / "zh-en/docs.tsv")
    )
    with (shared.data / DA17 / "zh-en/docs.tsv").open() as file:
        rows = {row["line"]: row for row in csv.DictReader(file, delimiter="\t")}
    assert lines.labels["origin"].values() == [rows[item]["origlang"] for item in lines.item.values()]
    assert lines.labels["document"].values() == [rows[item]["docid"] for item in lines.item.values()]
    domains = join_labels(
        loaded(f"{CAMPAIGN}/240315rc5ESA.scores.csv").judgements,
        str(shared.data / WMT23 / "docs.domain_docid.tsv"),
    )
    assert {*domains.labels["domain"].names} == {"news", "social", "speech", "user_review"}
    order = join_labels(
        loaded(f"{MLQE}/da/dev/dev.ende.df.short.tsv").judgements,
        str(shared.data / MLQE / "da/dev/dev.doc_ids"),
    )
    assert order.labels["document"].values()[0] == "French Foreign Legion"
    with pytest.raises(
        DataError,
        match=r"sentences\.csv has no line for 100 of the 308 items .* \(E-1, E-2, E-3 and 97 more\)",
    ):
        join_labels(loaded(f"{PARITY}/ratings.csv").judgements, str(shared.data / PARITY / "sentences.csv"))


def test_lists_of_mlqe(shared, loaded):
    judgements = loaded(f"{MLQE}/da/dev/dev.ende.df.short.tsv").judgements
    with (shared.data / MLQE / "da/dev/dev.ende.df.short.tsv").open() as file:
        means = [float(row["mean"]) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    assert np.allclose(judgements.score.reshape(-1, 6).mean(1), means)
    assert judgements.score[:6].tolist() == [20, 35, 30, 100, 100, 100]


def test_errors_of_ted_are_where_they_were_marked(shared, loaded):
    judgements = loaded(f"{TED}/mqm_ted_ende.tsv").judgements
    lines = (shared.data / TED / "mqm_ted_ende.tsv").read_text().splitlines()[1:]
    texts, marked = {}, collections.defaultdict(list)
    for system, _, _, item, rater, source, target, category, severity, _ in (
        line.split("\t") for line in lines
    ):
        texts[system, item] = {
            side: re.sub("</?v>", "", text) for side, text in (("source", source), ("target", target))
        }
        if severity != "No-error":
            mark = re.search("<v>(.*?)(</v>|$)", target) or re.search("<v>(.*?)</v>", source)
            assert mark is not None
            marked[system, item, rater].append((mark[1], category, severity.lower()))
    assert judgements.spans is not None
    for system, item, rater, spans in zip(
        judgements.system.values(),
        judgements.item.values(),
        judgements.annotator.values(),
        judgements.spans,
        strict=True,
    ):
        own = [
            (texts[system, item][span.side][span.start : span.end], span.category, span.severity)
            for span in spans
        ]
        assert own == marked[system, item, rater]


def test_weights_make_the_published_scores_of_ted(loaded):
    judgements = loaded(f"{TED}/mqm_ted_ende.tsv").judgements
    published = loaded(f"{TED}/mqm_ted_ende.avg_seg_scores.tsv").judgements
    assert judgements.spans is not None
    penalty = [
        sum(
            5 if span.severity == "major" else 0.1 if span.category == "Fluency/Punctuation" else 1
            for span in spans
        )
        for spans in judgements.spans
    ]
    own = dict(
        zip(zip(judgements.system.values(), judgements.item.values(), strict=True), penalty, strict=True)
    )
    for system, item, score in zip(
        published.system.values(), published.item.values(), published.score, strict=True
    ):
        assert abs(own["ref" if system == "ref-A" else system, item] + score) < 1e-6


def test_a_batch_of_mechanical_turk(loaded):
    judgements = loaded(f"{WMT13}/mturk/Batch_1959533_batch_results.csv").judgements
    assert judgements.score[:3].tolist() == [89, 100, 7]
    assert judgements.measures["hit_seconds"][0] == 1376
    references = judgements.score[(judgements.kind == REFERENCE) & (judgements.annotator.codes == 0)]
    assert references.mean() > 95
    assert {*judgements.labels["hit"].values()[:100]} == {"3ZC62PVYDHADY9JIVICBCFPZJNMXXV"}


def test_campaigns_that_nobody_judged_yet(shared):
    files = sorted((shared.data / "17_appraise_examples").glob("*/*.json"))
    assert len(files) == 10
    for file in files:
        with pytest.raises(DataError, match=r"of an Appraise campaign, not what people said; export that"):
            read([str(file)])


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            f"{DA21}/is-en/human/worker-mean-sd.tsv",
            "no column 'system' or 'systemid' or 'sys' among worker, mean, sd",
        ),
        (f"{DA21}/is-en/human/clusters.csv", "no column 'score' or 'raw'"),
        (f"{PARITY}/participants.csv", "no column 'score'"),
        (f"{TORAL}/segments.tsv", "no column 'score' or 'raw' or 'rawscore' among doc, docid, origlang, seg"),
    ],
)
def test_what_holds_no_judgements_says_so(shared, path, message):
    with pytest.raises(DataError) as error:
        read([str(shared.data / path)])
    assert message in str(error.value)
