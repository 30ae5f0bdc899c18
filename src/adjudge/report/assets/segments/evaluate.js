// Conditions and names as functions of a segment. Nothing is compiled of text: a tree becomes closures.
import { isText } from "./condition.js";

export class MeaningError extends Error {}

// The values of a name, by segment: { number: array } or { text: (segment) => … } or { flag: (segment) => … }.
export function valuesOf(reference, context) {
  const { entry, delta } = reference;
  if (delta) return { number: differences(entry, context, reference.system) };
  const system = reference.system === "baseline" ? context.baseline : (reference.system ?? context.system);
  if (system < 0) throw new MeaningError("there is no baseline; choose one");
  return plainValues(entry, system, context);
}

function plainValues(entry, system, context) {
  const { store, notes } = context;
  if (entry.kind === "score") return { number: store.score(entry.place, system) ?? nothing(store.size) };
  if (entry.kind === "class") return { number: store.count(entry.place, system) ?? nothing(store.size) };
  if (entry.kind === "label")
    return { text: (segment) => store.label(entry.place, segment), codes: store.labelCodes(entry.place) };
  if (entry.kind === "mark") {
    const member = store.mark(entry.place);
    return { flag: (segment) => member[segment] === 1 };
  }
  switch (entry.name) {
    case "number":
      return { number: Float64Array.from({ length: store.size }, (_, i) => i + 1) };
    case "marked":
      return { number: Float64Array.from(store.spanCounts(system) ?? nothing(store.size)) };
    case "id":
      return { text: (segment) => store.identifier(segment) };
    case "comment":
      return { text: (segment) => notes.comment(segment) };
    case "starred":
      return { flag: (segment) => notes.starred(segment) };
    case "commented":
      return { flag: (segment) => notes.comment(segment) !== "" };
    default:
      return { flag: differing(context) };
  }
}

function nothing(size) {
  return new Float64Array(size).fill(NaN);
}

export function differing({ store, system, baseline }) {
  if (baseline < 0) throw new MeaningError("there is no baseline to differ from; choose one");
  const [own, other] = [store.texts("output", system), store.texts("output", baseline)];
  return (segment) => own[segment] !== other[segment];
}

export function differences(entry, context, of = null) {
  if (context.baseline < 0) throw new MeaningError(`Δ${entry.name} needs a baseline; choose one`);
  const system = of === null || of === "baseline" ? context.system : of;
  const own = plainValues(entry, system, context).number;
  const other = plainValues(entry, context.baseline, context).number;
  // Scores are of a few decimals; what is left of their difference beyond those is not theirs.
  return own.map((value, i) => Math.round((value - other[i]) * 1e9) / 1e9);
}

export function predicate(tree, context) {
  switch (tree.type) {
    case "and": {
      const parts = tree.parts.map((part) => predicate(part, context));
      return (segment) => parts.every((part) => part(segment));
    }
    case "or": {
      const parts = tree.parts.map((part) => predicate(part, context));
      return (segment) => parts.some((part) => part(segment));
    }
    case "not": {
      const part = predicate(tree.part, context);
      return (segment) => !part(segment);
    }
    case "flag":
      return valuesOf(tree.of, context).flag;
    case "in": {
      const { text } = valuesOf(tree.left, context);
      const values = new Set(tree.values);
      return (segment) => values.has(text(segment));
    }
    default:
      return comparison(tree, context);
  }
}

// What is missing fulfils no comparison but that with `missing`.
function comparison({ left, operator, right }, context) {
  if (left.type === "missing" || right.type === "missing") {
    const missing = isMissing(left.type === "missing" ? right : left, context);
    return operator === "=" ? missing : (segment) => !missing(segment);
  }
  if (isText(left)) return textComparison(textOf(left, context), operator, textOf(right, context));
  const [a, b] = [numberOf(left, context), numberOf(right, context)];
  return {
    "<": (i) => a(i) < b(i),
    "<=": (i) => a(i) <= b(i),
    ">": (i) => a(i) > b(i),
    ">=": (i) => a(i) >= b(i),
    "=": (i) => a(i) === b(i),
    "!=": (i) => a(i) < b(i) || a(i) > b(i),
  }[operator];
}

function textComparison(a, operator, b) {
  if (operator === "=") return (i) => a(i) === b(i);
  if (operator === "!=") return (i) => a(i) !== b(i);
  return (i) => a(i).toLowerCase().includes(b(i).toLowerCase());
}

function isMissing(operand, context) {
  if (isText(operand)) {
    const text = textOf(operand, context);
    return (segment) => text(segment) === "";
  }
  const number = numberOf(operand, context);
  return (segment) => Number.isNaN(number(segment));
}

function textOf(operand, context) {
  return operand.type === "text" ? () => operand.value : valuesOf(operand, context).text;
}

function numberOf(operand, context) {
  switch (operand.type) {
    case "number":
      return () => operand.value;
    case "abs": {
      const of = numberOf(operand.of, context);
      return (segment) => Math.abs(of(segment));
    }
    case "sum": {
      const parts = operand.parts.map(({ sign, of }) => ({ sign, of: numberOf(of, context) }));
      return (segment) => parts.reduce((total, part) => total + part.sign * part.of(segment), 0);
    }
    default: {
      const { number, flag } = valuesOf(operand, context);
      return number ? (segment) => number[segment] : (segment) => Number(flag(segment));
    }
  }
}

const PLACES = 2 ** 21; // more segments than a page can hold

// Segments in order of a name: missing ones last, equal ones as they stand. Numbers sort fastest where no function of ours
// compares them, so that a segment's rank and its place become one number.
export function sorted(segments, reference, falling, context) {
  const values = valuesOf(reference, context);
  const keys = values.number ?? textRanks(values, context.store.size);
  const known = segments.filter((segment) => !Number.isNaN(keys[segment]));
  const levels = Float64Array.from(known, (segment) => keys[segment]).sort();
  const order = new Float64Array(known.length);
  for (let i = 0; i < known.length; i++) {
    const rank = firstOf(levels, keys[known[i]]);
    order[i] = (falling ? known.length - rank : rank) * PLACES + known[i];
  }
  order.sort();
  const result = new Int32Array(segments.length);
  for (let i = 0; i < order.length; i++) result[i] = order[i] % PLACES;
  if (known.length < segments.length)
    result.set(
      segments.filter((segment) => Number.isNaN(keys[segment])),
      known.length,
    );
  return result;
}

function firstOf(levels, value) {
  let [low, high] = [0, levels.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (levels[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function textRanks({ text, flag, codes }, size) {
  const ranks = new Float64Array(size);
  if (flag) return ranks.map((_, i) => (flag(i) ? 0 : 1));
  const order = new Intl.Collator("en", { numeric: true }).compare;
  if (codes) {
    const names = new Map();
    for (let i = 0; i < size; i++) if (!names.has(codes[i])) names.set(codes[i], text(i));
    const places = new Map([...names].sort((a, b) => order(a[1], b[1])).map(([code], place) => [code, place]));
    return ranks.map((_, i) => places.get(codes[i]));
  }
  const texts = Array.from({ length: size }, (_, i) => text(i));
  const places = Array.from({ length: size }, (_, i) => i).sort((a, b) => order(texts[a], texts[b]));
  places.forEach((segment, place) => (ranks[segment] = texts[segment] === "" ? NaN : place));
  return ranks;
}
