import { embedded } from "./generated-stiff.js";
import { type ModuleLoader, moduleLoader } from "./loader.js";

const loader = moduleLoader("initStiff", embedded);

/**
 * Compiles the kernels of implicit methods, as `init` does for the others. Methods call it themselves:
 * needed only to supply the module, or if a browser must not compile on its main thread.
 *
 * @example
 * await initStiff(import.meta.resolve("nodrift/nodrift-stiff.wasm"));
 */
export const initStiff: ModuleLoader["init"] = loader.init;

/** {@link initStiff} without waiting. */
export const initStiffSync: ModuleLoader["initSync"] = loader.initSync;
