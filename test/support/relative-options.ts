// The two kinds of coordinates that figures compare, as options of `compile`: defined only here.

import type { CompileOptions } from "nodrift/bodies";

/** Joint coordinates along a tree. */
export const RELATIVE: CompileOptions = { coordinates: "relative" };

/** Seven coordinates for each body, joints as constraints. */
export const MAXIMAL: CompileOptions = { coordinates: "maximal" };
