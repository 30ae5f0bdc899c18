// What opens over the page: instructions, keys, looks, and the overview of one's answers.

import { fill, h, keycap, prose } from "../dom.js";
import { has, named, t } from "../texts.js";
import { definition } from "../widgets/categories.js";
import { fetchSheet } from "./fetching.js";
import { controls } from "./preferences.js";
import { summary } from "./summary.js";

const AGAIN = 15_000;

/** A dialog that closes by its button, by Escape and by a click beside it; it is made anew each time. */
export function open(title, ...content) {
  const dialog = h(
    "dialog",
    { "aria-label": title, onclose: () => dialog.remove(), onclick: (event) => event.target === dialog && dialog.close() },
    h(
      "div",
      { class: "sheet" },
      h("header", {}, h("h2", {}, title), h("button", { type: "button", class: "icon", "aria-label": t("close"), onclick: () => dialog.close() }, "×")),
      ...content,
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function isOpen() {
  return document.querySelector("dialog[open]") !== null;
}

export function openInstructions(campaign) {
  return open(
    t("instructions"),
    campaign.instructions && h("div", { class: "prose own" }, prose(campaign.instructions)),
    h("div", { class: "prose" }, prose(guide(campaign))),
    campaign.fields.filter((field) => field.categories?.length).map((field) => [h("h3", {}, t("spans.definitions")), glossary(field)]),
  );
}

/** What a protocol asks for; in words of its own where there is nothing to compare with, or less than usual. */
function guide({ protocol, against, fields }) {
  const only = fields.length === 1 && fields[0].criterion;
  const key = [`guide.${protocol}.${against}`, `guide.${only}`].find(has);
  return t(key ?? `guide.${protocol}`);
}

export function openGlossary(field) {
  return open(t("spans.definitions"), glossary(field));
}

/** All categories and what they mean. */
function glossary(field) {
  const meaning = (text) => text && h("dd", {}, text);
  const entry = (category) => [h("dt", {}, named("category", category)), meaning(definition(field, category)) || null];
  return h(
    "dl",
    { class: "glossary" },
    field.categories.map(([name, inner]) =>
      h("div", {}, entry(name), inner.length > 0 && h("dd", {}, h("dl", {}, inner.map((below) => h("div", {}, entry(`${name}/${below}`)))))),
    ),
  );
}

export function openPreferences() {
  return open(t("preferences"), controls());
}

export function openHelp(fieldKeys, corrections) {
  const caps = (keys) => keys.split(" ").map((one) => (one === "&" ? "+ " : [keycap(one === "Space" ? t("key.space") : one), " "]));
  const line = ([keys, text]) => h("div", {}, h("dt", {}, caps(keys)), h("dd", {}, text));
  const general = [
    ["Enter", t("help.next")],
    ...(corrections ? [["B", t("help.back")], ["U", t("help.undo")], ["O", t("help.overview")]] : []),
    ["I", t("help.instructions")],
    ["+", t("help.larger")],
    ["-", t("help.smaller")],
    ["D", t("help.dark")],
    ["?", t("help.help")],
    ["Esc", t("help.close")],
  ];
  return open(
    t("help"),
    h("h3", {}, t("help.this")),
    h("dl", { class: "keys" }, fieldKeys.map(line)),
    h("h3", {}, t("help.everywhere")),
    h("dl", { class: "keys" }, general.map(line)),
    h("p", { class: "hint" }, t("help.single")),
  );
}

/** All items of this part with what was said of them, and the other parts; it looks again by itself. */
export function openOverview(desk) {
  const { campaign, tasks } = desk;
  const items = h("ol", { class: "overview" });
  const parts = h("nav", { class: "parts", "aria-label": t("parts") });
  const told = new Map(); // what the server knows of items that were answered elsewhere
  let shown = "";
  let asked = 0, heard = 0;

  const answerTo = (task) => task.answer ?? told.get(task.id) ?? null;
  const item = (task, i) => {
    const answer = answerTo(task);
    const said = answer ? summary(campaign.fields, answer) : task === desk.task ? t("overview.current") : t("overview.open");
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: `${answer ? "done" : "open"} ${task === desk.task ? "here" : ""}`,
          disabled: !desk.canVisit(task),
          "aria-current": task === desk.task ? "step" : null,
          "data-key": `item ${task.id}`,
          onclick: () => { dialog.close(); desk.show(task); },
        },
        h("b", {}, String(i + 1)),
        h("span", {}, said),
      ),
    );
  };
  const part = (one, i) => {
    const answered = one.id === desk.hit ? tasks.filter(answerTo).length : one.answered;
    const open = () => { dialog.close(); desk.load(one.id); };
    return h(
      "button",
      { type: "button", class: "small", disabled: one.id === desk.hit, "data-key": `part ${one.id}`, onclick: open },
      t("part", { number: i + 1 }), " ", h("span", { class: "hint" }, `${answered}/${one.tasks}`),
    );
  };
  function draw() {
    const now = JSON.stringify([desk.hits, tasks.map(answerTo)]);
    if (now === shown) return; // nothing moves under a hand
    shown = now;
    const focused = document.activeElement?.dataset?.key;
    fill(items, tasks.map(item));
    fill(parts, h("h3", {}, t("parts")), desk.hits.map(part));
    parts.hidden = desk.hits.length < 2;
    if (focused) dialog.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }
  async function look() {
    const own = ++asked;
    const sheet = await fetchSheet(desk.hit).catch(() => null); // without a connection what is known stands
    if (!sheet || !dialog.open || own < heard) return; // nor does an older word that comes late change it
    heard = own;
    desk.hits = sheet.hits;
    for (const task of sheet.tasks) if (task.answer) told.set(task.id, task.answer);
    draw();
  }

  const dialog = open(
    t("overview"),
    h("p", { class: "hint" }, t("overview.who", { name: desk.sheet.annotator.name }), " ", campaign.corrections ? t("overview.hint") : t("overview.fixed")),
    items,
    parts,
  );
  draw();
  look();
  const timer = setInterval(look, AGAIN);
  desk.channel?.addEventListener("message", draw);
  dialog.addEventListener("close", () => {
    clearInterval(timer);
    desk.channel?.removeEventListener("message", draw);
  });
  dialog.querySelector(".here, .open:not(:disabled)")?.scrollIntoView({ block: "nearest" });
  return dialog;
}
