// The language of conditions, read into a tree: `chrf < 40 and (domain = news or Δter > 10)`.
//
//   any     = all { "or" all }                  all  = part { "and" part }
//   part    = "not" part | "(" any ")" | flag | comparison
//   compare = sum { operator sum } | label "in" "(" value { "," value } ")"
//   sum     = term { ("+" | "-") term }         term = number | "abs" "(" sum ")" | name | "Δ" name | text
//   name    = [ "system:" system "." | "baseline." ] [ "score:" | "class:" | "label:" | "mark:" ] word
//
// Names that stand in the report are known as they are written, whatever signs they have; others go in quotes.
import { PREFIXES, longestFirst, nearest } from "./catalogue.js";

export class ConditionError extends Error {
  constructor(message, position, length = 1, suggestions = []) {
    super(message);
    this.position = position;
    this.length = length;
    this.suggestions = suggestions;
  }
}

const OPERATORS = {
  "≤": "<=",
  "≥": ">=",
  "≠": "!=",
  "==": "=",
  "<=": "<=",
  ">=": ">=",
  "!=": "!=",
  "<": "<",
  ">": ">",
  "=": "=",
  "~": "~",
};
const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const LETTER = /[\p{L}\p{M}\p{N}_]/u;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

export function parseCondition(text, catalogue) {
  const reader = new Reader(text, catalogue);
  reader.space();
  if (reader.at === text.length) return null;
  const tree = reader.any();
  if (reader.at < text.length) reader.refuse("expected 'and', 'or' or the end");
  return tree;
}

class Reader {
  constructor(text, catalogue) {
    this.text = text;
    this.catalogue = catalogue;
    this.at = 0;
    this.depth = 0;
  }

  // A lonely sum is no condition, but may be the beginning of one.
  refuse(message, position = this.at, length = 1, suggestions = [], lonely = false) {
    const rest = this.text.slice(position, position + 12);
    const where = rest === "" ? "at the end" : `at “${rest}${rest.length === 12 ? "…" : ""}”`;
    throw Object.assign(new ConditionError(`${message} ${where}`, position, length, suggestions), { lonely });
  }

  space() {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
  }

  sign(sign) {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    this.space();
    return true;
  }

  keyword(word) {
    const end = this.at + word.length;
    if (this.text.slice(this.at, end).toLowerCase() !== word || LETTER.test(this.text[end] ?? "")) return false;
    this.at = end;
    this.space();
    return true;
  }

  any() {
    if (++this.depth > 100) this.refuse("too many brackets");
    const parts = [this.all()];
    while (this.keyword("or")) parts.push(this.all());
    this.depth--;
    return parts.length === 1 ? parts[0] : { type: "or", parts };
  }

  all() {
    const parts = [this.part()];
    while (this.keyword("and")) parts.push(this.part());
    return parts.length === 1 ? parts[0] : { type: "and", parts };
  }

  part() {
    if (this.keyword("not")) {
      if (++this.depth > 100) this.refuse("too many words 'not'");
      const part = this.part();
      this.depth--;
      return { type: "not", part };
    }
    return this.text[this.at] === "(" ? this.#bracketed() : this.comparison();
  }

