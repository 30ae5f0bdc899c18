"""The command that makes a page: one file, whole or not at all, and refusals that say the way out."""

import re

import pytest

from adjudge.cli._report_material import ReportInput, dossier_of_input
from adjudge.cli._run import Workers
from adjudge.comparison import Plan
from adjudge.io import pdf
from adjudge.io.studies import load_study

FEW = ("--trials", "50", "--resamples", "20", "-q")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    lines = [f"the cat sat on mat {n} again today" for n in range(30)]
    texts = {
        "ref.en": lines,
        "src.pt": [f"o gato sentou {n}" for n in range(30)],
        "old.en": [line.replace("cat", "dog") for line in lines],
        "new.en": [line.replace("mat", "rug") if n % 3 else line for n, line in enumerate(lines)],
        "third.en": lines[::-1],
    }
    for name, content in texts.items():
        (folder / name).write_text("\n".join(content) + "\n", encoding="utf-8")
    rows = ["system\tsegment\tannotator\tscore"]
    rows += [f"{s}\t{n}\tu\t{60 + 10 * (s == 'new') + n % 7}" for s in ("old", "new") for n in range(1, 31)]
    (folder / "judged.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    qe = ["system\tsegment\tscore"] + [f"{s}\t{n}\t0.{n:02}" for s in ("old", "new") for n in range(1, 31)]
    (folder / "qe.tsv").write_text("\n".join(qe) + "\n", encoding="utf-8")
    (folder / "study.toml").write_text(
        'name = "spring"\nmetrics = ["chrf"]\nbaseline = "old"\n'
        + "".join(
            f'[[test_set]]\nname = "{name}"\nlanguage = "pt-en"\nreferences = ["ref.en"]\n'
            'systems = ["old.en", "new.en"]\n'
            for name in ("news", "talks")
        ),
        encoding="utf-8",
    )
    return folder


def made(run, files, *arguments, name="page.html"):
    """The page that a command makes, and what it said."""
    path = files / name
    result = run("report", *arguments, *FEW, "--no-charts", "-o", str(path))
    assert result.code == 0, result.err
    return path.read_text(encoding="utf-8")


def given(files, *names):
    return ["-r", str(files / "ref.en"), *(str(files / f"{name}.en") for name in names)]


def test_files_become_a_page(run, files):
    page = made(run, files, *given(files, "old", "new"), "-s", str(files / "src.pt"))
    assert "Who wins?" in page
    assert 'id="segments"' in page
    assert "Faults, in percent" in page


def test_a_training_text_is_looked_through(run, files):
    (files / "other.txt").write_text("nothing of it\n", encoding="utf-8")
    page = made(run, files, *given(files, "old", "new"), "--training", str(files / "other.txt"))
    assert "nothing of it stands in other.txt" in page
    seen = made(run, files, *given(files, "old", "new"), "--training", str(files / "ref.en"))
    assert "that the training text has as they are" in seen
    manager = made(
        run, files, *given(files, "old", "new"), "--training", str(files / "ref.en"), "--audience", "manager"
    )
    assert "Part of the test stands in what an engine was trained on" in manager
    gone = run(
        "report", *given(files, "old", "new"), "--training", "gone.txt", "-o", str(files / "gone.html")
    )
    assert gone.code == 1
    assert "gone.txt does not exist" in gone.err


def test_judgements_and_estimates_stand_beside_the_scores(run, files):
    page = made(
        run,
        files,
        *given(files, "old", "new"),
        *("-j", str(files / "judged.tsv"), "--qe", str(files / "qe.tsv")),
    )
    assert "What people said" in page
    assert "People decide (" in page


def test_a_study_is_one_page_of_all_its_sets_or_of_one(run, files):
    page = made(run, files, str(files / "study.toml"))
    assert "old and new on 2 test sets (spring)" in page
    assert "60 segments" in page
    assert "in the mean over 2 test sets" in page
    assert "Here each test set counts alike" in page
    assert "chrF: mean over test sets" in page
    assert 'id="set-2-systems"' in page
    page = made(run, files, str(files / "study.toml"), "--set", "talks")
    assert "30 segments" in page
    assert "counts alike" not in page
    result = run("report", str(files / "study.toml"), "--set", "talk", "-o", str(files / "x.html"))
    assert (result.code, "did you mean 'talks'" in result.err) == (2, True)


@pytest.mark.parametrize("lower", [(), ("qe",)])
def test_scores_that_a_study_calls_better_where_lower_stay_so(files, lower):
    text = (files / "study.toml").read_text(encoding="utf-8")
    text = text.replace('name = "talks"', 'name = "talks"\nqe = ["qe.tsv"]')
    path = files / "estimates.toml"
    path.write_text(f"lower_is_better = {list(lower)}\n{text}", encoding="utf-8")
    options = {
        "cost_per_word": None,
        "currency": "",
        "by": (),
        "wage": None,
        "scratch_speed": None,
        "training": (),
        "engine_cost": 0.0,
    }
    loaded = load_study(str(path))
    given = ReportInput("autumn", loaded.sets, ("chrf",), study=loaded)
    few = {"trials": 50, "resamples": 20}
    work = Workers(1, "local", None, None)
    study = dossier_of_input(given, options, few, Plan(baseline="old", **few), work)
    (over_sets,) = (own for own in study.segments.scores if own.key == "qe")
    (of_set,) = given.context(loaded.sets[1], options).estimates
    assert over_sets.higher_better is of_set.higher_better is (not lower)


LANGUAGES = """name = "autumn"
metrics = ["bleu"]
[[test_set]]
name = "news"
language = "pt-en"
references = ["ref.en"]
source = "src.pt"
systems = ["old.en", "new.en"]
judgements = ["judged.tsv"]
qe = ["qe.tsv"]
[[test_set]]
name = "tea"
language = "en-zh"
references = ["zh/ref.zh"]
systems = ["zh/old.zh"]
"""


def test_a_study_in_several_languages_is_one_page_too(run, files):
    (files / "zh").mkdir(exist_ok=True)
    for name, line in (("ref", "今天天气很好我们去公园"), ("old", "今天天气好我们去公园")):
        (files / "zh" / f"{name}.zh").write_text(f"{line}\n" * 5, encoding="utf-8")
    (files / "languages.toml").write_text(LANGUAGES, encoding="utf-8")
    page = made(run, files, str(files / "languages.toml"))
    assert "35 segments in en-zh and pt-en" in page
    assert "new has no output for tea (en-zh): it has no mean, and is compared on the other set." in page
    assert "What people said" not in page.partition('id="set-2-systems"')[2].partition('id="segments"')[0]
    assert "news (pt-en): what people said" in page
    assert "BLEU(tokenize=zh)" in page
    assert "tea (en-zh)" in made(
        run, files, str(files / "languages.toml"), "--audience", "manager", name="decision.html"
    )


def test_a_manager_gets_one_page(run, files):
    page = made(run, files, *given(files, "old", "new"), "--audience", "manager", "--cost-per-word", "0.05")
    assert "How sure is that?" in page
    assert "editing 1,000 words" in page
    assert 'id="segments"' not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "where should the page go? -o report.html"),
        (("-o", "x.html", "--audience", "boss"), "unknown audience 'boss'"),
        (("-o", "x.html", "--set", "news"), "--set is for a study"),
        (("-o", "x.html", "--protocol", "da"), "--protocol is for judgements"),
        (("-o", "x.html", "--cost-per-word", "-1"), "price -1 of a word"),
        (("-o", "x.pdf"), "by its name it is pdf"),
        (("--serve", "nowhere"), "give no files"),
        (("-o", "x.html", "--wage", "30"), "both --wage and --scratch-speed"),
        (
            ("-o", "x.html", "--wage", "30", "--scratch-speed", "400"),
            "are for post-edits with times: -j FILE",
        ),
        (("-o", "x.html", "--engine-cost", "2"), "give --wage and --scratch-speed too"),
        (("-o", "x.html", "--currency", "EUR"), "--currency names that of prices, and none was given"),
        (("-o", "x.html", "-m", "bleu", "--cost-per-word", "0.05"), "which TER counts: -m ter"),
    ],
)
def test_refusals_say_what_to_do(run, files, arguments, message, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    result = run("report", *given(files, "old", "new"), *FEW, *arguments)
    assert result.code == 2
    assert message in result.err
    assert len(result.err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_to_serve_must_be_there(run):
    result = run("report", "--serve", "nowhere")
    assert (result.code, "there is no such folder" in result.err) == (2, True)


def test_scores_of_segments_that_are_not_there(run, files, tmp_path):
    bad = tmp_path / "bad.tsv"
    bad.write_text("system\tsegment\tscore\nold\t31\t0.5\n", encoding="utf-8")
    result = run(
        "report", *given(files, "old", "new"), *FEW, "--qe", str(bad), "-o", str(tmp_path / "x.html")
    )
    assert result.code == 1
    assert "segment 31: the test set has 1 to 30" in result.err


def test_without_chromium_pdf_says_what_to_install_before_anything_is_done(run, files, tmp_path, monkeypatch):
    monkeypatch.setattr(pdf, "BROWSERS", ("no-such-browser",))
    result = run("report", *given(files, "old", "new"), "--pdf", str(tmp_path / "x.pdf"))
    assert result.code == 2
    assert "Debian: apt-get" in result.err


def test_a_page_is_printed(run, files, tmp_path):
    if not any(pdf.shutil.which(name) for name in pdf.BROWSERS):
        pytest.fail("no Chromium to print with (Debian: apt-get install chromium-headless-shell)")
    path = tmp_path / "page.pdf"
    result = run("report", *given(files, "old", "new"), *FEW, "--audience", "manager", "--pdf", str(path))
    assert result.code == 0, result.err
    data = path.read_bytes()
    assert data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) == 1
    assert re.search(rb"/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]", data)  # A4


def test_a_browser_that_fails_leaves_nothing(run, files, tmp_path, monkeypatch):
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\necho no paper >&2\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(pdf, "BROWSERS", (str(program),))
    result = run("report", *given(files, "old", "new"), *FEW, "--no-charts", "--pdf", str(tmp_path / "x.pdf"))
    assert result.code == 1
    assert "no paper" in result.err
    assert not (tmp_path / "x.pdf").exists()
