// Import graph: the files a source file needs, directly and transitively.

import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const IMPORT =
  /^\s*(?:import|export)\b(?:[^;"()]*?\bfrom)?\s*"([^"]+)"|\bimport\(\s*"([^"]+)"|new URL\(\s*"(\.[^"]+)"/gm;

/**
 * Files of the repository that a file imports, as paths from the top. `names` are those of the package's entries
 * (`nodrift/bodies`) with the source file of each; other packages are left out.
 */
export function importsOf(path, names = new Map()) {
  const code = readFileSync(path, "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/(^|\s)\/\/.*$/gm, "$1");
  return [...code.matchAll(IMPORT)].flatMap(([, fixed, dynamic, address]) => {
    const specifier = fixed ?? dynamic ?? address;
    const target = specifier.startsWith(".") ? fileOf(path, specifier) : names.get(specifier);
    return target === undefined ? [] : [target];
  });
}

/** TypeScript writes `./x.js`, AssemblyScript `./x`: both mean x.ts. */
function fileOf(path, specifier) {
  const target = posix.join(posix.dirname(path), specifier);
  return [target.replace(/\.js$/, ".ts"), `${target}.ts`, target.replace(/\.mjs$/, ".mts")]
    .concat(target)
    .find((candidate) => /\.\w+$/.test(candidate) && existsSync(candidate));
}

/** These files and all that they import, sorted. */
export function closureOf(entries, names) {
  const seen = new Set(entries);
  for (const path of seen) {
    if (!/\.(ts|mjs)$/.test(path)) continue;
    for (const target of importsOf(path, names)) seen.add(target);
  }
  return [...seen].sort();
}
