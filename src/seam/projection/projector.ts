import type { Address } from "../../ground/memory/arena.js";
import { checkLimits } from "../../ground/run-limits.js";
import type { ConstraintSolver, System } from "../index.js";
import { type Correction, iterate } from "./iteration.js";
import { NearestStep, ROUNDING } from "./nearest-step.js";

export interface ProjectorOptions {
  /** Newton iterations on the positions at most. */
  readonly iterations: number;
  /** Largest constraint error that is left alone. */
  readonly tolerance: number;
  /** States are close to the constraints: one factor does for positions and then velocities. */
  readonly near?: boolean;
  /** Limits of the run end it between iterations. Not for readers of states: functions of users call them. */
  readonly stoppable?: boolean;
}

/** A factor that shrinks errors by less than this is not worth keeping. */
const SLOW = 1e-3;

/** Projects the accepted state onto the constraints. */
export interface Projector {
  /**
   * Newton's iteration q += minnorm(-Phi): the nearest pose in the metric of the mass matrix. Ends when
   * the error is below the tolerance or no longer halves. Returns the largest error left. An error that is
   * NaN goes to the solver, which says whose it is.
   */
  positions(t: number): number;
  /** v += minnorm(-Phi'): exact at once when velocity constraints are linear. Returns the largest error left. */
  velocities(t: number): number;
}

/** A projector of the accepted state of a system, by its own solver or one that holds some coordinates. */
export function bindProjector(
  system: System,
  { iterations, tolerance, near = false, stoppable = false }: ProjectorOptions,
  solver: ConstraintSolver = system.dynamics.solver("auto"),
): Projector {
  const { workspace, state, trial, coordinates, constraints } = system;
  const { positions, velocities } = coordinates;
  const { rows } = constraints;
  const step = new NearestStep(system, "projection", solver);
  const refined = !near || system.loops !== undefined;

  /** The factor of some state serves those that follow. */
  let isKept = false;
  /** The trial state is the accepted one, and announced. */
  let isLoaded = false;

  function find(residual: Address): void {
    if (stoppable) checkLimits();
    if (near && !isKept) solver.keepFactor?.();
    isKept = near;
    step.find(residual, refined);
  }

  /** The largest of what can be corrected: some of a residual may stay open. */
  const largest = (residual: Address) =>
    workspace.kernels.largestMagnitude(rows, system.loops?.correctable?.(residual) ?? residual);

  /** What is left alone, of coordinates of this size. */
  const enough = (count: number, address: Address) =>
    Math.max(tolerance, ROUNDING * workspace.kernels.largestMagnitude(count, address));

  const ofPositions: Correction = {
    error: () => largest(constraints.phi()),
    correct(t) {
      find(constraints.phi());
      coordinates.displace(trial.q, step.address);
      system.at(t);
    },
    keep(after, before) {
      workspace.kernels.copyVector(positions, trial.q, state.q);
      if (after > SLOW * before) isKept = false;
    },
    undo() {
      isLoaded = false;
    },
  };

  const ofVelocities: Correction = {
    error: () => largest(constraints.phiDot()),
    correct() {
      find(constraints.phiDot());
      workspace.kernels.axpy(velocities, 1, step.address, trial.v, trial.v);
      system.atVelocity();
    },
    keep() {
      workspace.kernels.copyVector(velocities, trial.v, state.v);
    },
  };

  /** As system.load, but a factor that is kept stays. */
  function reload(t: number): void {
    workspace.kernels.copyVector(positions + velocities, state.q, trial.q);
    system.at(t);
  }

  return {
    positions(t) {
      system.load(t);
      isKept = false;
      isLoaded = true;
      return iterate(ofPositions, t, enough(positions, trial.q), iterations);
    },
    velocities(t) {
      if (!isLoaded) reload(t);
      isLoaded = false;
      const error = iterate(ofVelocities, t, enough(velocities, trial.v), iterations);
      solver.dropFactor?.();
      return error;
    },
  };
}
