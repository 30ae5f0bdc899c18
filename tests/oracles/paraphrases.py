"""Paraphrase matches by comparing every phrase with every entry, and METEOR 1.5's own matcher, asked through Java."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

Entry = tuple[tuple[str, ...], tuple[str, ...]]
Match = tuple[int, int, int, int]


def matches(table: Sequence[Entry], hypothesis: Sequence[str], reference: Sequence[str]) -> list[Match]:
    """Reference start and length, hypothesis start and length of each match."""
    forward = one_way(table, reference, hypothesis)
    backward = one_way(table, hypothesis, reference)
    return forward + [(start, length, *place) for *place, start, length in backward]


def one_way(table: Sequence[Entry], ours: Sequence[str], theirs: Sequence[str]) -> list[Match]:
    return [
        (start, end - start, at, len(paraphrase))
        for start in range(len(ours))
        for end in range(start + 1, len(ours) + 1)
        for phrase, paraphrase in table
        if phrase == tuple(ours[start:end])
        for at in range(len(theirs))
        if paraphrase == tuple(theirs[at : at + len(paraphrase)])
    ]


DRIVER = """
import edu.cmu.meteor.aligner.*;
import java.io.*;
import java.util.*;

class Driver {
    public static void main(String[] arguments) throws Exception {
        ParaphraseTransducer table = new ParaphraseTransducer(new File(arguments[0]).toURI().toURL());
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream output = new PrintStream(System.out, false, "UTF-8");
        java.lang.reflect.Constructor<?> make = Stage.class.getDeclaredConstructors()[0];
        make.setAccessible(true);
        for (String hypothesis; (hypothesis = input.readLine()) != null;) {
            Alignment pair = new Alignment(hypothesis, input.readLine());
            Stage stage = (Stage) make.newInstance(pair.words1, pair.words2);
            ParaphraseMatcher.match(3, pair, stage, table);
            StringBuilder line = new StringBuilder();
            for (List<Match> matches : stage.matches)
                for (Match match : matches)
                    line.append(match.start + " " + match.length + " " + match.matchStart + " "
                        + match.matchLength + " ");
            output.println(line.toString().trim());
        }
        output.flush();
    }
}
"""


def meteor_matches(
    java: str, jar: Path, table: Path, pairs: Sequence[tuple[str, str]], folder: Path
) -> list[list[Match]] | str:
    """METEOR's matches of each pair (hypothesis, reference), by reference position; or why Java cannot tell."""
    source = folder / "Driver.java"
    source.write_text(DRIVER, encoding="utf-8")
    run = subprocess.run(
        [java, "-Xmx2G", "-cp", str(jar), str(source), str(table)],
        input="".join(f"{hypothesis}\n{reference}\n" for hypothesis, reference in pairs),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if "no compiler" in run.stderr or "jdk.compiler" in run.stderr:
        return "this Java has no compiler (Debian: apt-get install default-jdk-headless)"
    assert run.returncode == 0, run.stderr
    results = []
    for line in run.stdout.removesuffix("\n").split("\n"):
        numbers = [int(number) for number in line.split()]
        results.append([tuple(numbers[i : i + 4]) for i in range(0, len(numbers), 4)])
    assert len(results) == len(pairs)
    return results
