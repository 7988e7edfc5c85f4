import { embedded, type StiffKernels } from "../wasm/generated-stiff.js";
import { type ModuleLoader, moduleLoader } from "../wasm/loader.js";
import { kernelsBeside } from "./workspace.js";

const loader = moduleLoader("initStiff", embedded);

/**
 * Compiles the kernels of implicit methods, as `init` does for the others. Methods call it themselves:
 * needed only to supply the module, or if a browser must not compile on its main thread.
 *
 * @example
 * await initStiff(import.meta.resolve("nodrift/nodrift-stiff.wasm"));
 */
export const initStiff: ModuleLoader["init"] = loader.init;

/** The kernels of implicit methods in the memory of a system, and a table of functions, which they call. */
export interface StiffMemory {
  readonly kernels: StiffKernels & { readonly table: WebAssembly.Table };
}

/** Returns the stiff kernels of a workspace. */
export const stiffMemory = kernelsBeside<StiffMemory["kernels"]>(loader.initSync);
