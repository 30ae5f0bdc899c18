"""The scripts of the segment browser, one by one, held to what Python makes of the same."""

import io
import math
import random
import zipfile
from base64 import b64decode

import numpy as np
import pytest

from adjudge.dossiers.segment_table import MarkedSpan, ScoreColumn, SegmentTable
from adjudge.report.pages.report.browser_data import packed
from adjudge.report.pages.report.segment_links import View, segment_link
from helpers.conditions import Columns, cases

SIZE = 60
STORE = """
  const bytes = await Promise.all([m.unpacked(x.columns), m.unpacked(x.texts)]);
  const store = new m.Store(...bytes);
"""


def made() -> tuple[Columns, SegmentTable]:
    rng = np.random.default_rng(5)
    systems = ("base", "own", "third", "my system")
    quarters = lambda: np.where(rng.random(SIZE) < 0.1, np.nan, rng.integers(0, 401, SIZE) / 4)  # noqa: E731
    scores = {name: {s: quarters() for s in systems} for name in ("chrf", "chrf++", "bleu(tokenize=intl)")}
    counts = {"missing words": {s: rng.integers(0, 6, SIZE) for s in systems[:3]}}
    labels = {
        "domain": tuple(rng.choice(["news", "social media", "a=b", "12"], SIZE)),
        "origin": tuple(rng.choice(["de", "en", ""], SIZE)),
    }
    marks = {"1–4 words": set(range(0, SIZE, 3)), 'n-gram "x y"'.replace('"', "'"): set(range(10))}
    table = SegmentTable(
        identifiers=tuple(map(str, range(1, SIZE + 1))),
        outputs=dict.fromkeys(systems, ("text",) * SIZE),
        labels=labels,
        scores=tuple(ScoreColumn(name, name, True, "metric", values) for name, values in scores.items()),
        counts=counts,
        marks={name: np.array(sorted(members)) for name, members in marks.items()},
    )
    return Columns(systems, {**scores, **counts}, labels, marks), table


def data_of(table: SegmentTable) -> dict[str, str]:
    data = packed(table)
    return {"columns": data.columns, "texts": data.texts}


def test_conditions_mean_what_they_mean_in_python(modules):
    columns, table = made()
    asked = cases(columns, SIZE, 400)
    function = f"""async (m, x) => {{ {STORE}
      const catalogue = m.catalogueOf(store.document);
      const context = {{ store, notes: null, system: 1, baseline: 0 }};
      const all = Array.from({{ length: store.size }}, (_, i) => i);
      return x.asked.map((text) => {{
        try {{ return all.filter(m.predicate(m.parseCondition(text, catalogue), context)); }}
        catch (error) {{ return error.message; }}
      }});
    }}"""
    files = ("unpack.js", "store.js", "catalogue.js", "condition.js", "evaluate.js")
    chosen = modules(function, {**data_of(table), "asked": [case["text"] for case in asked]}, *files)
    wrong = [
        (case["text"], case["chosen"], got)
        for case, got in zip(asked, chosen, strict=True)
        if got != case["chosen"]
    ]
    assert wrong == []
    sizes = {len(case["chosen"]) for case in asked}
    assert len(sizes) > 30  # conditions that choose none, some and all


