import { type BasisKind, choleskySlots } from "../../../assembly/layout.js";
import { NodriftError, SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { ChangeLog } from "../../base/memory/record.js";
import { denseMemory } from "../../base/wasm/dense.js";
import { failed } from "../../base/wasm/status.js";
import type { BoundFormulation, CoordinatePartition, System } from "../../interfaces/index.js";
import { STATE_AS_UNKNOWNS } from "../defaults.js";
import type { AccelerationSolver } from "./acceleration-level.js";
import { denseOf, Tangent } from "./tangent-space.js";

/**
 * Reduced representation of velocities that satisfy the constraints: v = basis e + particular. All functions refer to
 * the state of the last `at`, whose v need not be known before {@link velocity}.
 */
export interface TangentSpace {
  /** Chooses the meaning of e; called at the beginning of a step. */
  choose(): void;
  /** Moves the trial positions onto the constraints. Only present if positions are kept on them. */
  correct?(t: number): void;
  /** Factors at the trial positions. */
  factor(): void;
  /** Computes v from e; `bias` holds the residuals at zero velocity. */
  velocity(e: Address, bias: Address, v: Address): void;
  /** Computes e from v. */
  take(v: Address, e: Address): void;
  /** Computes e' for J a = right. */
  rate(right: Address, out: Address): void;
  /** Returns the coordinates that e consists of, if it consists of coordinates: see BoundFormulation. */
  partition?(): CoordinatePartition | undefined;
}

/**
 * Common part of formulations with unknowns (q, e) and kinematic characteristics e: n values, of which those beyond
 * the degrees of freedom stay zero. Between steps the accepted state is (q, v), so the meaning of e may change from
 * step to step.
 */
export function bindReduced(
  system: System,
  space: TangentSpace,
  solver: AccelerationSolver,
): BoundFormulation {
  const { workspace, state, trial } = system;
  const { positions, velocities } = system.coordinates;
  const load = bindLoad(system);
  const y = workspace.vector("unknowns", positions + velocities);
  const yTrial = workspace.vector("trial unknowns", positions + velocities);
  const zero = workspace.vector("zero velocity", velocities);
  const offset = 8 * positions;
  const v = trial.v;

  /** Sets the trial state that belongs to the unknowns. */
  function place(t: number, unknowns: Address): void {
    const { kernels } = workspace;
    kernels.copyVector(positions, unknowns, trial.q);
    kernels.copyVector(velocities, zero, v);
    system.at(t);
    space.correct?.(t);
    space.factor();
    space.velocity(unknowns + offset, system.constraints.phiDot(), v);
    system.at(t);
  }

  return {
    ode: {
      dimension: positions + velocities,
      positions,
      y,
      trial: yTrial,
      rate(t, out) {
        place(t, yTrial);
        system.coordinates.positionRate(v, 0, v, out);
        space.rate(system.constraints.gamma(), out + offset);
      },
      tolerate() {},
    },
    ...STATE_AS_UNKNOWNS,
    beginStep(t) {
      load(t);
      space.choose();
      workspace.kernels.copyVector(positions, state.q, y);
      space.take(state.v, y + offset);
      return false;
    },
    endStep(t) {
      place(t, y);
      system.store();
    },
    accelerations: (out) => solver.accelerate(system.constraints.gamma(), out),
    ...(space.partition && { partition: space.partition }),
  };
}

/** Relative change of a row's derivatives above which the row is nonlinear, beyond finite differences and rounding. */
const NONLINEARITY_TOLERANCE = 1e-6;

/**
 * Announces the accepted state at the beginning of a step. Formulations on the level of velocities solve
 * J v + b = 0 for v, so nonholonomic constraints must be linear. Rejects those whose J = dPi/dv depends on v, by
 *
 *   |J(v + d) u - J(v) u| > 1e-6 max(|J(v + d) u|, |J(v) u|, |J(v) d|)   in some row
 *
 * with d of the size of v, and u, neither along v nor along each other: they are not both tangent to a row. Rejected:
 * Pi(v) - J v - Pi(0), which is zero for all satisfied constraints that are homogeneous of any degree, like vx^2 +
 * vy^2 - vz^2.
 */
export function bindLoad(system: System): (t: number) => void {
  const { workspace, trial } = system;
  const { velocities } = system.coordinates;
  const { rows, holonomicRows } = system.constraints;
  const count = rows - holonomicRows;
  const here = workspace.reserve("constraints times a direction", rows);
  const there = workspace.reserve("constraints times it elsewhere", rows);
  const other = workspace.reserve("constraints times another direction", rows);
  const shift = workspace.constants("shift of velocities", spreadNumbers(velocities, 1));
  const direction = workspace.constants("direction of velocities", spreadNumbers(velocities, 2));
  const v = trial.v;
  let products: readonly Float64Array[] = [];
  workspace.whenSealed((arena) => {
    products = [here, there, other].map((segment) => arena.floats(segment));
  });

  function announce(t: number): void {
    system.load(t);
  }

  return (t) => {
    announce(t);
    if (count === 0) return;
    const { kernels } = workspace;
    const speed = Math.max(kernels.largestMagnitude(velocities, v), 1);
    system.constraints.jacobianTimes(direction, here.address);
    system.constraints.jacobianTimes(shift, other.address);
    kernels.axpy(velocities, speed, shift, v, v);
    system.at(t);
    system.constraints.jacobianTimes(direction, there.address);
    announce(t);
    for (let row = holonomicRows; row < rows; row++) {
      const [a, b, c] = [products[0]![row]!, products[1]![row]!, products[2]![row]!];
      const size = Math.max(Math.abs(a), Math.abs(b), Math.abs(c));
      // NaN passes, as the following solve reports its source.
      if (Math.abs(b - a) > NONLINEARITY_TOLERANCE * size) throw refusal(system, row);
    }
  };
}

/** Returns quasi-random values between 1/2 and 3/2, from fractional parts of multiples of the golden ratio. */
function spreadNumbers(count: number, first: number): number[] {
  const ratio = (Math.sqrt(5) - 1) / 2;
  return Array.from({ length: count }, (_, k) => 0.5 + (((2 * k + first) * ratio) % 1));
}

function refusal({ constraints }: System, row: number): NodriftError {
  return new NodriftError(
    "METHOD",
    `the nonholonomic constraint "${constraints.rowNames[row]}" is nonlinear in the velocities. Formulations on the level ` +
      "of velocities or positions solve J v + b = 0 for v, so they need linear ones: use one on the level of accelerations, " +
      "such as udwadiaKalaba()",
  );
}

interface PartitionedUnknownsOptions {
  /** 0: the directions are coordinates. 1: they are those of the record. */
  readonly rotated: 0 | 1;
  /** Whether positions are kept on the constraints too. */
  readonly positions: boolean;
  /** Rechooses or keeps the directions; called at the beginning of a step. */
  choose(tangent: Tangent, jacobian: Address): void;
}

/** Newton iterations on positions, the error at which they end, and the largest accepted error. */
const NEWTON = { iterations: 30, tolerance: 1e-15, accepted: 1e-9 } as const;

/**
 * Unknowns are the parts of q and v in independent directions that do not change during a step. The dependent parts
 * of v, and of q if positions are kept on the constraints, follow from the constraints. Since the
 * independent directions are constant, e' is the independent part of the accelerations.
 */
export function bindPartitioned(
  system: System,
  { rotated, positions, choose }: PartitionedUnknownsOptions,
): TangentSpace {
  const { workspace, trial } = system;
  const { velocities: n } = system.coordinates;
  const { rows, holonomicRows } = system.constraints;
  const tangent = new Tangent(system, "partition");
  // Constraints on velocities do not restrict positions, which therefore have fewer dependent directions.
  const ofPositions =
    positions && rows > holonomicRows
      ? new Tangent(system, "partition of positions", holonomicRows)
      : tangent;
  const chosen = rotated === 0 ? chosenCoordinates(system, tangent) : undefined;
  const step = workspace.vector("correction of positions", n);
  const particular = workspace.vector("particular acceleration", n);
  const accelerations = workspace.vector("accelerations", n);

  function factor(of: Tangent): void {
    if (of.partition(rotated, denseOf(system).jacobian())) return;
    const { time } = system;
    throw new SimulationError(
      "SINGULAR",
      time,
      `the independent directions do not determine the others at t = ${time}: try a shorter step`,
    );
  }

  function correct(t: number): void {
    const { kernels } = workspace;
    let error = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < NEWTON.iterations; iteration++) {
      const next = kernels.largestMagnitude(holonomicRows, system.constraints.phi());
      if (!(next < error)) break;
      error = next;
      if (error <= NEWTON.tolerance) return;
      factor(ofPositions);
      ofPositions.partitionParticular(rotated, -1, system.constraints.phi(), step);
      system.coordinates.displace(trial.q, step);
      system.at(t);
    }
    if (error <= NEWTON.accepted) return;
    throw new SimulationError(
      "STEP",
      t,
      `Newton's iteration for the dependent positions did not converge at t = ${t} ` +
        `(residual ${error.toExponential(2)}): try a shorter step`,
    );
  }

  return {
    choose() {
      const jacobian = denseOf(system).jacobian();
      choose(tangent, jacobian);
      if (ofPositions !== tangent) choose(ofPositions, jacobian);
      chosen?.note();
    },
    ...(positions ? { correct } : {}),
    factor: () => factor(tangent),
    velocity(e, bias, v) {
      tangent.partitionParticular(rotated, -1, bias, v);
      tangent.add(e, v);
    },
    take: (v, e) => tangent.partitionTake(rotated, v, e),
    ...(chosen && {
      partition(): CoordinatePartition | undefined {
        const velocities = chosen.names(tangent);
        if (velocities === undefined) return undefined;
        const own = positions ? chosen.names(ofPositions) : [];
        return { positions: own ?? [], velocities, ...chosen.changes() };
      },
    }),
    rate(right, out) {
      tangent.partitionParticular(rotated, 1, right, particular);
      tangent.accelerate(particular, out, accelerations);
    },
  };
}

