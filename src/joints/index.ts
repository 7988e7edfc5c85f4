// Joints and drives by the name of the method that makes them. A new one is a file and a line here.

import type { JointRecipe } from "./builder.js";
import { distance } from "./distance.js";
import { fixed } from "./fixed.js";
import { revolute } from "./revolute.js";
import { spherical } from "./spherical.js";

export const joints = {
  fixed,
  revolute,
  spherical,
  distance,
} satisfies Record<string, JointRecipe<never>>;
