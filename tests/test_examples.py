"""The project's own test set is what its README says, and its simulated systems can be made again."""

import subprocess
import sys

import pytest

from adjudge import io

SYSTEMS = {"experiment": 3, "neural": 1, "neural-fixed": 1, "rulebased": 1, "shortened": 1}


@pytest.fixture(scope="module")
def loaded(examples):
    return io.load(
        systems=[str(path) for path in sorted((examples / "systems").iterdir())],
        references=[str(examples / "reference.en"), str(examples / "reference-b.en")],
        source=str(examples / "source.pt"),
        labels=str(examples / "labels.tsv"),
    )


def test_documents_domains_and_origins(loaded):
    labels = loaded.test_set.labels
    assert len(loaded.test_set) == 173
    documents = labels["document"]
    assert len(set(documents)) == 16
    assert set(labels["domain"]) == {"news", "support"}
    assert set(labels["origin"]) == {"pt", "en"}
    # A document lies in one piece and has one domain and one origin.
    pieces = [d for i, d in enumerate(documents) if i == 0 or documents[i - 1] != d]
    assert len(pieces) == 16
    assert len(set(zip(documents, labels["domain"], labels["origin"], strict=True))) == 16


def test_systems_and_runs(loaded):
    runs = {}
    for output in loaded.outputs:
        runs[output.system] = runs.get(output.system, 0) + 1
        assert len(output) == len(loaded.test_set)
        assert all(segment.strip() for segment in output.segments)
    assert runs == SYSTEMS


def test_qualities_are_clearly_and_barely_different(loaded):
    from adjudge import score

    results = score(loaded.test_set, loaded.outputs, ["bleu"])
    bleu = {r.title: r.score for r in results.results}
    assert 0 < bleu["neural-fixed"] - bleu["neural"] < 0.5
    assert bleu["neural"] - bleu["shortened"] > 3
    assert bleu["shortened"] - bleu["rulebased"] > 3


def test_simulated_systems_can_be_made_again(examples, tmp_path):
    copy = tmp_path / "examples"
    (copy / "systems").mkdir(parents=True)
    for name in ("make_systems.py", "source.pt", "systems/neural.en"):
        (copy / name).write_bytes((examples / name).read_bytes())
    subprocess.run(
        [sys.executable, str(copy / "make_systems.py"), "simulated"], check=True, capture_output=True
    )
    made = sorted(path.name for path in (copy / "systems").iterdir())
    assert made == sorted(p.name for p in (examples / "systems").iterdir() if p.name != "rulebased.en")
    for name in made:
        assert (copy / "systems" / name).read_bytes() == (examples / "systems" / name).read_bytes()


@pytest.mark.parametrize("name", ["judgements", "answers"])
def test_made_up_judgements_can_be_made_again(examples, name):
    made = subprocess.run(
        [sys.executable, str(examples / f"make_{name}.py")],
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    assert made == (examples / f"{name}.tsv").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["people", "careful", "careful-again", "hasty", "hasty-again", "pairs"])
def test_made_up_judges_can_be_made_again(examples, kind):
    made = subprocess.run(
        [sys.executable, str(examples / "make_judges.py"), kind],
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    assert made == (examples / "judges" / f"{kind}.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "name"), [("assessment", "assessment.csv"), ("rankings", "rankings.csv"), ("edits", "edits.tsv")]
)
def test_made_up_campaigns_can_be_made_again(examples, kind, name):
    made = subprocess.run(
        [sys.executable, str(examples / "make_campaign.py"), kind],
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    assert made == (examples / name).read_text(encoding="utf-8")


def test_planted_errors_can_be_made_again(examples):
    made = subprocess.run(
        [sys.executable, str(examples / "make_challenge.py")],
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    assert made == (examples / "challenge.tsv").read_text(encoding="utf-8")
