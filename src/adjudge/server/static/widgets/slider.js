// A number on a line. Nothing is marked until it is set, so that no place on the line is a default.

import { h, unique } from "../dom.js";
import { t } from "../texts.js";

const TYPING = 1500;

export function slider(field, screen) {
  const label = unique("question");
  const { low, high } = field;
  let value = null;
  let typed = "";
  let typedAt = -Infinity;

  const line = h("input", {
    type: "range",
    min: low,
    max: high,
    step: 1,
    class: "unset",
    "aria-labelledby": label,
    oninput: () => put(Number(line.value)),
    onkeydown: (event) => key(event) && event.preventDefault(),
    // A click or a tap in the very middle changes nothing for the browser, but it is an answer.
    onclick: () => value === null && put(Number(line.value)),
    onpointerup: () => value === null && put(Number(line.value)),
  });
  const shown = h("output", { class: "score", "aria-hidden": "true" });
  const near = h("p", { class: "near", "aria-hidden": "true" });
  const element = h(
    "div",
    { class: "field slider" },
    h("div", { class: "question" }, h("p", { id: label }, screen.question), shown),
    h("div", { class: "line" }, line, ticks(field)),
    anchors(field),
    near,
  );

  function put(number, told = true) {
    value = number;
    line.classList.toggle("unset", value === null);
    line.value = value ?? (low + high) / 2;
    line.style.setProperty("--at", value === null ? "0" : String((value - low) / (high - low)));
    shown.textContent = value ?? "–";
    near.textContent = words(field, value);
    line.setAttribute("aria-valuetext", value === null ? t("slider.unset") : t("slider.value", { score: value, high }));
    if (told) screen.changed();
  }

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (/^\d$/.test(event.key)) {
      const now = performance.now();
      const longer = now - typedAt < TYPING ? typed + event.key : event.key;
      typed = Number(longer) <= high ? longer : event.key;
      typedAt = now;
      put(Math.max(low, Number(typed)));
      return true;
    }
    const backwards = getComputedStyle(line).direction === "rtl" ? -1 : 1;
    const inside = document.activeElement === line;
    const step = {
      ArrowRight: backwards,
      ArrowLeft: -backwards,
      ...(inside ? { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 } : {}),
    }[event.key];
    if (step !== undefined) {
      // The first step comes in from an end of the line: from the middle would be a default.
      const from = value ?? (step > 0 ? low - 1 : high + 1);
      put(Math.min(high, Math.max(low, from + step * (event.shiftKey ? 10 : 1))));
      return true;
    }
    if (inside && (event.key === "Home" || event.key === "End")) {
      put(event.key === "Home" ? low : high);
      return true;
    }
    return false;
  }

  put(null, false);
  return {
    element,
    value: () => value,
    set: (given) => put(given ?? null, false),
    missing: () => (value === null ? { text: t("missing.score"), focus: () => line.focus() } : null),
    key,
    keys: [
      ["0–9", t("help.type-score")],
      ["← →", t("help.move-score")],
      ["⇧ ← →", t("help.move-score-far")],
    ],
  };
}

function ticks({ low, high, anchors: places }) {
  return places
    .filter(([at]) => at > low && at < high)
    .map(([at]) => {
      const tick = h("span", { class: "tick", "aria-hidden": "true" });
      tick.style.setProperty("--at", String((at - low) / (high - low)));
      return tick;
    });
}

/** What is meant where the line is set, for places that have no room for all of it: the ends, or the nearest place. */
function words({ anchors: places }, value) {
  const told = ([at, text]) => `${at} ${t(text)}`;
  if (value === null) return `${told(places[0])} – ${told(places.at(-1))}`;
  return told(places.toSorted(([a], [b]) => Math.abs(a - value) - Math.abs(b - value))[0]);
}

/** The texts under the line: each in a column whose middle is its place, the first and the last at the ends. */
function anchors({ low, high, anchors: places }) {
  const edges = places.slice(1).map(([at], i) => (at + places[i][0]) / 2);
  const widths = [...edges, high].map((edge, i) => edge - (i ? edges[i - 1] : low));
  const list = h(
    "ol",
    { class: "anchors" },
    places.map(([at, text]) => h("li", {}, h("b", {}, String(at)), " ", h("span", {}, t(text)))),
  );
  list.style.setProperty("--columns", widths.map((width) => `${width}fr`).join(" "));
  return list;
}
