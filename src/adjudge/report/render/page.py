"""Pages for a browser: one file that needs nothing else, light and dark, on any width and on paper."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html


def page(
    title: str,
    body: Sequence[Html],
    *,
    styles: Sequence[str] = (),
    script: str = "",
    modules: Sequence[str] = (),
    workers: bool = False,
    images: bool = False,
) -> Html:
    """A whole page of the style sheets, the script and the modules (with what they import) that are shipped.

    Its policy names the scripts by their content, so that no other runs; `workers` may be started by them, of text that
    the page has, and `images` made of its drawings.
    """
    run = [NEW_LINE + shipped_script(name) for name in (*((script,) if script else ()), *modules)]
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    policy += f"; script-src {' '.join(map(digest, run))}" if run else ""
    policy += "; worker-src blob:" if workers else ""
    policy += "; img-src data:" if images else ""
    parts = [
        html('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'),
        html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        # Quoted by hand, for only its values are text.
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        html("<title>{}</title>", title),
        html("<style>\n{}</style>", NOTHING.join(map(read_style, ("page.css", *styles)))),
        html("</head>\n<body>"),
        *body,
        *(html("<script>{}</script>", content) for content in run),
        html("</body>\n</html>"),
    ]
    return NEW_LINE.join(part for part in parts if part) + NEW_LINE


def colours(*styles: str) -> tuple[dict[str, str], dict[str, str]]:
    """The colours that pages of these style sheets have by name, light and dark."""
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for name in ("page.css", *styles):
        blocks = re.findall(r":root \{(.*?)\}", read_style(name), re.DOTALL)
        for palette, block in zip((light, dark), blocks, strict=False):
            palette.update(re.findall(r"--(\w+): (#\w+)", block))
    return light, dark


@cache
def framed_style(styles: tuple[str, ...]) -> Html:
    """The style of pages for what stands in a frame and nothing else, light and dark as the notebook is."""
    rules = "\n".join(map(read_style, styles))
    # Colours come below, by name; on paper a notebook looks as it likes.
    rules = re.sub(
        r"@media (?:screen and )?\((?:prefers-color-scheme: dark)\) \{\s*:root \{[^}]*\}\s*\}", "", rules
    )
    rules = re.sub(r":root \{[^}]*\}", "", rules)
    rules = re.sub(r"(?m)^body \{[^}]*\}", "", rules)
    light, dark = (
        ";".join(f"--{name}:{value}" for name, value in palette.items())
        for palette in colours("analysis.css")
    )
    frame = (
        ".adjudge{color:var(--ink);background:var(--paper);padding:.2rem 1rem;border-radius:.5rem;"
        "font:.95rem/1.5 system-ui,sans-serif}"
    )
    return Html(
        f".adjudge{{{light}}}\n@media (prefers-color-scheme: dark){{.adjudge{{{dark}}}}}\n"
        f'[data-jp-theme-light="true"] .adjudge,.vscode-light .adjudge{{{light}}}\n'
        f'[data-jp-theme-light="false"] .adjudge,.vscode-dark .adjudge{{{dark}}}\n'
        f"{frame}\n@scope (.adjudge){{\n{rules}\n}}"
    )


def shipped_script(name: str) -> Html:
    """A script that comes along, with the modules that it imports."""
    return Html(script(name))


def read_style(name: str) -> Html:
    """A style sheet that comes along."""
    return Html(files("adjudge.report").joinpath("assets", name).read_text(encoding="utf-8"))


_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\./[\w./-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)


@cache
def script(name: str) -> str:
    """A file of `pages/` as the text of one script: a module with all that it imports, or a plain script as it is.

    Every module becomes a function of its own, so that their names do not meet; what a module may import stands in
    braces on lines of its own, and comes from beside it.
    """
    order = _order(name, ())
    if len(order) == 1:
        return _text(name)
    return '"use strict";\n' + "".join(_as_function(module, last=module == name) for module in order)


def digest(content: str) -> str:
    """What a Content-Security-Policy calls an inline script of that content."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _text(name: str) -> str:
    return files("adjudge.report").joinpath("assets", *PurePosixPath(name).parts).read_text(encoding="utf-8")


def _order(name: str, above: tuple[str, ...]) -> list[str]:
    """The module after all that it imports."""
    if name in above:
        raise ValueError(f"modules import each other in a circle: {' → '.join((*above, name))}")
    order: list[str] = []
    for _, path in _IMPORT.findall(_text(name)):
        needed = _order(str(PurePosixPath(name).parent / path), (*above, name))
        order += [module for module in needed if module not in order]
    return [*order, name]


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", PurePosixPath(name).stem)


def _as_function(name: str, *, last: bool) -> str:
    body = _IMPORT.sub(lambda match: f"const {{{match[1]}}} = {_variable(match[2])};", _text(name))
    exported = [match[1] for match in _EXPORT.findall(body)]
    body = _EXPORT.sub(r"\1", body)
    start = "" if last else f"const {_variable(name)} = "
    return f"{start}(() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();\n"
