import { sizeOf, sizes } from "../../test/support/entry-sizes.js";
import { atMost, type Figure } from "./figure.js";

/** Sizes of programs, compared with their budgets. */
export async function* structureSizeFigures(): AsyncGenerator<Figure> {
  for (const [name, { budget, aim }] of Object.entries(sizes)) {
    const size = await sizeOf(name);
    yield atMost(`size of ${name}, minified and gzipped, kB`, size, budget);
    if (aim !== undefined) yield atMost(`size of ${name}, against its aim, kB`, size, aim);
  }
}
