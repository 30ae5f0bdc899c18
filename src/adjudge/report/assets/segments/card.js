// A segment as it stands in the list: its scores, and its texts with the words that differ.
import { button, decorated, element, unitsOfPoints, visible } from "./dom.js";
import { changed, excerpts, runs, tokens } from "./diff.js";
import { MINUS, counted, difference, number } from "./numbers.js";

const LONGEST = 2000; // characters of a text that are shown at once

export function makeCard(app, segment, position, size) {
  const { store, notes } = app;
  const identifier = store.identifier(segment);
  const opened = app.opened.has(segment);
  const card = element("article", {
    class: "segment",
    "data-segment": segment,
    "aria-posinset": position + 1,
    "aria-setsize": size,
    "aria-label": `Segment ${visible(identifier)}`,
  });
  const star = button(notes.starred(segment) ? "★" : "☆", {
    class: "star",
    "aria-pressed": notes.starred(segment),
    "aria-label": `Star segment ${visible(identifier)}`,
    title: "star (s)",
    on: { click: () => app.toggleStar(segment) },
  });
  const more = button(opened ? "Less" : "More", {
    class: "more",
    "aria-expanded": opened,
    "aria-label": `${opened ? "Less" : "More"} of segment ${visible(identifier)}`,
    on: { click: () => app.toggleOpen(segment) },
  });
  const head = element(
    "div",
    { class: "head" },
    star,
    element("b", { class: "identifier" }, visible(identifier)),
    labels(store, segment),
    scores(app, segment),
    more,
  );
  card.append(head, texts(app, segment));
  letTab(card, position === app.list.current);
  if (opened) card.append(app.details(segment));
  else if (notes.comment(segment))
    card.append(element("p", { class: "comment soft", dir: "auto" }, visible(notes.comment(segment))));
  return card;
}

// The Tab key stops at one segment and goes on behind the list, which may have thousands.
export function letTab(card, stops) {
  for (const stop of [card, ...card.querySelectorAll(".head button")]) stop.tabIndex = stops ? 0 : -1;
}

function labels(store, segment) {
  const shown = store.document.labels
    .map(({ name }, place) => [name, store.label(place, segment)])
    .filter(([, value]) => value !== "" && value !== store.identifier(segment));
  return element(
    "span",
    { class: "labels soft" },
    shown.map(([name, value]) =>
      element(
        "span",
        { title: visible(name) },
        element("span", { class: "sr" }, `${visible(name)}: `),
        element("bdi", {}, visible(value)),
      ),
    ),
  );
}

// Scores of the system, each with its difference to the baseline, coloured and signed by whether that is good.
function scores(app, segment) {
  const { store, system, baseline } = app;
  const shown = store.document.scores.map((score, place) => {
    const own = store.score(place, system)?.[segment] ?? NaN;
    const other = baseline < 0 ? NaN : (store.score(place, baseline)?.[segment] ?? NaN);
    if (Number.isNaN(own)) return null;
    return element(
      "span",
      { class: `score ${score.kind}` },
      `${visible(score.title)} `,
      element("b", {}, number(own, score.decimals)),
      change(own - other, score),
    );
  });
  return element("span", { class: "scores" }, shown);
}

export function change(value, { decimals, higher }) {
  const text = difference(value, decimals);
  if (text === "") return "";
  const even = !/[1-9]/.test(text);
  const good = even || higher === null ? "" : text.startsWith(MINUS) !== higher ? "win" : "loss";
  return element("span", { class: `change ${good}` }, ` ${text}`);
}

// Source, references, the baseline's output and the system's.
function texts(app, segment) {
  const { store, system, baseline } = app;
  const list = element("dl", { class: "texts" });
  const [from, to] = store.languages(segment);
  const output = (place, kind) => ({
    number: store.texts("output", place)[segment],
    name: store.systems[place],
    language: to,
    kind,
    spans: store.spans(place, segment).filter((span) => span.side === "target"),
  });
  const own = output(system, "system");
  const other = baseline < 0 ? null : output(baseline, "baseline");
  const references = store.document.references
    .map((_, place) => ({
      number: store.texts("reference", place)[segment],
      language: to,
      name: store.document.references.length > 1 ? `Reference ${place + 1}` : "Reference",
    }))
    .filter((each) => store.text(each.number) !== null);
  const source = store.texts("source");
  const origin = source && {
    number: source[segment],
    name: "Source",
    language: from,
    spans: store.spans(system, segment).filter((span) => span.side === "source"),
  };
  const held = heldAgainst(app, references[0], other, own);
  for (const line of [origin, ...references, other, own].filter(Boolean)) {
    const name = element("dt", { class: line.kind }, element("bdi", {}, visible(line.name)));
    list.append(name, element("dd", {}, textOf(app, segment, line, held.get(line))));
  }
  if (held.note) list.append(element("dt", {}), element("dd", { class: "soft" }, held.note));
  return list;
}

