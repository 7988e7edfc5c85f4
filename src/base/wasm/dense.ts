import { argument, refuseMore, rule } from "../checking/index.js";
import { kernelsBeside, Workspace } from "../memory/workspace.js";
import { type DenseKernels, embedded } from "./generated-dense.js";
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

/** The kernels of dense matrices in the memory of a system. Read them at each call. */
export interface DenseMemory {
  readonly kernels: DenseKernels;
}

const kernelsOf = kernelsBeside<DenseKernels>(loader.initSync);
const workspaces = rule<Workspace>("a workspace", (value) => value instanceof Workspace);

/**
 * Returns the kernels of dense matrices of a workspace: one instance in its memory, shared by all callers. Only methods and
 * systems that need them call it, so other programs do not contain the module.
 *
 * @example
 * const formulation = { ...lagrange(), bind: (system) => bound(system.dynamics.solver("svd", 1e-9, denseMemory)) };
 */
export function denseMemory(workspace: Workspace, ...more: undefined[]): DenseMemory {
  refuseMore("denseMemory", "MEMORY", more);
  return kernelsOf(argument("denseMemory", "MEMORY", "workspace", workspace, workspaces));
}
