import {
  bundleOf,
  entrySizes,
  kilobytes,
  minimalBundleOf,
  minimalPrograms,
  programOf,
  programSizes,
} from "../../test/support/entry-sizes.js";
import { atMost, type Figure } from "./figure.js";

/** Bundled sizes of entry points, compared with their budgets. */
export async function* structureSizeFigures(): AsyncGenerator<Figure> {
  for (const [entry, { imports, budget, aim }] of Object.entries(entrySizes)) {
    const names = Object.keys(imports).join(" + ");
    const size = kilobytes(await bundleOf(imports));
    yield atMost(`size of ${entry} (${names}), minified and gzipped, kB`, size, budget);
    if (aim !== undefined)
      yield atMost(`size of ${entry}, against its first budget, kB`, size, aim);
  }
  for (const [name, { code, budget, aim }] of Object.entries(minimalPrograms)) {
    const size = kilobytes(await minimalBundleOf(code));
    yield atMost(`size of a program: ${name}, minified and gzipped, kB`, size, budget);
    yield atMost(`size of a program: ${name}, against its aim, kB`, size, aim);
  }
  for (const [name, { file, budget }] of Object.entries(programSizes)) {
    const size = kilobytes(await programOf(file));
    yield atMost(`size of the ${name}, minified and gzipped, kB`, size, budget);
  }
}
