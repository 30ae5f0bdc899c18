// Words of a text, and which of them another text has in the same order.

// Scripts without spaces are taken character by character; elsewhere words, numbers and signs.
const SPACELESS = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]`;
const LETTER = String.raw`(?:(?!${SPACELESS})[\p{L}\p{N}\p{M}\p{Pc}\u200c\u200d])`;
const TOKEN = new RegExp(String.raw`${SPACELESS}\p{M}*|${LETTER}+(?:['’]${LETTER}+)*|\S`, "gu");
export const LONGEST = 4000; // tokens of both texts that are still compared
const MOST_STEPS = 4_000_000;

export function tokens(text) {
  const result = [];
  for (const match of text.matchAll(TOKEN))
    result.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  return result;
}

// Which tokens of either side are not in the longest common part: { first: [bool], second: [bool] }, null if too long.
export function changed(first, second) {
  if (first.length + second.length > LONGEST) return null;
  const a = first.map((token) => token.text);
  const b = second.map((token) => token.text);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const inner = common(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  if (!inner) return null;
  const marks = {
    first: a.map((_, i) => i >= head && i < a.length - tail),
    second: b.map((_, i) => i >= head && i < b.length - tail),
  };
  for (const [i, j] of inner) {
    marks.first[head + i] = false;
    marks.second[head + j] = false;
  }
  return marks;
}

// Pairs of places of a longest common subsequence, by the table of its lengths; null where that is too large.
export function common(a, b) {
  const width = b.length + 1;
  if ((a.length + 1) * width > MOST_STEPS) return null;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return pairs;
}

// Tokens in runs, with what stands between those of a run: one mark for "is not yet" and not three.
export function runs(marked, list) {
  const result = [];
  for (let i = 0; i < list.length; i++) {
    if (!marked[i]) continue;
    const last = result.at(-1);
    if (last && last.until === i) Object.assign(last, { end: list[i].end, until: i + 1 });
    else result.push({ start: list[i].start, end: list[i].end, until: i + 1 });
  }
  return result.map(({ start, end }) => ({ start, end }));
}

// The parts of a text around what changed, `context` tokens to either side; what is between them is left out.
export function excerpts(marked, list, length, context = 3) {
  const result = [];
  for (let i = 0; i < list.length; i++) {
    if (!marked[i]) continue;
    const from = i - context <= 0 ? 0 : list[i - context].start;
    const to = i + context >= list.length - 1 ? length : list[i + context].end;
    const last = result.at(-1);
    if (last && from <= last.end + 1) last.end = Math.max(last.end, to);
    else result.push({ start: from, end: to });
  }
  return result;
}

// Words of an output held to those of another text by the fewest insertions, deletions and substitutions (Levenshtein).
// In the order of both: [{ word, other, kind }] with kind exact, case, substitution, extra or missing.
export function editAlignment(words, others) {
  const width = others.length + 1;
  if ((words.length + 1) * width > MOST_STEPS) return null;
  const costs = new Uint16Array((words.length + 1) * width);
  for (let i = 0; i <= words.length; i++)
    for (let j = 0; j <= others.length; j++) {
      if (i === 0 || j === 0) costs[i * width + j] = i + j;
      else
        costs[i * width + j] = Math.min(
          costs[(i - 1) * width + j - 1] + (words[i - 1] === others[j - 1] ? 0 : 1),
          costs[(i - 1) * width + j] + 1,
          costs[i * width + j - 1] + 1,
        );
    }
  const result = [];
  for (let i = words.length, j = others.length; i > 0 || j > 0;) {
    const cost = costs[i * width + j];
    if (i > 0 && j > 0 && cost === costs[(i - 1) * width + j - 1] + (words[i - 1] === others[j - 1] ? 0 : 1)) {
      const [word, other] = [words[--i], others[--j]];
      const kind = word === other ? "exact" : word.toLowerCase() === other.toLowerCase() ? "case" : "substitution";
      result.push({ word, other, kind });
    } else if (i > 0 && cost === costs[(i - 1) * width + j] + 1)
      result.push({ word: words[--i], other: "", kind: "extra" });
    else result.push({ word: "", other: others[--j], kind: "missing" });
  }
  return result.reverse();
}
