// Accelerations of bodies in relative coordinates against those in maximal ones, at the start of a model. Simulations
// always report accelerations in maximal coordinates, so the solver of the tree is called directly.

import type { System } from "nodrift";
import { compile, type Model } from "nodrift/bodies";
import type { Address } from "nodrift/kernels";
import { MAXIMAL, RELATIVE } from "./relative-options.js";

/** The members of a system along a tree used here that its public interface lacks. */
interface TreeSystem extends System {
  readonly velocities: number;
  readonly table: Address;
  readonly bodyQuantities: { readonly positions: number; readonly velocities: number };
  readonly kernels: { treeBodyBias(table: Address, out: Address): void };
  bodyVelocities(x: Address): Address;
}

/** The largest difference, over the largest acceleration: bodies are about a metre large. */
export async function accelerationDifference(model: Model): Promise<number> {
  const found = await relativeAccelerations(model);
  const wanted = (await compile(model, { ...MAXIMAL, start: "asGiven" }))
    .simulate({ step: 1e-3 })
    .accelerations();
  // Gravity is about ten: at rest, rounding is small compared with it.
  const size = wanted.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
  return found.reduce((most, x, i) => Math.max(most, Math.abs(x - wanted[i]!)), 0) / size;
}

/** Six values per body: u' = T v' + bias. */
async function relativeAccelerations(model: Model): Promise<Float64Array> {
  const compiled = await compile(model, { ...RELATIVE, start: "asGiven" });
  const system = compiled.system() as TreeSystem;
  const { workspace, bodyQuantities: bodies, publicState, state } = system;
  const solver = system.dynamics.solver("auto");
  const shown = workspace.reserve("public state", bodies.positions + bodies.velocities);
  const joints = workspace.vector("accelerations", system.velocities);
  const bias = workspace.reserve("bias", bodies.velocities);
  const arena = workspace.seal();
  arena.floats(shown).set(compiled.q);
  arena.floats(shown).set(compiled.v, bodies.positions);
  publicState!.read(shown.address, state.q);
  system.load(compiled.time);
  solver.accelerate(system.constraints.gamma(), joints);
  system.kernels.treeBodyBias(system.table, bias.address);
  const moved = arena.floats({ ...bias, address: system.bodyVelocities(joints) });
  return arena.floats(bias).map((value, i) => value + moved[i]!);
}
