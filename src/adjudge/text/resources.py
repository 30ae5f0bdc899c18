"""Where METEOR's language data lie: a folder of the user's, the installed `pycocoevalcap`, Debian's WordNet.

Nothing is downloaded and no environment is read; what is missing gives an error that says what to install.
"""

from __future__ import annotations

import importlib.util
import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import BinaryIO

from adjudge.data import languages
from adjudge.errors import DataError, MissingResourceError
from adjudge.io import files

JAR = "meteor-1.5.jar"
PACKAGE = "pycocoevalcap"
INSTALL = "pip install 'adjudge[meteor]'"
DEBIAN_WORDNET = Path("/usr/share/wordnet")

# The lists that METEOR 1.5 ships with something in them; its other languages have empty ones.
FUNCTION_WORDS = frozenset({"cs", "de", "en", "es", "fr", "ru"})
PREFIXES = frozenset({"cs", "de", "en", "es", "fr", "ru"})
PARAPHRASES = frozenset({"ar", "cs", "de", "en", "es", "fr", "ru"})
SYNSETS = ("english.synsets", "english.exceptions", "english.relations")


@dataclass(frozen=True)
class Resource:
    """One file of language data, on the disk or inside a jar."""

    path: Path
    member: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.member}" if self.member else str(self.path)

    def open(self) -> BinaryIO:
        """The file's bytes as a stream."""
        return io.BytesIO(self.read())

    def read(self) -> bytes:
        """The file's bytes, decompressed where it is a `.gz`."""
        if not self.member:
            return files.read_bytes(str(self.path))[0]
        with _archive(self.path) as jar:
            try:
                return jar.read(self.member)
            except (zipfile.BadZipFile, zlib.error, EOFError) as error:
                raise _broken_error(self.path, f"{self.member} in it cannot be read: {error}") from None

    def lines(self) -> list[str]:
        r"""The file's lines, without `\n`, `\r\n` and BOM; none where the file is empty."""
        data = self.read()
        return files.lines(str(self), data) if data else []


@dataclass(frozen=True)
class Resources:
    """METEOR's data: the user's `folder` (METEOR's own layout, flat, or with the jar in it), then what is installed."""

    folder: str = ""

    def __post_init__(self) -> None:
        if self.folder and not Path(self.folder).is_dir():
            raise DataError(f"{self.folder}: no such folder; METEOR's data files were expected in one")

    def function_words(self, language: str) -> Resource | None:
        """The list of function words of a language; None where METEOR ships none and the folder has none."""
        way_out = "give a list of your own (function_words=FILE)"
        return self._listed("function", "words", "function words", language, FUNCTION_WORDS, way_out)

    def nonbreaking_prefixes(self, language: str) -> Resource | None:
        """The words after which a dot ends no sentence; None where METEOR ships none and the folder has none."""
        way_out = "give text that is cut into words already (normalize=false)"
        return self._listed("nonbreaking", "prefixes", "non-breaking prefixes", language, PREFIXES, way_out)

    def synsets(self) -> tuple[Resource, Resource, Resource]:
        """METEOR's copy of WordNet: english.synsets, english.exceptions, english.relations."""
        resources = [self._find("synonym", name) for name in SYNSETS]
        for name, resource in zip(SYNSETS, resources, strict=True):
            if resource is None:
                raise self._missing("METEOR's English synonyms", "synonym", name)
        synsets, exceptions, relations = (resource for resource in resources if resource is not None)
        return synsets, exceptions, relations

    def paraphrase_table(self, language: str) -> Path | None:
        """The paraphrase table of a language, `paraphrase-LL.gz`.

        None where METEOR has none for the language; an error where there is one, but not on this machine.
        """
        iso = languages.code(language)
        short = {"cs": "cz"}.get(iso, iso)  # METEOR's abbreviation of Czech
        names = [f"paraphrase-{short}.gz", f"paraphrase-{iso}.gz"]
        for place in self._places():
            for name in names:
                for candidate in (place / "data" / name, place / name):
                    if candidate.is_file():
                        return candidate
        if iso not in PARAPHRASES:
            return None
        who_has_it = (
            f"{INSTALL}, or name a folder that has the file"
            if iso == "en"
            else "METEOR 1.5's own archive has it: put it into a folder and name that"
        )
        raise MissingResourceError(
            f"METEOR's paraphrases for {languages.name(iso).title()} are not here: looked for {names[0]} "
            f"in {self._searched_places()}; {who_has_it} (resources=FOLDER)"
        )

    def _listed(
        self, kind: str, suffix: str, what: str, language: str, known: frozenset[str], way_out: str
    ) -> Resource | None:
        iso = languages.code(language)
        name = languages.name(iso)
        resource = self._find(kind, f"{name}.{suffix}", f"{iso}.{suffix}")
        if resource is None and iso in known:
            missing = self._missing(f"METEOR's {what} for {name.title()}", kind, f"{name}.{suffix}")
            raise MissingResourceError(f"{missing}, or {way_out}")
        return resource

    def _find(self, kind: str, *names: str) -> Resource | None:
        for place, name in product(self._places(), names):
            for candidate in (place / kind / name, place / name):
                if candidate.is_file():
                    return Resource(candidate)
            jar, member = place / JAR, f"{kind}/{name}"
            if jar.is_file() and member in _members(jar):
                return Resource(jar, member)
        return None

    def _places(self) -> Iterator[Path]:
        if self.folder:
            yield Path(self.folder)
        if (package := _package()) is not None:
            yield package / "meteor"

    def _searched_places(self) -> str:
        places = [str(place) for place in self._places()]
        if _package() is None:
            places.append(f"the package {PACKAGE} (not installed)")
        return " and ".join(places)

    def _missing(self, what: str, kind: str, name: str) -> MissingResourceError:
        return MissingResourceError(
            f"{what} are not here: looked for {kind}/{name} in {self._searched_places()}; "
            f"{INSTALL}, or name a folder that has the file (resources=FOLDER)"
        )


def jar() -> Path | None:
    """METEOR 1.5's jar in the installed package, None without it."""
    package = _package()
    path = package / "meteor" / JAR if package is not None else None
    return path if path is not None and path.is_file() else None


def debian_wordnet() -> Path | None:
    """The dictionary files of Debian's package `wordnet-base`, None where they are not installed."""
    return DEBIAN_WORDNET if (DEBIAN_WORDNET / "data.noun").is_file() else None


def _package() -> Path | None:
    # Found, not imported: importing it would bring in matplotlib and more.
    spec = importlib.util.find_spec(PACKAGE)
    for location in (spec.submodule_search_locations or ()) if spec is not None else ():
        if (Path(location) / "meteor").is_dir():
            return Path(location)
    return None


@cache
def _members(jar: Path) -> frozenset[str]:
    with _archive(jar) as archive:
        return frozenset(archive.namelist())


def _archive(jar: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(jar)
    except zipfile.BadZipFile as error:
        raise _broken_error(jar, str(error)) from None
    except OSError as error:
        raise DataError(f"{jar} cannot be read: {error.strerror or error}") from None


def _broken_error(jar: Path, reason: str) -> DataError:
    return DataError(f"{jar} is not a whole jar ({reason}); install it again: {INSTALL}")
