import type { Figure } from "./figure.js";

/** Gears, racks, screws and drives at many radians a step. */
export async function* silentTurnFigures(): AsyncGenerator<Figure> {}
