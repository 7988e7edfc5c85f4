import type { System } from "../../../seam/index.js";
import type { MechanismFacts } from "../../bodies/system/loop-ranks.js";

/** What a mechanism in relative coordinates is made from, besides its plan. */
export interface RelativeFacts extends MechanismFacts {
  /** The size of a mechanism far from the origin: see Coordinates. */
  readonly positionScale?: number | undefined;
  /** See PublicState. */
  readonly isAutomatic?: boolean | undefined;
  /** How far states of the bodies may miss the joints: see PublicState. */
  readonly misfit?: number | undefined;
  /** The same mechanism in maximal coordinates, with memory of its own. */
  maximal(): System;
}
