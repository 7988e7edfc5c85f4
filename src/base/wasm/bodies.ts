import { embedded } from "./generated-bodies.js";
import { type ModuleLoader, moduleLoader } from "./loader.js";

const loader = moduleLoader("initBodies", embedded);

/**
 * Compiles the kernels of mechanisms, as `init` does for the others. `compile` calls it: needed only to
 * supply the module yourself.
 *
 * @example
 * await initBodies(import.meta.resolve("nodrift/nodrift-bodies.wasm"));
 */
export const initBodies: ModuleLoader["init"] = loader.init;
