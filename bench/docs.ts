// npm run docs: writes the pages that are made from the registries.

import { writeFileSync } from "node:fs";
import { jointsPage } from "./support/joints-page.js";
import { methodsTable } from "./support/methods-table.js";

/** Pages and what they say. A test compares them with the files. */
const pages = { "docs/methods.md": methodsTable(), "docs/joints.md": jointsPage() };

for (const [path, text] of Object.entries(pages)) {
  writeFileSync(path, text);
  console.log(`${path} written`);
}
