// The organiser's dashboard: how far everyone has come, links, pausing, quality, export. It looks again by itself.

import { h } from "./dom.js";
import { campaignView } from "./organiser/campaign.js";
import { ask, Refused } from "./organiser/asking.js";
import { t } from "./texts.js";
import { openPreferences } from "./work/dialogs.js";

const AGAIN = 15_000;
const part = (id) => document.getElementById(id);
let view = null;
let timer = null;
let menu = "";
let turn = 0;

function chosen() {
  return decodeURIComponent(location.hash.slice(1));
}

async function refresh() {
  clearTimeout(timer);
  const mine = (turn += 1); // whoever chose another campaign meanwhile wants to see that one
  try {
    const { campaigns } = await ask("campaigns");
    if (mine !== turn) return;
    const name = campaigns.some((one) => one.name === chosen()) ? chosen() : campaigns[0]?.name;
    drawMenu(campaigns, name);
    if (!name) {
      part("main").replaceChildren(h("div", { class: "empty" }, h("h1", {}, t("organiser.none.title")), h("p", {}, t("organiser.none"))));
    } else {
      const path = `campaigns/${encodeURIComponent(name)}`;
      const [detail, found] = await Promise.all([ask(path), ask(`${path}/quality`)]);
      if (mine !== turn) return;
      if (view?.name !== name) {
        view = campaignView(name, { refresh, notice });
        part("main").replaceChildren(view.element);
      }
      view.draw(detail, found);
    }
    part("notices").querySelector(".offline")?.remove();
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      location.assign("/organiser/sign-in");
      return;
    }
    notice(error instanceof Refused ? error.message : t("boot.offline"), "offline");
    if (!(error instanceof Refused) && !(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
  }
  timer = setTimeout(() => (document.hidden ? (timer = null) : refresh()), AGAIN);
}

function drawMenu(campaigns, name) {
  const now = JSON.stringify([name, campaigns.map((one) => [one.name, one.title])]);
  if (now === menu) return; // it stays where it was scrolled to
  menu = now;
  part("campaigns").replaceChildren(
    ...campaigns.map((one) =>
      h("a", { href: `#${encodeURIComponent(one.name)}`, "aria-current": one.name === name ? "page" : null, dir: "auto" }, one.title)),
  );
  part("campaigns").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function notice(text, kind = "") {
  const close = h("button", { type: "button", class: "icon", "aria-label": t("close"), onclick: () => box.remove() }, "×");
  const box = h("div", { class: `notice ${kind}`, role: "alert" }, h("p", {}, text), close);
  part("notices").replaceChildren(box);
}

addEventListener("hashchange", refresh);
document.addEventListener("visibilitychange", () => document.hidden || refresh());
part("preferences").addEventListener("click", () => openPreferences());
part("sign-out").addEventListener("click", async () => {
  try {
    location.assign((await ask("sign-out", {})).next);
  } catch {
    notice(t("boot.offline"));
  }
});

refresh();
