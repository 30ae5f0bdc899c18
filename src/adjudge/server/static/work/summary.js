// An answer in a few words, for the context of a document and the overview.

import { t } from "../texts.js";
import { inWords } from "../widgets/ranks.js";

const ways = {
  slider: (value) => String(value),
  scale: (value, field) => `${value}/${field.high}`,
  "yes-no": (value) => (value ? t("yes") : t("no")),
  ranks: (value) => inWords(value),
  preference: (value) => inWords(Array.isArray(value) ? value : { first: [1, 2], second: [2, 1], tie: [1, 1] }[value]),
  spans: (value) => t("summary.errors", { n: value.length }),
  edit: (value) => t(`summary.${value.state.replaceAll(" ", "-")}`),
  questions: (value) => t("summary.questions", { n: value.length }),
};

/** All fields of an answer, in the order of the screen. */
export function summary(fields, answer) {
  return fields
    .filter((field) => answer[field.name] !== null && answer[field.name] !== undefined)
    .map((field) => ways[field.widget](answer[field.name], field))
    .join(" · ");
}
