// The registry of drawings: one line each.

import { braunLinkageFigures } from "./braun-linkages.js";
import { braunPendulumFigures } from "./braun-pendulum.js";
import type { Drawing } from "./drawing.js";
import { negrutFigures } from "./negrut.js";
import { welchSliderCrankFigures, welchThreeLinksFigures } from "./welch.js";
import { yoonFigures } from "./yoon.js";

export type { Drawing, DrawnFigure, FigureAxis, FigureCurve } from "./drawing.js";

/**
 * Every figure that can be drawn, by the papers and examples they belong to.
 *
 * @example
 * const figures = drawings.find(({ name }) => name === "negrut-figures-2-5");
 * for await (const { title, curves } of figures.run()) console.log(title, curves.length);
 */
export const drawings: readonly Drawing[] = [
  welchSliderCrankFigures,
  welchThreeLinksFigures,
  yoonFigures,
  braunPendulumFigures,
  braunLinkageFigures,
  negrutFigures,
];
