import type { Figure } from "./figure.js";

/** Stiffness that ends, begins or comes in bursts inside a step. */
export async function* silentStiffEndFigures(): AsyncGenerator<Figure> {}
