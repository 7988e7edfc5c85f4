// Present colour theme of a page.

import { DARK, LIGHT, type Theme } from "./colours.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let isPrinting = false;

/** Returns the theme; light when printing. */
export function theme(): Theme {
  return dark.matches && !isPrinting ? DARK : LIGHT;
}

/** Adds a listener for theme changes; returns a function that removes it. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}

dark.addEventListener("change", notify);
for (const [event, printing] of [
  ["beforeprint", true],
  ["afterprint", false],
] as const) {
  addEventListener(event, () => {
    isPrinting = printing;
    notify();
  });
}
