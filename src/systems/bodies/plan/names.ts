import type { ModelData } from "../../../describe/model/model-data.js";
import { hint, show } from "../../../describe/model/option-checks.js";
import { NodriftError } from "../../../ground/errors.js";

/** The number of a body, by its name. */
export function bodyNamed({ bodies }: ModelData, name: string, where: string): number {
  const body = bodies.findIndex((each) => each.name === name);
  if (body >= 0) return body;
  const known = bodies.map((each) => each.name);
  throw new NodriftError(
    "DESCRIPTION",
    `${where}: there is no body ${show(name)}${hint(name, known)}`,
  );
}
