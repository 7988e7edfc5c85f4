// `npm run build`: builds only groups that are out of date. Arguments name groups or sets of them (groups.mjs);
// their sources are built first. --force builds them even if they are up to date; --converge lets the optimiser repeat its passes (groups.mjs).

import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { groups, sets } from "./groups.mjs";
import { enterRepository, run } from "./run.mjs";
import { forget, isStale, remember } from "./stamps.mjs";

/** Builds groups, several at a time if they are independent. Throws if one fails. */
export async function build(names, { force = false } = {}) {
  const wanted = withSources(names.flatMap((name) => sets[name] ?? [name]));
  const waiting = groups.filter(({ name }) => wanted.has(name));
  const unmade = new Set(wanted);
  const running = new Map();
  while (waiting.length + running.size > 0) {
    const next = waiting.findIndex(({ after }) => !after.some((name) => unmade.has(name)));
    if (next >= 0 && running.size < availableParallelism()) {
      const [group] = waiting.splice(next, 1);
      running.set(
        group.name,
        make(group, force).then(() => group.name),
      );
    } else {
      const made = await Promise.race(running.values());
      running.delete(made);
      unmade.delete(made);
    }
  }
}

/** These groups and the groups they depend on. */
function withSources(names) {
  const wanted = new Set(names);
  for (const name of wanted) {
    const group = groups.find((each) => each.name === name);
    if (!group) throw new Error(`no group "${name}": there are ${known().join(", ")}`);
    for (const source of group.after) wanted.add(source);
  }
  return wanted;
}

const known = () => [...Object.keys(sets), ...groups.map(({ name }) => name)];

async function make(group, force) {
  if (!force && !isStale(group)) return;
  const begin = performance.now();
  forget(group);
  await group.make(run);
  remember(group);
  console.log(`built ${group.name} in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  enterRepository();
  const names = process.argv.slice(2).filter((name) => !name.startsWith("--"));
  try {
    await build(names.length > 0 ? names : ["all"], { force: process.argv.includes("--force") });
  } catch (error) {
    console.error(error.output ?? "");
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
