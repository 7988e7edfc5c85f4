// Runs gallery models as the site does.

import { readFileSync } from "node:fs";
import type { CompiledModel } from "nodrift/bodies";
import { type ModelDocument, readDocument } from "nodrift/files";
import { type SolveOptions, solve } from "nodrift/solve";
import { models } from "../../site/models/index.js";

/** Returns the document of an entry: a model of the site, or an example. */
export function documentOf(name: string): ModelDocument {
  const make = models[name];
  if (make) return make();
  return JSON.parse(readFileSync(`examples/${name}.json`, "utf8")) as ModelDocument;
}

/** Runs an entry with its own options, or with given ones. */
export async function run(name: string, options: Partial<SolveOptions<CompiledModel>> = {}) {
  const file = readDocument(documentOf(name), { values: Number.POSITIVE_INFINITY });
  const system = await file.compile();
  const solution = solve(system, file.solveOptions(system, options));
  return { file, system, solution };
}
