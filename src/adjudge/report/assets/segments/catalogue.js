// The names that conditions, sorting and links know: scores, classes of errors, labels, named sets, and a few of our own.

export const OWN = [
  { kind: "own", name: "id", type: "text", about: "what the segment is called" },
  { kind: "own", name: "number", type: "number", about: "its place in the test set, from 1" },
  { kind: "own", name: "marked", type: "number", about: "errors that were marked in the output" },
  { kind: "own", name: "starred", type: "flag", about: "you gave it a star" },
  { kind: "own", name: "commented", type: "flag", about: "you wrote a comment" },
  { kind: "own", name: "comment", type: "text", about: "what you wrote" },
  { kind: "own", name: "different", type: "flag", about: "the output is not the baseline's" },
];
export const PREFIXES = { score: "score", metric: "score", class: "class", label: "label", mark: "mark" };

const better = (higher) => (higher === null ? "" : higher ? ", higher is better" : ", lower is better");

export function catalogueOf(described) {
  const scores = described.scores.map((score, place) => ({
    kind: "score",
    name: score.key,
    type: "number",
    place,
    title: score.title,
    higher: score.higher,
    about: `${score.kind === "human" ? "by people" : score.kind === "qe" ? "without a reference" : "metric"}${better(score.higher)}`,
  }));
  const classes = described.counts.map(({ name }, place) => ({
    kind: "class",
    name,
    type: "number",
    place,
    higher: false,
    about: "how many the segment has",
  }));
  const labels = described.labels.map(({ name, values }, place) => ({
    kind: "label",
    name,
    type: "text",
    place,
    values,
    about: `${values.length} ${values.length === 1 ? "value" : "values"}`,
  }));
  const marks = described.marks.map(({ name }, place) => ({
    kind: "mark",
    name,
    type: "flag",
    place,
    about: "a set of segments",
  }));
  return new Catalogue([...scores, ...classes, ...labels, ...OWN, ...marks], described.systems);
}

export class Catalogue {
  constructor(entries, systems) {
    this.entries = entries;
    this.systems = systems;
    const plain = entries.filter(({ kind }) => kind !== "mark");
    this.byKind = { "": plain };
    for (const kind of ["score", "class", "label", "mark", "own"])
      this.byKind[kind] = entries.filter((entry) => entry.kind === kind);
  }

  // The entry of a name, first as it is written, then whatever its case, then by its title.
  named(name, kind = "") {
    const known = this.byKind[kind];
    const folded = name.toLowerCase();
    return (
      known.find((entry) => entry.name === name) ??
      known.find((entry) => entry.name.toLowerCase() === folded) ??
      known.find((entry) => entry.title?.toLowerCase() === folded) ??
      null
    );
  }

  // Names that a condition may have as they are, the longest first: `bleu(tokenize=intl)` before `bleu`.
  spellings(kind = "") {
    const names = this.byKind[kind].flatMap((entry) => (entry.title ? [entry.name, entry.title] : [entry.name]));
    return longestFirst(names);
  }
}

export function longestFirst(names) {
  return [...new Set(names)].filter(Boolean).sort((a, b) => b.length - a.length);
}

// Names near to one that nobody knows, the nearest first.
export function nearest(name, known, most = 3) {
  const folded = name.toLowerCase();
  const limit = Math.max(1, Math.floor(folded.length / 2));
  return known
    .map((other) => ({ other, distance: distance(folded, other.toLowerCase()) }))
    .filter((pair) => pair.distance <= limit || pair.other.toLowerCase().startsWith(folded))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map((pair) => pair.other);
}

function distance(first, second) {
  let before = Array.from({ length: second.length + 1 }, (_, i) => i);
  for (let i = 1; i <= first.length; i++) {
    const row = [i];
    for (let j = 1; j <= second.length; j++)
      row.push(Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (first[i - 1] === second[j - 1] ? 0 : 1)));
    before = row;
  }
  return before[second.length];
}
