import type { StiffKernels } from "../wasm/generated-stiff.js";
import { initStiffSync } from "../wasm/stiff.js";
import type { Workspace } from "./workspace.js";

/** The kernels of implicit methods in the memory of a system. Read them at each call. */
export interface StiffMemory {
  readonly kernels: StiffKernels;
  /**
   * Makes functions of other modules callable by the kernels. Returns the table index of the first, once the memory is
   * sealed.
   */
  place(functions: readonly CallableFunction[]): number;
}

/** The function table of an instance whose calls go beyond its own kernels. */
interface WithTable {
  readonly table: WebAssembly.Table;
}

const attached = new WeakMap<Workspace, StiffMemory>();

/** Returns the stiff kernels of a workspace: one instance in its memory, shared by all callers. */
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
