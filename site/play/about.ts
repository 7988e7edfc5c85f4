// What the gallery says about a model.

import { make } from "../../src/tools/report/page/dom.js";
import type { Entry } from "../gallery/entry.js";

export function showAbout(panel: HTMLElement, entry: Entry | undefined): void {
  if (!entry) {
    panel.replaceChildren(make("p", {}, "A model of your own."));
    return;
  }
  panel.replaceChildren(
    make("h2", {}, "What to look at"),
    ...entry.watch.map((sentence) => make("p", {}, sentence)),
    make("h2", {}, "Which numbers it is checked against"),
    make("p", {}, entry.checked),
  );
}
