// Forces by the name of the method that makes them. A new one is a file and a line here,
// which says in its comment what editors show for the method.

import type { ForceRecipe } from "./builder.js";
import { bushing } from "./bushing.js";
import { drag } from "./drag.js";
import { pointForce } from "./point-force.js";
import { spring } from "./spring.js";
import { torque } from "./torque.js";
import { torsionSpring } from "./torsion-spring.js";
import { tyre } from "./tyre.js";

export const forces = {
  /** A force at a point of a body. */
  pointForce,
  /** A torque on a body. */
  torque,
  /** A spring, damper and actuator between two points. */
  spring,
  /** A spring, damper and motor about the axis of a joint. */
  torsionSpring,
  /** Springs and dampers along and about three axes, between two bodies. */
  bushing,
  /** Resistance of air or oil. */
  drag,
  /** A tyre: spring and damper between a wheel and a road. */
  tyre,
} satisfies Record<string, ForceRecipe<never>>;
