import { readHouse } from "../support/house.js";
import { longArgumentLists, uncalledExports } from "../support/kernel-shapes.js";
import { seamWidths } from "../support/seam-width.js";
import { atMost, type Figure } from "./figure.js";

/** Modules whose exports only src calls. Algebra for users has a module of its own. */
const MODULES = ["index", "bodies", "stiff", "elementary"].map((name) => `assembly/${name}.ts`);

/** What the texts of the sources say about the house. */
export async function* houseStructureFigures(): AsyncGenerator<Figure> {
  const { upward, cycle } = readHouse();
  yield atMost("imports that go to a higher storey", upward.length, 0);
  yield atMost("cycles between rooms, types included", cycle.length === 0 ? 0 : 1, 0);
  yield atMost(
    "members of the widest interface of the seam",
    Math.max(...seamWidths().values()),
    20,
  );
  yield atMost("kernels with more than 12 arguments", longArgumentLists(12).length, 0);
  const uncalled = MODULES.flatMap(uncalledExports);
  yield atMost("exports of WASM modules that nothing in src calls", uncalled.length, 0);
}
