"""The reference of what is public, made of signatures and docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from types import ModuleType
from typing import Any

SHORT = re.compile(r"\b(?:adjudge|collections|typing|numpy|pathlib)(?:\.\w+)*\.(?=\w)")


def pages(package: ModuleType) -> dict[str, str]:
    """A page a public name, in the order of the alphabet, and one that lists them."""
    made = {name: page(name, getattr(package, name)) for name in package.__all__}
    rows = [
        f"| [`{name}`]({name}.md) | {summary(getattr(package, name))} |"
        for name in sorted(made, key=str.lower)
    ]
    about = "All that is public of `adjudge`, by name. How to use it: [python.md](../python.md)."
    listed = "\n".join(["# Reference", "", about, "", "| name | |", "|---|---|", *rows, ""])
    return made | {"index": listed}


def page(name: str, thing: Any) -> str:
    """What a function, a class or a module offers."""
    parts = [f"# adjudge.{name}", ""]
    if isinstance(thing, ModuleType):
        parts += [prose(thing), ""]
        for inner in public_names(thing):
            parts += described(f"{name}.{inner}", getattr(thing, inner), level=2)
    else:
        parts += described(name, thing, level=0)
    return "\n".join(parts)


def public_names(module: ModuleType) -> list[str]:
    """What a module offers: its __all__, or what is defined in it and does not begin with an underscore."""
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    return sorted(
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__.startswith(module.__name__)
    )


def described(name: str, thing: Any, *, level: int) -> list[str]:
    """A signature, what it is for, and for a class its fields and methods."""
    parts = [f"{'#' * level} {name}", ""] if level else []
    if callable(thing):
        parts += ["```python", signature(name, thing), "```", ""]
    parts += [prose(thing), ""]
    if inspect.isclass(thing):
        parts += fields(thing) + methods(name, thing)
    return parts


def signature(name: str, thing: Any) -> str:
    """As one would write it, a parameter a line where there are many."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return f"{name}(…)"
    parameters = [
        parameter.replace(annotation=written(parameter.annotation)) for parameter in found.parameters.values()
    ]
    text = str(found.replace(parameters=parameters, return_annotation=written(found.return_annotation)))
    if len(text) > 80:
        inner, _, after = text[1:].rpartition(")")
        text = "(\n" + "".join(f"    {part},\n" for part in at_commas(inner)) + ")" + after
    return f"{name}{text}"


class Written(str):
    """A type that is shown as it is written, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def written(annotation: Any) -> Any:
    """An annotation without the names of modules."""
    if annotation is inspect.Parameter.empty:
        return annotation
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return Written(SHORT.sub("", text))


def at_commas(text: str) -> list[str]:
    """Parameters, parted at the commas that stand in no bracket."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def fields(thing: type) -> list[str]:
    """The fields of a dataclass, with what stands below each of them in the source."""
    if not dataclasses.is_dataclass(thing):
        return []
    said = said_of_fields(thing)
    shown = [field for field in dataclasses.fields(thing) if not field.name.startswith("_")]
    rows = [f"| `{field.name}` | `{kind(field.type)}` | {said.get(field.name, '')} |" for field in shown]
    return ["| field | type | |", "|---|---|---|", *rows, ""] if rows else []


def kind(annotation: Any) -> str:
    """A type as it is written in the source, without the names of modules."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return SHORT.sub("", text).replace("|", "\\|")


def said_of_fields(thing: type) -> dict[str, str]:
    """The sentences below fields."""
    try:
        source = inspect.getsource(thing)
    except (OSError, TypeError):
        return {}
    pattern = re.compile(r'^    (\w+): [^\n]*\n    """(.*?)"""', re.MULTILINE | re.DOTALL)
    return {name: cell(text) for name, text in pattern.findall(source)}


def methods(name: str, thing: type) -> list[str]:
    """The methods and properties of a class that are its own."""
    parts: list[str] = []
    for inner, value in sorted(vars(thing).items()):
        own = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if inner.startswith("_") or not (inspect.isfunction(own) or isinstance(own, property)):
            continue
        of = own.fget if isinstance(own, property) else own
        head = inner if isinstance(own, property) else signature(inner, own)
        parts += [f"### {name}.{inner}", "", "```python", head, "```", "", prose(of), ""]
    return parts


def prose(thing: Any) -> str:
    """A docstring, its literals kept."""
    return inspect.getdoc(thing) or ""


def summary(thing: Any) -> str:
    """The first sentence of a docstring."""
    return cell(prose(thing).split("\n\n")[0])


def cell(text: str) -> str:
    """In one line of a table."""
    return " ".join(text.split()).replace("|", "\\|")
