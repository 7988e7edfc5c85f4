import { choleskySlots, luSlots } from "../../../assembly/layout.js";
import { refuseMore } from "../../base/checking/index.js";
import type { Address } from "../../base/memory/arena.js";
import { denseMemory } from "../../base/wasm/dense.js";
import { failed } from "../../base/wasm/status.js";
import type { Formulation, System } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import type { AccelerationSolver } from "./acceleration-level.js";
import { bindReduced, type TangentSpace } from "./reduced-unknowns.js";

/**
 * Minimum fractions of a unit velocity that are free and independent of velocities chosen before, in the order of
 * tries.
 */
const FREE_PARTS = [0.7, 0.3, 0.1, 0.01, 1e-4, 1e-6] as const;

/** Independent velocities are kept while the others grow by at most this factor over their first size, or over 1. */
const MAX_GROWTH = 1.25;

/** Maximum number of degrees of freedom that singular poses add. */
const MAX_ADDED_FREEDOMS = 6;

const ADVICE = "the independent velocities do not determine the others: try a shorter step";

/**
 * Velocity transformations of Avello et al.: Maggi's equations whose kinematic characteristics e are independent
 * velocities, with v = Gamma e. Each column of Gamma is computed separately as the solution of an elementary velocity
 * problem (one independent velocity is 1, the others 0), and so is the particular acceleration (all independent
 * accelerations are 0). Columns share only the factor, so they could be computed in parallel, as could the columns of
 * Gamma^T M Gamma.
 *
 * Columns need operators only: unit velocities moved to the nearest that satisfy the rows, G = (I - minnorm(J)) E,
 * are a basis, and Gamma = G (E^T G)^-1. So the method runs recursively on trees, with the rows of loops remaining,
 * and on sparse bodies; `maggi({ basis: "extraction" })` does the same on dense matrices. Rejected: the augmented
 * Lagrangian of the paper for closed loops. The pseudoinverse is exact, and supports redundant rows too.
 *
 * @example
 * simulate(pendulum, { method: { formulation: velocityTransformation(), integrator: rk4() }, ...start });
 */
export function velocityTransformation(...more: undefined[]): Formulation {
  refuseMore("velocityTransformation", "METHOD", more);
  return {
    ...PLAIN_FORMULATION,
    name: "velocityTransformation",
    reference:
      "Avello, Jimenez, Bayo and Garcia de Jalon, CMAME 107 (1993) 313-339; Laulusa and Bauchau 2008, 4.2",
    level: "velocity",
    survivesSingularPoses: true,
    needs: "operators",
    changesUnknowns: true,
    bind: (system) => bindReduced(system, bindColumns(system), bindColumns(system)),
  };
}

