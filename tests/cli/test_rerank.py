"""adjudge rerank: choices in every format, and what is said of files that cannot be chosen from."""

import json

import pytest

LINES = [
    {
        "hypotheses": ["the cat", "a cat sat", "the cat sat", "a cat sat", "a cat sat"],
        "reference": "a cat sat",
        "scores": [4, 1, 2, 3, 1],
    },
    {"hypotheses": ["yes"], "reference": "no", "scores": [0]},
]


@pytest.fixture
def nbest(tmp_path):
    path = tmp_path / "nbest.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    return path


def test_json_has_the_choices(run, nbest):
    done = run("rerank", nbest, "--utility", "chrf", "-f", "json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    assert [choice["index"] for choice in document["choices"]] == [2, 0]
    assert document["choices"][0]["hypothesis"] == "the cat sat"
    assert document["choices"][0]["oracle"]["index"] == 1
    assert document["choices"][1]["segment"] == 2
    assert document["signature"].startswith("nrefs:1|case:mixed|eff:yes|nc:6")
    assert [own["choice"] for own in document["scores"]] == ["first", "mbr", "oracle"]
    assert document["changed"] == 1


@pytest.mark.parametrize("form", ["text", "tsv", "markdown", "latex"])
def test_other_formats(run, nbest, form):
    done = run("rerank", nbest, "--utility", "bleu", "-f", form)
    assert done.code == 0, done.err
    assert "cat sat" in done.out


def test_text_says_what_was_gained(run, nbest):
    done = run("rerank", nbest, "-m", "bleu,chrf")
    assert (
        "2 segments, 6 hypotheses (4 different): another than the first was chosen for 1 (50 %)" in done.out
    )
    for word in ("least risk", "oracle", "first of each list", "BLEU", "chrF"):
        assert word in done.out


def test_texts_and_other_rules(run, nbest, tmp_path):
    texts = tmp_path / "chosen.txt"
    assert run("rerank", nbest, "--rule", "oracle", "--texts", texts).code == 0
    assert texts.read_text(encoding="utf-8") == "a cat sat\nyes\n"
    assert run("rerank", nbest, "--rule", "model", "--texts", texts).code == 0
    assert texts.read_text(encoding="utf-8") == "the cat\nyes\n"


def test_weights_make_the_scores(run, tmp_path):
    path = tmp_path / "nbest.txt"
    path.write_text("0 ||| a ||| lm= 1 tm= 0 ||| 9\n0 ||| b ||| lm= 0 tm= 1 ||| 1\n", encoding="utf-8")
    weights = tmp_path / "w.toml"
    weights.write_text('[weights]\n"lm" = 0.2\ntm = 0.8\n', encoding="utf-8")
    done = run("rerank", path, "--rule", "model", "--weights", weights, "-f", "json")
    assert json.loads(done.out)["choices"][0]["hypothesis"] == "b"
    for text, message in (
        ("[weights]\nlm = 1\n", "no weight of tm; the features are lm and tm"),
        ("[weights]\nlm = nan\ntm = 1\n", "the weight of lm is nan; a finite number was expected"),
        ("lm = 1\n", "has no table [weights]"),
        ("?", "neither TOML nor JSON"),
    ):
        weights.write_text(text, encoding="utf-8")
        done = run("rerank", path, "--rule", "model", "--weights", weights)
        assert done.code == 1
        assert message in done.err
        assert str(weights) in done.err


def test_approximations_are_said_to_be_such(run, nbest):
    done = run("rerank", nbest, "--utility", "ter", "--sample", "2", "--shortlist", "2", "--check", "2")
    assert (
        "APPROXIMATE CHOICES: 2 references drawn from each list, only the 2 best by expected chrF" in done.out
    )
    assert "On 2 segments the exact choice was made as well" in done.out


@pytest.mark.parametrize(
    ("content", "arguments", "code", "message"),
    [
        ("", [], 1, "is empty: no segment in it"),
        ('{"hypotheses": ["a"]}\nx\n', [], 1, "nbest.jsonl, line 2: not JSON"),
        ('{"hypotheses": ["a"]}\n', ["--utility", "chrff"], 2, "did you mean 'chrf'?"),
        ('{"hypotheses": ["a"]}\n', ["--rule", "oracle"], 1, "line 1 has no reference for the oracle"),
        (
            '{"hypotheses": ["a"]}\n',
            ["-m", "bleu"],
            2,
            "-m scores choices with references, and there are none",
        ),
        ('{"hypotheses": ["a"]}\n', ["--weighted"], 2, "no scores of the model"),
        ('{"hypotheses": ["a"]}\n', ["--utility", "comet(model=x)"], 2, "needs the source"),
    ],
)
def test_faults(run, tmp_path, content, arguments, code, message):
    path = tmp_path / "nbest.jsonl"
    path.write_text(content, encoding="utf-8")
    done = run("rerank", path, *arguments)
    assert done.code == code
    assert message in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
