// Quality control and agreement so far, criterion by criterion, as /api/organiser/campaigns/NAME/quality tells them.

import { h } from "../dom.js";
import { has, named, t } from "../texts.js";
import { mean, number, p, table } from "./drawing.js";

/** Who is attentive: damaged references must score below what they were made from. */
export function quality(criteria) {
  const told = criteria.filter((one) => one.annotators.length);
  if (!told.length) return h("p", { class: "hint" }, t("organiser.quality.none"));
  const verdict = (passed) => {
    const key = passed === null ? "open" : passed ? "yes" : "no";
    return h("span", { class: `verdict ${key}` }, t(`organiser.passed.${key}`));
  };
  return told.map((one) => [
    criteria.length > 1 && h("h3", {}, criterionName(one.criterion)),
    table(
      [
        t("organiser.annotator"),
        [t("organiser.damaged")],
        [t("organiser.damaged-mean")],
        [t("organiser.whole-mean")],
        ["p"],
        t("organiser.verdict"),
        [t("organiser.repeats")],
        [t("organiser.repeat-difference")],
        t("organiser.flags"),
      ],
      one.annotators.map((q) => [
        q.name,
        [number(q.damaged)],
        [mean(q.damaged_mean)],
        [mean(q.whole_mean)],
        [p(q.p)],
        verdict(q.passed),
        [number(q.repeats)],
        [mean(q.repeat_difference)],
        q.flags.map((flag) => named("flag", flag)).join("; "),
      ]),
    ),
  ]);
}

/** How far people agree with each other, and with themselves. */
export function agreement(criteria) {
  const rows = criteria.flatMap((one) =>
    ["between", "within"].map((part) => [
      criteria.length > 1 ? `${criterionName(one.criterion)}: ${t(`organiser.${part}`)}` : t(`organiser.${part}`),
      [number(one[part].value)],
      named("agreement", one[part].words),
      [number(one[part].pairs)],
    ]),
  );
  if (!rows.length) return h("p", { class: "hint" }, t("organiser.agreement.none"));
  return table([t("organiser.agreement"), [t("organiser.value")], t("organiser.in-words"), [t("organiser.pairs")]], rows);
}

export function criterionName(name) {
  return has(`criterion.${name}`) ? t(`criterion.${name}`) : has(`protocol.${name}`) ? t(`protocol.${name}`) : name;
}
