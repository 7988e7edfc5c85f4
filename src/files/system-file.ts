// Reads files of either kind. Separate from model-file.ts, so that programs for mechanisms do not load the code for equations.

import { refuseMore } from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import { buildEquations, type EquationsFile } from "./equations/equations-file.js";
import { type ModelFile, mechanismFrom } from "./model-file.js";
import { isEquations, readAll, validate } from "./models/validate.js";
import { limitsOf, type ReadLimits, readSource } from "./text/json-source.js";

/**
 * Like {@link readModel} for files of either kind: a mechanism or a system of equations.
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
    throw new NodriftError("DESCRIPTION", "readSystem: the argument must be the text of a file");
  }
  return readAll<ModelFile | EquationsFile>(
    readSource(text, limitsOf(limits)),
    (value, problems) => {
      const document = validate(value, problems);
      if (!document) return undefined;
      return isEquations(document)
        ? buildEquations(document, problems)
        : mechanismFrom(document, problems);
    },
  );
}
