// Models of the gallery, run as visitors see them.

import { readFileSync } from "node:fs";
import type { CompiledModel } from "nodrift/bodies";
import { type ModelDocument, readDocument } from "nodrift/files";
import { type SolveOptions, solve } from "nodrift/solve";
import { models } from "../../site/models/index.js";

/** The document of an entry: a model of the pages, or an example. */
export function documentOf(name: string): ModelDocument {
  const make = models[name];
  if (make) return make();
  return JSON.parse(readFileSync(`examples/${name}.json`, "utf8")) as ModelDocument;
}

/** Runs an entry to its end, or as told. */
export async function run(name: string, options: Partial<SolveOptions<CompiledModel>> = {}) {
  const file = readDocument(documentOf(name), { values: Number.POSITIVE_INFINITY });
  const system = await file.compile();
  const solution = solve(system, file.solveOptions(system, options));
  return { file, system, solution };
}
