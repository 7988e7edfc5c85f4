import { hint, listOf, oneOf, type Shape, text } from "../../../base/checking/index.js";
import type { ModelData } from "../../../model/model-data.js";
import { descriptionError } from "../../../model/option-checks.js";

/** Options for the initial state of a model. */
export interface StartOptions {
  /**
   * "assemble" closes the joints and computes velocities that were not given. "asGiven" uses the data unchanged, with
   * zero for missing velocities: for states from elsewhere that close only approximately. Default: "assemble".
   */
  readonly start?: "assemble" | "asGiven";
  /**
   * Names of bodies that keep their given pose and velocity exactly; the others come as near to the given values as
   * the joints allow. An empty list holds nothing. Default: no pose is held, and every given velocity is.
   */
  readonly hold?: readonly string[];
}

export const START_SHAPE: Shape<StartOptions> = {
  start: oneOf("assemble", "asGiven"),
  hold: listOf(text, "a list of names of bodies"),
};

/** Rejects contradictory options, and names of bodies that the model does not have. */
export function checkStart({ start, hold }: StartOptions, { name, bodies }: ModelData): void {
  const where = `${name}: compile`;
  if (hold === undefined) return;
  if (start === "asGiven") {
    throw descriptionError(
      where,
      'start: "asGiven" changes nothing, so `hold` has no effect: drop one of the two',
    );
  }
  const names = bodies.map((body) => body.name);
  for (const each of hold) {
    if (!names.includes(each)) {
      throw descriptionError(where, `hold: no body is named "${each}"${hint(each, names)}`);
    }
  }
}
