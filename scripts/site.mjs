// `npm run site`: builds the inputs of the site, then the site.

import { resolve } from "node:path";
import { buildSite } from "../site/docs/build.mjs";
import { build } from "./build.mjs";
import { enterRepository } from "./run.mjs";

const FOLDER = "build/site";

enterRepository();
await build(["dist"]);
const pages = await buildSite(resolve(FOLDER));
console.log(`${FOLDER}: gallery, playground and ${pages.length} pages of documentation`);
console.log(`Serve that folder, or run: npx nodrift play`);
