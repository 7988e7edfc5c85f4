import type { Address } from "../../ground/memory/arena.js";
import type { LeftOpen, System } from "../index.js";
import { type Correction, iterate, Size, sizesOf } from "./iteration.js";
import { NearestStep, ROUNDING } from "./nearest-step.js";
import { OpenJoints } from "./open-joints.js";

export interface StageOptions {
  /** Position corrections at most. 0: positions are left alone. */
  readonly corrections: number;
  /** Constraint violation that is not corrected. */
  readonly tolerance: number;
  /** Refactor if the error stops halving; worthwhile only at the end of a step. */
  readonly refactor: boolean;
}

/** What the corrections below leave alone, of systems whose residuals can all be removed. */
export function leftOpen(system: System, { corrections, tolerance }: StageOptions): LeftOpen {
  const unit = system.constraints.residualUnit ?? 1;
  return {
    positions: corrections > 0 ? tolerance * unit : Number.POSITIVE_INFINITY,
    part: ROUNDING * unit,
    velocities: tolerance * unit,
  };
}

/**
 * Projects the trial state onto the constraints with one factor: that of the state on entry. Positions by corrections
 * q += minnorm(-Phi) with fresh J, until the error |Phi| is small or no longer halves; then velocities. The factor is
 * kept for the accelerations, which come next; the next call replaces it. `at` has been called before.
 */
export function bindStageProjector(system: System): (options: StageOptions) => void {
  const { workspace, trial, coordinates, constraints } = system;
  const { positions, velocities } = coordinates;
  const { rows } = constraints;
  const unit = constraints.residualUnit ?? 1;
  const solver = system.dynamics.solver("auto");
  const step = new NearestStep(system, "stage", solver);
  const joints = new OpenJoints(system);
  const before = workspace.vector("positions before a correction", positions);

  const sizes = sizesOf();
  let isEnd = false;
  let mayRefactor = false;
  let open: Address = 0;

  /** The correctable part: some of a residual may be irremovable. */
  const closable = (residual: Address) => system.loops?.correctable?.(residual) ?? residual;

  const ofPositions: Correction = {
    sizes,
    half: 1 / 4,
    measure() {
      open = closable(constraints.phi());
      sizes[Size.ERROR] = workspace.kernels.dot(rows, open, open);
    },
    isSmall: () => workspace.kernels.largestMagnitude(rows, open) <= sizes[Size.ENOUGH]!,
    correct() {
      step.find(constraints.phi(), isEnd || solver.refinesStages === true);
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
      if (keepsOpen()) solver.keepFactor?.();
    },
    refresh() {
      if (keepsOpen()) return true;
      // The factor is too old: refactor at this pose.
      if (!mayRefactor) return false;
      mayRefactor = false;
      solver.keepFactor?.();
      return true;
    },
  };

  const keepsOpen = () => isEnd && system.loops?.correctable !== undefined;

  return (options) => {
    const { kernels } = workspace;
    if (rows === 0) return;
    solver.keepFactor?.();
    isEnd = options.refactor;
    mayRefactor = options.refactor;
    // Far from the origin, rounding of the positions limits the error.
    sizes[Size.ENOUGH] = Math.max(
      options.tolerance * unit,
      ROUNDING * unit * kernels.largestMagnitude(positions, trial.q),
    );
    if (options.corrections > 0) {
      iterate(ofPositions, options.corrections);
      // The sum of squares is known: as a rule it tells already that no row is open.
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
