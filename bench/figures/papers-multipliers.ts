import type { Figure } from "./figure.js";

export async function* paperMultiplierFigures(): AsyncGenerator<Figure> {}
