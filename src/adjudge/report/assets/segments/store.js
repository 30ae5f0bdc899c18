// All segments in columns. Columns are decoded when somebody asks for them, texts when they are shown.
import { MISSING, column, readColumns } from "./unpack.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function once(make) {
  const kept = new Map();
  return (key) => {
    if (!kept.has(key)) kept.set(key, make(key));
    return kept.get(key);
  };
}

function scaled(whole, digits) {
  const values = new Float64Array(whole.length);
  const [up, down] = digits >= 0 ? [1, 10 ** digits] : [10 ** -digits, 1];
  for (let i = 0; i < whole.length; i++) values[i] = whole[i] === MISSING ? NaN : (whole[i] * up) / down;
  return values;
}

function runningSums(counts) {
  const sums = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) sums[i + 1] = sums[i] + counts[i];
  return sums;
}

export class Store {
  constructor(columnBytes, textBytes) {
    const columns = readColumns(columnBytes);
    this.document = columns.document;
    this.textBytes = textBytes;
    this.column = once((place) => column(columns, place));
    this.size = this.document.segments;
    this.systems = this.document.systems;
    this.textStarts = runningSums(this.column(this.document.texts));
    this.scoreOf = once((key) => this.#score(...key.split("\u0000").map(Number)));
    this.countOf = once((key) => this.#count(...key.split("\u0000").map(Number)));
    this.markOf = once((place) => this.#mark(place));
    this.spansOf = once((system) => this.#spans(system));
    this.alignmentsOf = once((key) => this.#alignments(...key.split("\u0000").map(Number)));
  }

  // Numbers of texts, by segment: who = "source", "reference" and its place, or "output" and its system's.
  texts(who, place = 0) {
    const { source, references, outputs } = this.document;
    const at = who === "source" ? source : who === "reference" ? references[place] : outputs[place];
    return at === null || at === undefined ? null : this.column(at);
  }

  text(number) {
    if (number === MISSING) return null;
    return decoder.decode(this.textBytes.subarray(this.textStarts[number], this.textStarts[number + 1]));
  }

  textLength(number) {
    return number === MISSING ? 0 : this.textStarts[number + 1] - this.textStarts[number];
  }

  identifier(segment) {
    const { identifiers } = this.document;
    return identifiers === null ? String(segment + 1) : this.text(this.column(identifiers)[segment]);
  }

  // The languages that a segment is translated from and into, as far as they are known.
  languages(segment) {
    const { pairs, languages } = this.document;
    return pairs ? pairs.values[this.column(pairs.column)[segment]] : languages;
  }

  segmentOf(identifier) {
    if (this.document.identifiers === null) {
      const number = Number(identifier);
      return Number.isInteger(number) && number >= 1 && number <= this.size ? number - 1 : -1;
    }
    for (let i = 0; i < this.size; i++) if (this.identifier(i) === identifier) return i;
    return -1;
  }

  // Scores of a system as numbers, NaN where one is missing; null where the system has none.
  score(place, system) {
    return this.scoreOf(`${place}\u0000${system}`);
  }

  #score(place, system) {
    const { columns, digits } = this.document.scores[place];
    return columns[system] === null ? null : scaled(this.column(columns[system]), digits);
  }

  count(place, system) {
    return this.countOf(`${place}\u0000${system}`);
  }

  #count(place, system) {
    const at = this.document.counts[place].columns[system];
    return at === null ? null : scaled(this.column(at), 0);
  }

  labelCodes(place) {
    return this.column(this.document.labels[place].column);
  }

  label(place, segment) {
    return this.document.labels[place].values[this.labelCodes(place)[segment]];
  }

  // Whether each segment belongs to a named set.
  mark(place) {
    return this.markOf(place);
  }

  #mark(place) {
    const member = new Uint8Array(this.size);
    let segment = 0;
    for (const step of this.column(this.document.marks[place].column)) {
      segment += step;
      member[segment] = 1;
    }
    return member;
  }

  #spans(system) {
    const places = this.document.spans[system];
    if (!places) return null;
    const columns = Object.fromEntries(Object.entries(places).map(([name, at]) => [name, this.column(at)]));
    return { ...columns, starts: runningSums(columns.count) };
  }

  spanCounts(system) {
    return this.spansOf(system)?.count ?? null;
  }

  spans(system, segment) {
    const own = this.spansOf(system);
    if (!own) return [];
    const result = [];
    for (let i = own.starts[segment]; i < own.starts[segment + 1]; i++) {
      result.push({
        start: own.start[i] === MISSING ? null : own.start[i],
        end: own.end[i] === MISSING ? null : own.end[i],
        severity: this.text(own.severity[i]),
        category: this.text(own.category[i]),
        annotator: this.text(own.annotator[i]),
        comment: this.text(own.comment[i]),
        side: own.source[i] ? "source" : "target",
      });
    }
    return result;
  }

  #alignments(place, system) {
    const own = this.document.alignments[place].systems[system];
    if (!own) return null;
    const columns = {};
    for (const name of ["hypothesis", "reference", "count", "kind", "words", "others"])
      columns[name] = this.column(own[name]);
    return { ...columns, kinds: own.kinds, starts: runningSums(columns.count) };
  }

  // Words of both sides and links between them, as { words, others, links: [{ words: [from, to], others, kind }] }.
  alignment(place, system, segment) {
    const own = this.alignmentsOf(`${place}\u0000${system}`);
    if (!own || own.hypothesis[segment] === MISSING) return null;
    const words = (number) => this.text(number).split(" ").filter(Boolean);
    const links = [];
    for (let i = own.starts[segment]; i < own.starts[segment + 1]; i++) {
      links.push({
        words: [own.words[2 * i], own.words[2 * i + 1]],
        others: [own.others[2 * i], own.others[2 * i + 1]],
        kind: own.kinds[own.kind[i]],
      });
    }
    return { words: words(own.hypothesis[segment]), others: words(own.reference[segment]), links };
  }
}
