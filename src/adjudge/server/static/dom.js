// Elements without markup: whatever people wrote becomes text, never HTML.

/** An element with attributes (`onclick` and the like are listeners) and children: elements or text. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  return fill(element, ...children);
}

/** Put children into an element, in place of what is there; what is null or false is left out. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A text in its own language and direction; without a known language the browser looks at its letters. */
export function reading(text, language, attributes = {}) {
  const { lang, dir } = tongue(language);
  return h("div", { ...attributes, class: `reading ${attributes.class ?? ""}`.trim(), lang, dir }, text);
}

/** The attributes that say how a language is written. */
export function tongue(language) {
  return { lang: language.code || null, dir: language.code ? language.direction : "auto" };
}

let made = 0;

/** An id that nothing else on the page has. */
export function unique(name) {
  made += 1;
  return `${name}-${made}`;
}

/** Say something to screen readers without moving anything. */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region) return;
  // The same words again would not be spoken again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** A key as it is shown in help and beside buttons. */
export function keycap(name) {
  return h("kbd", {}, name);
}

/** Paragraphs and lists of a plain text: an empty line parts paragraphs, lines that begin with a dash are a list. */
export function prose(text) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((part) => {
      const lines = part.split("\n").map((line) => line.trim());
      if (lines.every((line) => /^[-•*] /.test(line))) {
        return h("ul", {}, lines.map((line) => h("li", {}, line.slice(2))));
      }
      return h("p", {}, lines.flatMap((line, i) => (i ? [h("br"), line] : [line])));
    });
}
