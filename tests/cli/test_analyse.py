"""`adjudge analyse`: every analysis in every format, over files as people have them, and what it says of bad ones."""

import json

import pytest

ANALYSES = ("errors", "words", "ngrams", "buckets", "changes", "diversity", "scores", "examples")


@pytest.fixture
def files(tmp_path):
    reference = ["The old house stands there.", "We see many trees, 12 of them.", "Nobody knows the way."] * 8
    worse = [line.replace("the", "a").replace("trees", "tree").replace("Nobody", "He") for line in reference]
    good = [*reference[:-1], "Nobody knew the way."]
    for name, lines in {"ref.en": reference, "good.en": good, "worse.en": worse}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex", "html"])
@pytest.mark.parametrize("analysis", ANALYSES)
def test_every_format(run, files, analysis, form):
    output = files / f"out.{form}"
    arguments = ["-r", files / "ref.en", files / "worse.en", files / "good.en", "-f", form, "-o", output]
    result = run("analyse", analysis, *arguments)
    assert (result.code, result.err) == (0, "")
    content = output.read_text()
    assert "worse" in content
    if form == "json":
        document = json.loads(content)
        assert document["version"]
        assert [item["path"].rsplit("/")[-1] for item in document["inputs"]] == [
            "ref.en",
            "worse.en",
            "good.en",
        ]
    if form == "tsv":
        assert len({line.count("\t") for line in content.splitlines()}) == 1


def test_names_cannot_break_a_page(run, files):
    evil = files / "<img src=x onerror=alert(1)>.en"
    evil.write_text((files / "worse.en").read_text())
    for analysis in ANALYSES:
        arguments = ["-r", files / "ref.en", files / "good.en", evil, "-f", "html"]
        page = run("analyse", analysis, *arguments).out
        assert "<img" not in page
        assert "&lt;img" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["errors"], "no system output to analyse errors"),
        (["ngrams", "-r", "ref.en", "good.en"], "two systems apart, and there are 1"),
        (["words", "-r", "ref.en", "good.en", "--bucket-by", "colour"], "unknown property of words"),
        (["words", "-r", "ref.en", "good.en", "--frequency-text", "nowhere.en"], "nowhere.en does not exist"),
        (["words", "-r", "ref.en", "good.en", "--tokenize", "nltk"], "unknown tokenizer"),
        (["buckets", "-r", "ref.en", "good.en", "--bucket-by", "domain"], "the test set has none"),
        (["buckets", "-r", "ref.en", "good.en", "--cuts", "a"], "--cuts a: is not a number"),
        (["buckets", "-r", "ref.en", "good.en", "--bucket-by", "pos"], "--trees FILE"),
        (
            ["buckets", "-r", "ref.en", "good.en", "--training", "ref.en"],
            "--training is for --bucket-by contamination",
        ),
        (
            ["buckets", "-r", "ref.en", "good.en", "--judgements", "ref.en"],
            "--judgements is for --bucket-by human",
        ),
        (["errors", "-r", "ref.en", "good.en", "-m", "bleu"], "knows no classes of errors"),
        (["errors", "-r", "ref.en", "good.en", "-o", "good.en"], "good.en"),
    ],
)
def test_what_cannot_be_answered_is_said(run, files, monkeypatch, arguments, message):
    monkeypatch.chdir(files)
    before = (files / "good.en").read_text()
    result = run("analyse", *arguments)
    assert result.code == (1 if "nowhere" in message else 2)
    assert message in result.err
    assert (files / "good.en").read_text() == before


def test_frequencies_of_a_training_text(run, files):
    training = files / "train.en"
    training.write_text("the the the house\n" * 10)
    arguments = ["-r", files / "ref.en", files / "worse.en", "--frequency-text", training, "-f", "json"]
    document = json.loads(run("analyse", "words", *arguments).out)
    assert document["counted_in"] == "another text"
    assert {bucket["name"] for bucket in document["buckets"]} == {"0", "10–99"}


def test_contamination_makes_labels_to_group_by(run, files):
    training = files / "train.en"
    training.write_text((files / "ref.en").read_text().split("\n")[0] + "\nsomething else\n")
    labels = files / "seen.tsv"
    result = run(
        "analyse", "contamination", "-r", files / "ref.en", "--training", training, "-f", "tsv", "-o", labels
    )
    assert (result.code, result.err) == (0, "")
    assert labels.read_text().splitlines()[:2] == ["contamination\tcovered", "exact\t1.0"]
    arguments = ["-r", files / "ref.en", "-L", labels, "--by", "contamination", "-m", "chrf"]
    compared = run("compare", *arguments, files / "worse.en", files / "good.en")
    assert "contamination=exact" in compared.out
    assert "contamination=unseen" in compared.out
    shown = run("analyse", "contamination", "-r", files / "ref.en", "--training", training)
    assert "8 (33 %)" in shown.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-r", "ref.en"], "no training text to look into"),
        (["--training", "ref.en"], "no test set to look for"),
        (["-r", "ref.en", "--training", "gone.en"], "gone.en does not exist"),
    ],
)
def test_contamination_without_what_it_needs(run, files, monkeypatch, arguments, message):
    monkeypatch.chdir(files)
    result = run("analyse", "contamination", *arguments)
    assert result.code in (1, 2)
    assert message in result.err


