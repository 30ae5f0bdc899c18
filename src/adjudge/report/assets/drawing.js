// What stands on the page as one drawing in SVG that needs nothing else: tables, bars, charts, on white paper.
const SVG = "http://www.w3.org/2000/svg";
const PAINT = ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "fill-opacity", "opacity", "font-size", "font-weight"];
const LETTERS = ["font-size", "font-weight", "font-style", "font-variant-numeric"];
const FONT = "system-ui, sans-serif";
const WIDTH = 1000;
const FIGURE = 720; // bars take the width there is
const MARGIN = 8;
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function made(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === "number" ? Math.round(value * 100) / 100 : value);
  }
  element.append(...children);
  return element;
}

// A frame as wide as a desk, whatever the screen, in the colours of paper, whether it is day or night: what is exported
// looks the same for everyone. It has the page's own style and nothing that runs.
export function onPaper(content, draw) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `position:absolute;left:-9999px;top:0;width:${WIDTH}px;height:100px;border:0;visibility:hidden`;
  frame.setAttribute("aria-hidden", "true");
  document.body.append(frame);
  try {
    const inside = frame.contentDocument;
    for (const sheet of document.querySelectorAll("head style")) {
      inside.head.append(inside.importNode(sheet, true));
    }
    for (const sheet of inside.styleSheets) {
      for (const rule of sheet.cssRules) {
        if (rule.selectorText === ":root") {
          inside.documentElement.style.cssText += rule.style.cssText;
        }
      }
    }
    inside.documentElement.style.colorScheme = "light";
    const stage = inside.createElement("div");
    const width = content.querySelector("figure") ? `${FIGURE}px` : "max-content";
    stage.style.cssText = `width:${width};max-width:${WIDTH - 2 * MARGIN}px;padding:${MARGIN}px;background:#fff`;
    stage.append(inside.importNode(content, true));
    inside.body.append(stage);
    return draw(stage);
  } finally {
    frame.remove();
  }
}

function styleOf(element, pseudo) {
  return element.ownerDocument.defaultView.getComputedStyle(element, pseudo);
}

