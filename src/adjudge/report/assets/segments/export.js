// What leaves the page as files: segments as a table, or as a campaign that `adjudge human new` takes.
import { zipped } from "./zip.js";

export const PROTOCOLS = ["da", "sqm", "esa", "mqm", "preference", "ranking", "post-editing"];
const COMPARING = new Set(["preference", "ranking"]);

function cell(value) {
  const text = String(value ?? "");
  return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// A line a segment: notes, labels, texts, and scores and counts of every system.
export function asTable(segments, store, notes) {
  const { references, labels, scores, counts, source } = store.document;
  const columns = [
    ["id", (i) => store.identifier(i)],
    ["star", (i) => (notes.starred(i) ? "1" : "")],
    ["comment", (i) => notes.comment(i)],
    ...labels.map(({ name }, place) => [`label.${name}`, (i) => store.label(place, i)]),
    ...(source === null ? [] : [["source", (i) => store.text(store.texts("source")[i])]]),
    ...references.map((_, place) => [`ref.${place + 1}`, (i) => store.text(store.texts("reference", place)[i])]),
    ...store.systems.map((name, place) => [`mt.${name}`, (i) => store.text(store.texts("output", place)[i])]),
  ];
  store.systems.forEach((system, place) => {
    scores.forEach((score, number) => {
      const values = store.score(number, place);
      if (values) columns.push([`${score.key}.${system}`, (i) => (Number.isNaN(values[i]) ? "" : values[i])]);
    });
    counts.forEach((count, number) => {
      const values = store.count(number, place);
      if (values) columns.push([`${count.name}.${system}`, (i) => values[i]]);
    });
  });
  const lines = [columns.map(([name]) => cell(name)).join("\t")];
  for (const segment of segments) lines.push(columns.map(([, value]) => cell(value(segment))).join("\t"));
  return lines.join("\n") + "\n";
}

const quoted = (text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f"); // TOML's strings are JSON's, but for DEL

function jsonLines(rows) {
  return rows.map((row) => JSON.stringify(row)).join("\n") + "\n";
}

// The files of a campaign, by name. Texts are JSON lines, for they may hold line breaks.
export function campaignFiles(segments, store, { name, language, protocol, annotators, systems }) {
  const { labels, source } = store.document;
  const rows = (key, numbers) => jsonLines(segments.map((i) => ({ [key]: store.text(numbers[i]) })));
  const files = {};
  if (source !== null) files["source.jsonl"] = rows("src", store.texts("source"));
  const references = store.document.references
    .map((_, place) => store.texts("reference", place))
    .filter((numbers) => segments.some((i) => store.text(numbers[i]) !== null));
  references.forEach((numbers, place) => (files[`reference-${place + 1}.jsonl`] = rows("ref", numbers)));
  systems.forEach((system, place) => (files[`system-${place + 1}.jsonl`] = rows("mt", store.texts("output", system))));
  const kept = labels.map((label, place) => ({ ...label, place })).filter((label) => label.name !== "segment");
  files["labels.jsonl"] = jsonLines(
    segments.map((i) => ({
      ...Object.fromEntries(kept.map((label) => [label.name, store.label(label.place, i)])),
      segment: store.identifier(i),
    })),
  );
  const against = references.length ? (source === null ? "reference" : "both") : "source";
  const text = [
    "# Segments out of a report: adjudge human new campaign.toml && adjudge human serve",
    `name = ${quoted(name)}`,
    `language = ${quoted(language)}`,
    "",
    "[protocol]",
    `name = ${quoted(protocol)}`,
    `against = ${quoted(against)}`,
    ...(COMPARING.has(protocol) && protocol === "ranking" ? [`size = ${Math.min(5, systems.length)}`] : []),
    "",
    "[test_set]",
    ...(source === null ? [] : ['source = "source.jsonl"']),
    ...(references.length
      ? [`references = [${references.map((_, place) => quoted(`reference-${place + 1}.jsonl`)).join(", ")}]`]
      : []),
    'labels = "labels.jsonl"',
    "",
    "[systems]",
    ...systems.map((system, place) => `${quoted(store.systems[system])} = "system-${place + 1}.jsonl"`),
    "",
    "[annotators]",
    `count = ${annotators}`,
    "",
  ];
  return { "campaign.toml": text.join("\n"), ...files };
}

export function campaignArchive(segments, store, options) {
  return zipped(campaignFiles(segments, store, options));
}
