// What kinds of errors are called, and what they mean: in the words of the interface, or of one's own typology.

import { has, named, t } from "../texts.js";

export function categoryName(category) {
  const [name, below] = category.split("/");
  return below ? `${named("category", name)} › ${named("category", category)}` : named("category", name);
}

/** What a category means, "" where nobody says it. */
export function definition(field, category) {
  const own = field.definitions.find(([name]) => name === category);
  return own?.[1] ?? (has(`define.${category}`) ? t(`define.${category}`) : "");
}
