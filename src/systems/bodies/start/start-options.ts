import type { ModelData } from "../../../describe/model/model-data.js";
import { descriptionError } from "../../../describe/model/option-checks.js";
import { hint, listOf, oneOf, type Shape, text } from "../../../ground/checking/index.js";

/** How the start of a model is made. */
export interface StartOptions {
  /**
   * "assemble" closes the joints and computes velocities that were not given. "asGiven" uses the data unchanged, with
   * zero for missing velocities: for starts from elsewhere that close only nearly. Default: "assemble".
   */
  readonly start?: "assemble" | "asGiven";
  /**
   * Names of bodies that stay exactly as they were given, in pose and velocity; the others come as near to
   * what was given as the joints allow. An empty list holds nothing. Default: no pose is held, and every
   * velocity that was given.
   */
  readonly hold?: readonly string[];
}

export const START_SHAPE: Shape<StartOptions> = {
  start: oneOf("assemble", "asGiven"),
  hold: listOf(text, "a list of names of bodies"),
};

/** Refuses what contradicts itself, and names of bodies that the model does not have. */
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
