// The words of the interface, which the page brings along.

const block = document.getElementById("texts");
const texts = block ? JSON.parse(block.textContent) : {};

export const language = document.documentElement.lang || "en";
const plural = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/** Whether there is a text of that name. */
export function has(key) {
  return Object.hasOwn(texts, key);
}

/** A text with its places filled in; where `n` is given and the text has forms for numbers, the right one. */
export function t(key, values = {}) {
  const form = "n" in values ? `${key}.${plural.select(values.n)}` : key;
  const found = texts[form] ?? texts[`${key}.other`] ?? texts[key] ?? key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => {
    if (!(name in values)) return whole;
    return typeof values[name] === "number" ? numbers.format(values[name]) : values[name];
  });
}

/** A name that a typology brings along, in the language of the interface where it is known. */
export function named(kind, name) {
  const key = `${kind}.${name}`;
  return has(key) ? t(key) : name;
}

const displayed = new Intl.DisplayNames([language], { type: "language", fallback: "none" });

/** What a language is called, or nothing where its code says nothing. */
export function languageName(code) {
  try {
    return displayed.of(code) ?? "";
  } catch {
    return "";
  }
}
