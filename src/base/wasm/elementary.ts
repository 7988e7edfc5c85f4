import { instantiateSync } from "@assemblyscript/loader";
import { type ElementaryFunctions, embedded } from "./generated-elementary.js";
import { type ModuleLoader, moduleLoader } from "./loader.js";

export type { ElementaryFunctions } from "./generated-elementary.js";

const loader = moduleLoader("initElementary", embedded);

let functions: ElementaryFunctions | undefined;

/**
 * Compiles the elementary functions of formulas, as `init` does for the kernels. Formulas do it
 * themselves: needed only to supply the module, or if a browser must not compile on its main
 * thread.
 *
 * @example
 * await initElementary();
 */
export const initElementary: ModuleLoader["init"] = loader.init;

/**
 * Sines, exponentials and the like with the same bits on every machine, instantiated on the first call. They are
 * stateless, so one instance serves all callers.
 *
 * @example
 * elementary().sin(0.5);
 */
export function elementary(): ElementaryFunctions {
  // The instance's own exports: the loader's copies would wrap each call.
  functions ??= instantiateSync(loader.initSync()).instance
    .exports as unknown as ElementaryFunctions;
  return functions;
}
