"""METEOR 1.5 itself, run from the jar of the installed pycocoevalcap: scores, alignments, normalised lines, stems."""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from adjudge.text import resources

UTF8 = ("-Dfile.encoding=UTF-8", "-Dsun.stdout.encoding=UTF-8")
BRIEF = "-XX:TieredStopAtLevel=1"
"""For programs that end before a better compilation pays off: half the time."""


@dataclass(frozen=True)
class Scores:
    """What `-vOut` prints: corpus values by their printed names, and P, R, fragmentation penalty, score a segment."""

    corpus: dict[str, float]
    segments: list[tuple[float, float, float, float]]


@dataclass(frozen=True)
class Aligned:
    """One entry of `-writeAlignments`; a match is (reference start, length, hypothesis start, length, matcher)."""

    hypothesis: list[str]
    reference: list[str]
    scores: tuple[float, float, float, float]
    matches: list[tuple[int, int, int, int, int]] = field(default_factory=list)


class MeteorJar:
    """Runs the jar; every line of text given to it must be free of line breaks of any kind."""

    def __init__(self, java: str, jar: Path, folder: Path) -> None:
        self.java, self.jar, self.folder = java, jar, folder

    def scores(self, hypotheses, references, *options, language="en") -> Scores:
        """Scores of segments against reference sets (a list of lists), with any further options of the jar."""
        output = self._meteor(hypotheses, references, language, "-vOut", *options)
        segments = [
            tuple(map(float, m[1].split("\t")))
            for m in re.finditer(r"^Segment \d+ score:\t(.*)$", output, re.MULTILINE)
        ]
        corpus = {
            m[1]: float(m[2])
            for m in re.finditer(
                r"^(Test words|Reference words|Chunks|Precision|Recall|f1|fMean|Fragmentation penalty|Final score)"
                r":\s+(\S+)$",
                output,
                re.MULTILINE,
            )
        }
        assert len(segments) == len(hypotheses)
        return Scores(corpus, segments)

    def statistics(self, hypotheses, references, *options, language="en") -> list[list[float]]:
        """The 23 sufficient statistics of each segment, in the jar's order (`-ssOut`)."""
        output = self._meteor(hypotheses, references, language, "-ssOut", *options)
        rows = [[float(x) for x in line.split(" ")] for line in output.splitlines()]
        assert len(rows) == len(hypotheses)
        return rows

    def alignments(self, hypotheses, references, *options, language="en") -> list[Aligned]:
        """The alignment of each segment to its best reference."""
        self._meteor(hypotheses, references, language, "-writeAlignments", *options)
        return parse_alignments((self.folder / "out-align.out").read_text(encoding="utf-8"))

    def normalized(self, lines, language="en", *, punctuation=True) -> list[list[str]]:
        """Tokens of lines after `-norm`, before lower-casing."""
        output = self._main("edu.cmu.meteor.util.Normalizer", language, str(punctuation).lower(), lines=lines)
        return [java_words(line) for line in output]

    def stems(self, words, language="en") -> list[str]:
        """Stems of words; those made of digits and `,.-` only come back as they are (so they do from Snowball)."""
        return self._main("Stemmer", {"sv": "se"}.get(language, language), lines=words)

    def function_words(self, lines) -> list[str] | str:
        """What METEOR's extractor of paraphrases takes for function words of a corpus; or why Java cannot tell."""
        _check(lines)
        source, corpus, result = (self.folder / name for name in ("Common.java", "corpus", "common"))
        source.write_text(
            "class Common { public static void main(String[] a) throws Exception {"
            " edu.cmu.parex.ParaphraseExtractor.findCommonWords(a[0], a[1], 0.001); } }"
        )
        corpus.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        run = subprocess.run(
            [self.java, *UTF8, "-cp", str(self.jar), str(source), str(corpus), str(result)],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if "no compiler" in run.stderr or "jdk.compiler" in run.stderr:
            return "this Java has no compiler (Debian: apt-get install default-jdk-headless)"
        assert run.returncode == 0, run.stderr
        return result.read_text(encoding="utf-8").splitlines()

    def _main(self, main: str, *arguments: str, lines) -> list[str]:
        _check(lines)
        run = subprocess.run(
            [self.java, *UTF8, BRIEF, "-cp", str(self.jar), main, *arguments],
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        output = run.stdout.removesuffix("\n").split("\n") if run.stdout else []
        assert len(output) == len(lines), run.stderr
        return output

    def _meteor(self, hypotheses, references, language: str, *options: str) -> str:
        _check(hypotheses)
        interleaved = [line for segment in zip(*references, strict=True) for line in segment]
        _check(interleaved)
        paths = self.folder / "hypotheses", self.folder / "references"
        for path, lines in zip(paths, (hypotheses, interleaved), strict=True):
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        several = ["-r", str(len(references))] if len(references) > 1 else []
        command = [self.java, *UTF8, BRIEF, "-Xmx2G", "-jar", str(self.jar), *map(str, paths), "-l", language]
        run = subprocess.run(
            [*command, *several, "-f", str(self.folder / "out"), *options],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout


def parse_alignments(text: str) -> list[Aligned]:
    """The entries of an alignment file."""
    entries = []
    for block in re.split(r"^(?=Alignment\t\d+\t)", text, flags=re.MULTILINE)[1:]:
        head, hypothesis, reference, _, *matches = block.rstrip("\n").split("\n")
        entries.append(
            Aligned(
                hypothesis.split(),
                reference.split(),
                tuple(map(float, head.split("\t")[2:])),
                [_match(line) for line in matches if line],
            )
        )
    return entries


def find(folder: Path) -> MeteorJar | str:
    """The jar ready to run, or the reason why it cannot be."""
    java, jar = shutil.which("java"), resources.jar()
    if java is None:
        return "no Java here (Debian: apt-get install default-jdk-headless)"
    if jar is None:
        return f"no METEOR here: {resources.INSTALL}"
    return MeteorJar(java, jar, folder)


def java_words(line: str) -> list[str]:
    """A line cut as Java's StringTokenizer cuts it, which knows five kinds of space."""
    return [word for word in re.split(r"[ \t\n\r\f]+", line) if word]


def _match(line: str) -> tuple[int, int, int, int, int]:
    reference, hypothesis, module, _ = (x for x in line.split("\t") if x)
    (a, b), (c, d) = reference.split(":"), hypothesis.split(":")
    return int(a), int(b), int(c), int(d), int(module)


def _check(lines) -> None:
    assert not any("\n" in line or "\r" in line for line in lines), "the jar would split these lines"
