import type { StiffKernels } from "../wasm/generated-stiff.js";
import { initStiffSync } from "../wasm/stiff.js";
import type { Workspace } from "./workspace.js";

/** The kernels of implicit methods in the memory of a system. Read them when they are called. */
export interface StiffMemory {
  readonly kernels: StiffKernels;
}

const attached = new WeakMap<Workspace, StiffMemory>();

/** The same for all callers with the same workspace: one instance in its memory. */
export function stiffMemory(workspace: Workspace): StiffMemory {
  const known = attached.get(workspace);
  if (known) return known;
  const made: { kernels: StiffKernels } = { kernels: undefined as unknown as StiffKernels };
  attached.set(workspace, made);
  workspace.whenSealed((arena) => {
    made.kernels = arena.instantiate<StiffKernels>(initStiffSync());
  });
  return made;
}
