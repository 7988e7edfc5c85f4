import { SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { checkLimits } from "../../base/run-limits.js";
import type { ConstraintSolver, ResidualBounds, System } from "../index.js";

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

/** Indices of the measurements of an iteration. */
export enum Size {
  /** The error at the trial state; after the iteration, the remaining error. */
  ERROR,
  /** The error before the last correction. */
  BEFORE,
  /** The error treated as zero. */
  ENOUGH,
}

/**
 * A correction that may be repeated. It is created once and used in every step, so iterating allocates nothing. Sizes
 * therefore lie in memory, and the time is that of the trial state: JavaScript engines allocate for a number that one
 * function returns to another.
 */
export interface Correction {
  /** Measurements, indexed by {@link Size}. */
  readonly sizes: Float64Array;
  /** Writes the error at the trial state to {@link sizes}. */
  measure(): void;
  /** Factor treated as halving: 1/4 if {@link measure} writes a square. */
  readonly half: number;
  /** Returns whether the error is small enough. */
  isSmall(): boolean;
  /** Moves the trial state and calls `at`. */
  correct(): void;
  /** Keeps the correction, since the error has shrunk. */
  keep(): void;
  /** Undoes the correction, since the error has not shrunk. */
  undo(): void;
  /**
   * Called if the error shrinks but no longer halves. Returns true if a new factorisation makes another correction
   * worthwhile.
   */
  refresh(): boolean;
}

/** Parts of a correction without memory of its own: its size decides whether it is small enough. */
export function plainCorrection(sizes: Float64Array) {
  return {
    sizes,
    half: 0.5,
    isSmall: () => sizes[Size.ERROR]! <= sizes[Size.ENOUGH]!,
    keep() {},
    undo() {},
    refresh: () => false,
  };
}

/** Creates the measurements of a correction. */
export function sizesOf(enough = 0): Float64Array {
  return Float64Array.of(0, 0, enough);
}

/**
 * Corrects until the error is small enough or no longer halves; a correction that increases it is rejected. Halving
 * separates convergence from rounding: Newton's iteration converges much faster until rounding limits it. With
 * `mayGrowFirst` the first correction may double the error, since it may add more to some rows than it removes from
 * others. NaN is passed to the correction, whose solver names its source.
 */
export function iterate(correction: Correction, corrections: number, mayGrowFirst = false): void {
  const { half, sizes } = correction;
  correction.measure();
  for (let i = 0; i < corrections && !correction.isSmall(); i++) {
    const before = sizes[Size.ERROR]!;
    sizes[Size.BEFORE] = before;
    correction.correct();
    correction.measure();
    const isLenient = mayGrowFirst && i === 0;
    if (!(sizes[Size.ERROR]! < (isLenient ? 2 : 1) * before)) {
      sizes[Size.ERROR] = before;
      correction.undo();
      return;
    }
    correction.keep();
    const halved = sizes[Size.ERROR]! <= half * before || isLenient;
    if (!halved && !correction.refresh()) return;
  }
}

/** Constraint errors below this multiple of the coordinates, two ulps, are rounding errors. */
export const RESIDUAL_TOLERANCE = 2 * Number.EPSILON;

/** The smallest step, in the metric of the mass matrix, that removes a residual to first order: minnorm(-residual). */
export class NearestStep {
  /** Address of the step that {@link find} computes. */
  readonly address: Address;
  /** Address of the negated residual. */
  readonly right: Address;
  readonly #zero: Address;
  readonly #system: System;
  readonly #solver: ConstraintSolver;

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: System, name: string, solver = system.dynamics.solver("auto")) {
    const { workspace, constraints, coordinates } = system;
    this.#system = system;
    this.#solver = solver;
    this.right = workspace.vector(`negated residual: ${name}`, constraints.rows);
    this.address = workspace.vector(`step: ${name}`, coordinates.velocities);
    this.#zero = workspace.vector(`zero rows: ${name}`, constraints.rows);
  }

  /** Negates a residual into {@link right}. */
  negate(residual: Address): void {
    const { workspace, constraints } = this.#system;
    const zero = this.#zero;
    workspace.kernels.stabilisedRight(constraints.rows, 1, 0, zero, residual, zero, this.right);
  }

  find(residual: Address, refined?: boolean): void {
    this.negate(residual);
    this.#solver.minnorm(1, this.right, this.address, refined);
  }
}

/**
 * Largest error of a joint that a step may leave, in metres or radians. Steps whose corrections converge leave
 * rounding errors, so a thousandth is a separated joint. Rows of equations have their own units, and no such bound.
 */
const MAX_JOINT_ERROR = 1e-3;

/**
 * Joint errors above this bound, in metres or radians, belong to a motion that diverged, not to a failed correction.
 */
const DIVERGED_JOINT_ERROR = 1e6;

/** Rejects steps that leave a joint open because no correction closes it. */
export class OpenJoints {
  readonly #system: System;
  #memory!: WebAssembly.Memory;

  constructor(system: System) {
    this.#system = system;
    system.workspace.whenSealed(({ memory }) => {
      this.#memory = memory;
    });
  }

  /** Returns whether an error is that of a separated joint. */
  areOpen(error: number): boolean {
    return error > MAX_JOINT_ERROR && this.#system.bodies !== undefined;
  }

