// Tables, bars and figures of the dashboard.

import { h } from "../dom.js";
import { language, t } from "../texts.js";

const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

export function number(value) {
  return value === null || value === undefined || Number.isNaN(value) ? "–" : numbers.format(value);
}

/** A mean of scores. */
export function mean(value) {
  return value === null || value === undefined ? "–" : value.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** A p-value as it is printed elsewhere. */
export function p(value) {
  if (value === null || value === undefined) return "–";
  return value < 0.001 ? "< 0.001" : value.toFixed(3);
}

/** A time: seconds, minutes, hours. */
export function minutes(seconds) {
  if (seconds < 90) return t("time.seconds", { n: Math.round(seconds) });
  if (seconds < 5400) return t("time.minutes", { n: Math.round(seconds / 60) });
  return t("time.hours", { n: Math.round(seconds / 360) / 10 });
}

/** How long ago something was; `at` is in seconds. */
export function ago(at) {
  const seconds = at - Date.now() / 1000;
  const steps = [["day", 86_400], ["hour", 3600], ["minute", 60]];
  const [unit, size] = steps.find(([, one]) => Math.abs(seconds) >= one) ?? ["minute", 60];
  return h("time", { datetime: new Date(at * 1000).toISOString(), title: new Date(at * 1000).toLocaleString(language) },
    relative.format(Math.round(seconds / size), unit));
}

/** A bar with its numbers. */
export function meter(value, max, label) {
  return h("span", { class: "meter" }, h("progress", { value, max: Math.max(1, max), "aria-label": label }), h("span", {}, `${numbers.format(value)}/${numbers.format(max)}`));
}

/** A table; a cell in a list of its own is a number. */
export function table(heads, rows) {
  const cell = (tag, content, attributes = {}) =>
    h(tag, { ...attributes, class: Array.isArray(content) ? "number" : null }, Array.isArray(content) ? content[0] : content);
  return h(
    "div",
    { class: "table", tabindex: 0, role: "region", "aria-label": [heads[0]].flat()[0] },
    h("table", {},
      h("thead", {}, h("tr", {}, heads.map((one) => (one === "" ? h("td") : cell("th", one, { scope: "col" }))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((one, i) => (i ? cell("td", one) : cell("th", one, { scope: "row" }))))))),
  );
}
