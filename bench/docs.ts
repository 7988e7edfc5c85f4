// npm run docs: writes the pages that are made from the registries and the sources.

import { writeFileSync } from "node:fs";
import { fromPapersPage } from "./support/from-papers.js";
import { housePage, PAGE, PICTURE } from "./support/house-page.js";
import { integratorsPage } from "./support/integrators-page.js";
import { jointsPage } from "./support/joints-page.js";
import { methodsTable } from "./support/methods-table.js";
import { workPrecisionPage } from "./support/work-precision-page.js";

const { page, picture } = housePage();

/** Pages and what they say. A test compares them with the files. */
const pages = {
  "docs/methods.md": methodsTable(),
  "docs/from-papers.md": fromPapersPage(),
  "docs/joints.md": jointsPage(),
  "docs/theory/integrators.md": integratorsPage(),
  "docs/work-precision.md": workPrecisionPage(),
  [PAGE]: page,
  [PICTURE]: picture,
};

for (const [path, text] of Object.entries(pages)) {
  writeFileSync(path, text);
  console.log(`${path} written`);
}
