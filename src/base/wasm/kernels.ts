import { embedded } from "./generated-kernels.js";
import { type ModuleLoader, moduleLoader } from "./loader.js";

const loader = moduleLoader("init", embedded);

/**
 * Compiles the kernels of `nodrift/kernels`, once for the whole program. Needs no argument: the bytes are part of the
 * package. Call it if a browser must not compile on its main thread, or to supply the module yourself (shared with
 * workers, or fetched so that it is cached). When it fails, the kernels loaded before stay in use. `init` of `nodrift` is
 * another: that of the kernels of methods.
 *
 * @example
 * await init();                                                    // the bytes of the package
 * await init(import.meta.resolve("nodrift/nodrift-kernels.wasm")); // its file, read or fetched
 * await init(moduleFromMainThread);                                // in a worker: nothing to compile
 */
export const init: ModuleLoader["init"] = loader.init;

/**
 * Synchronous {@link init}, if the host allows it. Arenas call it themselves, so most programs never do.
 *
 * @example
 * initSync(readFileSync("nodrift-kernels.wasm"));
 */
export const initSync: ModuleLoader["initSync"] = loader.initSync;
