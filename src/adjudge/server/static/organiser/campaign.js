// One campaign on the dashboard: `detail` and `found` are what /api/organiser/campaigns/NAME and its quality say.

import { announce, fill, h } from "../dom.js";
import { t } from "../texts.js";
import { open } from "../work/dialogs.js";
import { ask } from "./asking.js";
import { ago, meter, minutes, table } from "./drawing.js";
import { agreement, criterionName, quality } from "./quality.js";

const OLD = 60; // seconds: with very many answers figures are not computed each time

export function campaignView(name, told) {
  const element = h("article", { class: "campaign" });
  let shown = "";

  /** Draw what has changed: nothing else moves, so that a focus stays where it is. */
  function draw({ as_of: counted, ...detail }, { as_of: judged, criteria }) {
    const at = Math.min(counted, judged);
    const old = Date.now() / 1000 - at > OLD && ago(at);
    const now = JSON.stringify([detail, criteria, old && old.textContent]);
    if (now === shown) return;
    shown = now;
    const focused = document.activeElement?.dataset?.key;
    fill(
      element,
      heading(detail),
      old && h("p", { class: "hint as-of" }, t("organiser.as-of"), " ", old),
      figures(detail),
      section("annotators", annotators(detail)),
      detail.systems?.length > 0 && section("systems", systems(detail)),
      section("quality", quality(criteria)),
      section("agreement", agreement(criteria)),
      section("export", exports(detail, criteria)),
    );
    if (focused) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  function heading({ title, status, protocol }) {
    const act = (wanted, kind = "") =>
      h("button", { type: "button", class: kind, "data-key": wanted, onclick: () => change(wanted) }, t(`organiser.${wanted}`));
    return h(
      "header",
      { class: "heading" },
      h("div", {}, h("h1", { dir: "auto" }, title), h("p", { class: "hint" }, t(`protocol.${protocol}`))),
      h("span", { class: `status ${status}`, role: "status" }, t(`status.${status}`)),
      h("div", { class: "buttons" },
        status === "running" ? act("pause") : act("resume", "primary"),
        status !== "closed" && act("close", "quiet")),
    );
  }

  async function change(wanted) {
    const status = { pause: "paused", resume: "running", close: "closed" }[wanted];
    if (wanted === "close" && !(await sure(t("organiser.close.sure")))) return;
    try {
      await ask(`campaigns/${encodeURIComponent(name)}/status`, { status });
      announce(t(`status.${status}`));
      told.refresh();
    } catch (error) {
      told.notice(error.message);
    }
  }

  function figures({ tasks, answered, annotators: people }) {
    const counted = people.filter((one) => one.kind !== "demo" && !one.withdrawn);
    const seconds = counted.reduce((sum, one) => sum + one.seconds, 0);
    const done = counted.filter((one) => one.tasks > 0 && one.answered >= one.tasks).length;
    const figure = (value, text) => h("div", {}, h("dd", {}, value), h("dt", {}, text));
    return h(
      "dl",
      { class: "figures" },
      figure(`${tasks ? Math.floor((100 * answered) / tasks) : 0} %`, t("organiser.answered", { answered, tasks })),
      figure(`${done}/${counted.length}`, t("organiser.finished")),
      figure(answered ? minutes(seconds / answered) : "–", t("organiser.per-item")),
      figure(minutes(seconds), t("organiser.in-all")),
    );
  }

  function annotators({ annotators: people }) {
    const rows = people.filter((one) => one.kind !== "demo");
    if (!rows.length) return h("p", { class: "hint" }, t("organiser.nobody"));
    return table(
      [t("organiser.annotator"), t("organiser.progress"), [t("organiser.per-item")], t("organiser.last"), ""],
      rows.map((one) => [
        h("span", { class: one.withdrawn ? "withdrawn" : "" }, one.name, one.withdrawn && h("span", { class: "tag" }, t("organiser.withdrawn"))),
        meter(one.answered, one.tasks, t("organiser.progress-of", { name: one.name })),
        [one.answered ? minutes(one.seconds / one.answered) : "–"],
        one.last ? ago(one.last) : h("span", { class: "hint" }, t("organiser.never")),
        one.kind === "person" && !one.withdrawn &&
          h("button", { type: "button", class: "small", "data-key": `link ${one.name}`, onclick: () => link(one.name) }, t("organiser.new-link")),
      ]),
    );
  }

  async function link(annotator) {
    if (!(await sure(t("organiser.new-link.sure", { name: annotator })))) return;
    try {
      const { link: made } = await ask(`campaigns/${encodeURIComponent(name)}/links`, { annotator });
      const copied = h("span", { class: "hint", role: "status" });
      const copy = async () => {
        await navigator.clipboard.writeText(made);
        copied.textContent = t("organiser.copied");
      };
      open(
        t("organiser.link-of", { name: annotator }),
        h("p", {}, t("organiser.link-once")),
        h("code", { class: "link" }, made),
        navigator.clipboard && h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: copy }, t("organiser.copy")), copied),
      );
    } catch (error) {
      told.notice(error.message);
    }
  }

  function systems({ systems: all }) {
    return table(
      [t("organiser.system"), t("organiser.judgements")],
      all.map((one) => [one.system, meter(one.given, one.wanted, t("organiser.progress-of", { name: one.system }))]),
    );
  }

  function exports({ formats, answered }, criteria) {
    if (!answered) return h("p", { class: "hint" }, t("organiser.export.none"));
    const choice = (key, of, text) =>
      h("label", {}, t(`organiser.${key}`), h("select", { name: key }, of.map((one) => h("option", { value: one }, text(one)))));
    const box = (key) => h("label", { class: "check" }, h("input", { type: "checkbox", name: key, value: "true" }), t(`organiser.${key}`));
    return h(
      "form",
      { class: "export", method: "get", action: `/organiser/campaigns/${encodeURIComponent(name)}/export` },
      choice("format", formats, (one) => one),
      criteria.length > 1 && choice("criterion", criteria.map((one) => one.criterion), criterionName),
      box("anonymous"),
      box("for_spreadsheet"),
      h("button", { type: "submit" }, t("organiser.download")),
    );
  }

  return { name, element, draw };
}

function section(key, ...content) {
  return h("section", { class: key }, h("h2", {}, t(`organiser.${key}`)), ...content);
}

/** Ask before something is done that others notice. */
function sure(question) {
  return new Promise((resolve) => {
    let said = false;
    const say = (value) => () => { said = value; dialog.close(); };
    const dialog = open(
      t("organiser.sure"),
      h("p", {}, question),
      h("div", { class: "buttons" },
        h("button", { type: "button", class: "primary", onclick: say(true) }, t("organiser.sure.yes")),
        h("button", { type: "button", onclick: say(false) }, t("organiser.sure.no"))),
    );
    dialog.addEventListener("close", () => resolve(said));
  });
}
