// The sources as text, for tests of the architecture. Paths are relative to the repository.

import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** Source files below a folder, without build output and installed packages. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((path) => /\.(ts|mjs)$/.test(path) && !/\/generated[^/]*\.ts$/.test(path))
    .filter((path) => !path.includes("/node_modules/"))
    .sort();
}

/** The text of a file. */
export function textOf(path: string): string {
  return readFileSync(path, "utf8");
}

/** A file's code without its comments (no string of ours holds the beginning of one). */
export function codeOf(path: string): string {
  return textOf(path)
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/(^|\s)\/\/.*$/gm, "$1");
}

/** A file's comments, concatenated. */
export function commentsOf(path: string): string {
  const comments = textOf(path).matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm);
  return [...comments].map(([comment]) => comment).join("\n");
}

/** What a file imports or exports from: names of packages, or paths of files. */
export function importsOf(path: string): string[] {
  const statements = codeOf(path).matchAll(
    /^\s*(?:import|export)\b(?:[^;"()]*?\bfrom)?\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm,
  );
  return [...statements].map(([, fixed, dynamic]) => resolveFrom(path, fixed ?? dynamic));
}

function resolveFrom(path: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
  return /\.(ts|mjs|json)$/.test(target) ? target : `${target}.ts`;
}

/** The exports listed by a file of assembly/, which must be those of its module. */
export function kernelNames(file = "assembly/kernels.ts"): string[] {
  const lists = codeOf(file).matchAll(/export \{([^}]*)\}/g);
  return [...lists]
    .flatMap(([, list]) => list.split(",").map((name) => name.trim()))
    .filter(Boolean);
}
