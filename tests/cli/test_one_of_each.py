"""Sentences about one of a kind: one segment, one pair, one document, one annotator, one error."""

import re

import pytest

ONE = re.compile(r"(?<![\d.,–-])1 (?:[a-z]+ )?([a-z]+s)\b")
VERB = re.compile(r"(?<![\d.,–-])1 (?:[a-z]+ ){1,2}(?:are|were|have|do|they|them)\b")
SINGULAR = frozenset(str.split("is was has does its this as bias class loss across pass basis plus moves"))
"""Words behind a 1 that end in s and are no plural."""
SOURCE, REFERENCE = "O gato dorme.", "The cat is sleeping."
OUTPUTS = {"first": "The cat sleeps.", "second": "A cat was asleep in 2013", "third": ""}
TAG = re.compile(r"<script.*?</script>|<style.*?</style>|<[^>]*>", re.DOTALL)


@pytest.fixture
def small(tmp_path):
    """A test set of one segment in one document, with outputs and judgements of one annotator."""
    files = {
        "source.pt": SOURCE,
        "reference.en": REFERENCE,
        "labels.tsv": "document\tdomain\nd1\tnews",
        "scores.tsv": "system\tsegment\tscore\nfirst\t1\t3\nsecond\t1\t4",
        "holes.tsv": "system\tsegment\tscore\nfirst\t1\t3\nsecond\t1\t4\nfirst\t2\t3",
        "ratings.csv": "annotator,system,item,score,document\nann,first,1,70,d1\nann,second,1,60,d1",
        "ranks.csv": "annotator,item,system,rank\nann,1,first,1\nann,1,second,2",
        "twice.csv": "annotator,item,system,rank\nann,1,first,1\nann,1,second,2\nbob,1,first,2\nbob,1,second,1\n"
        "ann,2,first,1\nann,2,second,2",
        "mqm.tsv": "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        f"first\td1\t1\t1\tann\t{SOURCE}\tThe <v>cat</v> sleeps.\tAccuracy/Mistranslation\tmajor\n"
        f"second\td1\t1\t1\tann\t{SOURCE}\tA cat was asleep in 2013\tNo-error\tno-error",
        **{f"{name}.en": text for name, text in OUTPUTS.items()},
    }
    for name, text in files.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    return tmp_path


COMMANDS = {
    "score": "score -r {0}/reference.en -s {0}/source.pt {0}/first.en",
    "score, an empty line": "score -r {0}/reference.en {0}/third.en",
    "compare": "compare -r {0}/reference.en -s {0}/source.pt -l pt-en {0}/first.en {0}/second.en",
    "compare, documents": "compare -r {0}/reference.en -L {0}/labels.tsv --unit document {0}/first.en {0}/second.en",
    "compare, groups": "compare -r {0}/reference.en -L {0}/labels.tsv --by domain {0}/first.en {0}/second.en",
    "compare, bootstrap": "compare -r {0}/reference.en --test bootstrap {0}/first.en {0}/second.en",
    "compare, baseline": "compare -r {0}/reference.en -m length-ratio --baseline first {0}/first.en {0}/second.en",
    "compare, margin": "compare -r {0}/reference.en -m bleu --margin 1 {0}/first.en {0}/second.en",
    "compare, three": "compare -r {0}/reference.en {0}/first.en {0}/second.en {0}/third.en",
    "compare, scores": "compare --scores {0}/scores.tsv",
    "compare, a hole": "compare --scores {0}/holes.tsv",
    "compare, common": "compare --scores {0}/holes.tsv --common",
    "lint": "lint -r {0}/reference.en -s {0}/source.pt {0}/first.en {0}/second.en {0}/third.en",
    **{
        f"analyse {how}": f"analyse {how} -r {{0}}/reference.en {{0}}/first.en {{0}}/second.en"
        for how in ("buckets", "changes", "diversity", "errors", "examples", "ngrams", "scores", "words")
    },
    "analyse faults": "analyse faults -r {0}/reference.en -s {0}/source.pt -l pt-en {0}/first.en {0}/second.en",
    "report": "report -q -r {0}/reference.en -s {0}/source.pt -l pt-en {0}/first.en {0}/second.en -o {0}/page.html",
    "xray": "xray -r {0}/reference.en {0}/first.en",
    "human analyse": "human analyse {0}/ratings.csv",
    "human analyse, model": "human analyse {0}/ratings.csv --mixed-model",
    "human analyse, documents": "human analyse {0}/ratings.csv --unit document",
    "human analyse, ranks": "human analyse {0}/ranks.csv",
    "human analyse, ranks twice": "human analyse {0}/twice.csv",
    "human analyse, errors": "human analyse {0}/mqm.tsv",
    "human analyse, a model": "human analyse {0}/ratings.csv --mixed-model",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_one_is_not_many(command, small, run):
    ended = run(*COMMANDS[command].format(small).split())
    page = small / "page.html"
    text = TAG.sub(" | ", page.read_text(encoding="utf-8")) if page.exists() else ""
    said = " ".join(f"{ended.out} {ended.err} {text}".split())
    assert said
    assert ended.code != 2, ended.err
    assert [match[0] for match in ONE.finditer(said) if match[1] not in SINGULAR] == []
    assert VERB.findall(said) == []
    assert "0 of 1 pair" not in said
    assert "1 of 1 pair" not in said


def test_a_plural_behind_a_one_is_seen():
    assert VERB.search("0 of 1 pair are told apart, 1 segment and the p they allow")
    assert not VERB.search("21 segments are few; 1 segment is few; 1 segment and those that are few")
    assert [match[1] for match in ONE.finditer("1 such segments, 21 pairs, 1 pairs and 1 segment")] == [
        "segments",
        "pairs",
    ]