def test_sorting_is_pythons_stable_sorting_with_what_is_missing_last(modules):
    columns, table = made()
    names = ["chrf", "Δchrf++", "missing words", "domain"]
    function = f"""async (m, x) => {{ {STORE}
      const catalogue = m.catalogueOf(store.document);
      const context = {{ store, notes: null, system: 1, baseline: 0 }};
      const all = Int32Array.from({{ length: store.size }}, (_, i) => i).filter((i) => i % 7);
      return x.names.flatMap((name) => [false, true].map((falling) =>
        [...m.sorted(all, m.parseCondition(`${{name}} != missing`, catalogue).left, falling, context)]));
    }}"""
    files = ("unpack.js", "store.js", "catalogue.js", "condition.js", "evaluate.js")
    orders = modules(function, {**data_of(table), "names": names}, *files)
    segments = [i for i in range(SIZE) if i % 7]

    def keys(name):
        if name == "domain":
            ranks = sorted(set(columns.labels["domain"]), key=lambda v: (v[0].isalpha(), v))
            return [ranks.index(value) for value in columns.labels["domain"]]
        if name.startswith("Δ"):
            own, base = (columns.numbers[name[1:]][s] for s in ("own", "base"))
            return list(own - base)
        return [float(value) for value in columns.numbers[name]["own"]]

    expected = []
    for name in names:
        values = keys(name)
        known = [i for i in segments if not math.isnan(values[i])]
        missing = [i for i in segments if math.isnan(values[i])]
        expected.append(sorted(known, key=lambda i: values[i]) + missing)
        expected.append(sorted(known, key=lambda i: -values[i]) + missing)
    assert orders == expected


def test_texts_are_sorted_with_empty_ones_last(modules):
    _, table = made()
    function = f"""async (m, x) => {{ {STORE}
      const catalogue = m.catalogueOf(store.document);
      const notes = {{ comment: (i) => (i % 3 ? `note ${{i % 2 ? 9 : 10}}` : "") }};
      const context = {{ store, notes, system: 1, baseline: 0 }};
      const left = m.parseCondition("comment != missing", catalogue).left;
      const all = Int32Array.from({{ length: 12 }}, (_, i) => i);
      return [false, true].map((falling) => [...m.sorted(all, left, falling, context)]);
    }}"""
    files = ("unpack.js", "store.js", "catalogue.js", "condition.js", "evaluate.js")
    rising, falling = modules(function, data_of(table), *files)
    assert [i % 2 for i in rising[:8]] == [1] * 4 + [0] * 4, "9 comes before 10"
    assert [i % 2 for i in falling[:8]] == [0] * 4 + [1] * 4
    assert rising[8:] == falling[8:] == [0, 3, 6, 9]


def test_no_system_is_held_against_itself(modules):
    function = """(m, x) => x.map(([system, baseline]) => {
      const found = m.systemsOf({ system, baseline }, ["A", "B", "C"]);
      return [found.system, found.baseline];
    })"""
    asked = [["", ""], ["A", ""], ["B", "A"], ["B", "B"], ["B", "-"], ["", "A"], ["none", "none"]]
    assert modules(function, asked, "view.js") == [[1, 0], [0, 1], [1, 0], [1, -1], [1, -1], [1, 0], [1, 0]]


def test_marked_words_in_a_row_are_one_mark(modules):
    function = """(m, x) => x.map((places) => {
      const text = "a b  c d";
      const list = m.tokens(text);
      return m.runs(list.map((_, i) => places.includes(i)), list).map(({ start, end }) => text.slice(start, end));
    })"""
    shown = modules(function, [[0, 1, 2], [0, 1, 3], [0, 2], []], "diff.js")
    assert shown == [["a b  c"], ["a b", "d"], ["a", "c"], []]


def test_excerpts_that_touch_are_one(modules):
    """Where a space alone is between them, leaving it out would hide nothing."""
    function = """(m, x) => x.map((places) => {
      const text = "a b c d e f g h";
      const list = m.tokens(text);
      const parts = m.excerpts(list.map((_, i) => places.includes(i)), list, text.length, 1);
      return parts.map(({ start, end }) => text.slice(start, end));
    })"""
    shown = modules(function, [[1], [1, 4], [1, 5], [0, 7], []], "diff.js")
    assert shown == [["a b c"], ["a b c d e f"], ["a b c", "e f g"], ["a b", "g h"], []]


