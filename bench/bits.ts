// npm run bits: keeps the bits of every example, mechanism and method for this version, and says which differ from those of another:
// `npm run bits -- 0.1.0`. Run it for a new version, once it is known why each of them differs.

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
