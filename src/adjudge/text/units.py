"""Units of measure and of money beside numbers, by one name whatever the language writes."""

from __future__ import annotations

import re

# A name, and how it is written; - is a space, and a star any ending.
_UNITS = {
    "%": "% ٪ ％ percent per-cent prozent por-cento pour-cent por-ciento per-cento procent procenta procentů procente "
    "prosent prosenttia процент процента процентов відсоток відсотків százalék yüzde 퍼센트 パーセント",
    "km": "km км kilomet* kilómet* quilômet* quilómet* chilomet* километ* кіломет* 公里 千米 キロメートル 킬로미터",
    "cm": "cm см centimet* centímet* zentimet* centymet* сантимет* 厘米 センチ 센티미터",
    "mm": "mm мм millimet* milímet* milimet* миллимет* 毫米 ミリ 밀리미터",
    "m": "m м meter meters metre metres metri metro metros metru metry metrů metrów mètre mètres метр метра метров "
    "метрів 米 メートル 미터",
    "kg": "kg кг kilogram* quilograma* chilogramm* kilo kilos quilo quilos chilo chili килограм* кілограм* 公斤 千克 "
    "キログラム 킬로그램",
    "mg": "mg мг milligram* miligram* миллиграм*",
    "g": "g г gram grams gramm gramme grammes grama gramas gramo gramos grammi gramů gramów грамм грамма граммов 克 "
    "グラム 그램",
    "ml": "ml мл millilit* mililit* миллилит* 毫升 ミリリットル",
    "l": "l л liter liters litre litres litro litros litri litr litry litrů litrów литр литра литров літрів 升 "
    "リットル",
    "°C": "°C ºC ℃ celsius",
    "°F": "°F ºF ℉ fahrenheit",
    "mile": "mi mile miles meile meilen milha milhas milla millas miglia миль мили",
    "foot": "ft foot feet fuß pied pieds pé pés",
    "inch": "inch inches zoll pouce pouces polegada polegadas pulgada pulgadas",
    "pound": "£ GBP lb lbs pound pounds pfund libra libras фунт фунта фунтов",
    "euro": "€ EUR euro euros euró евро євро 欧元 ユーロ 유로",
    "dollar": "$ USD US$ US-dollar* dollar* dólar* доллар* долар* 美元 ドル 달러",
    "yen": "¥ JPY yen 日元 円 엔",
    "hour": "h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur uren godzin godziny hodin hodiny "
    "timmar timer час часа часов годин години saat 小时 小時 時間 시간",
    "minute": "min minute minutes minuten minuto minutos minuti minuut minut minuty minuta минут минуты хвилин dakika "
    "分钟 分鐘 分間 분",
    "kWh": "kWh кВт·ч kilowattstunden",
    "W": "W Вт watt watts",
    "V": "V volt volts",
    "Hz": "Hz Гц hertz",
    "GB": "GB ГБ gigabyte gigabytes",
    "MB": "MB МБ megabyte megabytes",
    "km/h": "km/h kph км/ч",
}
_CASED = {"W", "V", "MB", "GB", "Hz", "°C", "°F", "Вт"}
"""Written so and not otherwise: `V` is volts, `v` is not."""
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3%٪％€$£¥℃℉]")
"""Signs, and letters of languages that have no spaces: anything may follow them."""
_FIGURE = re.compile(r"\d")
_SCALE = (
    r"(?:[ \u00a0\u202f-]?(?:mio|mln|mrd|bn|mill?i(?:[oó]n|ard)\w*|mill[oó]n\w*|milh\w+|bill?i(?:[oó]n|ard)\w*|"
    r"bill[oó]n\w*|bilh\w+|thousand|tausend|mil|mille|mila|tisíc\w*|tys\w*|тыс\w*|тис\w*|млн|миллион\w*|"
    r"мільйон\w*|млрд|миллиард\w*|мільярд\w*)\b\.?(?: d[ei]| d')?)?"
)
"""What may stand between a number and its unit: 1,7 Millionen Pfund."""
_NUMBER = r"\d[\d.,'’\u00a0\u202f]*"


def _by_first_letter() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    """Every spelling as a pattern with its unit, the longest first, by its first letter, large or small."""
    spellings: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    pairs = [(spelling, unit) for unit, written in _UNITS.items() for spelling in written.split()]
    for spelling, unit in sorted(pairs, key=lambda pair: -len(pair[0])):
        parts = map(re.escape, spelling.removesuffix("*").split("-"))
        pattern = "[ -]".join(parts) + (r"\w*" if spelling.endswith("*") else "")
        pattern += "" if _EAST.match(spelling) else r"(?!\w)"
        compiled = re.compile(pattern if spelling in _CASED else f"(?i:{pattern})")
        for letter in {spelling[0].lower(), spelling[0].upper()}:
            spellings.setdefault(letter, []).append((compiled, unit))
    return spellings


_SPELLINGS = _by_first_letter()
_UP_TO_UNIT = re.compile(rf"{_NUMBER}(?i:{_SCALE})[ \u00a0\u202f-]?")
_BEFORE = re.compile(rf"(US\$|[$€£¥%])[ \u00a0\u202f]?{_NUMBER}")
_SIGNS = {"US$": "dollar", "$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "%": "%"}


def units_of(text: str) -> list[str]:
    """The units of a text that stand beside a number, as often as they do."""
    if _FIGURE.search(text) is None:
        return []
    units = [_SIGNS[match[1]] for match in _BEFORE.finditer(text)]
    rest = _BEFORE.sub(lambda match: " " * len(match[0]), text)
    for match in _UP_TO_UNIT.finditer(rest):
        known = _SPELLINGS.get(rest[match.end() : match.end() + 1], ())
        units += [unit for pattern, unit in known if pattern.match(rest, match.end())][:1]
    return units
