// Everything on the page that somebody could not read, find or hit; a list of sentences, empty where all is well.
() => {
  const problems = [];
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const say = (text, element) => problems.push(`${text}: ${element.outerHTML.slice(0, 160)}`);
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r, g, b].map((c, i) => (c * a + [R, G, B][i] * (255 - a)) / 255);
  const luminance = (colour) => {
    const [r, g, b] = colour.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const colour = rgba(getComputedStyle(one).backgroundColor);
      if (colour[3]) layers.push(colour);
      if (colour[3] === 255) break;
    }
    return layers.reduceRight((base, layer) => over(layer, base), [255, 255, 255]);
  };
  const seen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest(":disabled, [inert], .sr-only, .skip") &&
    element.getBoundingClientRect().width > 1;
  const inFront = document.querySelector("dialog[open]") ?? document.body;

  // Text: 4.5 to 1, large text 3 to 1 (WCAG 2.2, 1.4.3)
  const walker = document.createTreeWalker(inFront, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || ["SCRIPT", "NOSCRIPT", "STYLE", "OPTION"].includes(element.tagName) || !seen(element)) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ground = behind(element);
    const ratio = contrast(over(rgba(style.color), ground), ground);
    if (ratio < (large ? 3 : 4.5)) say(`contrast ${ratio.toFixed(2)} of “${node.textContent.trim().slice(0, 30)}”`, element);
  }
  // Edges of what can be chosen: 3 to 1 (1.4.11)
  for (const element of inFront.querySelectorAll(".chip, .choice, .point, .places label, textarea, input[type=text], input[type=password], select")) {
    if (!seen(element)) continue;
    const ground = behind(element.parentElement);
    const edge = contrast(over(rgba(getComputedStyle(element).borderTopColor), ground), ground);
    const fill = contrast(behind(element), ground);
    if (Math.max(edge, fill) < 3) say(`an edge of contrast ${edge.toFixed(2)}`, element);
  }
  // Names (4.1.2), and targets of 24 by 24 (2.5.8)
  const words = (element) => (element?.textContent ?? "").trim();
  const nameOf = (element) =>
    element.getAttribute("aria-label") ||
    (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => words(document.getElementById(id))).join(" ").trim() ||
    [...(element.labels ?? [])].map(words).join(" ").trim() ||
    (["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName) ? "" : words(element)) ||
    element.getAttribute("title");
  for (const element of inFront.querySelectorAll("button, a[href], input, select, textarea, summary, progress, [role=listbox], [role=option], [role=radiogroup], [role=group], [tabindex='0'], fieldset:not(:has(> legend))")) {
    if (!element.checkVisibility()) continue;
    if (!nameOf(element)) say("no name", element);
    if (!element.matches("button, input, select, textarea, summary") || element.closest(".sr-only")) continue;
    const box = (element.matches(".chip input, .places input, .choice input, .point input, .option input, .check input") ? element.parentElement : element).getBoundingClientRect();
    if (box.width < 23.5 || box.height < 23.5) say(`a target of ${box.width.toFixed(0)} by ${box.height.toFixed(0)}`, element);
  }
  for (const group of inFront.querySelectorAll("[role=listbox] > *")) {
    if (!["option", "presentation"].includes(group.getAttribute("role"))) say("no option in a list of options", group);
  }
  // Ids, headings, language, pictures
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) problems.push(`two elements have the id ${id}`);
  for (const element of document.querySelectorAll("[aria-labelledby], [for], [aria-activedescendant]")) {
    for (const name of ["aria-labelledby", "for", "aria-activedescendant"]) {
      const id = element.getAttribute(name);
      if (id && !document.getElementById(id)) say(`${name} leads nowhere`, element);
    }
  }
  if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
  if (!document.documentElement.lang || !document.title) problems.push("no language or no title");
  for (const picture of document.querySelectorAll("img:not([alt]), svg:not([aria-hidden]):not([aria-label])")) say("a picture without words", picture);
  // Nothing to be scrolled sideways (1.4.10)
  const page = document.scrollingElement;
  if (page.scrollWidth > page.clientWidth + 1) {
    const wide = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > page.clientWidth + 1 && one.checkVisibility());
    problems.push(`the page is ${page.scrollWidth} wide, its window ${page.clientWidth}: ${wide.slice(0, 3).map((one) => one.outerHTML.slice(0, 120)).join(" | ")}`);
  }
  return problems;
}
