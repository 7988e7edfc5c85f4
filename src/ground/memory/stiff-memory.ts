import type { StiffKernels } from "../wasm/generated-stiff.js";
import { initStiffSync } from "../wasm/stiff.js";
import type { Workspace } from "./workspace.js";

/** The kernels of implicit methods in the memory of a system. Read them when they are called. */
export interface StiffMemory {
  readonly kernels: StiffKernels;
  /** Lets kernels call functions of other modules: gives the place of the first, once the memory is sealed. */
  place(functions: readonly CallableFunction[]): number;
}

/** The table that its calls go through, when they are not to kernels of its own. */
interface WithTable {
  readonly table: WebAssembly.Table;
}

const attached = new WeakMap<Workspace, StiffMemory>();

/** The same for all callers with the same workspace: one instance in its memory. */
export function stiffMemory(workspace: Workspace): StiffMemory {
  const known = attached.get(workspace);
  if (known) return known;
  const made = { kernels: undefined as unknown as StiffKernels & WithTable, place };
  attached.set(workspace, made);
  workspace.whenSealed((arena) => {
    made.kernels = arena.instantiate(initStiffSync());
  });
  function place(functions: readonly CallableFunction[]): number {
    const { table } = made.kernels;
    const first = table.grow(functions.length);
    for (const [i, each] of functions.entries()) table.set(first + i, each);
    return first;
  }
  return made;
}
