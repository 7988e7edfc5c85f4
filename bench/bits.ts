// npm run bits: stores the bits of every example, mechanism and method for this version, and lists those that differ
// from another version: `npm run bits -- 0.1.0`. Run it for a new version once the reason of each difference is
// known.

import { readFileSync, writeFileSync } from "node:fs";
import { bitsFile, differingBits, exampleBits, packageVersion } from "./support/example-bits.js";

const [against] = process.argv.slice(2);
const bits = await exampleBits();
if (against !== undefined) {
  const before = JSON.parse(readFileSync(bitsFile(against), "utf8"));
  const changed = differingBits(before, bits);
  for (const name of changed) console.log(name);
  console.log(`${changed.length} of ${Object.keys(before).length} differ from ${against}`);
}
writeFileSync(bitsFile(packageVersion()), `${JSON.stringify(bits, null, 1)}\n`);
