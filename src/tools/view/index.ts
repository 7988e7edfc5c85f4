// Pictures of mechanisms in pages: `nodrift/view`.

import { show } from "../../ground/checking/index.js";
import { checkViewOptions, type ViewOptions, wrong } from "./options.js";
import type { ViewSource } from "./source.js";
import { View } from "./view.js";

export type { ModelGiven } from "./feeds.js";
export type { ShowOptions, SliderOptions, ViewOptions } from "./options.js";
export type { LiveGrip, LiveSource, ViewSource, WorkerSource } from "./source.js";
export type { View } from "./view.js";

/**
 * Shows a mechanism in an element of a page: bodies, joints, springs, roads, arrows of forces, plots; it plays, pauses, steps and
 * is dragged. Needs `three` beside nodrift; without WebGL it draws flat.
 *
 * @example
 * const simulation = (await compile(m)).simulate({ step: 1 / 240 });
 * const shown = view(document.querySelector("#machine"), simulation, { show: { reactions: true } });
 */
export function view(element: HTMLElement, source: ViewSource, options: ViewOptions = {}): View {
  if (typeof (element as Partial<HTMLElement> | null)?.append !== "function") {
    throw wrong(`the element is ${show(element)}; give one of the page, like document.body`);
  }
  checkViewOptions(options);
  return new View(element, source, options);
}
