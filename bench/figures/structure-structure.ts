import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as CheckWords from "../../scripts/check-words.mjs";
import { readImports, upwardImports } from "../../test/support/layers.js";
import { ratchets } from "../../test/support/ratchets.js";
import { longArgumentLists, uncalledExports } from "../support/kernel-shapes.js";
import { atMost, type Figure } from "./figure.js";

/** Modules whose exports only src calls. Algebra for users has a separate module. */
const MODULES = ["index", "bodies", "stiff", "elementary"].map((name) => `assembly/${name}.ts`);

/** Scripts are not compiled with the figures, so they are loaded from the repository. */
const CHECK_WORDS = pathToFileURL(resolve("scripts/check-words.mjs")).href;

/** Targets of counters that test/ratchets.json keeps from rising. */
const TARGETS: Readonly<Record<string, number>> = {
  "files of src": 540,
  "files with one importer and fewer than 80 lines": 20,
  "type names declared in more than one file": 15,
  "optional members of interfaces in src/interfaces": 40,
};
/** Lines of src, assembly, campaign and papers before they were made fewer (137 899), less 12 000. */
const MAX_LINES = 125_899;

/** Counts over the texts of the sources. */
export async function* layerFigures(): AsyncGenerator<Figure> {
  yield atMost("imports that go to a higher layer", upwardImports(readImports()).length, 0);
  yield atMost("kernels with more than 12 arguments", longArgumentLists(12).length, 0);
  const counters = ratchets();
  for (const [name, target] of Object.entries(TARGETS)) {
    yield atMost(name, counters[name] as number, target);
  }
  const lines = Object.entries(counters).filter(([name]) => name.startsWith("lines of "));
  const sum = lines.reduce((total, [, count]) => total + count, 0);
  yield atMost("lines of src, assembly, campaign and papers", sum, MAX_LINES);
  const { listedFiles }: typeof CheckWords = await import(CHECK_WORDS);
  yield atMost("files with private words", listedFiles().length, 0);
  const uncalled = MODULES.flatMap(uncalledExports);
  yield atMost("exports of WASM modules that nothing in src calls", uncalled.length, 0);
}
