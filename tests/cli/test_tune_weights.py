"""adjudge tune weights: weights on stdout and in a file that rerank takes."""

import json

import pytest

LINES = [
    {"hypotheses": ["a x", "a b c d"], "reference": "a b c d", "features": {"lm": [5, 1], "tm": [0, 1]}},
    {"hypotheses": ["e f g h", "e"], "reference": "e f g h", "features": {"lm": [1, 2], "tm": [3, 1]}},
]


@pytest.fixture
def nbest(tmp_path):
    path = tmp_path / "nbest.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    return path


def test_the_file_is_what_rerank_takes(run, nbest, tmp_path):
    path = tmp_path / "weights.toml"
    done = run("tune", "weights", nbest, "--held-out", nbest, "-o", path)
    assert done.code == 0, done.err
    assert "fitted to, 2 segments" in done.out
    assert "held out, 2 segments" in done.out
    assert "seed 12345" in path.read_text(encoding="utf-8")
    assert f"wrote {path}" in done.err
    chosen = json.loads(run("rerank", nbest, "--rule", "model", "--weights", path, "-f", "json").out)
    assert [choice["index"] for choice in chosen["choices"]] == [1, 0]
    again = run("tune", "weights", nbest, "--start", path, "--restarts", 0, "-q", "-f", "json")
    assert json.loads(again.out)["start"] == pytest.approx(100)


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
def test_formats(run, nbest, form):
    done = run("tune", "weights", nbest, "-m", "chrf", "-f", form)
    assert done.code == 0, done.err
    assert "lm" in done.out
    assert "--held-out" in done.err  # a score of what was fitted to is said to be one
    if form == "json":
        document = json.loads(done.out)
        assert document["weights"].keys() == {"lm", "tm"}
        assert document["held_out"] is None
        assert document["options"]["seed"] == 12345


@pytest.mark.parametrize(
    ("content", "arguments", "code", "message"),
    [
        ('{"hypotheses": ["a", "b"], "reference": "a"}\n', [], 1, "the hypotheses have no features"),
        ('{"hypotheses": ["a", "b"], "features": {"f": [1, 2]}}\n', [], 1, "line 1 has no reference"),
        (
            '{"hypotheses": ["a", "b"], "reference": "a", "features": {"f": [1, NaN]}}\n',
            [],
            1,
            "line 1: feature f is nan; a finite number was expected",
        ),
        (
            '{"hypotheses": ["a", "b"], "reference": "a", "features": {"f": [1, 2]}}\n',
            ["-m", "bleuu"],
            2,
            "did you mean 'bleu'?",
        ),
        (
            '{"hypotheses": ["a", "b"], "reference": "a", "features": {"f": [1, 2]}}\n',
            ["--search", "powel"],
            2,
            "did you mean 'powell'?",
        ),
    ],
)
def test_faults(run, tmp_path, content, arguments, code, message):
    path = tmp_path / "nbest.jsonl"
    path.write_text(content, encoding="utf-8")
    done = run("tune", "weights", path, *arguments)
    assert done.code == code
    assert message in done.err
    assert done.out == ""
