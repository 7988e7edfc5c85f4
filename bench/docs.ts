// npm run docs: writes the table of methods.

import { writeFileSync } from "node:fs";
import { methodsTable } from "./support/methods-table.js";

writeFileSync("docs/methods.md", methodsTable());
console.log("docs/methods.md written");
