import { initDenseSync } from "../wasm/dense.js";
import type { DenseKernels } from "../wasm/generated-dense.js";
import type { Workspace } from "./workspace.js";

/** The kernels of dense matrices in the memory of a system. Read them at each call. */
export interface DenseMemory {
  readonly kernels: DenseKernels;
}

const attached = new WeakMap<Workspace, DenseMemory>();

/**
 * Returns the kernels of dense matrices of a workspace: one instance in its memory, shared by all callers. Only methods
 * and systems that need them call it, so other programs do not contain the module.
 *
 * @example
 * bind: (system) => bindWith(system.dynamics.solver("cod", 1e-12, denseMemory))
 */
export function denseMemory(workspace: Workspace): DenseMemory {
  const known = attached.get(workspace);
  if (known) return known;
  const made = { kernels: undefined as unknown as DenseKernels };
  attached.set(workspace, made);
  workspace.whenSealed((arena) => {
    made.kernels = arena.instantiate(initDenseSync());
  });
  return made;
}
