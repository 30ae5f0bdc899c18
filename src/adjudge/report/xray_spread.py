"""How words match and how scores and ratios are spread over segments: bars and small histograms in SVG."""

from __future__ import annotations

from html import escape

from adjudge.analysis.alignments import Distribution, SystemDistribution
from adjudge.analysis.xray import Xray
from adjudge.report.table import MISSING, arrow, number, visible
from adjudge.report.xray import share_text, word_shares
from adjudge.report.xray_signs import EXTRA, GLYPHS, OTHER, in_order, kind_class

WIDTH, HEIGHT = 240, 90
FOOT = 20
CLASSES = ("first", "second")


def words_section(found: Xray) -> str:
    """A bar for every system: how many of its words are in links of each kind, and how many in none."""
    kinds = in_order({kind for system in found.systems for kind in system.words})
    parts = []
    for index, system in enumerate(found.systems):
        *shares, (_, missing) = word_shares(system, kinds)
        start, bars, items = 0.0, [], []
        for name, share in shares:
            style = kind_class("" if name == "extra" else name)
            sign = EXTRA if name == "extra" else GLYPHS.get(name, OTHER)
            told = f"{escape(visible(name))} <b>{share_text(share)}</b>"
            items.append(
                f'<li class="{style}"><span class="glyph" aria-hidden="true">{sign}</span>{told}</li>'
            )
            if share > 0:
                bars.append(
                    f'<rect class="{style}" x="{100 * start:.2f}" width="{100 * share:.2f}" height="10"/>'
                )
                start += share
        name = escape(visible(system.system), quote=True)
        items.append(f'<li class="soft">of the reference missing <b>{share_text(missing)}</b></li>')
        parts.append(
            f'<div class="share"><span class="system {CLASSES[index]}">{name}</span>'
            '<svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">'
            f'{"".join(bars)}</svg><ul aria-label="words of {name}">{"".join(items)}</ul></div>'
        )
    return "\n".join(parts)


def section(found: Xray, decimals: int) -> str:
    """All measures, then a table of tenths for those who read numbers."""
    figures = "".join(_figure(spread, found, decimals) for spread in found.distributions)
    return f'<div class="spread">{figures}</div>\n{_numbers(found, decimals)}'


def _figure(spread: Distribution, found: Xray, decimals: int) -> str:
    score = spread.measure == "score"
    name = f"{found.short_label} {arrow(found.higher_is_better)}".strip() if score else spread.measure
    places = decimals if score else 2
    most = max((max(s.counts, default=0) for s in spread.systems), default=0) or 1
    bars = "".join(_bars(s, most, CLASSES[i]) for i, s in enumerate(spread.systems))
    marks = "".join(_median(s, spread, CLASSES[i], places) for i, s in enumerate(spread.systems))
    middle = (spread.edges[0] + spread.edges[-1]) / 2
    ends = [
        f'<text x="{x}" y="{HEIGHT + FOOT}" text-anchor="{anchor}">{number(value, 0 if score else 1)}{more}</text>'
        for x, anchor, value, more in (
            (0, "start", spread.edges[0], ""),
            (WIDTH / 2, "middle", middle, ""),
            (WIDTH, "end", spread.edges[-1], "+" if spread.open_ended else ""),
        )
    ]
    told = "; ".join(
        f"{s.system}: median {_tenth(s, 5, places)}, eight in ten between {_tenth(s, 1, places)} and "
        f"{_tenth(s, 9, places)}"
        for s in spread.systems
    )
    medians = " · ".join(
        f'<span class="key {CLASSES[i]}">{_tenth(s, 5, places)}</span>' for i, s in enumerate(spread.systems)
    )
    return (
        f'<figure><figcaption>{escape(visible(name))} <span class="soft">median {medians}</span></figcaption>'
        f'<svg role="img" viewBox="0 -8 {WIDTH} {HEIGHT + FOOT + 10}">'
        f"<title>{escape(visible(name))}, segments from least to most</title>"
        f"<desc>{escape(visible(told))}</desc>{bars}"
        f'<line class="axis" x1="0" y1="{HEIGHT}" x2="{WIDTH}" y2="{HEIGHT}"/>{marks}{"".join(ends)}</svg></figure>'
    )


def _bars(system: SystemDistribution, most: int, colour: str) -> str:
    wide = WIDTH / max(1, len(system.counts))
    steps, before = [f"M0 {HEIGHT}"], 0
    for index, count in enumerate(system.counts):
        if count or before:
            steps.append(f"V{HEIGHT - count * HEIGHT / most:.1f}H{(index + 1) * wide:g}")
        else:  # no line where there is nothing
            steps.append(f"M{(index + 1) * wide:g} {HEIGHT}")
        before = count
    return f'<path class="bars {colour}" d="{"".join(steps)}V{HEIGHT}"/>'


def _median(system: SystemDistribution, spread: Distribution, colour: str, places: int) -> str:
    if not system.deciles:
        return ""
    low, high = spread.edges[0], spread.edges[-1]
    x = WIDTH * min(1.0, max(0.0, (system.deciles[5] - low) / (high - low)))
    told = escape(visible(f"median of {system.system}: {number(system.deciles[5], places)}"))
    return f'<path class="median {colour}" d="M{x:.1f} {HEIGHT}l-4 6h8Z"><title>{told}</title></path>'


def _tenth(system: SystemDistribution, index: int, places: int) -> str:
    return number(system.deciles[index], places) if system.deciles else MISSING


def _numbers(found: Xray, decimals: int) -> str:
    rows = []
    for spread in found.distributions:
        places = decimals if spread.measure == "score" else 2
        name = found.short_label if spread.measure == "score" else spread.measure
        for s in spread.systems:
            cells = [_tenth(s, i, places) for i in range(11)] + [number(s.mean, places), str(s.missing)]
            told = escape(visible(f"{name}, {s.system}"))
            rows.append(
                f'<tr><th scope="row">{told}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
            )
    heads = [
        "least",
        *(f"{10 * i}&nbsp;%" for i in range(1, 5)),
        "median",
        *(f"{10 * i}&nbsp;%" for i in range(6, 10)),
        "most",
    ]
    columns = "".join(f'<th scope="col">{head}</th>' for head in [*heads, "mean", "no value"])
    return (
        '<details class="numbers"><summary>The same in numbers (tenths of the segments)</summary><div><table>'
        f"<thead><tr><td></td>{columns}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></details>"
    )
