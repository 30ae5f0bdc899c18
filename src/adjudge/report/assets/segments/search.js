// Searching texts: what is asked as a regular expression, and where it stands. Runs in a worker, which can be ended.

export class SearchError extends Error {}

// Small letters find capitals as well; a query with a capital is meant as it is written.
export function expression(query, isRegex) {
  const written = isRegex ? query.replace(/\\(?:[pP]\{[^}]*\}|.)|\(\?<\w+>/gu, "") : query;
  const flags = /\p{Lu}/u.test(written) ? "gu" : "giu";
  try {
    return new RegExp(isRegex ? query : query.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), flags);
  } catch (error) {
    throw new SearchError(String(error.message).replace(/^Invalid regular expression: \/.*\/\w*: /s, ""));
  }
}

// Which of the texts have it, one byte each.
export function hits(texts, pattern) {
  const once = new RegExp(pattern.source, pattern.flags.replace("g", ""));
  const result = new Uint8Array(texts.length);
  for (let i = 0; i < texts.length; i++) if (once.test(texts[i])) result[i] = 1;
  return result;
}

// Where it stands in one text, as [start, end, start, end, …].
export function ranges(text, pattern, most = 100) {
  const result = [];
  for (const match of text.matchAll(pattern)) {
    if (match[0] !== "") result.push(match.index, match.index + match[0].length);
    if (result.length >= 2 * most) break;
  }
  return result;
}