/** Records the independent coordinates and their changes. */
function chosenCoordinates(system: System, tangent: Tangent) {
  const { workspace } = system;
  const { velocities: n, velocityNames } = system.coordinates;
  const log = new ChangeLog(workspace, "partition: changes");
  const segment = workspace.reserve("partition: independent coordinates", n + 1);
  /** 1 for independent coordinates, followed by a flag that is 1 after a choice. */
  let marks = new Float64Array(n + 1);
  workspace.whenSealed((arena) => {
    marks = arena.floats(segment);
  });
  return {
    /** Records the choice. Call after a choice at the trial state. */
    note(): void {
      const { columns, rank } = tangent;
      let isOther = false;
      for (let j = 0; j < n; j++) {
        const mark = j < rank ? 0 : 1;
        const index = columns[j]!;
        isOther ||= marks[index] !== mark;
        marks[index] = mark;
      }
      if (isOther && marks[n] === 1) log.note(system.time);
      marks[n] = 1;
    },
    /** Returns the names in the order of the coordinates; undefined before a choice. */
    names(of: Tangent): string[] | undefined {
      if (marks[n] !== 1) return undefined;
      const independent = Array.from(of.columns.subarray(of.rank)).sort((a, b) => a - b);
      return independent.map((index) => velocityNames[index] ?? "?");
    },
    changes: () => ({ changes: log.count, times: log.times() }),
  };
}

