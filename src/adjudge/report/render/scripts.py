"""The scripts that pages carry along: modules of `pages/`, put into one text that a policy can name."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

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
