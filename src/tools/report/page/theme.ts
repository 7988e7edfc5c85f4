// Which colours a page has at the moment.

import { DARK, LIGHT, type Theme } from "./colours.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners: (() => void)[] = [];
let isPrinting = false;

/** Paper is white. */
export function theme(): Theme {
  return dark.matches && !isPrinting ? DARK : LIGHT;
}

export function onTheme(listener: () => void): void {
  listeners.push(listener);
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
