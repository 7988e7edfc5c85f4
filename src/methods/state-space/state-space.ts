import {
  listOf,
  nameOrIndex,
  optionsOf,
  rankTolerance,
  type Shape,
} from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import { ChangeLog } from "../../ground/memory/change-log.js";
import { arenaRecord } from "../../ground/memory/record.js";
import { stiffMemory } from "../../ground/memory/stiff-memory.js";
import { RANK_TOLERANCE } from "../../ground/rank-tolerance.js";
import type { BoundFormulation, Formulation, Ode, System } from "../../seam/index.js";
import { AnalyticJacobian } from "./analytic-jacobian.js";
import { DependentCoordinates } from "./dependent-coordinates.js";
import { differencedStateSpace } from "./differenced-jacobian.js";
import { Dynamics } from "./dynamics.js";
import { entriesOf } from "./matrix-entries.js";
import { Partition } from "./partition.js";
import { isSparseCheaper, SparseJacobian } from "./sparse-jacobian.js";
import { stageJacobian } from "./stage-jacobian.js";

/** Which positions are independent. */
export interface StateSpaceOptions {
  /**
   * Names or indices of the independent positions, as many as there are degrees of freedom. Default: chosen by
   * complete pivoting, and chosen anew when they determine the others badly.
   */
  readonly independent?: readonly (string | number)[];
  /** Relative size below which a pivot is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<StateSpaceOptions> = {
  independent: listOf(nameOrIndex, "a list of names or indices of positions"),
  tolerance: rankTolerance,
};

/** Another partition is searched for when the condition of A has grown by this (Negrut et al. 2003, section 4). */
const GROWN = 1.25;
/**
 * Where the best partition is this much worse than the best there was, or than it is at a pose near the start, the pose is
 * singular to the method: errors of velocities have grown as much, and what comes next may be another branch of the
 * motion. Measured by the start alone, a run that began 1e-7 rad before a flat pose ended in it, finished.
 */
const SINGULAR = 1e3;

/**
 * Coordinate partitioning in state space: the unknowns are independent positions, as many as there are degrees of
 * freedom, and their velocities; all other coordinates follow from the constraints, to rounding. The same partition
 * holds for many steps, so that multistep and implicit methods see an ODE of the smallest size. For holonomic
 * constraints only; fails at singular poses.
 *
 * @example
 * solve(system, { span: [0, 5], method: { formulation: stateSpace(), integrator: sdirk4() } });
 * stateSpace({ independent: ["theta1", "theta2"] });   // always these
 */
export function stateSpace(options: StateSpaceOptions = {}, ...more: undefined[]): Formulation {
  const read = optionsOf("stateSpace", "METHOD", options, SHAPE, more);
  const { independent, tolerance = RANK_TOLERANCE } = read;
  if (independent !== undefined || tolerance !== RANK_TOLERANCE)
    return made(independent, tolerance);
  // One object for all calls: `solve` finds the memory of an earlier run by it.
  usual ??= Object.freeze(made(undefined, tolerance));
  return usual;
}

let usual: Formulation | undefined;

function made(independent: StateSpaceOptions["independent"], tolerance: number): Formulation {
  return {
    name: "stateSpace",
    reference:
      "Wehage and Haug, J. Mech. Des. 104 (1982) 247-255; Negrut, Haug and German, Multibody Syst. Dyn. 9 (2003) 121-142",
    level: "position",
    survivesSingularPoses: false,
    survivesRedundantRows: false,
    needs: "matrices",
    namedPositions: independent,
    changesUnknowns: false,
    bind: (system) => bindStateSpace(system, independent, tolerance),
  };
}

/** `sparse`: whether stages are solved by a sparse matrix; by what costs less if it is not said. */
export function bindStateSpace(
  system: System,
  pinned: readonly (string | number)[] | undefined,
  tolerance: number,
  sparse?: boolean,
): BoundFormulation {
  const { workspace, trial } = system;
  const { positions, velocities } = system.coordinates;
  if (system.constraints.rows > system.constraints.holonomicRows) {
    throw new NodriftError(
      "METHOD",
      "stateSpace takes constraints on positions only: rolling and other constraints on velocities need " +
        "udwadiaKalaba()",
    );
  }
  const entries = entriesOf(system);
  const partition = new Partition(system, entries, { independent: pinned, tolerance });
  const placement = new DependentCoordinates(system, entries, partition);
  const dynamics = new Dynamics(system, entries, partition);
  const { freedom } = partition;
  const y = workspace.vector("independent", 2 * freedom);
  const yTrial = workspace.vector("trial of the independent", 2 * freedom);
  const yMoved = workspace.vector("independent, moved to last", 2 * freedom);
  const kept = arenaRecord(workspace, "state space", {
    condition: 0,
    best: 0,
    chosen: 0,
    moved: 0,
    time: 0,
  });
  const changes = new ChangeLog(workspace, "state space: changes");
  const stiff = stiffMemory(workspace);

  /** At the trial state: chooses a partition if there is none or the present one has become bad. True if it is new. */
  function check(t: number): boolean {
    const { chosen } = kept;
    if (chosen === 1) {
      placement.factor(t);
      if (placement.condition() <= GROWN * kept.condition) return false;
    }
    const changed = partition.choose(t) || chosen !== 1;
    if (changed) {
      if (chosen === 1) changes.note(t);
      placement.rebuild();
      dynamics.rebuild();
      analytic?.rebuild();
    }
    const others = chosen === 1 ? kept.best : placement.conditionNearby(t);
    placement.factor(t);
    const condition = placement.condition();
    const best = Math.min(others, condition);
    if (condition > SINGULAR * best) throw placement.nearSingular(t);
    kept.condition = condition;
    kept.best = best;
    kept.chosen = 1;
    return changed;
  }

  /**
   * The trial of the unknowns becomes the trial state, with its accelerations; nothing is done twice. At another time, where
   * rows do not depend on it, the state is the same and so are the matrices: only forces are found anew.
   */
  function move(t: number): void {
    const isSame =
      kept.moved === 1 &&
      stiff.kernels.sameNumbers(2 * freedom, yTrial, yMoved) === 1 &&
      placement.isCurrent();
    if (isSame && kept.time === t && system.time === t) return;
    // Until both are done: one of them may fail.
    kept.moved = 0;
    if (isSame && system.constraints.areTimeless) {
      system.at(t);
      dynamics.solveAgain(t);
    } else {
      placement.complete(t, yTrial, true);
      dynamics.solve(t);
    }
    workspace.kernels.copyVector(2 * freedom, yTrial, yMoved);
    kept.moved = 1;
    kept.time = t;
  }

  let analytic: { rebuild(): void } | undefined;
  const ode: Ode = {
    dimension: 2 * freedom,
    positions: freedom,
    y,
    trial: yTrial,
    rate(t, out) {
      move(t);
      workspace.kernels.copyVector(freedom, yTrial + 8 * freedom, out);
      dynamics.independent(out + 8 * freedom);
    },
    tolerate: (smallest) => placement.tolerate(smallest),
    jacobian() {
      const stages = sparse === undefined ? system.matrices.stages?.(stiff) : undefined;
      if (stages) return stageJacobian(stages, dynamics, move);
      const derivatives = system.matrices.derivatives?.(stiff) ?? "equations are functions";
      if (typeof derivatives === "string") {
        return differencedStateSpace(ode, workspace, derivatives);
      }
      const given = [derivatives, move] as const;
      const made =
        (sparse ?? isSparseCheaper(freedom, velocities, entries.counts.mass))
          ? new SparseJacobian(system, entries, partition, dynamics, ...given)
          : new AnalyticJacobian(system, entries, partition, placement, dynamics, ...given);
      analytic = made;
      return made;
    },
  };
  return {
    ode,
    beginStep(t) {
      system.load(t);
      kept.moved = 0;
      const changed = check(t);
      placement.noteSides();
      placement.makeCurrent();
      placement.take(y);
      return changed;
    },
    endStep(t) {
      kept.moved = 0;
      placement.complete(t, y);
      // The step crossed a singular A: it may have jumped to another branch.
      if (placement.noteSides()) throw placement.nearSingular(t);
      system.store();
    },
    accelerations(out: Address) {
      if (kept.chosen !== 1) check(system.time);
      kept.moved = 0;
      dynamics.solve(system.time);
      workspace.kernels.copyVector(velocities, dynamics.accelerations, out);
    },
    partition() {
      if (kept.chosen !== 1) return undefined;
      const names = partition.names();
      const { positionNames, ratesAreVelocities } = system.coordinates;
      const velocities =
        positionNames === undefined || ratesAreVelocities ? names : names.map((name) => `${name}'`);
      return { positions: names, velocities, changes: changes.count, times: changes.times() };
    },
    expandState(t, unknowns, out) {
      kept.moved = 0;
      placement.complete(t, unknowns);
      workspace.kernels.copyVector(positions + velocities, trial.q, out);
    },
  };
}
