import { readHouse } from "../support/house.js";
import { longArgumentLists, uncalledExports } from "../support/kernel-shapes.js";
import { seamWidths } from "../support/seam-width.js";
import { codeOf, sourceFiles, textOf } from "../support/sources.js";
import { atMost, type Figure } from "./figure.js";

/** Modules whose exports only src calls. Algebra for users has a module of its own. */
const MODULES = ["index", "bodies", "stiff", "elementary"].map((name) => `assembly/${name}.ts`);

/** Files that are tables of numbers. */
const DATA = /coefficients|tableaus|reference|layout/;

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
  yield atMost("base classes with one subclass", lonelyBases().length, 0);
  yield atMost("files of src and assembly over 400 lines", longFiles().length, 0);
  yield atMost("kernels with more than 12 arguments", longArgumentLists(12).length, 0);
  const uncalled = MODULES.flatMap(uncalledExports);
  yield atMost("exports of WASM modules that nothing in src calls", uncalled.length, 0);
}

function longFiles(): string[] {
  return [...sourceFiles("src"), ...sourceFiles("assembly")]
    .filter((file) => !DATA.test(file))
    .filter((file) => textOf(file).split("\n").length > 400);
}

function lonelyBases(): string[] {
  const bases = sourceFiles("src").flatMap((file) =>
    [...codeOf(file).matchAll(/class \w+(?:<[^{]*>)? extends (\w+)/g)].map(([, base]) => base),
  );
  return [...new Set(bases)].filter(
    (base) => base !== "Error" && bases.filter((other) => other === base).length === 1,
  );
}
