// Counters of how the sources are divided. They may fall and never rise, and splitting a file lowers none of them.

import { layers } from "./layers.js";
import { codeOf, importsOf, sourceFiles, textOf } from "./sources.js";

/** A file shorter than this with a single importer should be merged into it. */
const LONELY_LINES = 80;

const isSource = (path: string) => path.endsWith(".ts") && !/\/generated[\w-]*\.ts$/.test(path);

/** The present counters of the sources. */
export function ratchets(): Record<string, number> {
  const files = sourceFiles("src").filter(isSource);
  const lines = Object.fromEntries(
    folders.map((folder) => [`lines of ${folder}`, sum(filesOf(folder).map(lineCount))]),
  );
  return {
    "files of src": files.length,
    "files with one importer and fewer than 80 lines": lonelyFiles(files).length,
    "type names declared in more than one file": twinTypes(files.map(codeOf)).length,
    "optional members of interfaces in src/interfaces": optionalMembers(
      sourceFiles("src/interfaces").map(codeOf),
    ),
    ...lines,
  };
}

const folders = [
  "assembly",
  "campaign",
  "papers",
  ...layers.flatMap(({ folders }) => folders.filter(Boolean).map((name) => `src/${name}`)),
];

const filesOf = (layer: string) => sourceFiles(layer).filter(isSource);
const lineCount = (path: string) => textOf(path).trimEnd().split("\n").length;
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Short files that one other file of src imports: index files, which list what a folder exports, are not counted. */
export function lonelyFiles(files: readonly string[]): string[] {
  const importers = new Map<string, number>();
  for (const path of files) {
    for (const target of new Set(importsOf(path))) {
      importers.set(target, (importers.get(target) ?? 0) + 1);
    }
  }
  return files.filter(
    (path) =>
      importers.get(path) === 1 &&
      !path.endsWith("/index.ts") &&
      lineCount(path) < LONELY_LINES &&
      !isRegistered(path, files),
  );
}

/** Whether only an index imports a file, which is then an entry of a registry. */
function isRegistered(path: string, files: readonly string[]): boolean {
  return files.some((other) => other.endsWith("/index.ts") && importsOf(other).includes(path));
}

/** Names of types and classes that more than one text declares at its top. */
export function twinTypes(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const names = text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm);
    for (const name of new Set([...names].map(([, found]) => found as string))) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].flatMap(([name, count]) => (count > 1 ? [name] : []));
}

/** Members with a question mark in all interfaces of the texts. */
export function optionalMembers(texts: readonly string[]): number {
  const bodies = texts.flatMap((text) => [
    ...text.matchAll(/^(?:export )?interface [^{]*\{\n([\s\S]*?)^\}/gm),
  ]);
  return sum(
    bodies.map(([, body]) => [...(body as string).matchAll(/^ {2}(?:readonly )?\w+\?/gm)].length),
  );
}
