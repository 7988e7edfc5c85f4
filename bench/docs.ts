// npm run docs: writes the pages that are made from the sources: the table of methods, the picture of the house.

import { writeFileSync } from "node:fs";
import { housePage, PAGE, PICTURE } from "./support/house-page.js";
import { methodsTable } from "./support/methods-table.js";

const { page, picture } = housePage();
for (const [path, text] of [
  ["docs/methods.md", methodsTable()],
  [PAGE, page],
  [PICTURE, picture],
] as const) {
  writeFileSync(path, text);
  console.log(`${path} written`);
}