interface SmoothOptions {
  readonly kind: BasisKind;
  readonly tolerance: number;
  /** Whether Gram-Schmidt keeps its directions while they are good. */
  readonly keep: boolean;
  /** Whether the basis is orthonormal in the metric of the mass matrix at the beginning of the step. */
  readonly metric: boolean;
}

/**
 * Kinematic characteristics e = Gamma^T v with a basis Gamma(q) that is orthonormal and smooth in a step:
 *
 *   e' = Gamma^T a + Gamma'^T v
 *
 * with the derivative Gamma' of exactly the basis used. In the metric M = L L^T the same holds for L^T v
 * and the constraint matrix J L^-T. M is taken at the beginning of the step, so that L is constant.
 */
export function bindSmooth(
  system: System,
  { kind, tolerance, keep, metric }: SmoothOptions,
): TangentSpace & AccelerationSolver {
  const { workspace } = system;
  const memory = denseMemory(workspace);
  const { velocities: n } = system.coordinates;
  const { rows } = system.constraints;
  const tangent = new Tangent(system, "tangent space");
  const whitened = workspace.vector("whitened constraints", rows * n);
  const factor = workspace.vector("metric", metric ? choleskySlots(n) : 0);
  const slope = workspace.vector("rate of constraints", rows * n);
  const speed = workspace.vector("whitened velocity", n);
  const particular = workspace.vector("particular acceleration", n);
  const accelerations = workspace.vector("accelerations", n);
  const turning = workspace.vector("rate of the basis", n);
  const zeta = workspace.vector("projected acceleration", n);
  let moving = false;

  function check(status: number): void {
    if (failed(status))
      throw system.errorFor(status, "use a mass matrix that is positive definite");
  }

  /** Returns J, or J L^-T, row-major. */
  function constraints(): Address {
    const jacobian = denseOf(system).jacobian();
    if (!metric) return jacobian;
    check(memory.kernels.choleskyForward(n, rows, factor, jacobian, n, whitened, n));
    return whitened;
  }

  function frame(jacobian: Address): void {
    if (tangent.frame(jacobian)) return;
    const { time } = system;
    throw new SimulationError(
      "STEP",
      time,
      `the constraint directions turned by 90 degrees within one step at t = ${time}: try a shorter step`,
    );
  }

  function choose(): void {
    if (metric) check(memory.kernels.choleskyFactor(n, denseOf(system).mass(), n, factor));
    const jacobian = constraints();
    tangent.choose(kind, tolerance, jacobian, keep);
    frame(jacobian);
  }

  function accelerate(right: Address, out: Address, projected: Address): void {
    tangent.frameParticular(1, right, particular);
    if (metric) {
      check(memory.kernels.choleskyBackward(n, 1, factor, particular, n, particular, n));
      tangent.unwhiten(factor);
    }
    tangent.accelerate(particular, projected, out);
  }

  return {
    choose,
    factor: () => frame(constraints()),
    velocity(e, bias, v) {
      const { kernels } = workspace;
      moving = kernels.largestMagnitude(rows, bias) !== 0;
      tangent.frameParticular(-1, bias, speed);
      tangent.add(e, speed);
      if (metric) check(memory.kernels.choleskyBackward(n, 1, factor, speed, n, v, n));
      else kernels.copyVector(n, speed, v);
    },
    take(v, e) {
      if (!metric) {
        tangent.take(v, e);
        return;
      }
      // L^T v = L^-1 (M v).
      system.dynamics.massTimes(v, particular);
      check(memory.kernels.choleskyForward(n, 1, factor, particular, n, speed, n));
      tangent.take(speed, e);
    },
    rate(right, out) {
      const { kernels } = workspace;
      accelerate(right, accelerations, out);
      // A single direction cannot rotate within a fixed space.
      if (n - tangent.rank <= 1 && !moving) return;
      denseOf(system).jacobianRate(slope);
      if (metric) check(memory.kernels.choleskyForward(n, rows, factor, slope, n, slope, n));
      tangent.frameRate(slope, speed, turning);
      kernels.axpy(n, 1, turning, out, out);
    },
    accelerate(right, out) {
      choose();
      accelerate(right, out, zeta);
    },
  };
}
