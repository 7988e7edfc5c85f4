import type { Figure } from "./figure.js";

export async function* paperNameFigures(): AsyncGenerator<Figure> {}
