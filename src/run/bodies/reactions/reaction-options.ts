import { type Body, nameGiven, partRule } from "../../../describe/model/handles.js";
import type { ModelData } from "../../../describe/model/model-data.js";
import { optionsOf, type Shape } from "../../../ground/checking/index.js";

/** On which body a reaction acts, and in whose axes it is given. */
export interface ReactionOptions {
  /**
   * The body it acts on: its handle, its name, or "ground". Default: the second body of the joint; of a coupling that of its second joint. Constraints
   * and forces by the user's own formulas that act on several bodies have no default.
   */
  readonly on?: string | Body | undefined;
  /** In whose axes: the world's (default), the joint's (those of its first marker), or a body's. */
  readonly frame?: string | Body | undefined;
}

/** The same by names. */
interface NamedReaction {
  readonly on: string | undefined;
  readonly frame: string | undefined;
}

const part = partRule<Body>("a body");
const SHAPE: Shape<ReactionOptions> = { on: part, frame: part };

/** Options of reactions, with names in place of handles. */
export function reactionOptions(
  where: string,
  model: ModelData,
  given: ReactionOptions,
): NamedReaction {
  const { on, frame } = optionsOf(where, "DESCRIPTION", given, SHAPE);
  return {
    on: on && nameGiven(`${where}: on`, model, on, "body"),
    frame: frame && nameGiven(`${where}: frame`, model, frame, "body"),
  };
}
