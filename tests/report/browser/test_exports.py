"""Tables and bars taken along as drawings: the same on every screen, on white, with all words where they belong."""

import base64
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from adjudge.charts import Bar
from adjudge.display import Cell, Column, Row, Table
from adjudge.report.charts.intervals import intervals
from adjudge.report.pages.exhibits import exhibit, table_block
from adjudge.report.pages.report.page import MODULES, STYLES
from adjudge.report.render.page import page

SVG = "{http://www.w3.org/2000/svg}"
LONG = "a sentence that goes on for very long without saying anything " * 6
TEXTS = {
    "zh": "今日は天気がいいです。机器翻译的质量越来越好。" * 4,
    "he": "שלום עולם, זה משפט ארוך למדי עם English באמצע ומספר 42 בסוף. " * 4,
    "ar": "السلام عليكم يا صديقي",
    "bad": '<script>alert(1)</script>&"',
}
BOXES = """(svg) => {
  document.body.innerHTML = svg;
  const drawn = document.querySelector("svg");
  const paper = drawn.getBoundingClientRect();
  return [...drawn.querySelectorAll("text")].map(text => {
    const { left, top, right, bottom } = text.getBoundingClientRect();
    return [text.textContent, left - paper.left, top - paper.top, right - paper.left, bottom - paper.top];
  });
}"""
PIXELS = """async (data) => {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
  let dark = 0, white = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const light = pixels[i] + pixels[i + 1] + pixels[i + 2];
    dark += light < 200;
    white += light === 765;
  }
  return [image.width, image.height, dark / (pixels.length / 4), white / (pixels.length / 4)];
}"""


def many_scripts() -> Table:
    columns = (Column("System"), Column("Text", wide=0.5), Column("Verdict"), Column("BLEU", True, "↑"))
    rows = [("long", LONG), *TEXTS.items()]
    return Table(
        columns,
        tuple(
            Row((Cell(name), Cell(text), Cell("pass", style="pass"), Cell("12.3", best=True, marks="a")))
            for name, text in rows
        ),
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    bars = [Bar("old", 10, 8, 12, 1, "10.0"), Bar("新しい", 20, 18, 22, 2, "20.0")]
    drawn = intervals(bars, label="BLEU", better="↑", interval="95 % intervals", address=lambda name: "#x")
    body = [table_block(many_scripts(), "scripts", "Scripts"), exhibit(drawn, "bars", many_scripts())]
    file = tmp_path_factory.mktemp("exports") / "page.html"
    made = page("Exports", body, styles=STYLES, modules=MODULES[:1], images=True)
    file.write_text(made, encoding="utf-8")
    return file


def taken(opened, name: str, label: str) -> bytes:
    with opened.page.expect_download() as download:
        opened.page.locator(f'.exhibit[data-name="{name}"]').get_by_role("button", name=f"{label}:").click()
    return Path(download.value.path()).read_bytes()


def visit(reader, path: Path, **options):
    opened = reader(**options)
    opened.page.goto(path.as_uri())
    return opened


def words(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_a_drawn_table_has_every_word_of_it_and_nothing_that_runs_or_leads(reader, path):
    svg = taken(visit(reader, path), "scripts", "SVG").decode()
    root = ET.fromstring(svg)
    said = words("".join(text.text or "" for text in root.iter(f"{SVG}text")))
    for row in many_scripts().rows:
        for cell in row.cells:
            assert words(cell.text) in said
    assert "✓pass" in said
    assert "BLEU↑" in said
    assert not re.search(r"<(a|script|image|style|foreignObject)\b|var\(--|class=|\shref|\son\w+=", svg)


def test_no_word_of_a_drawn_table_touches_another_or_leaves_the_paper(reader, path):
    opened = visit(reader, path)
    svg = taken(opened, "scripts", "SVG").decode()
    width, height = (float(ET.fromstring(svg).get(side)) for side in ("width", "height"))
    blank = reader(viewport={"width": 1200, "height": 900})
    boxes = blank.page.evaluate(BOXES, svg)
    assert len(boxes) > 20
    for text, left, top, right, bottom in boxes:
        assert 0 <= left < right <= width, text
        assert 0 <= top < bottom <= height, text
    for place, (text, left, top, right, bottom) in enumerate(boxes):
        for other, left2, top2, right2, bottom2 in boxes[place + 1 :]:
            across = min(right, right2) - max(left, left2)
            down = min(bottom, bottom2) - max(top, top2)
            assert across < 1 or down < 0.4 * min(bottom - top, bottom2 - top2), (text, other)


def test_hebrew_begins_at_the_right(reader, path):
    root = ET.fromstring(taken(visit(reader, path), "scripts", "SVG").decode())
    lines = [text for text in root.iter(f"{SVG}text") if "שלום" in (text.text or "")]
    assert len(lines) > 1  # a long cell is broken into lines
    assert {line.get("direction") for line in lines} == {"rtl"}
    assert len({line.get("x") for line in lines}) == 1  # where each begins, to the right
    first = next(text for text in root.iter(f"{SVG}text") if (text.text or "").startswith("a sentence"))
    assert float(lines[0].get("x")) > float(first.get("x")) + 200


def test_every_screen_by_day_and_by_night_gives_the_same_drawing(reader, path):
    seen = {
        (
            name,
            taken(
                visit(reader, path, viewport={"width": width, "height": 800}, color_scheme=scheme),
                name,
                "SVG",
            ),
        )
        for width in (390, 1600)
        for scheme in ("light", "dark")
        for name in ("scripts", "bars")
    }
    assert len(seen) == 2


@pytest.mark.parametrize("name", ["scripts", "bars"])
def test_a_picture_is_white_paper_with_ink_on_it(reader, path, name):
    opened = visit(reader, path, color_scheme="dark")
    svg = ET.fromstring(taken(opened, name, "SVG").decode())
    data = taken(opened, name, "PNG")
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, dark, white = opened.page.evaluate(PIXELS, base64.b64encode(data).decode())
    assert (width, height) == (2 * float(svg.get("width")), 2 * float(svg.get("height")))
    assert 0.005 < dark < 0.2
    assert white > 0.6


def test_bars_are_drawn_with_names_numbers_and_marks(reader, path):
    root = ET.fromstring(taken(visit(reader, path), "bars", "SVG").decode())
    said = [text.text for text in root.iter(f"{SVG}text")]
    assert {"old", "新しい", "10.0", "20.0"} <= set(said)
    assert len(list(root.iter(f"{SVG}circle"))) == 2
    fills = {circle.get("fill") for circle in root.iter(f"{SVG}circle")}
    assert fills == {"rgb(0, 114, 178)"}


def test_buttons_are_reached_and_pressed_by_the_keyboard(reader, path):
    opened = visit(reader, path)
    opened.page.locator('.exhibit[data-name="scripts"]').get_by_role("button", name="SVG:").focus()
    with opened.page.expect_download() as download:
        opened.press("Enter")
    assert download.value.suggested_filename == "scripts.svg"
    opened.press("Tab")
    assert opened.page.evaluate("document.activeElement.getAttribute('aria-label')") == "PNG: scripts"
