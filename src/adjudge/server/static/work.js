// The page on which people judge: fetch the work, lay it on the desk, listen to keys.

import { h } from "./dom.js";
import { t } from "./texts.js";
import { Desk } from "./work/desk.js";
import { isOpen, openHelp, openInstructions, openOverview, openPreferences } from "./work/dialogs.js";
import { fetchSheet, NotNow } from "./work/fetching.js";
import { listens, resize, toggleTheme } from "./work/preferences.js";

const part = (id) => document.getElementById(id);
const token = document.querySelector("meta[name=csrf]").content;
let desk = null;

async function boot(tries = 0) {
  try {
    desk = new Desk(await fetchSheet(), token);
  } catch (error) {
    if (!(error instanceof NotNow) && !(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
    const signedOut = error.status === 401;
    const again = () => boot(tries + 1);
    part("main").replaceChildren(
      h("article", { class: "end" },
        h("h2", {}, signedOut ? t("boot.signed-out.title") : t("boot.offline.title")),
        h("p", { class: "lead", role: "alert" }, signedOut ? t("boot.signed-out") : t("boot.offline")),
        h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: again }, t("boot.again")))),
    );
    if (!signedOut) setTimeout(() => desk ?? again(), Math.min(30_000, 2000 * 2 ** tries));
    return;
  }
  desk.begin();
  if (desk.tasks.length && !desk.answered && !seenBefore()) {
    // Reading them is no time spent on the first item.
    desk.watch.stop();
    openInstructions(desk.campaign).addEventListener("close", () => desk.watch.start());
  }
}

/** Whether the instructions were shown once; they open by themselves only the first time. */
function seenBefore() {
  const seen = desk.shelf.get("instructed");
  desk.shelf.set("instructed", true);
  return Boolean(seen);
}

const commands = {
  "?": () => openHelp(desk.view?.keys ?? [], desk.campaign.corrections),
  i: () => openInstructions(desk.campaign),
  o: () => openOverview(desk),
  b: () => desk.back(),
  u: () => desk.undo(),
  "+": () => resize(1),
  "-": () => resize(-1),
  d: () => toggleTheme(),
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || isOpen() || !desk) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    desk.next();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // Enter has nothing to do in a line of text, so there too it goes on.
  if (event.target.closest("textarea, select") || (event.target.closest("input[type=text]") && event.key !== "Enter")) return;
  if (event.key === "Enter") {
    if (event.target.closest("button, a, summary")) return;
    event.preventDefault();
    if (!event.repeat) desk.next();
    return;
  }
  const isLetter = event.key.length === 1 && !/^\d$/.test(event.key);
  if (isLetter && !listens()) return;
  const takesArrows = event.target.closest("input[type=radio], input[type=range]");
  if (!(takesArrows && event.key.startsWith("Arrow")) && desk.view && !desk.feedback && desk.view.key(event)) {
    event.preventDefault();
    return;
  }
  const command = commands[event.key.toLowerCase()];
  if (command && !event.repeat) {
    event.preventDefault();
    command();
  }
});

for (const [id, command] of Object.entries({
  next: () => desk?.next(),
  back: () => desk?.back(),
  undo: () => desk?.undo(),
  "to-open": () => desk?.toOpen(),
  overview: () => desk && openOverview(desk),
  instructions: () => desk && openInstructions(desk.campaign),
  preferences: () => openPreferences(),
  help: () => desk && commands["?"](),
})) {
  part(id).addEventListener("click", command);
}

boot();
