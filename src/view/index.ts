// Pictures of mechanisms in pages: `nodrift/view`.

import { show } from "../base/checking/index.js";
import type { ViewSource } from "./feed.js";
import { checkViewOptions, type ViewOptions, wrong } from "./options.js";
import { View } from "./view.js";

export type { LiveGrip, LiveSource, ViewSource, WorkerSource } from "./feed.js";
export type { ModelInput } from "./feeds.js";
export type { ShowOptions, SliderOptions, ViewOptions } from "./options.js";
export type { View } from "./view.js";

/**
 * Shows a mechanism in an element of a page: bodies, joints, springs, roads, force arrows and plots. It plays, pauses,
 * steps and can be dragged. Needs the package `three`; without WebGL it draws in 2D.
 *
 * @example
 * const simulation = (await compile(m)).simulate({ step: 1 / 240 });
 * const shown = view(document.querySelector("#machine"), simulation, { show: { reactions: true } });
 */
export function view(element: HTMLElement, source: ViewSource, options: ViewOptions = {}): View {
  if (typeof (element as Partial<HTMLElement> | null)?.append !== "function") {
    throw wrong(`the element is ${show(element)}; give an element of the page, like document.body`);
  }
  checkViewOptions(options);
  return new View(element, source, options);
}
