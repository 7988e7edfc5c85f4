import { Turn } from "../../../assembly/layout-bodies.js";
import type { Address } from "../../base/memory/arena.js";
import type {
  BoundFormulation,
  BoundStabilisation,
  ClosedStages,
  ConstraintSolver,
  Formulation,
  FusedOde,
  FusedSolver,
  System,
} from "../../interfaces/index.js";
import { PLAIN_FORMULATION, STATE_AS_UNKNOWNS } from "../defaults.js";

/** Solver for accelerations with J a = right at the trial state. */
export interface AccelerationSolver {
  accelerate(right: Address, out: Address): void;
  readonly fused?: FusedSolver;
  readonly closed?: ClosedStages;
}

/**
 * Common part of all formulations that integrate q and v and enforce the constraints on the accelerations:
 *
 *   q' = v + minnorm(r),   v' = a with J a = gamma + (terms of the stabilisation)
 *
 * They differ in the solver for a.
 */
export function bindAcceleration(
  system: System,
  stabilisation: BoundStabilisation,
  solver: AccelerationSolver,
): BoundFormulation {
  const { workspace } = system;
  const { positions, velocities } = system.coordinates;
  const { rows } = system.constraints;
  const right = workspace.vector("right side", rows);
  const velocityRight = workspace.vector("velocity right side", rows);
  const corrected = workspace.vector("corrected velocity", velocities);
  const v = system.trial.v;
  const rates = ratesOf(system, solver);

  const { stage, right: sides, rates: adds } = stabilisation;
  const fusedSlope = stage || sides || adds ? undefined : solver.fused;

  function rate(t: number, out: Address): void {
    if (fusedSlope?.slope(t, out)) return;
    if (stage) stage.correct(t);
    else system.at(t);
    const accelerations = out + 8 * positions;
    const gamma = system.constraints.gamma();
    sides?.write(gamma, right, velocityRight);
    if (sides?.correctsVelocities) {
      if (system.coordinates.ratesAreVelocities) {
        rates(right, velocityRight, v, accelerations, out);
      } else {
        rates(right, velocityRight, v, accelerations, corrected);
        system.coordinates.positionRate(corrected, 0, corrected, out);
      }
    } else {
      solver.accelerate(sides ? right : gamma, accelerations);
      system.coordinates.positionRate(v, 0, v, out);
    }
    adds?.add(t, out);
  }

  const fused = fusedOf(solver, stabilisation);
  const correctAccelerations = correctionOf(system, solver);

  const changesPositionRates = sides?.correctsVelocities || adds !== undefined;
  const displacement = workspace.vector("displacement", velocities);
  const extra = workspace.vector("rates besides the velocities", positions);
  const zero = workspace.vector("no velocity", velocities);

  /** Advances rotations as in Welch et al. 2007, eq. 17: implicit, with the velocities at the end. */
  function movePositions(h: number, f: Address): void {
    const { kernels } = workspace;
    const { q, v: before } = system.state;
    kernels.copyVector(positions, q, system.trial.q);
    if (changesPositionRates) {
      system.coordinates.positionRate(before, 0, before, extra);
      kernels.axpy(positions, -1, extra, f, extra);
    }
    kernels.axpy(velocities, h, v, zero, displacement);
    system.coordinates.displace(system.trial.q, displacement, Turn.IMPLICIT);
    if (changesPositionRates) kernels.axpy(positions, h, extra, system.trial.q, system.trial.q);
  }

  return {
    ode: {
      movePositions,
      dimension: positions + velocities + (adds?.integratesWork ? 1 : 0),
      positions,
      y: system.state.q,
      trial: system.trial.q,
      rate,
      tolerate() {},
      ...(fused && { fused }),
    },
    ...STATE_AS_UNKNOWNS,
    accelerations: (out) => solver.accelerate(system.constraints.gamma(), out),
    ...(correctAccelerations && { correctAccelerations }),
  };
}

/**
 * Corrects accelerations at the state of the last `at` by the residual of J a = gamma. Even if the rows determine all
 * accelerations, the solve uses M, and loses digits if masses differ much (seven links of a biped: 2e-13, and 1e-15
 * after one correction). Only for accelerations that users read: in steps it would cost a tenth of their time, for
 * errors far below theirs.
 */
function correctionOf(
  system: System,
  solver: AccelerationSolver,
): BoundFormulation["correctAccelerations"] | undefined {
  const { workspace, constraints } = system;
  const { rows } = constraints;
  const { velocities } = system.coordinates;
  const { minnorm, kind } = solver as Partial<ConstraintSolver>;
  // Block sparse solvers refine their results. The residual of a penalty is part of the method and stays visible.
  if (rows === 0 || !system.matrices.dense || minnorm === undefined || kind === "penalty") {
    return undefined;
  }
  const open = workspace.vector("open rows of accelerations", rows);
  const correction = workspace.vector("correction of accelerations", velocities);
  return (accelerations) => {
    const { kernels } = workspace;
    constraints.jacobianTimes(accelerations, open);
    kernels.axpy(rows, -1, open, constraints.gamma(), open);
    minnorm.call(solver, 1, open, correction);
    kernels.axpy(velocities, 1, correction, accelerations, accelerations);
  };
}

/** Returns stages and steps in one call, if only the solver's kernels take part in them. */
function fusedOf(
  { fused, closed }: AccelerationSolver,
  { stage, right, rates }: BoundStabilisation,
): FusedOde | undefined {
  if (right || rates) return undefined;
  if (!stage) return fused;
  const { leavesOpen, closesOnly } = stage;
  if (!leavesOpen || !closed) return undefined;
  return {
    stages: (t, h, step) => closed.stages(t, h, step, leavesOpen),
    takesSteps: closesOnly,
    steps: (t, h, count, step) => closed.steps(t, h, count, step, leavesOpen),
  };
}

/** Returns accelerations and corrected velocity: in one call if the solver supports it, else one after the other. */
function ratesOf(system: System, solver: AccelerationSolver): ConstraintSolver["rates"] {
  if ("rates" in solver) {
    const own = solver as ConstraintSolver;
    return (right, r, v, out, corrected) => own.rates(right, r, v, out, corrected);
  }
  const corrector = system.dynamics.solver("auto");
  return (right, r, v, out, corrected) => {
    solver.accelerate(right, out);
    corrector.minnorm(1, r, corrected);
    system.workspace.kernels.axpy(system.coordinates.velocities, 1, corrected, v, corrected);
  };
}

/**
 * `udwadiaKalaba()` of udwadia-kalaba.ts, the default of mechanisms. Programs with it alone do not load the kernels of dense
 * matrices, which the options of that formulation may need.
 */
export function pseudoinverse(): Formulation {
  return {
    ...PLAIN_FORMULATION,
    name: "udwadiaKalaba",
    reference: "Udwadia and Kalaba, Proc. R. Soc. A 439 (1992); Laulusa and Bauchau 2008, eq. 15",
    survivesRedundantRows: true,
    needs: "operators",
    bind: (system, stabilisation) =>
      bindAcceleration(system, stabilisation, system.dynamics.solver("auto")),
  };
}