def test_a_training_text_is_not_written_over(run, files, monkeypatch):
    monkeypatch.chdir(files)
    before = (files / "good.en").read_text()
    result = run("analyse", "contamination", "-r", "ref.en", "--training", "good.en", "-o", "good.en")
    assert result.code == 2
    assert (files / "good.en").read_text() == before


def test_terms_of_a_glossary(run, files):
    glossary = files / "terms.tsv"
    glossary.write_text("casa\thouse | home\n")
    (files / "source.pt").write_text("a casa\n" * 24)
    arguments = ["-s", files / "source.pt", "-r", files / "ref.en", files / "worse.en", files / "good.en"]
    document = json.loads(run("analyse", "terms", "--glossary", glossary, *arguments, "-f", "json").out)
    assert [(s["system"], s["kept"], s["of"]) for s in document["systems"]] == [
        ("worse", 8, 24),
        ("good", 8, 24),
        ("reference", 8, 24),
    ]
    assert run("analyse", "terms", *arguments).err == "adjudge: error: no glossary: --glossary FILE\n"


def test_buckets_by_what_people_thought_and_by_what_was_seen(run, files):
    systems = ["-r", files / "ref.en", files / "worse.en", files / "good.en"]
    rows = [f"{system}\t{i + 1}\t{i % 3 * 40}\n" for system in ("good", "worse") for i in range(24)]
    (files / "answers.tsv").write_text("system\tsegment\tscore\n" + "".join(rows))
    arguments = [
        "--judgements",
        files / "answers.tsv",
        "--bucket-by",
        "human",
        "--cuts",
        "20,60",
        "-f",
        "json",
    ]
    document = json.loads(run("analyse", "buckets", *systems, *arguments).out)
    assert [(b["name"], b["segments"]) for b in document["tables"][0]["buckets"]] == [
        ("<20", 8),
        ("20–60", 8),
        ("≥60", 8),
    ]
    assert document["inputs"][-1]["path"].endswith("answers.tsv")
    (files / "train.en").write_text("The old house stands there.\nnobody knows the way\n")
    arguments = ["--training", files / "train.en", "--bucket-by", "contamination", "-f", "json"]
    document = json.loads(run("analyse", "buckets", *systems, *arguments).out)
    kinds = {b["name"]: b["segments"] for b in document["tables"][0]["buckets"]}
    assert kinds == {"exact": 8, "alike": 8, "unseen": 8}


def test_words_and_buckets_by_part_of_speech(run):
    folder = "examples/trees"
    arguments = ["-r", f"{folder}/reference.en", "--trees", f"{folder}/trees.conllu", f"{folder}/neural.en"]
    for analysis in ("words", "buckets"):
        result = run("analyse", analysis, "--bucket-by", "pos", *arguments)
        assert result.code == 0
        assert "NOUN" in result.out


def test_errors_by_part_of_speech_and_beside_what_people_marked(run, tmp_path):
    folder = "examples/trees"
    texts = ["-r", f"{folder}/reference.en", f"{folder}/neural.en", f"{folder}/jumbled.en"]
    result = run("analyse", "errors", *texts, "--trees", f"{folder}/trees.conllu")
    assert "neural by part of speech" in result.out
    marked = tmp_path / "mqm.jsonl"
    error = {"start": 0, "end": 3, "severity": "major", "category": "Accuracy/Mistranslation"}
    rows = [
        {"protocol": "mqm", "system": "neural", "item": "1", "annotator": "ann", "spans": [error]},
        {"protocol": "mqm", "system": "neural", "item": "2", "annotator": "ann", "spans": []},
    ]
    marked.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for form in ("text", "json", "tsv", "markdown", "latex", "html"):
        result = run("analyse", "errors", *texts, "--judgements", marked, "-f", form)
        assert (result.code, result.err) == (0, "")
        assert form == "tsv" or "wrong choice" in result.out
        if form == "json":
            branches = {b["name"]: b for b in json.loads(result.out)["typology"]["branches"]}
            assert branches["wrong choice"]["human"][0]["errors"] == 1