// By line: { marked, list, kind } of the words that the text it is held against does not have.
function heldAgainst(app, reference, other, own) {
  const held = new Map();
  const against =
    app.view.against === "nothing" ? null : app.view.against === "reference" || !other ? reference : other;
  if (!against) return held;
  const compare = (line) => {
    if (app.store.text(line.number) === null || app.store.text(against.number) === null) return "";
    if (line.number === against.number)
      return against === reference ? "The same as the reference." : "The same output.";
    const lists = [tokens(app.store.text(against.number)), tokens(app.store.text(line.number))];
    const marks = changed(...lists);
    if (!marks) return "Too long to compare word by word.";
    held.set(line, { marked: marks.second, list: lists[1], kind: "added" });
    held.set(against, { marked: marks.first, list: lists[0], kind: "removed" });
    return "";
  };
  if (against === reference && other) compare(other);
  held.note = compare(own);
  return held;
}

export function textOf(app, segment, { number: textNumber, language, spans = [] }, held) {
  const text = app.store.text(textNumber);
  const box = element("span", { class: "text", dir: "auto", lang: language || null });
  if (text === null) return element("span", { class: "soft" }, "none");
  if (text === "") return element("span", { class: "soft" }, "empty");
  const marks = [...spanMarks(text, spans), ...app.rangesOf(textNumber).map((range) => ({ ...range, kind: "hit" }))];
  if (held) for (const run of runs(held.marked, held.list)) marks.push({ ...run, kind: held.kind });
  if (app.view.show === "changed" && held) {
    const parts = excerpts(held.marked, held.list, text.length);
    if (parts.length === 0) return element("span", { class: "soft" }, "nothing changed here");
    parts.forEach(({ start, end }, i) => {
      if (i > 0 || start > 0) box.append(i > 0 ? " … " : "… ");
      box.append(decorated(text.slice(start, end), moved(marks, start)));
    });
    if (parts.at(-1).end < text.length) box.append(" …");
    return box;
  }
  const whole = text.length <= LONGEST || app.unfolded.has(textNumber);
  box.append(decorated(whole ? text : text.slice(0, cutAt(text)), marks));
  if (whole) return box;
  const rest = button(`Show all ${counted(text.length, "character")}`, {
    class: "more",
    on: { click: () => app.unfold(textNumber, segment) },
  });
  return element("span", {}, box, " … ", rest);
}

const cutAt = (text) => (/[\ud800-\udbff]/.test(text[LONGEST - 1]) ? LONGEST - 1 : LONGEST);

function moved(marks, start) {
  return marks.map((mark) => ({ ...mark, start: mark.start - start, end: mark.end - start }));
}

// Errors that were marked, where they lie; those of the other side and what is missing are only in the details.
export function spanMarks(text, spans) {
  const own = spans.filter((span) => span.start !== null && span.end !== null);
  const units = unitsOfPoints(
    text,
    own.flatMap(({ start, end }) => [start, end]),
  );
  return own.map((span) => ({
    start: units.get(span.start),
    end: units.get(span.end),
    kind: `span ${severityClass(span.severity)}`,
    title: spanTitle(span),
    say: spanTitle(span),
  }));
}

export const spanTitle = ({ severity, category, annotator, comment }) =>
  visible([severity, category, annotator && `(${annotator})`, comment && `“${comment}”`].filter(Boolean).join(" "));

function severityClass(severity) {
  const known = ["critical", "major", "minor", "neutral"];
  return known.find((name) => severity.toLowerCase().includes(name)) ?? "major";
}
