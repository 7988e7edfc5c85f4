// Which colours a page has at the moment.

import { DARK, LIGHT, type Theme } from "./colours.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let isPrinting = false;

/** Paper is white. */
export function theme(): Theme {
  return dark.matches && !isPrinting ? DARK : LIGHT;
}

/** Tells when colours change; the result ends that. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}

dark.addEventListener("change", tell);
for (const [event, printing] of [
  ["beforeprint", true],
  ["afterprint", false],
] as const) {
  addEventListener(event, () => {
    isPrinting = printing;
    tell();
  });
}