// The drawing that a chart is already: colours that the page gives by name are written out, links stay on the page.
export function painted(svg) {
  const copy = document.importNode(svg, true);
  const originals = [...svg.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((element, place) => {
    const style = styleOf(originals[place]);
    for (const name of PAINT) {
      element.setAttribute(name, style.getPropertyValue(name));
    }
    if (element.localName === "text") {
      element.setAttribute("font-family", FONT);
    }
  });
  for (const link of copy.querySelectorAll("a")) {
    link.replaceWith(...link.childNodes);
  }
  for (const name of ["class", "style", "role", "aria-label"]) {
    copy.removeAttribute(name);
  }
  return copy;
}

export function chartDrawing(svg) {
  return onPaper(svg, (stage) => {
    const copy = painted(stage.querySelector("svg"));
    const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    copy.prepend(made("rect", { x, y, width, height, fill: "#fff" }));
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    return copy;
  });
}

// A table, or bars with their names: words where the browser has put them, boxes and lines below them.
export function pageDrawing(content) {
  return onPaper(content, (stage) => {
    writtenOut(stage);
    const { left, top, width, height } = stage.getBoundingClientRect();
    const painter = { at: { left, top }, parts: [] };
    paint(stage, painter);
    const viewBox = `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`;
    return made("svg", { viewBox, width: Math.ceil(width), height: Math.ceil(height), "font-family": FONT }, ...painter.parts);
  });
}

// What a style sheet writes before an element becomes text of its own, and frames that scroll show all they have.
function writtenOut(stage) {
  for (const hidden of stage.querySelectorAll(".sr, .exports, template, title")) {
    hidden.remove();
  }
  for (const element of stage.querySelectorAll("*")) {
    const { content } = styleOf(element, "::before");
    const [, said] = /^"(.+)"$/.exec(content) ?? [];
    if (said) {
      element.prepend(said.replace(/\\"/g, '"'));
    }
  }
  const style = stage.ownerDocument.createElement("style");
  style.textContent = "*::before { content: none !important; } .scroll { overflow: visible !important; }";
  stage.ownerDocument.head.append(style);
}

function paint(node, painter) {
  if (node.nodeType === 3) {
    painter.parts.push(...lines(node, painter.at));
    return;
  }
  if (node.nodeType !== 1) {
    return;
  }
  const style = styleOf(node);
  const { left, top, width, height } = node.getBoundingClientRect();
  if (style.display === "none" || !width) {
    return;
  }
  const box = { x: left - painter.at.left, y: top - painter.at.top, width, height };
  if (node.localName === "svg") {
    const copy = painted(node);
    for (const [name, value] of Object.entries(box)) {
      copy.setAttribute(name, value);
    }
    copy.setAttribute("overflow", "visible");
    painter.parts.push(copy);
    return;
  }
  painter.parts.push(...boxes(box, style));
  for (const child of node.childNodes) {
    paint(child, painter);
  }
}

function boxes(box, style) {
  const parts = [];
  const rx = parseFloat(style.borderTopLeftRadius) || 0;
  if (!/rgba\(.*, 0\)|transparent/.test(style.backgroundColor)) {
    parts.push(made("rect", { ...box, rx, fill: style.backgroundColor }));
  }
  const { x, y, width, height } = box;
  const sides = { Top: [x, y, x + width, y], Bottom: [x, y + height, x + width, y + height], Left: [x, y, x, y + height], Right: [x + width, y, x + width, y + height] };
  const drawn = Object.keys(sides).filter((side) => style[`border${side}Style`] !== "none" && parseFloat(style[`border${side}Width`]));
  if (drawn.length === 4) {
    parts.push(made("rect", { ...box, rx, fill: "none", stroke: style.borderTopColor, "stroke-width": parseFloat(style.borderTopWidth) }));
    return parts;
  }
  for (const side of drawn) {
    const [x1, y1, x2, y2] = sides[side];
    parts.push(made("line", { x1, y1, x2, y2, stroke: style[`border${side}Color`], "stroke-width": parseFloat(style[`border${side}Width`]) }));
  }
  return parts;
}

// The lines that a text has come to stand on, each as far as it reaches, so that another font does not push words about.
function lines(node, at) {
  const text = node.data;
  if (!text.trim()) {
    return [];
  }
  const range = node.ownerDocument.createRange();
  const found = [];
  for (const { segment, index } of graphemes.segment(text)) {
    if (!segment.trim()) {
      found.at(-1)?.waiting.push(" ");
      continue;
    }
    range.setStart(node, index);
    range.setEnd(node, index + segment.length);
    const box = range.getBoundingClientRect();
    let line = found.at(-1);
    if (!line || box.top > line.bottom - box.height / 3 || box.bottom < line.top + box.height / 3) {
      line = { words: "", waiting: [], left: Infinity, right: -Infinity, top: box.top, bottom: box.bottom };
      found.push(line);
    }
    line.words += (line.waiting.length ? " " : "") + segment;
    line.waiting = [];
    line.left = Math.min(line.left, box.left);
    line.right = Math.max(line.right, box.right);
    line.top = Math.min(line.top, box.top);
    line.bottom = Math.max(line.bottom, box.bottom);
  }
  const style = styleOf(node.parentElement);
  const turned = style.direction === "rtl" || (style.unicodeBidi === "plaintext" && RIGHT_TO_LEFT.test(text));
  return found.map((line) => words(line, turned, style, at));
}

const measure = document.createElement("canvas").getContext("2d");

function words(line, turned, style, at) {
  measure.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = measure.measureText(line.words);
  const width = line.right - line.left;
  const attributes = {
    x: (turned ? line.right : line.left) - at.left,
    y: (line.top + line.bottom + ascent - descent) / 2 - at.top,
    fill: style.color,
    ...Object.fromEntries(LETTERS.map((name) => [name, style.getPropertyValue(name)]).filter(([, value]) => value !== "normal")),
    ...(turned ? { direction: "rtl" } : {}),
    ...(line.words.length > 1 ? { textLength: width, lengthAdjust: "spacingAndGlyphs" } : {}),
  };
  return made("text", attributes, line.words);
}
