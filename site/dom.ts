// Elements of the pages: creation, search by id, and numbers as text.

/** Creates an element. Texts are set as text, never as HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Returns the element with an id, which the page has. */
export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Formats a number with at most `digits` digits; very small ones with a power of ten. */
export function short(x: number, digits: number): string {
  if (!Number.isFinite(x)) return "";
  const text = String(Number(x.toPrecision(digits)));
  if (x === 0 || Math.abs(x) >= 1e-4) return text;
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  return `${Number(mantissa)}e${exponent}`;
}
