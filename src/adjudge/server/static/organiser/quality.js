// Quality control and agreement, as the server tells them:
//
//   detail.quality    [{ annotator, bad_references, p, passed, flags: [text] }]   one a person; `passed` null: too early
//   detail.agreement  [{ title, value, words, n }]                               one a measure
//
// Where either is not there, the place says so.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { number, p, table } from "./drawing.js";

export function quality({ quality: rows }) {
  if (!rows?.length) return h("p", { class: "hint" }, t("organiser.quality.none"));
  const verdict = (passed) =>
    h("span", { class: `verdict ${passed === null ? "" : passed ? "good" : "bad"}` }, t(`organiser.passed.${passed === null ? "open" : passed ? "yes" : "no"}`));
  return table(
    [t("organiser.annotator"), [t("organiser.bad-references")], ["p"], t("organiser.verdict"), t("organiser.flags")],
    rows.map((one) => [one.annotator, [number(one.bad_references)], [p(one.p)], verdict(one.passed), (one.flags ?? []).join("; ")]),
  );
}

export function agreement({ agreement: rows }) {
  if (!rows?.length) return h("p", { class: "hint" }, t("organiser.agreement.none"));
  return table(
    [t("organiser.measure"), [t("organiser.value")], t("organiser.in-words"), [t("organiser.n")]],
    rows.map((one) => [one.title, [number(one.value)], one.words ?? "", [number(one.n)]]),
  );
}
