import type { Figure } from "./figure.js";

/** Wrong calls, damaged journals, strange requests to a server. */
export async function* silentStrangeFigures(): AsyncGenerator<Figure> {}
