// Files of either kind. Apart from model-file.ts, so that programs for mechanisms need not load what equations need.

import { refuseMore } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { buildEquations, type EquationsFile } from "./equations/equations-file.js";
import { type ModelFile, mechanismFrom } from "./model-file.js";
import { isEquations, validate } from "./models/validate.js";
import { limitsOf, type ReadLimits, readSource } from "./text/json-source.js";
import { Problems } from "./text/problems.js";

/**
 * Like {@link readModel} for files of either kind: a mechanism, or a system by equations.
 *
 * @example
 * const file = readSystem(await readFile("crane.json", "utf8"));
 * if ("system" in file) solve(file.system, file.solveOptions());
 */
export function readSystem(
  text: string,
  limits: Partial<ReadLimits> = {},
  ...more: undefined[]
): ModelFile | EquationsFile {
  refuseMore("readSystem", "DESCRIPTION", more, "it takes a text and limits");
  if (typeof text !== "string") {
    throw new NodriftError("DESCRIPTION", "readSystem takes the text of a file");
  }
  const { value, place } = readSource(text, limitsOf(limits));
  const problems = new Problems(place);
  const document = validate(value, problems);
  if (!document) return problems.finish();
  if (!isEquations(document)) return mechanismFrom(document, problems);
  return buildEquations(document, problems) ?? problems.finish();
}
