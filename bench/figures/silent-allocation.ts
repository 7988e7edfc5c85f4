import type { Figure } from "./figure.js";

/** Bytes allocated by a step. */
export async function* silentAllocationFigures(): AsyncGenerator<Figure> {}
