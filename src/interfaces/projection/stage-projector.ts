import type { Address } from "../../base/memory/arena.js";
import type { ResidualBounds, System } from "../index.js";
import {
  type Correction,
  iterate,
  NearestStep,
  plainCorrection,
  RESIDUAL_TOLERANCE,
  Size,
  sizesOf,
} from "./iteration.js";
import { OpenJoints } from "./open-joints.js";

export interface StageOptions {
  /** Maximum number of position corrections. 0: positions are not corrected. */
  readonly corrections: number;
  /** Constraint violation that is not corrected. */
  readonly tolerance: number;
  /** Refactor if the error stops halving; worthwhile only at the end of a step. */
  readonly refactor: boolean;
}

/** Returns the errors that the corrections below do not correct, for systems whose residuals are all removable. */
export function leftOpen(system: System, { corrections, tolerance }: StageOptions): ResidualBounds {
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
