import type { Figure } from "./figure.js";

/** All formulations and solvers on random redundant loops. */
export async function* silentRedundantFigures(): AsyncGenerator<Figure> {}
