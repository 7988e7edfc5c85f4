// The layers of src/, read from its imports: the architecture test checks them.

import { importsOf, sourceFiles } from "./sources.js";

/** A layer: its folders import from each other and from layers of a lower level. */
export interface Layer {
  readonly name: string;
  /** Layers of the same level do not import each other. */
  readonly level: number;
  /** Folders of src/. */
  readonly folders: readonly string[];
}

/** From the bottom up. A new folder in src/ needs an entry here. */
export const layers: readonly Layer[] = [
  { name: "base", level: 0, folders: ["base"] },
  { name: "interfaces", level: 1, folders: ["interfaces"] },
  { name: "formulas", level: 1, folders: ["formulas"] },
  { name: "model", level: 2, folders: ["model"] },
  { name: "methods", level: 2, folders: ["methods"] },
  { name: "systems", level: 3, folders: ["systems"] },
  { name: "run", level: 4, folders: ["run"] },
  { name: "entry points", level: 5, folders: [""] },
  {
    name: "tools",
    level: 6,
    folders: ["analysis", "batch", "cli", "compare", "draw", "files", "report", "view", "worker"],
  },
];

/** One import of a file of src/ by another. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** Every import between two files of src/. */
export function readImports(): Import[] {
  const files = new Set(sourceFiles("src").filter((file) => file.endsWith(".ts")));
  return [...files].flatMap((from) =>
    importsOf(from)
      .filter((to) => files.has(to))
      .map((to) => ({ from, to })),
  );
}

/** Imports that go to a higher layer, or to another one of the same level. */
export function upwardImports(imports: readonly Import[]): Import[] {
  return imports.filter(({ from, to }) => {
    const [importer, imported] = [layerOf(from), layerOf(to)];
    return importer !== imported && imported.level >= importer.level;
  });
}

/** The layer of a file. Files directly in src/ are entry points. */
export function layerOf(path: string): Layer {
  const [, folder, rest] = path.split("/");
  const name = rest === undefined ? "" : folder;
  const layer = layers.find(({ folders }) => folders.includes(name));
  if (layer === undefined) throw new Error(`src/${name} has no layer: add it to layers.ts`);
  return layer;
}

/** One cycle of a graph, or an empty list. */
export function cycleIn(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string[] => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const target of graph.get(node) ?? []) {
      const cycle = visit(target, [...trail, node]);
      if (cycle.length > 0) return cycle;
    }
    done.add(node);
    return [];
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
