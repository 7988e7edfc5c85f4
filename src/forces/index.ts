// Forces by the name of the method that makes them. A new one is a file and a line here.

import type { ForceRecipe } from "./builder.js";
import { bushing } from "./bushing.js";
import { drag } from "./drag.js";
import { pointForce } from "./point-force.js";
import { spring } from "./spring.js";
import { torque } from "./torque.js";
import { torsionSpring } from "./torsion-spring.js";
import { tyre } from "./tyre.js";

export const forces = {
  pointForce,
  torque,
  spring,
  torsionSpring,
  bushing,
  drag,
  tyre,
} satisfies Record<string, ForceRecipe<never>>;
