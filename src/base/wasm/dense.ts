import { embedded } from "./generated-dense.js";
import { type ModuleLoader, moduleLoader } from "./loader.js";

const loader = moduleLoader("initDense", embedded);

/**
 * Compiles the kernels of dense matrices, as `init` does for the others. Methods call it themselves: needed only to supply
 * the module, or if a browser must not compile on its main thread.
 *
 * @example
 * await initDense(import.meta.resolve("nodrift/nodrift-dense.wasm"));
 */
export const initDense: ModuleLoader["init"] = loader.init;

/** {@link initDense} without waiting. */
export const initDenseSync: ModuleLoader["initSync"] = loader.initSync;
