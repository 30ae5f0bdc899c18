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
    "dollar": "$ USD US$ dollar* dólar* доллар* долар* 美元 ドル 달러",
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
_NUMBER = r"\d[\d.,'’\u00a0\u202f]*"


def _spellings() -> list[tuple[str, str]]:
    """Every spelling as a pattern, the longest first, with its unit."""
    spellings = []
    for unit, written in _UNITS.items():
        for spelling in written.split():
            stem = spelling.removesuffix("*").replace("-", " ")
            pattern = re.escape(stem) + (r"\w*" if spelling.endswith("*") else "")
            spellings.append((pattern if spelling in _CASED else f"(?i:{pattern})", unit))
    return sorted(spellings, key=lambda pair: -len(pair[0]))


_SPELLINGS = _spellings()
_AFTER = re.compile(
    # From the first digit on and never less than the whole number, else every digit is tried with all spellings.
    rf"(?<!\d){_NUMBER}+[ \u00a0\u202f-]?(?:{'|'.join(f'({pattern})' for pattern, _ in _SPELLINGS)})(?![^\W\d_])"
)
_DIGIT = re.compile(r"\d")
_BEFORE = re.compile(rf"(US\$|[$€£¥%])[ \u00a0\u202f]?{_NUMBER}")
_SIGNS = {"US$": "dollar", "$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "%": "%"}


def units_of(text: str) -> list[str]:
    """The units of a text that stand beside a number, as often as they do."""
    if not _DIGIT.search(text):
        return []
    units = [_SIGNS[match[1]] for match in _BEFORE.finditer(text)]
    rest = _BEFORE.sub(lambda match: " " * len(match[0]), text)
    for match in _AFTER.finditer(rest):
        assert match.lastindex is not None
        units.append(_SPELLINGS[match.lastindex - 1][1])
    return units
