"""Pages as tests read them: sound HTML that reaches for nothing outside itself."""

import re
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img"}


class Page(HTMLParser):
    """Elements closed in order, their texts and attributes; anything else is a failure."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("style", "script"):
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


class Tables(HTMLParser):
    """Every table as rows of cells, each the texts in it; and the labels of drawings."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[list[list[str]]]] = []
        self.labels: list[str] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if known.get("role") == "img":
            self.labels.append(known["aria-label"] or "")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append([])
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.tables[-1][-1][-1].append(data.replace("\u00a0", " "))

    def headed(self, *names: str) -> list[list[str]]:
        """The rows of the first table whose head starts with these, each cell one text."""
        for table in self.tables:
            head = ["".join(cell) for cell in table[0]]
            if head[: len(names)] == list(names):
                return [["".join(cell) for cell in row] for row in table[1:]]
        raise AssertionError(f"no table {names}")


def check_alone(text: str) -> None:
    """Nothing is fetched: the policy forbids it, and nothing asks for it."""
    page = Page(text)
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert str(policy).startswith("default-src 'none'")
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not {"src", "srcset", "onclick", "onload", "onerror"} & set(attributes)
        href = attributes.get("href")
        assert href is None or re.fullmatch(r"#[\w-]+", href)
        if href:
            assert any(a.get("id") == href[1:] for _, a in page.tags)
    assert not re.search(r"@import|url\(", text)


def palettes(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """The colours of a page's style sheets, light and dark."""
    light, dark = (
        dict(re.findall(r"--(\w+): (#\w+)", " ".join(re.findall(pattern, text, re.DOTALL | re.MULTILINE))))
        for pattern in (r"^:root \{(.*?)\}", r"prefers-color-scheme: dark\) \{\s*:root \{(.*?)\}")
    )
    return light, dark


def contrast(first: str, other: str) -> float:
    """WCAG 2's contrast ratio of two colours."""

    def light(colour: str) -> float:
        digits = colour[1:] if len(colour) == 7 else "".join(c + c for c in colour[1:])
        parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    bright, dark = sorted((light(first), light(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)
