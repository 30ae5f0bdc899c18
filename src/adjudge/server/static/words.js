// What can be selected in a text: its words and signs, or its letters; places are in UTF-16 units.

/** Words and punctuation marks, without the spaces between them; also where a script writes no spaces. */
export function words(text, language) {
  return pieces(text, language, "word").filter(({ start, end }) => text.slice(start, end).trim() !== "");
}

/** Letters as people see them, with their accents; spaces count. */
export function letters(text, language) {
  return pieces(text, language, "grapheme");
}

function pieces(text, language, granularity) {
  if (!globalThis.Intl?.Segmenter) {
    const pattern = granularity === "word" ? /[\p{L}\p{M}\p{N}'’]+|\s+|./gsu : /./gsu;
    return [...text.matchAll(pattern)].map((one) => ({ start: one.index, end: one.index + one[0].length }));
  }
  return [...segmenter(language, granularity).segment(text)].map(({ index, segment }) => ({
    start: index,
    end: index + segment.length,
  }));
}

function segmenter(language, granularity) {
  try {
    return new Intl.Segmenter(language || undefined, { granularity });
  } catch {
    return new Intl.Segmenter(undefined, { granularity });
  }
}
