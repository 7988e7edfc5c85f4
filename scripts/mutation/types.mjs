// Excludes mutants that do not compile, as such mistakes are found anyway. Many are compiled together, one per file:
// a change inside a function causes errors in its own file.

import { execFileSync } from "node:child_process";

/** The mutants of a sample that do not compile. */
export function typeErrors(sample, copy) {
  const bad = new Set();
  let left = sample.filter(({ kind }) => kind === "methods");
  while (left.length > 0) {
    const round = new Map();
    for (const mutant of left) if (!round.has(mutant.file)) round.set(mutant.file, mutant);
    for (const mutant of round.values()) copy.put(mutant);
    for (const file of filesWithErrors(copy.folder)) {
      if (round.has(file)) bad.add(round.get(file));
    }
    for (const mutant of round.values()) copy.restore(mutant);
    left = left.filter((mutant) => round.get(mutant.file) !== mutant);
  }
  return bad;
}

function filesWithErrors(cwd) {
  try {
    execFileSync("node_modules/.bin/tsc", ["-p", "tsconfig.json", "--pretty", "false"], { cwd });
    return [];
  } catch (error) {
    return [...String(error.stdout).matchAll(/^([^\s(]+)\(\d+,\d+\): error/gm)].map(
      ([, file]) => file,
    );
  }
}
