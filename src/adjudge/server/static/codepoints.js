// Browsers count text in UTF-16 units, the server in Unicode code points.

/** Both ways of counting a text: `units[i]` is where code point i begins; `points.get(unit)` goes back. */
export function counted(text) {
  const units = [];
  const points = new Map();
  let unit = 0;
  for (const character of text) {
    points.set(unit, units.length);
    units.push(unit);
    unit += character.length;
  }
  points.set(unit, units.length);
  units.push(unit);
  return { units, points };
}

/** How many code points a text has. */
export function length(text) {
  return [...text].length;
}
