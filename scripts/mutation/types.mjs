// Mutants that do not compile are no mistakes anybody could make and keep. Many are tried at once, one in each file:
// a change inside of a function shows in the file it stands in.

import { execFileSync } from "node:child_process";

/** The mutants of a sample that compile. */
export function withoutTypeErrors(sample, copy) {
  const bad = new Set();
  let left = sample.filter(({ kind }) => kind === "methods");
  while (left.length > 0) {
    const round = new Map();
    for (const mutant of left) if (!round.has(mutant.file)) round.set(mutant.file, mutant);
    for (const mutant of round.values()) copy.put(mutant);
    for (const file of filesWithErrors(copy.folder)) bad.add(round.get(file));
    for (const mutant of round.values()) copy.restore(mutant);
    left = left.filter((mutant) => round.get(mutant.file) !== mutant);
  }
  return sample.filter((mutant) => !bad.has(mutant));
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
