import type { Turn } from "../../../assembly/layout-bodies.js";
import { oneOf, type Shape } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { denseMemory } from "../../base/wasm/dense.js";
import type {
  BoundCoupledMethod,
  ConstraintSolver,
  EmbeddingMemory,
  SolverKind,
  System,
} from "../../interfaces/index.js";

/** Options of {@link hong}, extended by those of {@link welch}. */
export interface EmbeddingOptions {
  /** Solver for the multipliers. Default: "auto", which accepts redundant constraints. */
  readonly solver?: Exclude<SolverKind, "penalty">;
}

export const EMBEDDING_SHAPE: Shape<EmbeddingOptions> = {
  solver: oneOf("auto", "cod", "svd", "gram-schmidt", "cholesky", "kkt"),
};

/** Common operations of methods that embed the constraints in their formula. */
export interface Embedding
  extends Required<Pick<BoundCoupledMethod, "accelerations" | "multipliers">> {
  /** Right-hand side of J a = right; write it before {@link solve}. */
  readonly right: Address;
  /** Computes accelerations that bring the constraints, expanded to first order at t, to zero at t + h. */
  predict(t: number, h: number, a: Address): void;
  /** Computes accelerations with J a = right at the trial state. */
  solve(a: Address): void;
  /** Marks the trial state as the last solve of the step, to which its multipliers belong. */
  keep(t: number): void;
  /** Takes a complete step of Welch et al. in one call if the system supports it: see FusedSolver. */
  embed(t: number, h: number, passes: number, memory: StepMemory): boolean;
  readonly move: Move;
  /** right = gamma - Pi / h in the nonholonomic rows, with Pi at the beginning of the step. */
  nonholonomicRight(h: number, pi: Address): void;
}

/** Memory of a step, except that of the embedding itself. */
export type StepMemory = Omit<EmbeddingMemory, "right" | "point">;

/** Writes q(t), moved by a velocity for the given duration, into the trial state. */
export type Move = (duration: number, velocity: Address, turn: Turn) => void;

export function bindMove({ workspace, state, trial, coordinates }: System): Move {
  const { positions, velocities, ratesAreVelocities } = coordinates;
  if (ratesAreVelocities) {
    // One kernel instead of three, with the same bits.
    return (duration, velocity) =>
      void workspace.kernels.axpy(positions, duration, velocity, state.q, trial.q);
  }
  const zero = workspace.vector("move: zero", velocities);
  const displacement = workspace.vector("move: displacement", velocities);
  return (duration, velocity, turn) => {
    const { kernels } = workspace;
    kernels.axpy(velocities, duration, velocity, zero, displacement);
    kernels.copyVector(positions, state.q, trial.q);
    coordinates.displace(trial.q, displacement, turn);
  };
}

/**
 * The first-order embedding of Hong et al. The constraints at the end of the step, expanded at its beginning, are set
 * to zero:
 *
 *   Phi + h (dPhi/dt + J v(t + h)) = 0,   v(t + h) = v + h a   =>   J a = -Phi / h^2 - Phi' / h
 *   Pi + h (J a - gamma) = 0                                   =>   J a = gamma - Pi / h
 */
export function bindEmbedding(system: System, kind: SolverKind): Embedding {
  const { workspace } = system;
  const { velocities } = system.coordinates;
  const { rows, holonomicRows } = system.constraints;
  const solver = system.dynamics.solver(kind, undefined, denseMemory);
  const { fused } = solver;
  const right = workspace.vector("embedding: right side", rows);
  const zero = workspace.vector("embedding: zero", Math.max(rows, velocities));
  const solved = bindSolved(system, solver, right);
  const offset = 8 * holonomicRows;
  let whole: EmbeddingMemory | undefined;

  function nonholonomicRight(h: number, pi: Address): void {
    if (rows === holonomicRows) return;
    const gamma = system.constraints.gamma() + offset;
    const rest = rows - holonomicRows;
    workspace.kernels.stabilisedRight(rest, 1 / h, 0, gamma, pi + offset, zero, right + offset);
  }

  return {
    right,
    nonholonomicRight,
    solve: (a) => solver.accelerate(right, a),
    keep: solved.keep,
    embed(t, h, passes, memory) {
      if (!fused) return false;
      solved.forget();
      // Created once: a spread in each step would allocate.
      whole ??= { ...memory, right, point: solved.point };
      if (!fused.embed(t, h, passes, whole)) return false;
      solved.mark(t + h / 2);
      return true;
    },
    predict(t, h, a) {
      const { kernels } = workspace;
      solved.forget();
      if (fused?.predict(t, h, right, a)) return;
      system.load(t);
      const phiDot = system.constraints.phiDot();
      const phi = system.constraints.phi();
      kernels.stabilisedRight(holonomicRows, 1 / h, 1 / (h * h), zero, phiDot, phi, right);
      nonholonomicRight(h, phiDot);
      solver.accelerate(right, a);
    },
    move: bindMove(system),
    accelerations: (out) => solver.accelerate(system.constraints.gamma(), out),
    multipliers: solved.multipliers,
  };
}

/**
 * Stores the state of the last solve of a step in the arena, so multipliers are computed only on request.
 */
function bindSolved(system: System, solver: ConstraintSolver, right: Address) {
  const { workspace, trial } = system;
  const { positions, velocities } = system.coordinates;
  const size = positions + velocities;
  const point = workspace.vector("embedding: state of the last solve", size);
  const segment = workspace.reserve("embedding: time of the last solve", 1);
  let time = new Float64Array(1);
  workspace.whenSealed((arena) => {
    time = arena.floats(segment).fill(Number.NaN);
  });
  function mark(t: number): void {
    time[0] = t;
  }
  return {
    point,
    /** The state of the last solve is at {@link point}. */
    mark,
    keep(t: number): void {
      workspace.kernels.copyVector(size, trial.q, point);
      mark(t);
    },
    forget(): void {
      time[0] = Number.NaN;
    },
    multipliers(out: Address): void {
      const t = time[0] as number;
      if (Number.isNaN(t)) {
        throw new NodriftError("STEP", "no step multipliers yet: take a step first");
      }
      workspace.kernels.copyVector(size, point, trial.q);
      system.at(t);
      solver.multipliers(right, out);
    },
  };
}