  // A bracket holds a condition, or a sum as in `(chrf - bleu) > 10`: what follows it tells.
  #bracketed() {
    const { at, depth } = this;
    try {
      this.sign("(");
      const inner = this.any();
      if (!this.sign(")")) this.refuse("expected ')'");
      return inner;
    } catch (error) {
      if (!error.lonely) throw error;
      Object.assign(this, { at, depth });
      try {
        return this.comparison();
      } catch (second) {
        throw second.position > error.position ? second : error;
      }
    }
  }

  comparison() {
    const start = this.at;
    const first = this.sum();
    if (first.type === "ref" && first.entry.type === "flag") return { type: "flag", of: first };
    if (this.keyword("in")) return this.#choice(first, start);
    const steps = [];
    let left = first;
    for (let operator = this.operator(); operator; operator = this.operator()) {
      const right = this.#right(left, operator);
      steps.push(this.#checked({ type: "compare", left, operator, right, start }));
      left = right;
    }
    if (steps.length === 0) this.refuse("expected a comparison such as '< 40'", this.at, 1, [], true);
    return steps.length === 1 ? steps[0] : { type: "and", parts: steps };
  }

  operator() {
    for (const sign of ["<=", ">=", "!=", "==", "≤", "≥", "≠", "<", ">", "=", "~"])
      if (this.sign(sign)) return OPERATORS[sign];
    return null;
  }

  #checked(step) {
    const texts = [step.left, step.right].map(isText);
    const free = [step.left, step.right].some((side) => side.type === "missing");
    if (free && !["=", "!="].includes(step.operator)) this.refuse("'missing' goes with = and !=", step.start);
    if (!free && texts[0] !== texts[1])
      this.refuse(`${describe(step.left)} and ${describe(step.right)} cannot be compared`, step.start);
    if (!free && texts[0] && !["=", "!=", "~"].includes(step.operator))
      this.refuse(`texts are compared with =, != and ~ (contains), not ${step.operator}`, step.start);
    if (!free && !texts[0] && step.operator === "~") this.refuse("~ (contains) is for texts", step.start);
    return step;
  }

  #choice(left, start) {
    if (!isText(left)) this.refuse("'in' is for labels", start);
    if (!this.sign("(")) this.refuse("expected '(' and values after 'in'");
    const values = [this.value(left)];
    while (this.sign(",")) values.push(this.value(left));
    if (!this.sign(")")) this.refuse("expected ',' or ')'");
    return { type: "in", left, values: values.map(({ value }) => value) };
  }

  #right(left, operator) {
    const isName = this.catalogue.spellings().some((name) => name.length > "missing".length && this.#stands(name));
    if (!isName && this.keyword("missing")) return { type: "missing" };
    if (isText(left)) return this.value(left, operator);
    return this.sum();
  }

  // What a label is compared with: a word, a number or a text in quotes, or one of its values as it is.
  value(left, operator = "=") {
    const start = this.at;
    if (this.text[start] === '"') return { type: "text", value: this.quoted() };
    const known = left.entry?.values ?? [];
    const spelled = operator === "~" ? null : this.spelling(longestFirst(known));
    if (spelled !== null) return { type: "text", value: spelled };
    const word = /[^\s()",<>=!~]+/uy;
    word.lastIndex = start;
    const match = word.exec(this.text);
    if (!match) this.refuse("expected a value, in quotes where it has spaces");
    this.at += match[0].length;
    this.space();
    if (operator === "=" && left.entry?.kind === "label" && !known.includes(match[0])) {
      const near = nearest(match[0], known);
      if (near.length) this.refuse(`'${left.entry.name}' has no value '${match[0]}'`, start, match[0].length, near);
    }
    return { type: "text", value: match[0] };
  }

  sum() {
    const parts = [{ sign: this.sign("-") || this.sign("−") ? -1 : 1, of: this.term() }];
    for (;;) {
      const sign = this.sign("+") ? 1 : this.sign("-") || this.sign("−") ? -1 : 0;
      if (!sign) break;
      parts.push({ sign, of: this.term() });
    }
    if (parts.length === 1 && parts[0].sign === 1) return parts[0].of;
    for (const { of } of parts)
      if (isText(of) || of.entry?.type === "flag") this.refuse(`${describe(of)} is no number`);
    return { type: "sum", parts };
  }

  term() {
    const start = this.at;
    NUMBER.lastIndex = start;
    const number = NUMBER.exec(this.text);
    if (number) {
      this.at += number[0].length;
      this.space();
      return { type: "number", value: Number(number[0]) };
    }
    if (/^abs\s*\(/i.test(this.text.slice(start))) return this.#absolute();
    if (this.text[start] === "(") {
      this.sign("(");
      if (++this.depth > 100) this.refuse("too many brackets");
      const inner = this.sum();
      this.depth--;
      if (!this.sign(")")) this.refuse("expected ')'");
      return inner;
    }
    return this.reference();
  }

  #absolute() {
    this.at += 3;
    this.space();
    this.sign("(");
    const of = this.sum();
    if (isText(of)) this.refuse("abs is for numbers");
    if (!this.sign(")")) this.refuse("expected ')'");
    return { type: "abs", of };
  }

  reference() {
    const start = this.at;
    const delta = this.sign("Δ") || this.sign("∆") || this.keyword("delta");
    let system = null;
    if (this.text.slice(this.at, this.at + 7).toLowerCase() === "system:") {
      this.at += 7;
      system = this.#system();
    } else if (this.text.slice(this.at, this.at + 9).toLowerCase() === "baseline.") {
      this.at += 9;
      system = "baseline";
    }
    const prefix = /(score|metric|class|label|mark):/iy;
    prefix.lastIndex = this.at;
    const kind = prefix.exec(this.text);
    if (kind) this.at += kind[0].length;
    const entry = this.#entry(kind ? PREFIXES[kind[1].toLowerCase()] : "");
    if (delta && entry.type !== "number") this.refuse(`Δ is for numbers; '${entry.name}' is none`, start, 1);
    return { type: "ref", entry, system, delta, start };
  }

  #system() {
    const start = this.at;
    const { systems } = this.catalogue;
    const name =
      this.text[start] === '"' ? this.quoted(false) : (this.spelling(longestFirst(systems), false) ?? this.#word());
    const exact = systems.indexOf(name);
    const place = exact >= 0 ? exact : systems.findIndex((other) => other.toLowerCase() === name.toLowerCase());
    if (place < 0) this.refuse(`no system '${name}'`, start, name.length, nearest(name, systems));
    if (!this.sign(".")) this.refuse("expected '.' and a name after the system");
    return place;
  }

  #entry(kind) {
    const start = this.at;
    const name =
      this.text[start] === '"' ? this.quoted() : (this.spelling(this.catalogue.spellings(kind)) ?? this.#word());
    const entry = this.catalogue.named(name, kind);
    if (entry) return entry;
    const known = this.catalogue.byKind[kind].map((each) => each.name);
    return this.refuse(`no ${kind || "name"} '${name}'`, start, this.at - start || 1, nearest(name, known));
  }

  // The longest of some names that stands here and does not go on.
  spelling(names, spaced = true) {
    const name = names.find((each) => this.#stands(each));
    if (name === undefined) return null;
    this.at += name.length;
    if (spaced) this.space();
    return name;
  }

  #stands(name) {
    const end = this.at + name.length;
    if (this.text.slice(this.at, end).toLowerCase() !== name.toLowerCase()) return false;
    return !(LETTER.test(name.at(-1)) && LETTER.test(this.text[end] ?? ""));
  }

  #word() {
    WORD.lastIndex = this.at;
    const match = WORD.exec(this.text);
    if (!match) this.refuse("expected a name or a number");
    this.at += match[0].length;
    this.space();
    return match[0];
  }

  quoted(spaced = true) {
    const start = this.at++;
    let value = "";
    while (this.at < this.text.length && this.text[this.at] !== '"') {
      if (this.text[this.at] === "\\") this.at++;
      value += this.text[this.at++] ?? "";
    }
    if (this.at >= this.text.length) this.refuse("a quote that is not closed", start);
    this.at++;
    if (spaced) this.space();
    return value;
  }
}

export function isText(operand) {
  return operand.type === "text" || (operand.type === "ref" && operand.entry.type === "text");
}

const KINDS = { text: "a text", flag: "yes or no", number: "a number" };

function describe(operand) {
  if (operand.type === "ref") return `'${operand.entry.name}' (${KINDS[operand.entry.type]})`;
  if (operand.type === "text") return `'${operand.value}' (a text)`;
  return operand.type === "number" ? `${operand.value} (a number)` : "a sum";
}
