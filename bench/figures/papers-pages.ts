import type { Figure } from "./figure.js";

export async function* paperPageFigures(): AsyncGenerator<Figure> {}
