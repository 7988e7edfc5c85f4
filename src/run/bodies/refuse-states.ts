import type { ModelData } from "../../describe/model/model-data.js";
import { NodriftError } from "../../ground/errors.js";

/** Throws where states, which are no motion, would be taken for some. */
export function refuseStates(where: string, { name, states }: ModelData): void {
  if (states.length === 0) return;
  throw new NodriftError(
    "DESCRIPTION",
    `${where}: ${name} has states ("${states[0]!.name}"), which it does not know yet: use a model without them`,
  );
}