function bindColumns(system: System): TangentSpace & AccelerationSolver {
  const { workspace, constraints, coordinates, dynamics } = system;
  const memory = denseMemory(workspace);
  const { velocities: n } = coordinates;
  const { rows, degreesOfFreedom = n } = constraints;
  const most = Math.min(n, degreesOfFreedom + MAX_ADDED_FREEDOMS);
  const solver = dynamics.solver("auto");
  const chosenSegment = workspace.reserve(
    "independent velocities, their number and slope",
    most + 2,
  );
  const unitSegment = workspace.reserve("unit velocity", n);
  const blockSegment = workspace.reserve("independent block", most * most);
  const particularSegment = workspace.reserve("particular solution", n);
  const partSegment = workspace.reserve("independent part", most);
  const unit = unitSegment.address;
  const block = blockSegment.address;
  const particular = particularSegment.address;
  const part = partSegment.address;
  const product = workspace.vector("rows times a unit velocity", rows);
  const removed = workspace.vector("part of a velocity that rows hold", n);
  const raw = workspace.vector("projected unit velocities", n * most);
  const gamma = workspace.vector("velocity transformation", n * most);
  const weighed = workspace.vector("mass times a column", n);
  const square = workspace.vector("reduced mass", most * most);
  const right = workspace.vector("reduced forces", most);
  const zeta = workspace.vector("independent accelerations", n);
  const lu = workspace.vector("factor of the independent block", luSlots(most));
  const cholesky = workspace.vector("factor of the reduced mass", choleskySlots(most));
  const zero = workspace.vector("no velocity", n);
  let chosen = new Float64Array();
  let units = new Float64Array();
  let entries = new Float64Array();
  let particulars = new Float64Array();
  let parts = new Float64Array();
  let columns = new Float64Array();
  workspace.whenSealed((arena) => {
    chosen = arena.floats(chosenSegment);
    units = arena.floats(unitSegment);
    entries = arena.floats(blockSegment);
    particulars = arena.floats(particularSegment);
    parts = arena.floats(partSegment);
    columns = arena.floats({ name: "projected unit velocities", address: raw, slots: n * most });
  });
  const count = () => chosen[most]!;

  function check(status: number): void {
    if (failed(status)) throw system.errorFor(status, ADVICE);
  }

  /** Computes the velocity nearest to a unit velocity that satisfies the rows. */
  function project(i: number, out: Address): void {
    const { kernels } = workspace;
    units.fill(0);
    units[i] = 1;
    if (rows === 0) {
      kernels.copyVector(n, unit, out);
      return;
    }
    constraints.jacobianTimes(unit, product);
    solver.minnorm(1, product, removed, true);
    kernels.axpy(n, -1, removed, unit, out);
  }

  function isChosen(i: number): boolean {
    for (let j = 0; j < count(); j++) if (chosen[j] === i) return true;
    return false;
  }

  /**
   * Chooses velocities by the part of unit velocity i that is free and independent of those chosen before, in the
   * metric of the mass matrix.
   */
  function select(): void {
    const { kernels } = workspace;
    chosen[most] = 0;
    for (const least of FREE_PARTS) {
      for (let i = 0; i < n && count() < most; i++) {
        const k = count();
        if (isChosen(i)) continue;
        project(i, removed);
        dynamics.massTimes(unit, weighed);
        const whole = kernels.dot(n, unit, weighed);
        // The columns of gamma are orthonormal during the choice of velocities.
        for (let pass = 0; pass < 2; pass++) {
          for (let j = 0; j < k; j++) {
            const column = gamma + 8 * n * j;
            dynamics.massTimes(column, weighed);
            kernels.axpy(n, -kernels.dot(n, removed, weighed), column, removed, removed);
          }
        }
        dynamics.massTimes(removed, weighed);
        const size = Math.sqrt(Math.max(0, kernels.dot(n, removed, weighed)));
        if (!(size > least * Math.sqrt(whole))) continue;
        kernels.axpy(n, 1 / size, removed, zero, gamma + 8 * n * k);
        chosen[k] = i;
        chosen[most] = k + 1;
      }
    }
  }

  /** Computes the columns separately, then divides them by the block of independent velocities. */
  function factor(): void {
    const { kernels } = workspace;
    const k = count();
    for (let j = 0; j < k; j++) project(chosen[j]!, raw + 8 * n * j);
    for (let j = 0; j < k; j++) {
      for (let i = 0; i < k; i++) entries[i + k * j] = columns[chosen[i]! + n * j]!;
    }
    check(memory.kernels.luFactor(k, block, k, lu));
    for (let j = 0; j < k; j++) {
      parts.fill(0);
      parts[j] = 1;
      check(memory.kernels.luSolve(k, lu, part, right));
      kernels.matrixVector(n, k, raw, n, right, gamma + 8 * n * j);
    }
  }

  const slope = () => workspace.kernels.largestMagnitude(n * count(), gamma);

  /** part = the independent part of `particular`. */
  function takePart(): void {
    for (let j = 0; j < count(); j++) parts[j] = particulars[chosen[j]!]!;
  }

  /** Computes the solution of J x = scale rows whose independent part is zero. */
  function solveParticular(scale: number, given: Address): void {
    const { kernels } = workspace;
    particulars.fill(0);
    if (rows > 0) {
      solver.minnorm(1, given, removed, true);
      kernels.axpy(n, scale, removed, particular, particular);
    }
    takePart();
    kernels.matrixVector(n, count(), gamma, n, part, removed);
    kernels.axpy(n, -1, removed, particular, particular);
  }

  function rate(rightSide: Address, out: Address): void {
    const { kernels } = workspace;
    const k = count();
    solveParticular(1, rightSide);
    for (let j = 0; j < k; j++) {
      dynamics.massTimes(gamma + 8 * n * j, weighed);
      kernels.matrixTransposeVector(n, k, gamma, n, weighed, square + 8 * k * j);
    }
    dynamics.massTimes(particular, weighed);
    kernels.axpy(n, -1, weighed, dynamics.forces(), weighed);
    kernels.matrixTransposeVector(n, k, gamma, n, weighed, right);
    check(memory.kernels.choleskyFactor(k, square, k, cholesky));
    check(memory.kernels.choleskyForward(k, 1, cholesky, right, k, right, k));
    kernels.copyVector(n, zero, out);
    check(memory.kernels.choleskyBackward(k, 1, cholesky, right, k, out, k));
  }

  return {
    choose() {
      if (chosen[most + 1]! > 0) {
        factor();
        if (slope() <= MAX_GROWTH * Math.max(1, chosen[most + 1]!)) return;
      }
      select();
      factor();
      chosen[most + 1] = Math.max(slope(), Number.MIN_VALUE);
    },
    factor,
    velocity(e, bias, v) {
      const { kernels } = workspace;
      solveParticular(-1, bias);
      kernels.matrixVector(n, count(), gamma, n, e, removed);
      kernels.axpy(n, 1, removed, particular, v);
    },
    take(v, e) {
      const { kernels } = workspace;
      kernels.copyVector(n, v, particular);
      takePart();
      kernels.copyVector(n, zero, e);
      kernels.copyVector(count(), part, e);
    },
    rate,
    accelerate(rightSide, out) {
      const { kernels } = workspace;
      select();
      factor();
      rate(rightSide, zeta);
      kernels.matrixVector(n, count(), gamma, n, zeta, removed);
      kernels.axpy(n, 1, removed, particular, out);
    },
  };
}