ERRORS = {
    "chrf <": ("expected a name or a number at the end", 6, []),
    "chrf": ("expected a comparison such as '< 40' at the end", 4, []),
    "chrf < 40 bleu": ("expected 'and', 'or' or the end at “bleu”", 10, []),
    "chfr < 40": ("no name 'chfr' at “chfr < 40”", 0, ["chrf"]),
    "chrf < 40 and domian = news": ("no name 'domian' at “domian = new…”", 14, ["domain"]),
    "domain = nwes": ("'domain' has no value 'nwes' at “nwes”", 9, ["news"]),
    "domain < 3": ("texts are compared with =, != and ~ (contains), not <", 0, []),
    "chrf = news": ("no name 'news' at “news”", 7, []),
    "system:thrid.chrf > 1": ("no system 'thrid'", 7, ["third"]),
    '"chrf < 3': ("a quote that is not closed", 0, []),
    "(chrf < 3": ("expected ')' at the end", 9, []),
    "(chrf < 3 and bleu": ("no name 'bleu'", 14, []),
    "Δdomain > 3": ("Δ is for numbers; 'domain' is none", 0, []),
    "chrf in (1)": ("'in' is for labels", 0, []),
    "chrf < missing": ("'missing' goes with = and !=", 0, []),
    "mark:nothing": ("no mark 'nothing'", 5, []),
    "(" * 3000: ("too many brackets", 100, []),
}


def test_what_is_wrong_with_a_condition_is_told_with_its_place(modules):
    _, table = made()
    function = f"""async (m, x) => {{ {STORE}
      const catalogue = m.catalogueOf(store.document);
      return x.asked.map((text) => {{
        try {{ m.parseCondition(text, catalogue); return null; }}
        catch (error) {{ return [error.message, error.position, error.suggestions ?? []]; }}
      }});
    }}"""
    told = modules(
        function,
        {**data_of(table), "asked": list(ERRORS)},
        "unpack.js",
        "store.js",
        "catalogue.js",
        "condition.js",
    )
    for (text, (message, position, suggestions)), got in zip(ERRORS.items(), told, strict=True):
        assert got is not None, text
        assert got[0].startswith(message), text
        assert got[1] == position, text
        assert got[2][: len(suggestions)] == suggestions, text


def test_completions_offer_what_may_come(modules):
    _, table = made()
    function = f"""async (m, x) => {{ {STORE}
      const catalogue = m.catalogueOf(store.document);
      return x.asked.map((text) => {{
        const {{ from, to, items }} = m.completions(text, text.length, catalogue);
        return items.map(({{ insert }}) => text.slice(0, from) + insert + text.slice(to));
      }});
    }}"""
    asked = [
        "ch",
        "chrf < 3 and dom",
        "domain = s",
        'domain = "so',
        "system:thi",
        "system:my",
        "mark:1",
        "domain in (news, a",
        "chrf < 3",
        "chrf < 3 and ",
        "Δ",
    ]
    offered = modules(
        function, {**data_of(table), "asked": asked}, "unpack.js", "store.js", "catalogue.js", "complete.js"
    )
    assert offered[0] == ["chrf", "chrf++"]
    assert offered[1][0] == "chrf < 3 and domain"
    assert 'domain = "social media"' in offered[2]
    assert offered[3] == ['domain = "social media"']
    assert offered[4] == ["system:third."]
    assert offered[5] == ['system:"my system".']
    assert offered[6] == ['mark:"1–4 words"']
    assert 'domain in (news, "a=b"' in offered[7]
    assert offered[8] == []  # a whole condition
    assert "chrf < 3 and domain" in offered[9]
    assert "Δchrf++" in offered[10]


def common_length(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        before, row = row, [0]
        for j, y in enumerate(b):
            row.append(before[j] + 1 if x == y else max(before[j + 1], row[j]))
    return row[-1]


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y)))
    return row[-1]


