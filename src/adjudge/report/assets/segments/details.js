// What is opened below a segment: every system with its scores, marked errors, alignments, and a comment.
import { button, element, visible } from "./dom.js";
import { editAlignment, tokens } from "./diff.js";
import { change, spanTitle, textOf } from "./card.js";
import { number } from "./numbers.js";

const HERE = "edit distance";

export function makeDetails(app, segment) {
  const box = element("div", { class: "details" });
  box.append(
    scoreTable(app, segment),
    ...errorLists(app, segment),
    ...otherOutputs(app, segment),
    alignmentBox(app, segment),
    commentBox(app, segment),
  );
  return box;
}

function scoreTable(app, segment) {
  const { store, system, baseline } = app;
  const { scores, counts, spans } = store.document;
  const marked = spans.some(Boolean);
  const headings = [
    ...scores.map(({ title, higher }) => `${visible(title)}${higher === null ? "" : higher ? " ↑" : " ↓"}`),
    ...counts.map(({ name }) => visible(name)),
    ...(marked ? ["marked"] : []),
  ];
  if (headings.length === 0) return "";
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "System"),
    headings.map((name) => element("th", { scope: "col", class: "number" }, name)),
  );
  const rows = store.systems.map((name, place) => {
    const cells = scores.map((score, at) => {
      const own = store.score(at, place)?.[segment] ?? NaN;
      const other = baseline < 0 || place === baseline ? NaN : (store.score(at, baseline)?.[segment] ?? NaN);
      return element("td", { class: "number" }, number(own, score.decimals), change(own - other, score));
    });
    const numbers = counts.map((_, at) =>
      element("td", { class: "number" }, number(store.count(at, place)?.[segment] ?? NaN, 0)),
    );
    const errors = marked
      ? [element("td", { class: "number" }, number(store.spanCounts(place)?.[segment] ?? NaN, 0))]
      : [];
    const role = place === system ? "system" : place === baseline ? "baseline" : "";
    return element(
      "tr",
      {},
      element(
        "th",
        { scope: "row", class: role },
        element("bdi", {}, visible(name)),
        place === baseline ? element("span", { class: "soft" }, " baseline") : "",
      ),
      cells,
      numbers,
      errors,
    );
  });
  return element(
    "div",
    { class: "scroll", role: "region", "aria-label": "Scores of this segment", tabindex: 0 },
    element("table", {}, element("thead", {}, head), element("tbody", {}, rows)),
  );
}

function errorLists(app, segment) {
  const { store } = app;
  return [app.system, app.baseline]
    .filter((place) => place >= 0)
    .map((place) => {
      const spans = store.spans(place, segment);
      if (spans.length === 0) return "";
      const text = Array.from(store.text(store.texts("output", place)[segment]));
      const source = store.texts("source");
      const sourceText = source ? Array.from(store.text(source[segment])) : [];
      const items = spans.map((span) => {
        const words =
          span.start === null ? "" : (span.side === "source" ? sourceText : text).slice(span.start, span.end).join("");
        return element(
          "li",
          {},
          element("q", { dir: "auto" }, visible(words) || "missing"),
          ` ${spanTitle(span)}${span.side === "source" ? ", in the source" : ""}`,
        );
      });
      return element(
        "div",
        {},
        element("h4", {}, "Marked errors of ", element("bdi", {}, visible(store.systems[place]))),
        element("ul", { class: "errors" }, items),
      );
    });
}

function otherOutputs(app, segment) {
  const { store, system, baseline } = app;
  const others = store.systems
    .map((name, place) => ({ name, place }))
    .filter(({ place }) => place !== system && place !== baseline);
  if (others.length === 0) return [];
  const list = element("dl", { class: "texts" });
  for (const { name, place } of others) {
    const line = {
      number: store.texts("output", place)[segment],
      language: store.languages(segment)[1],
      spans: store.spans(place, segment).filter((span) => span.side === "target"),
    };
    const look = button("look at it", {
      class: "more",
      "aria-label": `Look at ${visible(name)}`,
      on: { click: () => app.change({ system: name }) },
    });
    list.append(
      element("dt", {}, element("bdi", {}, visible(name)), " ", look),
      element("dd", {}, textOf(app, segment, line)),
    );
  }
  return [element("h4", {}, "Other systems"), list];
}

