// npm run figures [-- GROUP...]: measures every acceptance figure, one JSON line each. Exits with 1 when
// one misses its target.

import { figureGroups } from "./figures/index.js";

const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : Object.keys(figureGroups);
const unknown = names.find((name) => !(name in figureGroups));
if (unknown !== undefined) {
  console.error(
    `no figures named "${unknown}"; there are: ${Object.keys(figureGroups).join(", ")}`,
  );
  process.exit(2);
}

let missed = 0;
for (const name of names) {
  for await (const figure of figureGroups[name]()) {
    console.log(JSON.stringify(figure));
    if (!figure.pass) missed++;
  }
}
process.exitCode = missed > 0 ? 1 : 0;
