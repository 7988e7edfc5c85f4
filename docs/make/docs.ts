// npm run docs: writes the pages generated from the registries and the sources.

import { writeFileSync } from "node:fs";
import { fromPapersPage } from "./from-papers.js";
import { integratorsPage } from "./integrators-page.js";
import { jointsPage } from "./joints-page.js";
import { methodsTable } from "./methods-table.js";
import { workPrecisionPage } from "./work-precision-page.js";

/** Pages and their text. A test compares them with the files. */
const pages = {
  "docs/methods.md": methodsTable(),
  "docs/from-papers.md": fromPapersPage(),
  "docs/joints.md": jointsPage(),
  "docs/theory/integrators.md": integratorsPage(),
  "docs/work-precision.md": workPrecisionPage(),
};

for (const [path, text] of Object.entries(pages)) {
  writeFileSync(path, text);
  console.log(`${path} written`);
}
