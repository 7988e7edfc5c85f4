import type { Figure } from "./figure.js";

export async function* paperBdfFigures(): AsyncGenerator<Figure> {}
