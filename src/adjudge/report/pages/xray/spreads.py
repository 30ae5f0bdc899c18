"""How words match and how scores and ratios are spread over segments: bars and small histograms in SVG."""

from __future__ import annotations

from adjudge.analysis.alignments import MeasureDistribution, SystemDistribution
from adjudge.analysis.xray import Xray
from adjudge.display import arrow
from adjudge.report.pages.xray.signs import EXTRA, GLYPHS, OTHER, in_order, kind_class
from adjudge.report.pages.xray.xray import share_text, word_shares
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html
from adjudge.wording import MISSING, number

WIDTH, HEIGHT = 240, 90
FOOT = 20
CLASSES = ("first", "second")


def words_section(result: Xray) -> Html:
    """A bar for every system: how many of its words are in links of each kind, and how many in none."""
    kinds = in_order({kind for system in result.systems for kind in system.words})
    parts = []
    for index, system in enumerate(result.systems):
        *shares, (_, missing) = word_shares(system, kinds)
        start, bars, items = 0.0, [], []
        for name, share in shares:
            style = kind_class("" if name == "extra" else name)
            sign = EXTRA if name == "extra" else GLYPHS.get(name, OTHER)
            told = html("{} <b>{}</b>", name, share_text(share))
            items.append(
                html(
                    '<li class="{}"><span class="glyph" aria-hidden="true">{}</span>{}</li>',
                    style,
                    sign,
                    told,
                )
            )
            if share > 0:
                bars.append(
                    html(
                        '<rect class="{}" x="{:.2f}" width="{:.2f}" height="10"/>',
                        style,
                        100 * start,
                        100 * share,
                    )
                )
                start += share
        name = system.system
        items.append(html('<li class="soft">of the reference missing <b>{}</b></li>', share_text(missing)))
        parts.append(
            html(
                '<div class="share"><span class="system {}">{}</span>'
                '<svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">{}</svg>'
                '<ul aria-label="words of {}">{}</ul></div>',
                CLASSES[index],
                name,
                NOTHING.join(bars),
                name,
                NOTHING.join(items),
            )
        )
    return NEW_LINE.join(parts)


def section(result: Xray, decimals: int) -> Html:
    """All measures, then a table of tenths for those who read numbers."""
    figures = NOTHING.join(_figure(spread, result, decimals) for spread in result.distributions)
    return html('<div class="spread">{}</div>\n{}', figures, _numbers(result, decimals))


def _figure(spread: MeasureDistribution, result: Xray, decimals: int) -> Html:
    score = spread.measure == "score"
    name = f"{result.short_label} {arrow(result.higher_is_better)}".strip() if score else spread.measure
    places = decimals if score else 2
    most = max((max(s.counts, default=0) for s in spread.systems), default=0) or 1
    bars = NOTHING.join(_bars(s, most, CLASSES[i]) for i, s in enumerate(spread.systems))
    marks = NOTHING.join(_median(s, spread, CLASSES[i], places) for i, s in enumerate(spread.systems))
    middle = (spread.edges[0] + spread.edges[-1]) / 2
    ends = [
        html(
            '<text x="{}" y="{}" text-anchor="{}">{}{}</text>',
            x,
            HEIGHT + FOOT,
            anchor,
            number(value, 0 if score else 1),
            more,
        )
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
    medians = html(" · ").join(
        html('<span class="key {}">{}</span>', CLASSES[i], _tenth(s, 5, places))
        for i, s in enumerate(spread.systems)
    )
    return html(
        '<figure><figcaption>{} <span class="soft">median {}</span></figcaption>'
        '<svg role="img" viewBox="0 -8 {} {}"><title>{}, segments from least to most</title>'
        '<desc>{}</desc>{}<line class="axis" x1="0" y1="{}" x2="{}" y2="{}"/>{}{}</svg></figure>',
        name,
        medians,
        WIDTH,
        HEIGHT + FOOT + 10,
        name,
        told,
        bars,
        HEIGHT,
        WIDTH,
        HEIGHT,
        marks,
        NOTHING.join(ends),
    )


def _bars(system: SystemDistribution, most: int, colour: str) -> Html:
    wide = WIDTH / max(1, len(system.counts))
    steps, before = [f"M0 {HEIGHT}"], 0
    for index, count in enumerate(system.counts):
        if count or before:
            steps.append(f"V{HEIGHT - count * HEIGHT / most:.1f}H{(index + 1) * wide:g}")
        else:  # no line where there is nothing
            steps.append(f"M{(index + 1) * wide:g} {HEIGHT}")
        before = count
    return html('<path class="bars {}" d="{}V{}"/>', colour, NOTHING.join(steps), HEIGHT)


def _median(system: SystemDistribution, spread: MeasureDistribution, colour: str, places: int) -> Html:
    if not system.deciles:
        return NOTHING
    low, high = spread.edges[0], spread.edges[-1]
    x = WIDTH * min(1.0, max(0.0, (system.deciles[5] - low) / (high - low)))
    told = f"median of {system.system}: {number(system.deciles[5], places)}"
    return html(
        '<path class="median {}" d="M{:.1f} {}l-4 6h8Z"><title>{}</title></path>', colour, x, HEIGHT, told
    )


def _tenth(system: SystemDistribution, index: int, places: int) -> str:
    return number(system.deciles[index], places) if system.deciles else MISSING


def _numbers(result: Xray, decimals: int) -> Html:
    rows = []
    for spread in result.distributions:
        places = decimals if spread.measure == "score" else 2
        name = result.short_label if spread.measure == "score" else spread.measure
        for s in spread.systems:
            cells = [_tenth(s, i, places) for i in range(11)] + [number(s.mean, places), str(s.missing)]
            told = f"{name}, {s.system}"
            rows.append(
                html(
                    '<tr><th scope="row">{}</th>{}</tr>',
                    told,
                    NOTHING.join(html("<td>{}</td>", cell) for cell in cells),
                )
            )
    heads = [
        "least",
        *(html("{}&nbsp;%", 10 * i) for i in range(1, 5)),
        "median",
        *(html("{}&nbsp;%", 10 * i) for i in range(6, 10)),
        "most",
    ]
    columns = NOTHING.join(html('<th scope="col">{}</th>', head) for head in [*heads, "mean", "no value"])
    return html(
        '<details class="numbers"><summary>The same in numbers (tenths of the segments)</summary><div>'
        "<table><thead><tr><td></td>{}</tr></thead><tbody>{}</tbody></table></div></details>",
        columns,
        NOTHING.join(rows),
    )
