// The storeys and rooms of src/, read off its imports: what the architecture test checks, docs/ARCHITECTURE.md
// shows and `npm run figures -- house` counts.

import { posix } from "node:path";
import { importsOf, sourceFiles } from "./sources.js";

/** A storey: files import from their own storey and from those of a lower level. */
export interface Storey {
  readonly name: string;
  /** Storeys of the same level know nothing of each other. */
  readonly level: number;
  readonly about: string;
}

/** From the ground up. A new folder at the top of src/ needs its line here. */
export const storeys: readonly Storey[] = [
  {
    name: "ground",
    level: 0,
    about: "errors, checks of options, memory, loading WASM, sparse patterns, small algebra",
  },
  {
    name: "seam",
    level: 1,
    about: "the interfaces between systems and methods, and projection, which needs no more",
  },
  {
    name: "describe",
    level: 1,
    about: "what users describe, as plain data: bodies, joints, forces, formulas",
  },
  {
    name: "methods",
    level: 2,
    about: "formulations, stabilisations, integrators, coupled methods",
  },
  {
    name: "systems",
    level: 2,
    about: "equations of motion: from functions, from formulas, plain ODEs, mechanisms",
  },
  {
    name: "run",
    level: 3,
    about: "a method on a system: stepping, solve, events, real time, reading results",
  },
  {
    name: "entries",
    level: 4,
    about:
      "the files at the top of src: nodrift, nodrift/bodies, nodrift/formulas, nodrift/solve, nodrift/kernels",
  },
  {
    name: "tools",
    level: 5,
    about: "model files, reports, command line, papers' tables, ready mechanisms, analysis",
  },
];

/** One import of a file of src/ by another. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** A folder without folders inside; a file beside folders is a room of its own. */
export interface Room {
  readonly name: string;
  readonly storey: string;
  readonly files: readonly string[];
  /** Rooms that import from this one. */
  readonly fanIn: number;
  /** Rooms this one imports from. */
  readonly fanOut: number;
}

/** Everything known about the imports inside src/. What runs in pages is bundled apart and not part of it. */
export interface House {
  readonly rooms: readonly Room[];
  /** Imports that go to a higher storey, or to another of the same level. */
  readonly upward: readonly Import[];
  /** A cycle of rooms, types included; empty if there is none. */
  readonly cycle: readonly string[];
}

const PAGE = "src/tools/report/page/";

/** Reads the imports of src/. */
export function readHouse(): House {
  const files = sourceFiles("src").filter((file) => file.endsWith(".ts") && !file.startsWith(PAGE));
  const known = new Set(files);
  const imports = files.flatMap((from) =>
    importsOf(from)
      .filter((to) => known.has(to))
      .map((to) => ({ from, to })),
  );
  return houseOf(files, imports);
}

/** The house of files with these imports. */
export function houseOf(files: readonly string[], imports: readonly Import[]): House {
  const room = roomFinder(files);
  const doors = new Map<string, Set<string>>(files.map((file) => [room(file), new Set()]));
  for (const { from, to } of imports)
    if (room(from) !== room(to)) doors.get(room(from))?.add(room(to));
  const rooms = [...doors].map(([name, targets]) => ({
    name,
    storey: storeyOf(name),
    files: files.filter((file) => room(file) === name),
    fanIn: [...doors.values()].filter((others) => others.has(name)).length,
    fanOut: targets.size,
  }));
  const upward = imports.filter(({ from, to }) => !mayImport(storeyOf(from), storeyOf(to)));
  return { rooms, upward, cycle: cycleIn(doors) };
}

function roomFinder(files: readonly string[]): (file: string) => string {
  const folders = new Set(files.map((file) => posix.dirname(file)));
  const hasFolders = (folder: string) =>
    [...folders].some((other) => other.startsWith(`${folder}/`));
  return (file) => {
    const folder = posix.dirname(file);
    return hasFolders(folder) ? file.replace(/\.ts$/, "") : folder;
  };
}

/** The folder below src/; files beside those are entries. */
function storeyOf(path: string): string {
  const [, first = "", second] = path.split("/");
  return second === undefined ? "entries" : first;
}

function mayImport(from: string, to: string): boolean {
  return from === to || levelOf(to) < levelOf(from);
}

function levelOf(name: string): number {
  const storey = storeys.find((one) => one.name === name);
  if (storey === undefined) throw new Error(`src/${name} is no storey: give it a line in house.ts`);
  return storey.level;
}

/** One cycle of a graph, or nothing. */
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
