import type { Figure } from "./figure.js";

export async function* paperExplicitFigures(): AsyncGenerator<Figure> {}
