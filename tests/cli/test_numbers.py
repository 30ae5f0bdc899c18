"""Every option of every command that takes a number, under numbers that are none: an answer, never a fault."""

from pathlib import Path

import click
import pytest

from adjudge.cli import commands

BAD = ("nan", "inf", "-inf", "-1", "1e-320", "1" + "0" * 23, "9" * 400, "0", "")
ANALYSES = [
    "buckets",
    "changes",
    "contamination",
    "diversity",
    "errors",
    "examples",
    "faults",
    "ngrams",
    "origins",
    "scores",
    "terms",
    "words",
]
LISTS = {"power": ("--looks", "--n", "--effect")}
"""Options that take several numbers, as a text."""
EXAMPLES = Path(__file__).parents[2] / "examples"
JUDGES = EXAMPLES / "judges"
HISTORY = EXAMPLES / "history.db"


def walk(command, path=()):
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from walk(command.get_command(context, name), (*path, name))


def numeric(kind):
    return isinstance(kind, (click.types.IntParamType, click.types.FloatParamType))


OPTIONS = sorted(
    (" ".join(path), parameter.opts[-1])
    for path, command in walk(commands)
    for parameter in command.params
    if numeric(parameter.type) or parameter.opts[-1] in LISTS.get(path[-1], ())
)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """What each command needs to do something small."""
    folder = tmp_path_factory.mktemp("numbers")
    lines = [f"the cat sat on mat {n}" for n in range(12)]
    texts = {
        "ref": lines,
        "a": [line.replace("cat", "dog") for line in lines],
        "b": [line.replace("mat", "rug") for line in lines],
    }
    for name, content in texts.items():
        (folder / name).write_text("\n".join(content) + "\n")
    rows = ["system\tsegment\tannotator\tscore"]
    rows += [
        f"{s}\t{n}\t{who}\t{(n * 7 + ord(s) + i) % 100}"
        for s in "ab"
        for n in range(12)
        for i, who in enumerate(("u", "v"))
    ]
    (folder / "judged.tsv").write_text("\n".join(rows) + "\n")
    (folder / "nbest.jsonl").write_text(
        '{"hypotheses": ["a b", "a"], "reference": "a", "features": {"f": [1, 0]}}\n'
    )
    return folder


def arguments(command, option, files):
    reference, first, two = (str(files / name) for name in ("ref", "a", "b"))
    scored = ("-r", reference, first, two, "-q")
    pilot = ("-r", reference, first, two) if option in ("--scale", "--difference", "--trials") else ()
    looked = ("--looks", "2", "--look", "1") if option in ("--look", "--p", "--z") else ()
    return {
        "compare": (*scored, "--resamples", "10", "--trials", "10"),
        "score": scored,
        "report": (
            *scored,
            "--resamples",
            "10",
            "--trials",
            "10",
            "--no-charts",
            "-o",
            str(files / "page.html"),
        ),
        "xray": (*scored, "-m", "ter"),
        "power": (*pilot, *looked, *(() if pilot or option == "--effect" else ("--effect", "0.4"))),
        "human analyse": (str(files / "judged.tsv"), "--resamples", "10", "--trials", "10"),
        "tune parameters": (*scored, "-j", str(files / "judged.tsv"), "--task", "da"),
        "tune learned": (*scored, "-j", str(files / "judged.tsv"), "-m", "chrf"),
        "rerank": (str(files / "nbest.jsonl"), "--utility", "wer"),
        "tune weights": (str(files / "nbest.jsonl"), "--restarts", "2"),
        "gate": ("--against", str(files / "missing.json"), first),
        "verify": (str(files / "missing.json"),),
        "human spans": (
            "--gold",
            str(JUDGES / "people.jsonl"),
            str(JUDGES / "careful.jsonl"),
            "--trials",
            "10",
        ),
        "judge": ("-m", "chrf", *scored),
        "parse": ("--parser", "nothing", reference),
        "judge-card": (str(JUDGES / "careful.jsonl"), "--resamples", "10"),
        "human serve": ("-d", str(files / "ref"), "--workers", "2"),  # ends before it listens
        "serve": ("--host", "256.0.0.1"),  # where nobody can listen
        "human new": (str(files / "missing.toml"), "--select", "random"),
        "meta challenge": (str(files / "missing"),),
        "meta fit-differences": (str(files / "missing"),),
        "meta run": (str(files / "missing"),),
        "qe train": (str(files / "missing.tsv"), "--save", str(files / "model.json")),
        "qe score": (str(files / "missing.json"), "-s", reference, first),
        "qe filter": (str(files / "missing.json"), "-s", reference, first),
        "qe evaluate": (str(files / "missing.tsv"), "-m", str(files / "missing.json")),
        "meta rankings": (str(files / "missing"), *scored),
        "meta export": (str(files / "missing"),),
        "meta levels": (str(files / "missing"),),
        "study run": (str(files / "missing.toml"),),
        **{f"history {name}": ("--history", str(HISTORY), "-q") for name in ("draw", "regressions")},
        "history diff": ("v1.5", "v1.6", "--history", str(HISTORY), "-q"),
        **{f"history {name}": ("--history", str(HISTORY)) for name in ("list", "export")},
        **{f"analyse {name}": scored for name in ANALYSES},
        "human release": ("name", "-d", str(files / "missing.db")),
        "human convert": (str(files / "judged.tsv"), "--to", "jsonl"),
    }[command]


def test_there_are_such_options():
    assert len(OPTIONS) > 50
    assert ("compare", "--alpha") in OPTIONS
    assert ("power", "--looks") in OPTIONS


@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_a_number_that_is_none_gets_an_answer(run, files, command, option):
    for value in BAD:
        result = run(*command.split(), *arguments(command, option, files), option, value)
        text = f"{command} {option} {value[:30]}: exit {result.code}\n{result.err[-500:]}"
        assert result.code in (0, 1, 2, 3), text
        assert "Traceback" not in result.err, text
        assert max(map(len, result.err.splitlines()), default=0) < 1000, text
        if value in ("nan", "inf", "-inf", "", "9" * 400):
            assert result.code == 2, text


SACREBLEU = ("-w", "-nr", "-cc", "-cw", "--chrf-beta", "-sv", "-cin", "-parn", "-pbsn")


@pytest.mark.parametrize("option", SACREBLEU)
@pytest.mark.parametrize("value", ["nan", "inf", "-1", "1" + "0" * 23, "1000"])
def test_numbers_of_sacrebleu(run, files, option, value):
    more = {
        "-cin": ["--confidence"],
        "-parn": ["--paired-ar"],
        "-pbsn": ["--paired-bs"],
        "-sv": ["-s", "floor"],
    }
    tokens = [str(files / "ref"), "-i", str(files / "a"), str(files / "b"), "-m", "bleu", "chrf"]
    result = run("sacrebleu", *tokens, *more.get(option, []), f"{option}", value)
    assert result.code in (0, 1, 2, 17), result.err  # 17 is sacreBLEU's own for a file with too few columns
    assert "Traceback" not in result.err
    assert "unexpected" not in result.err
    if value in ("nan", "inf") or (len(value) > 20 and option != "-sv"):
        assert result.code == 2
