// Something was answered in another tab or on another device while it was open here: nothing is written over unasked.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { fetchSheet } from "./fetching.js";
import { newKey } from "./outbox.js";
import { summary } from "./summary.js";

/** Tell somebody what was answered elsewhere, and let them choose; `entry` is an answer that the server did not take. */
export function newer(desk, task, entry = null) {
  if (!task) return;
  if (!task.answer && !entry) {
    desk.after = task.revision; // it was taken back: there is nothing to be written over
    return;
  }
  const number = desk.tasks.indexOf(task) + 1;
  const answer = task.answer ? summary(desk.campaign.fields, task.answer) : t("newer.none");
  const button = (label, action) => h("button", { type: "button", class: "small", onclick: () => choose(action) }, label);
  const choose = (action) => {
    document.getElementById("notices").replaceChildren();
    action();
  };
  const buttons = [button(t("newer.theirs"), () => takeTheirs(desk, task))];
  if (entry?.kind !== "undo") buttons.push(button(t("newer.mine"), () => keepMine(desk, task, entry)));
  desk.saved.notice(t("newer", { number, answer }), ...buttons);
}

function takeTheirs(desk, task) {
  if (desk.task === task && desk.view) desk.showAnew(task);
  else desk.shelf.delete(`draft.${task.id}`);
  desk.saved.draw();
}

/** Here and now; an answer that was given already is sent once more, in sight of the other one. */
function keepMine(desk, task, entry) {
  if (!entry) {
    desk.after = task.revision;
    desk.keepDraft();
    return;
  }
  const again = { ...entry, key: newKey(), after: task.revision };
  desk.outbox.add(again);
  desk.apply(again);
  desk.channel?.postMessage({ task: task.id, answer: again.answer, seconds: again.seconds, key: again.key });
  if (desk.task === task && desk.view) desk.showAnew(task);
  desk.saved.draw();
}

/** What the server has by now of the tasks on the desk; answers that are still on their way count as given. */
export async function refreshed(desk) {
  try {
    const sheet = await fetchSheet(desk.hit);
    const found = new Map(sheet.tasks.map((task) => [task.id, task]));
    for (const task of desk.tasks) {
      const { answer, seconds, revision } = found.get(task.id) ?? task;
      Object.assign(task, { answer, seconds, revision });
    }
    for (const entry of desk.outbox.entries()) desk.apply(entry);
  } catch {
    // It is asked for again when somebody goes there.
  }
}
