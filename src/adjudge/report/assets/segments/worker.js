// What must not hold up the page: unpacking, and searching all texts.
import { expression, hits, ranges } from "./search.js";
import { unpacked } from "./unpack.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
let texts = [];

const answers = {
  async unpack({ columns, texts: packed }) {
    const [first, second] = await Promise.all([unpacked(columns), unpacked(packed)]);
    return [{ columns: first, texts: second }, [first.buffer, second.buffer]];
  },
  load({ bytes, starts }) {
    texts = Array.from({ length: starts.length - 1 }, (_, i) =>
      decoder.decode(bytes.subarray(starts[i], starts[i + 1])),
    );
    return [{}, []];
  },
  search({ query, regex }) {
    const result = hits(texts, expression(query, regex));
    return [{ hits: result }, [result.buffer]];
  },
  ranges({ query, regex, numbers }) {
    const pattern = expression(query, regex);
    return [{ ranges: numbers.map((number) => ranges(texts[number], pattern)) }, []];
  },
};

addEventListener("message", async ({ data: { task, kind, ...question } }) => {
  try {
    const [answer, moved] = await answers[kind](question);
    postMessage({ task, answer }, moved);
  } catch (error) {
    postMessage({ task, error: error.message });
  }
});
