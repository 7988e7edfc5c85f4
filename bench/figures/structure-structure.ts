import { readImports, upwardImports } from "../../test/support/layers.js";
import { longArgumentLists, uncalledExports } from "../support/kernel-shapes.js";
import { atMost, type Figure } from "./figure.js";

/** Modules whose exports only src calls. Algebra for users has a separate module. */
const MODULES = ["index", "bodies", "stiff", "elementary"].map((name) => `assembly/${name}.ts`);

/** Counts over the texts of the sources. */
export async function* layerFigures(): AsyncGenerator<Figure> {
  yield atMost("imports that go to a higher layer", upwardImports(readImports()).length, 0);
  yield atMost("kernels with more than 12 arguments", longArgumentLists(12).length, 0);
  const uncalled = MODULES.flatMap(uncalledExports);
  yield atMost("exports of WASM modules that nothing in src calls", uncalled.length, 0);
}
