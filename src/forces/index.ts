// Forces by the name of the method that makes them. A new one is a file and a line here.

import type { ForceRecipe } from "./builder.js";

export const forces = {} satisfies Record<string, ForceRecipe<never>>;