def test_differences_and_alignments_are_the_shortest(modules):
    rng = random.Random(7)
    pairs = [[[rng.choice("abcde") for _ in range(rng.randint(0, 14))] for _ in "12"] for _ in range(150)]
    function = """async (m, x) => x.map(([a, b]) => {
      const lists = [a, b].map((words) => words.map((text, i) => ({ text, start: 2 * i, end: 2 * i + 1 })));
      return { ...m.changed(...lists), cells: m.editAlignment(a, b) };
    })"""
    for (a, b), got in zip(pairs, modules(function, pairs, "diff.js"), strict=True):
        same = [
            [w for w, mark in zip(words, got[side], strict=True) if not mark]
            for words, side in ((a, "first"), (b, "second"))
        ]
        assert same[0] == same[1]
        assert len(same[0]) == common_length(a, b)
        assert [cell["word"] for cell in got["cells"] if cell["word"]] == a
        assert [cell["other"] for cell in got["cells"] if cell["other"]] == b
        assert sum(cell["kind"] != "exact" for cell in got["cells"]) == edit_distance(a, b)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's 3.5 km, isn't it?", "It's 3 . 5 km , isn't it ?"),
        ("今日はTokyoで12時", "今 日 は Tokyo で 12 時"),
        ("สวัสดี", "ส วั ส ดี"),
        ("l’été naïve", "l’été naïve"),
        ("नमस्ते दुनिया", "नमस्ते दुनिया"),
        ("👍🏽 ok", "👍 🏽 ok"),
    ],
    ids=["English", "Japanese", "Thai", "French", "Hindi", "emoji"],
)
def test_words_of_any_script(modules, text, expected):
    got = modules(
        "async (m, x) => m.tokens(x).map(({ text, start, end }) => [text, x.slice(start, end)])",
        text,
        "diff.js",
    )
    assert " ".join(token for token, _ in got) == expected
    assert all(token == place for token, place in got)


def test_columns_texts_and_spans_come_out_as_they_went_in(modules):
    rng = np.random.default_rng(11)
    size = 50
    texts = [("é漢😀\n\0" * rng.integers(0, 5)) + str(i % 9) for i in range(size)]
    values = {
        "whole": rng.integers(-5, 3000, size).astype(float),
        "tiny": rng.random(size) * 1e-3,
        "usual": np.round(rng.random(size) * 100, 4),
        "huge": rng.random(size) * 1e12,
        "none": np.full(size, np.nan),
    }
    spans = tuple(
        tuple(
            MarkedSpan(int(k), int(k) + 1, f"s{k}", "c", "", "source" if k % 2 else "target")
            for k in range(i % 4)
        )
        for i in range(size)
    )
    table = SegmentTable(
        identifiers=tuple(f"<{i}>" for i in range(size)),
        outputs={"A": tuple(texts), "B": tuple(texts[::-1])},
        references=(tuple(None if i % 5 == 0 else text for i, text in enumerate(texts)),),
        labels={"l": tuple(str(i % 7) for i in range(size))},
        scores=tuple(ScoreColumn(k, k, None, "qe", {"B": v}, 9) for k, v in values.items()),
        spans={"A": spans},
        marks={"all": np.arange(size), "no": np.array([], int), "few": np.array([0, 7, 49])},
    )
    function = f"""async (m, x) => {{ {STORE}
      const all = Array.from({{ length: store.size }}, (_, i) => i);
      return {{
        ids: all.map((i) => store.identifier(i)), back: all.map((i) => store.segmentOf(store.identifier(i))),
        a: all.map((i) => store.text(store.texts("output", 0)[i])),
        b: all.map((i) => store.text(store.texts("output", 1)[i])),
        r: all.map((i) => store.text(store.texts("reference", 0)[i])), source: store.texts("source"),
        labels: all.map((i) => store.label(0, i)),
        scores: store.document.scores.map((_, k) => [...store.score(k, 1)]), other: store.score(0, 0),
        spans: all.map((i) => store.spans(0, i)), none: store.spans(1, 0),
        marks: [0, 1, 2].map((k) => all.filter((i) => store.mark(k)[i])),
      }};
    }}"""
    got = modules(function, data_of(table), "unpack.js", "store.js")
    assert got["ids"] == list(table.identifiers)
    assert got["back"] == list(range(size))
    assert (got["a"], got["b"], got["r"]) == (texts, texts[::-1], list(table.references[0]))
    assert got["source"] is None
    assert got["other"] is None
    assert got["labels"] == list(table.labels["l"])
    for column, expected in zip(got["scores"], values.values(), strict=True):
        largest = np.nanmax(np.abs(expected), initial=0)
        np.testing.assert_allclose(column, expected, rtol=0, atol=largest * 5e-8, equal_nan=True)
    np.testing.assert_array_equal(got["scores"][0], values["whole"])
    assert [[(s["start"], s["end"], s["severity"], s["side"]) for s in own] for own in got["spans"]] == [
        [(s.start, s.end, s.severity, s.side) for s in own] for own in spans
    ]
    assert got["none"] == []
    assert got["marks"] == [list(range(size)), [], [0, 7, 49]]


