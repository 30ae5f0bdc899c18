// Buttons below charts and tables: a drawing as SVG and PNG, and what it says as CSV and LaTeX.
import { chartDrawing, pageDrawing } from "./drawing.js";

const SCALE = 2;
const MOST_PIXELS = 16000; // on a side; beyond that browsers draw nothing

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function drawingOf(exhibit) {
  const chart = exhibit.querySelector("svg.wide, svg.any");
  return chart ? chartDrawing(chart) : pageDrawing(exhibit);
}

function asText(svg) {
  return new XMLSerializer().serializeToString(svg);
}

async function picture(svg) {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const scale = Math.min(SCALE, MOST_PIXELS / Math.max(width, height));
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(asText(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => {
    canvas.toBlob(done, "image/png");
  });
}

function button(label, about, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.setAttribute("aria-label", `${label}: ${about}`);
  made.addEventListener("click", act);
  return made;
}

for (const exhibit of document.querySelectorAll(".exhibit")) {
  const { name } = exhibit.dataset;
  const row = document.createElement("div");
  row.className = "exports";
  row.append(
    button("SVG", name, () => save(`${name}.svg`, new Blob([asText(drawingOf(exhibit))], { type: "image/svg+xml" }))),
    button("PNG", name, async () => save(`${name}.png`, await picture(drawingOf(exhibit)))),
  );
  for (const [kind, ending, label] of [["csv", "csv", "CSV"], ["latex", "tex", "LaTeX"]]) {
    const text = exhibit.querySelector(`template.${kind}`).content.textContent;
    row.append(button(label, name, () => save(`${name}.${ending}`, new Blob([text], { type: "text/plain" }))));
  }
  exhibit.append(row);
}

// On paper nothing can be opened, and segments are printed by whoever has chosen some.
addEventListener("beforeprint", () => {
  document.body.classList.toggle("unasked", !location.hash.startsWith("#segments"));
  for (const folded of document.querySelectorAll("details:not(.set)")) {
    folded.open = true;
  }
});
