"""What all fits have in common when they are shown: a verdict, two tables, and how it was done."""

from __future__ import annotations

from dataclasses import replace

from adjudge.display import FLUSH, Displayable, Section, Signature, Table


class FitResult(Displayable):
    """A fit: on a screen the verdict comes last, where people look, and in print first."""

    @property
    def title(self) -> str:
        """Of its page: the verdict."""
        return self.verdict()

    def verdict(self) -> str:
        """Whether the fit is worth having, in a sentence or two."""
        raise NotImplementedError

    def _tables(self) -> tuple[Table, Table]:
        """What was fitted, and what that is worth."""
        raise NotImplementedError

    def _remarks(self) -> tuple[str | Signature, ...]:
        """How it was done, and what to beware of."""
        raise NotImplementedError

    def sections(self) -> list[Section]:
        """The tables, then the verdict."""
        return [Section(tables=self._tables()), replace(self._answer(), notes=self._remarks())]

    def printed(self) -> list[Section]:
        """The verdict, then what the fit is worth, then the fit."""
        fit, worth = self._tables()
        return [self._answer(), Section(tables=(worth, fit), notes=self._remarks())]

    def paper(self) -> list[Section]:
        """What the fit is worth, with the verdict below it, then the fit."""
        fit, worth = self._tables()
        return [replace(self._answer(), tables=(worth,), notes=self._remarks()), Section(tables=(fit,))]

    def _answer(self) -> Section:
        return Section(lead=self.verdict(), style="heading", layout=FLUSH)
