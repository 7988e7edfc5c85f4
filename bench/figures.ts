// npm run figures [-- GROUP...] [--store] [--against [VERSION]]: measures every acceptance figure, one JSON line
// each. Exits with 1 when one misses its target.
//
// --store keeps them in bench/results/figures by the version of the package. --against sets those of a stored version
// beside them, of the newest older one if none is named, and exits with 1 only when one that met its target then
// misses it now.

import { readFileSync } from "node:fs";
import { figureGroups } from "./figures/index.js";
import { runFigures } from "./support/figure-run.js";
import { machine } from "./support/machine.js";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
process.exitCode = await runFigures(process.argv.slice(2), {
  groups: figureGroups,
  folder: "bench/results/figures",
  version,
  machine: machine(),
  print: console.log,
  tell: console.error,
});
