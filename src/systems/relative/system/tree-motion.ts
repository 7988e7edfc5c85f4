import { Want } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../base/memory/arena.js";
import type { RelativeQuantities } from "./quantities.js";

/** Accelerations of the bodies of a tree, the forces on them, and the remainder after inertia: for derivatives. */
export class TreeMotion {
  readonly accelerations: Address;
  readonly loads: Address;
  readonly rest: Address;
  readonly #system: RelativeQuantities;
  readonly #bias: Address;

  constructor(system: RelativeQuantities) {
    const { workspace, bodyQuantities: bodies } = system;
    this.#system = system;
    const reserve = (name: string) => workspace.vector(name, bodies.velocities);
    this.accelerations = reserve("accelerations of bodies");
    this.loads = reserve("forces on bodies");
    this.rest = reserve("forces without those of inertia");
    this.#bias = reserve("bias of bodies for derivatives");
  }

  /** T a: also the twists of all nodes, which the next call of a kernel may overwrite. */
  find(a: Address): void {
    const system = this.#system;
    if (system.rows > 0) system.bodyQuantities.require(Want.PHI | Want.JACOBIAN | Want.RATES);
    system.bodyQuantities.requireFrames();
    system.requireBias();
    system.kernels.treeBodyVelocities(system.table, a, this.accelerations);
  }

  /** u' = T a + bias. */
  addBias(): void {
    const { kernels, table, bodyQuantities: bodies, workspace } = this.#system;
    kernels.treeBodyBias(table, this.#bias);
    const { axpy } = workspace.kernels;
    axpy(bodies.velocities, 1, this.#bias, this.accelerations, this.accelerations);
  }

  /** F + J^T lambda, and the same minus M u'. */
  balance(multipliers: Address): void {
    const system = this.#system;
    const { kernels, bodyQuantities: bodies, workspace } = system;
    const { axpy, copyVector } = workspace.kernels;
    const n = bodies.velocities;
    copyVector(n, bodies.forces(), this.loads);
    if (system.rows > 0) {
      kernels.bodyJacobianTransposeTimes(bodies.table, multipliers, this.rest);
      axpy(n, 1, this.rest, this.loads, this.loads);
    }
    bodies.massTimes(this.accelerations, this.rest);
    axpy(n, -1, this.rest, this.loads, this.rest);
  }
}
