"""One registry of formats: every tool is in it, and none knows of another."""

import ast
from pathlib import Path

import pytest

import adjudge.io.judgements as package
from adjudge.errors import DataError
from adjudge.io.judgements import FORMATS, OUTPUT_FORMATS, formats, read, write

FOLDER = Path(package.__file__).parent
FILES = {
    **{path.stem: [path] for path in FOLDER.glob("[a-z]*.py")},
    **{path.parent.name: [*path.parent.glob("*.py")] for path in FOLDER.glob("*/__init__.py")},
}
TOOLS = sorted(
    name for name, paths in FILES.items() if any("\nTOOL = Tool(" in p.read_text("utf-8") for p in paths)
)
ABOVE = {"formats", "judgement_files"}


def test_every_tool_is_registered():
    assert sorted(formats.TOOLS) == TOOLS


@pytest.mark.parametrize("name", TOOLS)
def test_no_tool_knows_another_one_or_the_registry(name):
    """So that the knot of readers, writers and campaigns stays untied; `make lint` says it of indirect imports too."""
    others = {*TOOLS, *ABOVE} - {name}
    for path in FILES[name]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("adjudge.io.judgements"):
                below = node.module.split(".")[3:]
                named = {below[0]} if below else {alias.name for alias in node.names}
                assert not named & others, f"{path.name} imports {named}"


def test_texts_are_read_without_a_thought_of_judgements():
    for path in FOLDER.parent.glob("*.py"):
        assert "io.judgements" not in path.read_text(encoding="utf-8"), path.name


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_reads_or_writes_something_and_says_what(name):
    tool = formats.tool(name)
    offered = [*tool.readers.values(), *tool.writers.values()]
    assert offered
    assert all(entry.about and "\n" not in entry.about for entry in offered)
    assert tool.readers.keys() <= FORMATS.keys()
    assert tool.writers.keys() <= OUTPUT_FORMATS.keys()


def test_names_of_formats_are_given_once():
    readers = [name for tool in formats.TOOLS for name in formats.tool(tool).readers]
    writers = [name for tool in formats.TOOLS for name in formats.tool(tool).writers]
    assert len({*readers}) == len(readers) == len(FORMATS)
    assert len({*writers}) == len(writers) == len(OUTPUT_FORMATS)


def test_a_file_is_the_same_whether_its_format_is_recognised_or_named(tmp_path):
    """A named format is read as one that is recognised."""
    rows = "system\tsegment\tannotator\tscore\nA\t1\tann\t70\nB\t1\tann\t30\nA\t2\tben\t50\n"
    (tmp_path / "table.tsv").write_text(rows)
    judgements = read(str(tmp_path / "table.tsv")).judgements
    held = {
        "appraise": "appraise",
        "pearmut": "pearmut",
        "jsonl": "adjudge",
        "csv": "adjudge",
        "mtme-seg": "scores",
    }
    for written, expected in held.items():
        path = tmp_path / f"{written}.txt"
        path.write_bytes(write(judgements, output_format=written).data)
        recognised, named = read(str(path)), read(str(path), input_format=expected)
        assert recognised.format == named.format == expected
        assert recognised.judgements.score.tolist() == named.judgements.score.tolist()
        assert recognised.judgements.system.values() == named.judgements.system.values()


def test_one_piece_of_json_is_no_file_of_judgements(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('[\n{"system": "A"}\n]\n')
    with pytest.raises(DataError, match="is one piece of JSON; one object a line was expected"):
        read(str(path))