  /**
   * Throws if the largest error at the trial state, at time t, is that of a separated joint. NaN was reported by a
   * solver before.
   */
  refuse(t: number, error: number): void {
    if (this.areOpen(error)) throw this.#error(t);
  }

  #error(t: number): SimulationError {
    const { constraints, name } = this.#system;
    const phi = new Float64Array(this.#memory.buffer, constraints.phi(), constraints.rows);
    const row = phi.reduce(
      (most, value, i) => (Math.abs(value) > Math.abs(phi[most]!) ? i : most),
      0,
    );
    const error = Math.abs(phi[row]!);
    const size = error.toPrecision(2);
    // The row of a rotor is linear: it stays open only if the coordinates have lost all digits.
    if (error > DIVERGED_JOINT_ERROR || constraints.rowNames[row]!.endsWith(": rotor")) {
      return new SimulationError(
        "STEP",
        t,
        `${name}: the motion diverged: "${constraints.rowNames[row]}" is open by ${size} at t = ${t}. Try a shorter ` +
          `step${this.#system.bodies?.stiffAdvice ?? ""}`,
      );
    }
    return new SimulationError(
      "ASSEMBLY",
      t,
      `${name}: "${constraints.rowNames[row]}" is open by ${size} at t = ${t}, and no correction closes it: the pose ` +
        "is singular, the joints of a loop contradict each other there, or the step is too long. Start away from the singular " +
        "pose, try a shorter step, or solve, which controls its error",
    );
  }
}

interface StageOptions {
  /** Maximum number of position corrections. 0: positions are not corrected. */
  readonly corrections: number;
  /** Constraint violation that is not corrected. */
  readonly tolerance: number;
  /** Refactor if the error stops halving; worthwhile only at the end of a step. */
  readonly refactor: boolean;
}

/** Returns the errors that the corrections below do not correct, for systems whose residuals are all removable. */
export function leftOpen(
  system: System,
  { corrections, tolerance }: Omit<StageOptions, "refactor">,
): ResidualBounds {
  const unit = system.constraints.residualUnit;
  return {
    positions: corrections > 0 ? tolerance * unit : Number.POSITIVE_INFINITY,
    part: RESIDUAL_TOLERANCE * unit,
    velocities: tolerance * unit,
  };
}

/**
 * Creates a function that projects the trial state onto the constraints with one factor, that of the state on entry.
 * Positions are corrected by q += minnorm(-Phi) with fresh J until the error |Phi| is small or no longer halves; then
 * velocities. The factor is kept for the accelerations, which come next; the next call replaces it. Call `at` before.
 */
export function bindStageProjector(system: System): (options: StageOptions) => void {
  const { workspace, trial, coordinates, constraints } = system;
  const { positions, velocities } = coordinates;
  const { rows } = constraints;
  const unit = constraints.residualUnit;
  const solver = system.dynamics.solver("auto");
  const step = new NearestStep(system, "stage", solver);
  const joints = new OpenJoints(system);
  const before = workspace.vector("positions before a correction", positions);

  const sizes = sizesOf();
  let isEnd = false;
  let mayRefactor = false;
  let open: Address = 0;

  /** The correctable component of a residual, since parts may be irremovable. */
  const closable = (residual: Address) => system.loops?.correctable(residual) ?? residual;

  const ofPositions: Correction = {
    ...plainCorrection(sizes),
    half: 1 / 4,
    measure() {
      open = closable(constraints.phi());
      sizes[Size.ERROR] = workspace.kernels.dot(rows, open, open);
    },
    isSmall: () => workspace.kernels.largestMagnitude(rows, open) <= sizes[Size.ENOUGH]!,
    correct() {
      step.find(constraints.phi(), isEnd || solver.refinesStages);
      workspace.kernels.copyVector(positions, trial.q, before);
      coordinates.displace(trial.q, step.address);
      system.at(system.time);
    },
    undo() {
      workspace.kernels.copyVector(positions, before, trial.q);
      system.at(system.time);
    },
    keep() {
      // With a factor from another pose, an irremovable residual looks removable.
      if (keepsOpen()) solver.keepFactor();
    },
    refresh() {
      if (keepsOpen()) return true;
      // The factor is too old: refactor at this pose.
      if (!mayRefactor) return false;
      mayRefactor = false;
      solver.keepFactor();
      return true;
    },
  };

  const keepsOpen = () => isEnd && system.loops?.nearlyFits === true;

  return (options) => {
    const { kernels } = workspace;
    if (rows === 0) return;
    solver.keepFactor();
    isEnd = options.refactor;
    mayRefactor = options.refactor;
    // Far from the origin, rounding of the positions limits the error.
    sizes[Size.ENOUGH] = Math.max(
      options.tolerance * unit,
      RESIDUAL_TOLERANCE * unit * kernels.largestMagnitude(positions, trial.q),
    );
    if (options.corrections > 0) {
      iterate(ofPositions, options.corrections);
      // The sum of squares is already known and usually shows that no joint is open.
      if (isEnd && joints.areOpen(Math.sqrt(sizes[Size.ERROR]!))) {
        joints.refuse(system.time, kernels.largestMagnitude(rows, closable(constraints.phi())));
      }
    }
    const rate = closable(constraints.phiDot());
    if (kernels.largestMagnitude(rows, rate) <= options.tolerance * unit) return;
    step.find(constraints.phiDot(), true);
    kernels.axpy(velocities, 1, step.address, trial.v, trial.v);
    system.atVelocity();
  };
}
