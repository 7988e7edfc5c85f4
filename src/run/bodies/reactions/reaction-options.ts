import { optionsOf, type Shape } from "../../../base/checking/index.js";
import { type Body, partName, partRule } from "../../../model/handles.js";
import type { ModelData } from "../../../model/model-data.js";

/** The body on which a reaction acts, and the axes of its components. */
export interface ReactionOptions {
  /**
   * The body on which it acts: its handle, its name, or "ground". Default: the second body of the joint; of a coupling
   * that of its second joint. Constraints and forces by user formulas that act on several bodies have no default.
   */
  readonly on?: string | Body | undefined;
  /** Axes of the components: the world's (default), the joint's (those of its first marker), or a body's. */
  readonly frame?: string | Body | undefined;
}

/** Reaction options with names in place of handles. */
interface NamedReaction {
  readonly on: string | undefined;
  readonly frame: string | undefined;
}

const part = partRule<Body>("a body");
const SHAPE: Shape<ReactionOptions> = { on: part, frame: part };

/** Checks reaction options and replaces handles by names. */
export function reactionOptions(
  where: string,
  model: ModelData,
  given: ReactionOptions,
): NamedReaction {
  const { on, frame } = optionsOf(where, "DESCRIPTION", given, SHAPE);
  return {
    on: on && partName(`${where}: on`, model, on, "body"),
    frame: frame && partName(`${where}: frame`, model, frame, "body"),
  };
}
