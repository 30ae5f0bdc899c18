"""Test sets by name, through sacreBLEU's catalogue: every format it has, verified, and no network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

import adjudge
from adjudge.errors import DataError, MissingExtraError, UsageError
from adjudge.io import named_sets
from helpers.made_sets import DOCUMENTS, OUTPUTS, SEGMENTS, MadeSets

PAIR = "de-en"
FORMATS = [
    *("made18", "made18/tworefs", "made24", "made24/AB", "made22"),
    *("made/plain", "made/packed", "made/tsv", "made/iwslt", "made/again"),
]


def load(name: str, **more: Any) -> adjudge.io.Loaded:
    return adjudge.load(test_set=f"sacrebleu:{name}", **{"language": PAIR, **more})


@pytest.mark.parametrize("name", FORMATS)
def test_texts_are_as_sacrebleu_gives_them(made_sets: MadeSets, name: str) -> None:
    test_set = load(name).test_set
    own = made_sets.entries[name]
    assert list(test_set.sources or ()) == list(own.source(PAIR))
    theirs = [
        [line.rstrip() for line in Path(file).read_text().split("\n")[:-1]]
        for file in own.get_reference_files(PAIR)
    ]
    assert sorted(map(list, test_set.references)) == sorted(theirs)
    assert (test_set.name, test_set.language) == (name, PAIR)


def test_labels_of_documents(made_sets: MadeSets) -> None:
    documents = tuple(name for name, *_, segments in DOCUMENTS for _ in segments)
    domains = tuple(domain for _, _, domain, segments in DOCUMENTS for _ in segments)
    for name in ("made18", "made24"):
        labels = load(name).test_set.labels
        assert labels == {"document": documents, "domain": domains, "origin": ("de", "de", "en", "en", "de")}
    assert set(load("made22").test_set.labels) == {"document", "origin"}
    assert load("made/plain").test_set.labels == {}


def test_references_are_those_that_count_there_and_others_can_be_asked_for(made_sets: MadeSets) -> None:
    assert load("made24").test_set.references[0][0] == "The dog barks."
    assert load("made22").test_set.references[0][0] == "A dog is barking."
    both = load("made24/AB").test_set.references
    assert [column[4] for column in both] == ["Nobody was surprised.", "No one was surprised."]
    for column in ("refB", "ref:B"):
        other = load("made24", references=[f"sacrebleu:made24:{column}"]).test_set.references
        assert [list(own) for own in other] == [list(both[1])]


def test_outputs_that_lie_in_a_set_are_systems(made_sets: MadeSets) -> None:
    outputs = {output.system: list(output.segments) for output in load("made24").outputs}
    assert outputs["bad"] == OUTPUTS["bad"]
    assert outputs["good"][1] == "It rains & storms."  # XML, where SGM stays as it stands
    assert load("made18").test_set.references[0][1] == "It rains &amp; storms."


def test_the_language_pair_stands_behind_the_name_as_well(made_sets: MadeSets) -> None:
    loaded = adjudge.load(test_set=f"sacrebleu:made/plain:{PAIR}")
    assert loaded.test_set.sources == tuple(texts[0].rstrip() for texts in SEGMENTS)
    [source] = loaded.inputs
    assert (source.role, source.path) == ("test_set", "sacrebleu:made/plain:de-en")
    assert adjudge.load(test_set="sacrebleu:made18").test_set.language == PAIR  # the only one it has


@pytest.mark.parametrize(
    ("name", "language", "message"),
    [
        ("made/plain", None, "several language pairs, say which one with -l: de-en, en-de"),
        ("made/plain", "de-fr", "unknown language pair 'de-fr'; did you mean"),
        ("made81", PAIR, "unknown test set 'made81'; did you mean 'made18'"),
        ("", PAIR, "unknown test set ''"),
    ],
)
def test_what_is_not_in_the_catalogue(
    made_sets: MadeSets, name: str, language: str | None, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        load(name, language=language)


def test_scores_are_those_of_sacrebleu(made_sets: MadeSets, tmp_path: Path) -> None:
    path = tmp_path / "good.en"
    path.write_text("".join(f"{line}\n" for line in OUTPUTS["good"]))
    for name in FORMATS:
        loaded = load(name, systems=[str(path)])
        references = [[text or "" for text in column] for column in loaded.test_set.references]
        expected = sacrebleu.corpus_chrf(OUTPUTS["good"], references).score
        [result] = adjudge.score(loaded.test_set, loaded.outputs, ["chrf"]).results
        assert result.score == pytest.approx(expected, abs=1e-9)


def test_a_damaged_archive_is_refused(made_sets: MadeSets) -> None:
    load("made18")
    archive = made_sets.archive("made18")
    data = bytearray(archive.read_bytes())
    data[-5] ^= 1
    archive.write_bytes(data)
    with pytest.raises(DataError, match=r"sgm.tgz: MD5 .* but sacreBLEU's catalogue has .*delete it"):
        load("made18")


def test_texts_in_the_cache_that_were_changed_are_not_believed(made_sets: MadeSets) -> None:
    expected = load("made18").test_set.references
    [reference] = made_sets.entries["made18"].get_reference_files(PAIR)
    Path(reference).write_text("something else\n")
    named_sets._extracted_fields.cache_clear()
    assert load("made18").test_set.references == expected


def test_a_download_that_is_another_file_is_refused_and_does_not_stay(made_sets: MadeSets) -> None:
    (made_sets.archives / "sgm.tgz").write_bytes(b"<html>moved</html>")
    for _ in range(2):
        with pytest.raises(DataError, match="another checksum than sacreBLEU's catalogue"):
            load("made18")
        assert not made_sets.archive("made18").exists()


def test_without_a_network_it_is_said_how_to_get_it(made_sets: MadeSets) -> None:
    (made_sets.archives / "sgm.tgz").unlink()
    with pytest.raises(DataError) as refused:
        load("made18")
    message = str(refused.value)
    assert "HTTP Error 404" in message
    assert "sacrebleu --download made18 -l de-en" in message
    assert f"to {made_sets.cache / 'made18'} (SACREBLEU in the environment" in message


def test_once_fetched_no_network_and_no_right_to_write_is_needed(
    made_sets: MadeSets, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = load("made24").test_set
    for file in made_sets.archives.iterdir():
        file.unlink()
    own = made_sets.entries["made24"]
    monkeypatch.setattr(
        own, "maybe_download", lambda: pytest.fail("something was asked of the network or the cache")
    )
    named_sets._extracted_fields.cache_clear()
    assert load("made24").test_set == expected


def test_texts_without_their_archive_are_read_with_a_note(made_sets: MadeSets) -> None:
    expected = load("made18").test_set
    made_sets.entries["made18"].get_files(PAIR)
    made_sets.archive("made18").unlink()
    loaded = load("made18")
    assert loaded.test_set == expected
    assert "no checksum could be verified" in loaded.notes[0]


def test_an_archive_without_the_file_it_should_have(made_sets: MadeSets) -> None:
    own = made_sets.entries["made/tsv"]
    own.langpairs = {PAIR: ["9:made/de-en.tsv", "3:made/missing.tsv"]}
    with pytest.raises(DataError, match=r"sacreBLEU cannot read de-en in .*tsv.tar.gz"):
        load("made/tsv")


def test_fields_of_different_lengths_are_refused(made_sets: MadeSets) -> None:
    own = made_sets.entries["made/again"]
    (made_sets.archives / "again.ref").write_text("one line\n")
    own.md5 = None
    with pytest.raises(DataError, match="different lengths, or empty ones: src 5, ref 1"):
        load("made/again")


def test_a_name_without_its_prefix_is_understood(made_sets: MadeSets) -> None:
    with pytest.raises(
        DataError, match=r"made18 does not exist; sacreBLEU's test set of that name is sacrebleu:made18"
    ):
        adjudge.load(test_set="made18", language=PAIR)
    with pytest.raises(DataError, match=r"made81 does not exist$"):
        adjudge.load(test_set="made81", language=PAIR)


def test_a_file_of_that_name_is_a_file(
    made_sets: MadeSets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sacrebleu:made18").write_text("A line.\n")
    loaded = adjudge.load(references=["sacrebleu:made18"])
    assert loaded.test_set.references == (("A line.",),)


def test_without_the_package_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu.dataset", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'adjudge\[testsets\]'"):
        load("wmt24")
    import adjudge.compat.sacrebleu as compatible

    assert compatible.get_available_testsets() == []
