import { SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { checkLimits } from "../../base/run-limits.js";
import type { ConstraintSolver, System } from "../index.js";
import {
  type Correction,
  iterate,
  NearestStep,
  plainCorrection,
  RESIDUAL_TOLERANCE,
  Size,
  sizesOf,
} from "./iteration.js";

export interface ProjectorOptions {
  /** Maximum number of Newton iterations on the positions. */
  readonly iterations: number;
  /** Largest constraint error that is not corrected. */
  readonly tolerance: number;
  /** True if the state is near the constraints: one factorisation serves positions and velocities. */
  readonly near?: boolean;
  /** Check run limits between iterations. Not for state readers, which user callbacks call. */
  readonly stoppable?: boolean;
}

/** A kept factor is dropped if an iteration leaves more than this fraction of the error. */
const SLOW_CONVERGENCE_RATIO = 1e-3;

/** Projects the accepted state onto the constraints. */
export interface Projector {
  /**
   * Newton's iteration q += minnorm(-Phi): the nearest pose in the metric of the mass matrix. Ends when the error is
   * below the tolerance or no longer halves. Returns the largest remaining error. NaN is passed to the solver, which
   * names its source.
   */
  positions(t: number): number;
  /**
   * Corrects v += minnorm(-Phi'): one iteration is exact if velocity constraints are linear. Returns the largest
   * remaining error.
   */
  velocities(t: number): number;
}

/** Creates a projector of the accepted state of a system, with its own solver or one that holds some coordinates. */
export function bindProjector(
  system: System,
  { iterations, tolerance, near = false, stoppable = false }: ProjectorOptions,
  solver: ConstraintSolver = system.dynamics.solver("auto"),
): Projector {
  const { workspace, state, trial, coordinates, constraints } = system;
  const { positions, velocities } = coordinates;
  const { rows, residualUnit: unit } = constraints;
  const step = new NearestStep(system, "projection", solver);
  const refined = !near || system.loops !== undefined;

  /** Whether the factor is kept for the following states. */
  let isKept = false;
  /** Whether the trial state is the accepted state, and `at` has been called. */
  let isLoaded = false;

  function find(residual: Address): void {
    if (stoppable) checkLimits();
    if (near && !isKept) solver.keepFactor();
    isKept = near;
    step.find(residual, refined);
  }

  const sizes = sizesOf();

  /** Measures the largest correctable component, since parts of a residual may be irremovable. */
  function measure(residual: Address): void {
    const part = system.loops?.correctable(residual) ?? residual;
    sizes[Size.ERROR] = workspace.kernels.largestMagnitude(rows, part);
  }

  /** Sets the tolerance for coordinates of this magnitude. */
  function allow(count: number, address: Address): void {
    const rounding = RESIDUAL_TOLERANCE * workspace.kernels.largestMagnitude(count, address);
    sizes[Size.ENOUGH] = unit * Math.max(tolerance, rounding);
  }

  const ofPositions: Correction = {
    ...plainCorrection(sizes),
    measure: () => measure(constraints.phi()),
    correct() {
      find(constraints.phi());
      coordinates.displace(trial.q, step.address);
      system.at(system.time);
    },
    keep() {
      workspace.kernels.copyVector(positions, trial.q, state.q);
      if (sizes[Size.ERROR]! > SLOW_CONVERGENCE_RATIO * sizes[Size.BEFORE]!) isKept = false;
    },
    undo() {
      isLoaded = false;
    },
  };

  const ofVelocities: Correction = {
    ...plainCorrection(sizes),
    measure: () => measure(constraints.phiDot()),
    correct() {
      find(constraints.phiDot());
      workspace.kernels.axpy(velocities, 1, step.address, trial.v, trial.v);
      system.atVelocity();
    },
    keep() {
      workspace.kernels.copyVector(velocities, trial.v, state.v);
    },
  };

  /** Like system.load, but does not drop a kept factor. */
  function reload(t: number): void {
    workspace.kernels.copyVector(positions + velocities, state.q, trial.q);
    system.at(t);
  }

  return {
    positions(t) {
      system.load(t);
      isKept = false;
      isLoaded = true;
      allow(positions, trial.q);
      iterate(ofPositions, iterations);
      return sizes[Size.ERROR]!;
    },
    velocities(t) {
      if (!isLoaded) reload(t);
      isLoaded = false;
      allow(velocities, trial.v);
      iterate(ofVelocities, iterations);
      solver.dropFactor();
      return sizes[Size.ERROR]!;
    },
  };
}

/** Constraint error treated as zero. */
const CONSISTENCY_TOLERANCE = 1e-10;

/**
 * Projects the given initial state onto the constraints: positions first, then velocities. A state that satisfies them
 * to rounding keeps its bits. Throws an error that names the worst rows if there is no consistent state nearby.
 */
export function assemble(
  system: System,
  projector: Projector,
  t: number,
  read: (rows: Address) => Float64Array,
  held: readonly string[] = [],
): void {
  const position = projector.positions(t);
  if (!(position <= CONSISTENCY_TOLERANCE))
    throw failure(system, t, "positions", position, read(system.constraints.phi()), held);
  const velocity = projector.velocities(t);
  if (!(velocity <= CONSISTENCY_TOLERANCE))
    throw failure(system, t, "velocities", velocity, read(system.constraints.phiDot()), held);
}

function failure(
  system: System,
  t: number,
  what: "positions" | "velocities",
  residual: number,
  values: Float64Array,
  held: readonly string[],
): SimulationError {
  const names = held.map((name) => `"${name}"`).join(", ");
  const advice =
    held.length > 0 ? `Hold fewer than ${names}.` : "Do the constraints contradict each other?";
  const worst = Array.from(values, (value, row) => ({
    value,
    name: system.constraints.rowNames[row],
  }))
    .filter(({ value }) => !(Math.abs(value) <= CONSISTENCY_TOLERANCE))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, 3)
    .map(({ value, name }) => `"${name}" ${value.toExponential(2)}`);
  return new SimulationError(
    "ASSEMBLY",
    t,
    `the given ${what} violate the constraints at t = ${t} and projection found no consistent state nearby: ` +
      `residual ${residual.toExponential(2)} (${worst.join(", ")}). ${advice} ` +
      'To use the start unchanged, pass start: "asGiven"',
  );
}
