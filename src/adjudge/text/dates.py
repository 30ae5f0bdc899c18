"""Dates as people write them, in figures or with the names of months in twenty languages: which day they mean.

What is ambiguous stays so: 3/4/2026 and 4/3/2026 are one date, since nothing says which number is the month.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# How months are called, in full as dates have them and in short, but for what is a word of its own (out, set, ago).
_MONTHS = (
    "january januar januari janvier enero janeiro gennaio ianuarie stycznia ledna января січня ocak tammikuuta január "
    "jan ene gen янв",
    "february februar februari février febrero fevereiro febbraio februarie lutego února февраля лютого şubat "
    "helmikuuta február feb févr fev фев",
    "march märz maart mars marts marzo março martie marca března марта березня mart maaliskuuta március mar mrt мар",
    "april avril abril aprile aprilie kwietnia dubna апреля квітня nisan huhtikuuta április apr avr abr апр",
    "may mai mei maj mayo maio maggio maja května мая травня mayıs toukokuuta május mag",
    "june juni juin junio junho giugno iunie czerwca června июня червня haziran kesäkuuta június jun giu июн",
    "july juli juillet julio julho luglio iulie lipca července июля липня temmuz heinäkuuta július jul juil lug июл",
    "august augustus augusti août agosto sierpnia srpna августа серпня ağustos elokuuta augusztus aug авг",
    "september septembre septiembre setembro settembre septembrie września září сентября вересня eylül syyskuuta "
    "szeptember sep sept сен",
    "october oktober octobre octubre outubro ottobre octombrie oktobra października října октября жовтня ekim "
    "lokakuuta október oct okt ott окт",
    "november novembre noviembre novembro noiembrie listopada listopadu ноября листопада kasım marraskuuta nov noi ноя",
    "december dezember décembre diciembre dezembro dicembre decembrie grudnia prosince декабря грудня aralık "
    "joulukuuta dec dez déc dic дек",
)
_NUMBERS = {name: month for month, names in enumerate(_MONTHS, 1) for name in names.split()}
_FIGURE = re.compile(r"\d")
_NAME = r"([^\W\d_]{3,12})\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?"
_YEAR = r"(\d{4})"
_NUMERIC = re.compile(r"(?<![\d.,/-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/-])")
_REVERSED = re.compile(r"(?<![\d.,/-])(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?![\d/-]|[.,]\d)")
_EAST = re.compile(r"(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]")
_DAY_FIRST = re.compile(
    rf"\b{_DAY}\s+(?:de\s+|of\s+)?{_NAME}(?:,?\s+(?:de\s+|del\s+)?{_YEAR})?(?!\w)", re.IGNORECASE
)
_YEAR_FIRST = re.compile(rf"\b{_YEAR}\.?\s+{_NAME}\s+{_DAY}(?!\d)", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"\b{_NAME}\s+{_DAY}(?!\d)(?:,?\s+{_YEAR})?(?!\w)", re.IGNORECASE)


class Date(NamedTuple):
    """A day: its two numbers, the smaller first, and the year (0 where none is written)."""

    low: int
    high: int
    year: int

    def is_same(self, other: Date) -> bool:
        """Whether both may mean the same day: years must be equal where both are written, two digits being enough."""
        years = self.year == other.year or self.year == 0 or other.year == 0
        short = min(self.year, other.year) < 100 and self.year % 100 == other.year % 100
        return self[:2] == other[:2] and (years or short)

    def __str__(self) -> str:
        return f"{self.low}/{self.high}" + (f"/{self.year}" if self.year else "")


def dates_of(text: str) -> list[Date]:
    """All dates of a text, each once for every place where it stands."""
    dates: list[Date] = []
    if _FIGURE.search(text) is None:
        return dates

    def take(pattern: re.Pattern[str], day: int, month: int, year: int, text: str) -> str:
        def blanked(match: re.Match[str]) -> str:
            name = match[month].lower()
            number = int(name) if name.isdecimal() else _NUMBERS.get(name, 0)
            date = _date(int(match[day]), number, int(match[year] or 0))
            if date is None:
                return match[0]
            dates.append(date)
            return "\0" * len(match[0])  # no other way of writing may take it for a date again

        return pattern.sub(blanked, text)

    for pattern, day, month, year in (
        (_NUMERIC, 4, 3, 1),
        (_REVERSED, 1, 3, 4),
        (_EAST, 3, 2, 1),
        (_YEAR_FIRST, 3, 2, 1),
        (_DAY_FIRST, 1, 2, 3),
        (_MONTH_FIRST, 2, 1, 3),
    ):
        text = take(pattern, day, month, year, text)
    return dates


def _date(day: int, month: int, year: int) -> Date | None:
    """A date if there can be such a day, whichever of the two numbers is the month."""
    low, high = sorted((day, month))
    return Date(low, high, year) if 1 <= low <= 12 and high <= 31 else None
