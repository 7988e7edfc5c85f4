import type { Figure } from "./figure.js";

/** Index 3, index 2 and GGL to a tolerance of positions. */
export async function* silentIndexFigures(): AsyncGenerator<Figure> {}
