// Elements of texts alone: whatever is put into them is text, and nothing is ever read as markup.

const CONTROLS = {
  0x00: "NUL",
  0x09: "TAB",
  0x0a: "LF",
  0x0b: "VT",
  0x0c: "FF",
  0x0d: "CR",
  0x1b: "ESC",
  0x7f: "DEL",
  0x85: "NEL",
  0xad: "SHY",
  0x061c: "ALM",
  0x200e: "LRM",
  0x200f: "RLM",
  0x2028: "LSEP",
  0x2029: "PSEP",
  0x202a: "LRE",
  0x202b: "RLE",
  0x202c: "PDF",
  0x202d: "LRO",
  0x202e: "RLO",
  0x2060: "WJ",
  0x2066: "LRI",
  0x2067: "RLI",
  0x2068: "FSI",
  0x2069: "PDI",
  0xfeff: "BOM",
};
const CONTROL =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/u;

function nameOfControl(character) {
  const point = character.codePointAt(0);
  return CONTROLS[point] ?? `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

// Text in which what does not print, or turns the direction of what follows, stands as a name: ⟨RLO⟩.
export function visible(text) {
  return text.replace(new RegExp(CONTROL, "gu"), (character) => `⟨${nameOfControl(character)}⟩`);
}

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || (value === false && !name.startsWith("aria-"))) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else if (name === "value" || name === "checked" || name === "disabled") made[name] = value;
    else made.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

export function button(label, properties = {}, ...children) {
  return element("button", { type: "button", ...properties }, label, ...children);
}

// A text as pieces: each is plain, or has the classes and titles of all marks that lie on it.
export function pieces(text, marks) {
  const borders = new Set([0, text.length]);
  for (const { start, end } of marks) {
    borders.add(Math.max(0, Math.min(start, text.length)));
    borders.add(Math.max(0, Math.min(end, text.length)));
  }
  const ordered = [...borders].sort((a, b) => a - b);
  const result = [];
  for (let i = 0; i + 1 < ordered.length; i++) {
    const [from, to] = [ordered[i], ordered[i + 1]];
    const on = marks.filter(({ start, end }) => start <= from && to <= end && start < end);
    const own = {
      text: text.slice(from, to),
      classes: [...new Set(on.flatMap((mark) => mark.kind.split(" ")))],
      titles: [...new Set(on.map((mark) => mark.title).filter(Boolean))],
      begins: on.filter((mark) => mark.start === from && mark.say).map((mark) => mark.say),
    };
    result.push(own);
  }
  return result;
}

// The text as nodes, with its marks; controls as names.
export function decorated(text, marks = []) {
  const made = document.createDocumentFragment();
  for (const piece of pieces(text, marks)) {
    const nodes = withControls(piece.text);
    if (piece.classes.length === 0) {
      made.append(...nodes);
      continue;
    }
    // A direction of its own, for the first letter of what is only heard must not turn the text.
    const said = piece.begins.map((words) => element("span", { class: "sr", dir: "ltr" }, `[${words}] `));
    const title = piece.titles.map(visible).join("; ") || null;
    const tag = piece.classes.includes("added") ? "ins" : piece.classes.includes("removed") ? "del" : "span";
    made.append(element(tag, { class: piece.classes.join(" "), title }, ...said, ...nodes));
  }
  return made;
}

function withControls(text) {
  if (!CONTROL.test(text)) return [text];
  const splitter = new RegExp(`(${CONTROL.source})`, "gu");
  return text
    .split(splitter)
    .filter((part) => part !== "")
    .map((part) =>
      new RegExp(`^(?:${CONTROL.source})$`, "u").test(part)
        ? element("span", { class: "control", dir: "ltr" }, `⟨${nameOfControl(part)}⟩`)
        : part,
    );
}

// Places in code points, as everywhere outside of browsers, as places in a string.
export function unitsOfPoints(text, points) {
  const wanted = [...new Set(points)].sort((a, b) => a - b);
  const result = new Map();
  let unit = 0;
  let point = 0;
  for (const place of wanted) {
    while (point < place && unit < text.length) {
      unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
      point++;
    }
    result.set(place, unit);
  }
  return result;
}

export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