VIEWS = [
    View(),
    View(
        where='chrf < 40 and "a+b" = "100 % & more" # ?',
        sort="Δter",
        order="up",
        system="é 漢 +&=",
        baseline="-",
    ),
    View(
        search="a+ b&c=d%20", regex=True, within="output", against="nothing", show="changed", segment="<1>/#?"
    ),
]


@pytest.mark.parametrize("view", VIEWS, ids=["nothing", "conditions", "search"])
def test_addresses_are_the_same_in_python_and_in_the_browser(modules, view):
    address = segment_link(view)
    got = modules("async (m, x) => [m.parseView(x), m.addressOf(m.parseView(x))]", address, "view.js")
    assert got == [{name: getattr(view, name) for name in view.__dataclass_fields__}, address]


def test_archives_are_read_by_python(modules):
    files = {"campaign.toml": "name = 'x'\n", "ä/文.jsonl": "é\n" * 5000, "empty": ""}
    function = """async (m, x) => {
      const bytes = new Uint8Array(await m.zipped(x).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    }"""
    with zipfile.ZipFile(io.BytesIO(b64decode(modules(function, files, "zip.js")))) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name).decode() for name in archive.namelist()} == files


def test_marks_that_overlap_are_cut_into_pieces(modules):
    marks = [
        {"start": 0, "end": 5, "kind": "added"},
        {"start": 3, "end": 8, "kind": "span major", "title": "t"},
        {"start": 8, "end": 99, "kind": "hit"},
        {"start": 4, "end": 4, "kind": "nothing"},
    ]
    got = modules(
        "async (m, x) => m.pieces('0123456789', x).map((p) => [p.text, p.classes.join(' ')])", marks, "dom.js"
    )
    assert [piece for piece in got if piece[0]] == [
        ["012", "added"],
        ["3", "added span major"],
        ["4", "added span major"],
        ["567", "span major"],
        ["89", "hit"],
    ]


def test_searching_follows_the_case_that_is_written(modules):
    texts = ["The house", "the House", "a.b", "axb", "ÉCOLE école"]
    function = """async (m, x) => x.asked.map(([query, regex]) => {
      try {
        const hits = m.hits(x.texts, m.expression(query, regex));
        return x.texts.map((_, i) => i).filter((i) => hits[i]);
      }
      catch (error) { return error.message; }
    })"""
    asked = [
        ["house", False],
        ["House", False],
        ["a.b", False],
        ["a.b", True],
        [r"\bThe\b", True],
        [r"^\S+$", True],
    ]
    asked += [["école", False], ["École", False], ["(", True], ["(", False]]
    got = modules(function, {"texts": texts, "asked": asked}, "search.js")
    assert got[:8] == [[0, 1], [1], [2], [2, 3], [0], [2, 3], [4], []]
    assert isinstance(got[8], str)
    assert got[9] == []


def test_places_in_code_points_are_places_in_strings(modules):
    text = "a😀b漢😀c"
    got = modules("async (m, x) => [...m.unitsOfPoints(x, [0, 1, 2, 3, 5, 6, 99])]", text, "dom.js")
    assert got == [[n, len(text[:n].encode("utf-16-le")) // 2] for n in (0, 1, 2, 3, 5, 6, 99)]