// Alignments that the report brings along, and one that is made here; drawn when somebody asks.
function alignmentBox(app, segment) {
  const { store, system } = app;
  const reference = store.document.references
    .map((_, place) => store.texts("reference", place)[segment])
    .find((text) => store.text(text) !== null);
  const brought = store.document.alignments
    .map(({ name }, place) => ({ name, alignment: store.alignment(place, system, segment) }))
    .filter(({ alignment }) => alignment);
  if (reference === undefined && brought.length === 0) return "";
  const place = element("div", { class: "alignment", "aria-live": "polite" });
  const choices = [
    ...brought.map(({ name, alignment }) => ({ name, cells: () => linkedCells(alignment) })),
    ...(reference === undefined ? [] : [{ name: HERE, cells: () => editCells(app, segment, reference) }]),
  ];
  const buttons = choices.map(({ name, cells }) =>
    button(visible(name), {
      "aria-pressed": false,
      on: {
        click: (event) => {
          for (const other of buttons) other.setAttribute("aria-pressed", String(other === event.currentTarget));
          place.replaceChildren(drawn(cells(), name));
          app.list.draw();
        },
      },
    }),
  );
  return element(
    "div",
    {},
    element("h4", {}, "Words beside the reference, by "),
    element("div", { class: "choices", role: "group", "aria-label": "Alignment" }, buttons),
    place,
  );
}

function editCells(app, segment, reference) {
  const words = (number) => tokens(app.store.text(number)).map((token) => token.text);
  return editAlignment(words(app.store.texts("output", app.system)[segment]), words(reference));
}

// Links in the order of the output; words of the reference in no link stand after the one they follow.
export function linkedCells({ words, others, links }) {
  const linked = new Set(
    links.flatMap(({ others: [from, to] }) => Array.from({ length: to - from }, (_, i) => from + i)),
  );
  const byWord = new Map(links.map((link) => [link.words[0], link]));
  const inLink = new Set(
    links.flatMap(({ words: [from, to] }) => Array.from({ length: to - from }, (_, i) => from + i)),
  );
  const left = (from) => {
    const cells = [];
    for (let i = from; i < others.length && !linked.has(i); i++)
      cells.push({ word: "", other: others[i], kind: "missing" });
    return cells;
  };
  const result = left(0);
  let reached = 0;
  for (let i = 0; i < words.length; i++) {
    const link = byWord.get(i);
    if (!link) {
      if (!inLink.has(i)) result.push({ word: words[i], other: "", kind: "extra" });
      continue;
    }
    const crossed = link.others[0] < reached;
    reached = Math.max(reached, link.others[1]);
    result.push({
      word: words.slice(...link.words).join(" "),
      other: others.slice(...link.others).join(" "),
      kind: link.kind,
      crossed,
    });
    result.push(...left(link.others[1]));
  }
  return result;
}

const MEANING = {
  exact: "the same",
  case: "the same but for capitals",
  stem: "the same stem",
  synonym: "a synonym",
  paraphrase: "a paraphrase",
  shift: "the same once moved",
  substitution: "another word",
  extra: "only in the output",
  missing: "only in the reference",
};

function drawn(cells, name) {
  if (cells === null) return element("p", { class: "soft" }, "Too long to be drawn.");
  const items = cells.map(({ word, other, kind, crossed }) => {
    const meaning = `${MEANING[kind] ?? visible(kind)}${crossed ? ", in another order" : ""}`;
    return element(
      "li",
      { class: `${kind in MEANING ? kind : "substitution"}${crossed ? " crossed" : ""}`, title: meaning },
      element("span", { dir: "auto" }, visible(word) || "∅"),
      element("span", { dir: "auto", class: "soft" }, kind === "exact" && word === other ? "=" : visible(other) || "∅"),
      element("span", { class: "sr" }, `: ${meaning}`),
    );
  });
  const about =
    name === HERE
      ? "Fewest insertions, deletions and substitutions of words (Levenshtein), made on this page for the first reference; not METEOR's alignment, and without TER's shifts."
      : `As ${visible(name)} aligned them.`;
  return element(
    "div",
    {},
    element("ol", { class: "cells" }, items),
    element("p", { class: "soft" }, `Above the output, below the reference. ${about}`),
  );
}

function commentBox(app, segment) {
  const field = element("textarea", {
    rows: 2,
    dir: "auto",
    value: app.notes.comment(segment),
    placeholder: "Comment (kept in this browser)",
    "aria-label": `Comment on segment ${visible(app.store.identifier(segment))}`,
    on: { input: () => app.comment(segment, field.value) },
  });
  return element("div", { class: "comment" }, field);
}
