import { embedded } from "./generated-lanes.js";
import { type ModuleLoader, moduleLoader } from "./loader.js";

const loader = moduleLoader("initLanes", embedded);

/**
 * Compiles the kernel of batches, as `init` does for the others. Batches call it themselves: needed only to supply the
 * module, or if a browser must not compile on its main thread.
 *
 * @example
 * await initLanes(import.meta.resolve("nodrift/nodrift-lanes.wasm"));
 */
export const initLanes: ModuleLoader["init"] = loader.init;

/** @internal The compiled kernel. */
export const initLanesSync: ModuleLoader["initSync"] = loader.initSync;
