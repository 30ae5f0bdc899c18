// Two to five translations, each with a place from 1 (the best); equal places are ties.

import { h, reading, unique } from "../dom.js";
import { t } from "../texts.js";

export const LETTERS = "ABCDE";

export function ranks(field, screen) {
  const texts = screen.task.segments[0].candidates;
  const count = texts.length;
  const places = Array.from({ length: count }, (_, i) => i + 1);
  const given = texts.map(() => null);
  const order = h("p", { class: "order", role: "status" });
  let at = 0;

  const cards = texts.map((text, i) => {
    const name = unique("rank");
    const heading = unique("candidate");
    const inputs = places.map((place) =>
      h("input", { type: "radio", name, value: place, onchange: () => put(i, place), "aria-label": said(place, count) }),
    );
    const card = h(
      "section",
      { class: "candidate", "aria-labelledby": heading, onfocusin: () => point(i) },
      h("h3", { id: heading, "aria-label": t("candidate", { letter: LETTERS[i] }) }, LETTERS[i]),
      reading(text, screen.campaign.target),
      h(
        "div",
        { class: "places", role: "radiogroup", "aria-label": t("ranks.of", { letter: LETTERS[i] }) },
        inputs.map((input, j) => h("label", {}, input, h("span", { "aria-hidden": "true" }, String(j + 1)))),
        ends(),
      ),
    );
    return { card, inputs };
  });

  const element = h(
    "div",
    { class: "field ranks", role: "group", "aria-label": screen.question },
    h("div", { class: "question" },
      h("p", {}, screen.question),
      ends()),
    h("div", { class: "candidates rows" }, cards.map(({ card }) => card)),
    h("div", { class: "below" }, h("p", { class: "hint" }, field.ties ? t("ranks.ties") : t("ranks.no-ties")), order),
  );

  function point(i) {
    at = i;
    cards.forEach(({ card }, j) => card.classList.toggle("at", i === j));
  }

  function put(i, place) {
    given[i] = place;
    show();
    screen.changed();
  }

  function show() {
    cards.forEach(({ inputs }, i) => inputs.forEach((input, j) => (input.checked = given[i] === j + 1)));
    order.textContent = given.includes(null) ? "" : inWords(given);
  }

  function key(event) {
    if (/^[1-5]$/.test(event.key) && Number(event.key) <= count) {
      const i = at;
      put(i, Number(event.key));
      const next = places.map((n) => (i + n) % count).find((j) => given[j] === null);
      focus(next ?? i);
      return true;
    }
    if (!element.contains(event.target)) return false;
    // Translations stand below each other; to the left and the right are the ranks of one.
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      focus((at + step + count) % count);
      return true;
    }
    const aside = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!aside) return false;
    const forwards = getComputedStyle(element).direction === "rtl" ? -aside : aside;
    const now = given[at] ?? (forwards > 0 ? 0 : count + 1);
    put(at, Math.min(count, Math.max(1, now + forwards)));
    focus(at);
    return true;
  }

  function focus(i) {
    point(i);
    const { inputs } = cards[i];
    (inputs.find((input) => input.checked) ?? inputs[0]).focus();
  }

  element.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && key(event)) event.preventDefault();
  });
  point(0);

  return {
    element,
    candidates: true,
    value: () => (given.every((place) => place === null) ? null : [...given]),
    set: (value) => {
      texts.forEach((_, i) => (given[i] = value?.[i] ?? null));
      show();
    },
    missing: () => {
      const open = given.flatMap((place, i) => (place === null ? [i] : []));
      if (open.length) {
        const letters = open.map((i) => LETTERS[i]).join(", ");
        return { text: t("missing.ranks", { letters, n: open.length }), focus: () => focus(open[0]) };
      }
      const double = given.findIndex((place, i) => given.indexOf(place) < i);
      if (!field.ties && double >= 0) {
        const letters = [given.indexOf(given[double]), double].map((i) => LETTERS[i]).join(", ");
        return { text: t("missing.ties", { letters }), focus: () => focus(double) };
      }
      return null;
    },
    key,
    keys: [
      [`1–${count}`, t("help.rank")],
      ["↑ ↓", t("help.rank-other")],
      ["← →", t("help.rank-move")],
    ],
  };
}

/** What the first and the last rank mean, at their ends of the line. */
function ends() {
  return h("span", { class: "ends", "aria-hidden": "true" }, h("span", {}, t("ranks.best")), h("span", {}, t("ranks.worst")));
}

/** A rank as it is spoken. */
function said(place, count) {
  const end = place === 1 ? t("ranks.best") : place === count ? t("ranks.worst") : "";
  return end ? `${t("ranks.place", { n: place })}, ${end}` : t("ranks.place", { n: place });
}

/** “B, then A and C alike, then D”, in signs. */
export function inWords(given) {
  const levels = [...new Set(given)].sort((a, b) => a - b);
  return levels
    .map((level) => given.flatMap((place, i) => (place === level ? [LETTERS[i]] : [])).join(" = "))
    .join("  ›  ");
}
