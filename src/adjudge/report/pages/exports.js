// Buttons below charts and tables: a chart as SVG and PNG, and what it or a table says as CSV and LaTeX.
const PAINT = ["fill", "stroke", "stroke-width", "stroke-opacity", "fill-opacity", "opacity", "font-size", "font-weight"];
const SCALE = 2;

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// The drawing by itself: colours that the page gives by name are written out, links stay on the page.
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const painted = [...svg.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((element, place) => {
    const style = getComputedStyle(painted[place]);
    for (const name of PAINT) {
      element.setAttribute(name, style.getPropertyValue(name));
    }
    if (element.localName === "text") {
      element.setAttribute("font-family", "sans-serif");
    }
  });
  for (const link of copy.querySelectorAll("a")) {
    link.replaceWith(...link.childNodes);
  }
  const [x, y, width, height] = svg.getAttribute("viewBox").split(" ");
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x, y, width, height })) {
    paper.setAttribute(name, value);
  }
  paper.setAttribute("fill", getComputedStyle(svg.closest("figure")).backgroundColor);
  copy.prepend(paper);
  copy.removeAttribute("class");
  return new XMLSerializer().serializeToString(copy);
}

async function picture(svg) {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
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
  const svg = exhibit.querySelector("svg.wide, svg.any");
  const row = document.createElement("div");
  row.className = "exports";
  if (svg) {
    row.append(
      button("SVG", name, () => save(`${name}.svg`, new Blob([standalone(svg)], { type: "image/svg+xml" }))),
      button("PNG", name, async () => save(`${name}.png`, await picture(svg))),
    );
  }
  for (const [kind, ending, label] of [["csv", "csv", "CSV"], ["latex", "tex", "LaTeX"]]) {
    const text = exhibit.querySelector(`template.${kind}`).content.textContent;
    row.append(button(label, name, () => save(`${name}.${ending}`, new Blob([text], { type: "text/plain" }))));
  }
  exhibit.append(row);
}

// On paper nothing can be opened, and segments are printed by whoever has chosen some.
addEventListener("beforeprint", () => {
  document.body.classList.toggle("unasked", !location.hash.startsWith("#segments"));
  for (const folded of document.querySelectorAll("details")) {
    folded.open = true;
  }
});
