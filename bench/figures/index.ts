// The registry of figure groups: one line each issue of the project.

import { accuracyFigures } from "./accuracy.js";
import type { FigureGroup } from "./figure.js";
import { growthFigures } from "./growth.js";
import { speedFigures } from "./speed.js";
import { sizeFigures, startFigures } from "./start.js";

export const figureGroups: Readonly<Record<string, FigureGroup>> = {
  async *kernels() {
    yield* speedFigures();
    yield* growthFigures();
    yield* startFigures();
    yield* sizeFigures();
    yield* accuracyFigures();
  },
};
