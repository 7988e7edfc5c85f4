// The tab with the gallery's description of a model.

import { make } from "../../src/report/page/dom.js";
import type { Entry } from "../gallery/entry.js";

export function showAbout(panel: HTMLElement, entry: Entry | undefined): void {
  if (!entry) {
    panel.replaceChildren(make("p", {}, "This model is not from the gallery."));
    return;
  }
  panel.replaceChildren(
    make("h2", {}, "What to watch"),
    ...entry.watch.map((sentence) => make("p", {}, sentence)),
    make("h2", {}, "Checked against"),
    make("p", {}, entry.checked),
  );
}
