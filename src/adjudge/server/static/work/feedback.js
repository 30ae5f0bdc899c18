// What a tutorial says to an answer: whether it is right, why, and what was expected.

import { counted } from "../codepoints.js";
import { h, prose } from "../dom.js";
import { named, t } from "../texts.js";
import { summary } from "./summary.js";

/** `said` has right (true, false, or null where nothing was expected), text and expected; null: nothing was heard. */
export function showFeedback(view, said) {
  const { task, campaign } = view;
  const kind = said?.right === true ? "right" : said?.right === false ? "wrong" : "title";
  const wrong = said?.right === false ? campaign.fields.filter(({ name }) => said.expected?.[name] !== undefined) : [];
  const box = h(
    "section",
    { class: `feedback ${kind}`, role: "status", tabindex: -1 },
    h("h3", {}, t(`feedback.${kind}`)),
    said ? prose(said.text ?? "") : h("p", {}, t("feedback.offline")),
    wrong.map((field) => h("p", { class: "expected", dir: "auto" }, t("feedback.expected", { answer: inWords(field, said.expected[field.name], task) }))),
  );
  view.current.append(box);
  box.scrollIntoView({ block: "nearest" });
  box.focus({ preventScroll: true });
}

/** An expected answer; errors are told by their words, questions by the words of the right choice. */
function inWords(field, value, task) {
  if (field.widget === "spans" && value.length) return value.map((one) => error(one, task)).join(", ");
  if (field.widget === "edit" && value.text) return value.text;
  if (field.widget === "questions") return value.map((one, i) => choice(one, task.questions[i])).join(", ");
  return summary([field], { [field.name]: value });
}

function error({ start, end, side, segment = 0, severity }, task) {
  const { source, candidates } = task.segments[segment];
  const text = side === "source" ? source : candidates[0];
  const { units } = counted(text);
  const words = start === null ? t("spans.missing") : `“${text.slice(units[start], units[end])}”`;
  return severity ? `${words} (${named("severity", severity)})` : words;
}

function choice(answer, { choices }) {
  const [first] = [answer].flat();
  return choices?.[first] ?? String(first);
}
