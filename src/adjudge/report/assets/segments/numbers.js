// Numbers as people read them.
export const MINUS = "−";
export const NONE = "–";

export function number(value, decimals) {
  if (Number.isNaN(value) || value === null || value === undefined) return NONE;
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

export function difference(value, decimals) {
  if (Number.isNaN(value)) return "";
  const text = number(value, decimals);
  return /[1-9]/.test(text) && value > 0 ? `+${text}` : text;
}

export const counted = (count, noun) => `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
