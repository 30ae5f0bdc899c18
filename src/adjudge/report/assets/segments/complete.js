// What may come next in a condition: names, values of a label, systems, sets.
import { longestFirst } from "./catalogue.js";

const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;
const RESERVED = new Set(["and", "or", "not", "in", "missing", "delta", "abs"]);
const MOST = 12;
const BEGINNING = /(?:^|[(Δ∆.+]|\s[-−]|(?:^|[\s)])(?:and|or|not|delta)\s)\s*$/iu; // where a name may come before a letter is written

export function inCondition(name) {
  return PLAIN.test(name) && !RESERVED.has(name.toLowerCase()) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
}

// Completions at the caret: { from, to, items: [{ insert, label, about }] }, of which `from` to `to` is replaced.
export function completions(text, caret, catalogue) {
  const before = text.slice(0, caret);
  const value = valueContext(before, catalogue);
  if (value)
    return chosen(
      value.typed,
      caret,
      value.values.map((name) => item(name, inCondition(name), "")),
    );
  const marked = /mark:("?)([^"]*)$/iu.exec(before);
  if (marked && !/\s/.test(marked[1] ? "" : marked[2]))
    return chosen(
      marked[1] + marked[2],
      caret,
      catalogue.byKind.mark.map(({ name }) => item(name, inCondition(name), "a set of segments")),
    );
  const system = /system:("?)([^".]*)$/iu.exec(before);
  if (system)
    return chosen(
      system[1] + system[2],
      caret,
      catalogue.systems.map((name) => item(name, `${inCondition(name)}.`, "a system")),
    );
  const typed = /(?![Δ∆])[\p{L}_][^\s<>=!~()"Δ∆]*$/u.exec(before)?.[0] ?? "";
  if (typed === "" && !BEGINNING.test(before)) return { from: caret, to: caret, items: [] };
  return chosen(typed, caret, names(catalogue));
}

function names(catalogue) {
  const known = catalogue.byKind[""].map((entry) => {
    const insert =
      entry.kind === "own" || catalogue.named(entry.name) === entry ? entry.name : `${entry.kind}:${entry.name}`;
    return item(
      entry.title && entry.title !== entry.name ? `${entry.name} – ${entry.title}` : entry.name,
      insert,
      entry.about,
    );
  });
  const words = [
    item("Δ…", "Δ", "difference to the baseline"),
    item("system:…", "system:", "of another system"),
    item("baseline.…", "baseline.", "of the baseline"),
  ];
  const sets = catalogue.byKind.mark.length ? [item("mark:…", "mark:", "a set of segments")] : [];
  return [...known, ...words, ...sets];
}

function item(label, insert, about) {
  return { label, insert, about };
}

function chosen(typed, caret, items) {
  const folded = typed.replace(/^"/, "").toLowerCase();
  const places = items
    .map((each) => ({ each, place: each.label.toLowerCase().indexOf(folded) }))
    .filter(({ place }) => place >= 0)
    .sort((a, b) => Number(a.place > 0) - Number(b.place > 0));
  const same = places.length === 1 && places[0].each.insert.toLowerCase() === typed.toLowerCase();
  return { from: caret - typed.length, to: caret, items: same ? [] : places.slice(0, MOST).map(({ each }) => each) };
}

// `domain = ne|`: the label whose value is being written, and what is there of it.
function valueContext(before, catalogue) {
  for (const name of longestFirst(catalogue.byKind.label.map((entry) => entry.name))) {
    const spelled = [name, inCondition(name)].map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    const match = new RegExp(
      `(?:^|[\\s(:])(?:${spelled})\\s*(?:==?|!=|≠|in\\s*\\((?:[^()]*,)?)\\s*("?[^"\\s,()]*)$`,
      "iu",
    ).exec(before);
    if (match) return { typed: match[1], values: catalogue.named(name, "label").values.filter(Boolean) };
  }
  return null;
}
