import { embedded } from "./generated.js";
import { type ModuleLoader, moduleLoader } from "./loader.js";

export type { WasmSource } from "./loader.js";

const loader = moduleLoader("init", embedded);

/**
 * Compiles the kernels, once for the whole program. Needs no argument: the bytes are part of the
 * package. Call it if a browser must not compile on its main thread, or to supply the module
 * yourself (shared with workers, or fetched so that it is cached). When it fails, the kernels
 * loaded before stay in use.
 *
 * @example
 * await init();                                            // the bytes of the package
 * await init(import.meta.resolve("nodrift/nodrift.wasm")); // its file, read or fetched
 * await init(moduleFromMainThread);                        // in a worker: nothing to compile
 */
export const init: ModuleLoader["init"] = loader.init;

/**
 * Synchronous {@link init}, if the host allows it: Node, workers, and the main thread of current browsers. Systems
 * call it themselves, so most programs never do.
 *
 * @example
 * initSync(readFileSync("nodrift.wasm"));
 */
export const initSync: ModuleLoader["initSync"] = loader.initSync;
