"""How results show themselves where somebody looks at them: in a notebook, and as tables of other packages.

Results stand low in the house and know nothing of looks. They ask the package itself, whose front door knows every room
by its name, and nothing is imported until somebody looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars


class Shown:
    """A result that a notebook shows as pages do, and that goes into tables of pandas and Polars."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(_notebook().html_of(self))

    def to_pandas(self, table: str = "") -> pandas.DataFrame:
        """The result as a table of pandas, as TSV has it; `table` names another one where there are several."""
        return _notebook().pandas_of(self, table)

    def to_polars(self, table: str = "") -> polars.DataFrame:
        """The same as a table of Polars."""
        return _notebook().polars_of(self, table)  # type: ignore[no-any-return]


class Plotted(Shown):
    """One that can also be drawn as a chart of Altair."""

    __slots__ = ()

    def plot(self, metric: str = "") -> Any:
        """Scores with their intervals as a chart of Altair: by one metric, or by each of them, one below the other."""
        return _notebook().chart_of(self, metric)


def _notebook() -> Any:
    import adjudge

    return adjudge._notebook
