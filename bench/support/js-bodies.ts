import { type Method, type Simulation, simulate } from "nodrift";
import type { CompiledModel } from "nodrift/bodies";
import { kernelsIn } from "../baseline/bodies/index.js";

/** A simulation of a compiled model whose kernels are the JavaScript baseline's: all of a step. */
export function simulateInJavaScript(
  compiled: CompiledModel,
  { method, step }: { method: Method; step: number },
): Simulation {
  const system = compiled.bodySystem();
  system.workspace.whenSealed((arena) => {
    const made = kernelsIn(arena.memory.buffer as ArrayBuffer, system.quantities.table);
    const core = withRefusals(arena.kernels, made.core);
    system.quantities.kernels = withRefusals(system.quantities.kernels, made.bodies);
    system.workspace.kernels = core;
    // The simulation copies and checks the state through its arena.
    Object.assign(arena, { kernels: core });
  });
  const { q, v, time } = compiled;
  return simulate({ system: () => system }, { method, step, q, v, time, start: "asGiven" });
}

/**
 * The kernels that there are; behind them, one for each other name that says that it is not there.
 */
function withRefusals<T extends object>(all: T, own: Partial<T>): T {
  const refusals = Object.keys(all).map((name) => [
    name,
    () => {
      throw new Error(`the JavaScript baseline has no kernel ${name}`);
    },
  ]);
  return Object.assign(Object.create(Object.fromEntries(refusals)), own);
}
