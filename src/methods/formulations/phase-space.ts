import { MassKind, SolverMethod, solverSlots } from "../../../assembly/layout.js";
import { optionsOf, rankTolerance, type Shape } from "../../base/checking/index.js";
import type { Address } from "../../base/memory/arena.js";
import { RANK_TOLERANCE, RankSearch } from "../../base/rank-tolerance.js";
import { denseMemory } from "../../base/wasm/dense.js";
import { failed } from "../../base/wasm/status.js";
import type { Formulation, System } from "../../interfaces/index.js";
import { PLAIN_FORMULATION, STATE_AS_UNKNOWNS } from "../defaults.js";
import { bindLoad } from "./reduced-unknowns.js";
import { denseOf } from "./tangent-space.js";

/** Options of {@link phaseSpace}. */
export interface PhaseSpaceOptions {
  /** Relative size below which a pivot is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<PhaseSpaceOptions> = { tolerance: rankTolerance };

/**
 * The modified phase space of Borri: unknowns are q and the modified momenta p* = M v - J^T mu, which are independent
 * of the constraint forces. With mu' = lambda,
 *
 *   v = M^-1 (p* + J^T mu),   mu such that J v + dPhi/dt = 0
 *   p*' = Q + M' v - J'^T mu
 *
 * mu is reset to zero at the beginning of each step, so that p* = M v there. Otherwise it grows, and errors with it.
 *
 * @example
 * simulate(pendulum, { method: { formulation: phaseSpace(), integrator: rk4() }, ...start });
 */
export function phaseSpace(options: PhaseSpaceOptions = {}, ...more: undefined[]): Formulation {
  const read = optionsOf("phaseSpace", "METHOD", options, SHAPE, more);
  const { tolerance = RANK_TOLERANCE } = read;
  return {
    ...PLAIN_FORMULATION,
    name: "phaseSpace",
    reference:
      "Borri, Bottasso and Mantegazza, Eur. J. Mech. A 11 (1992) 701-727; Laulusa and Bauchau 2008, 4.7",
    level: "velocity",
    survivesSingularPoses: true,
    changesUnknowns: true,
    bind(system) {
      const { workspace, state, trial } = system;
      const { positions, velocities: n } = system.coordinates;
      const { rows } = system.constraints;
      const y = workspace.vector("unknowns", positions + n);
      const yTrial = workspace.vector("trial unknowns", positions + n);
      const mu = workspace.vector("mu", rows);
      const slope = workspace.vector("rate of constraints", rows * n);
      const turning = workspace.vector("rate of constraints times mu", n);
      const load = bindLoad(system);
      const solve = bindMomenta(system, tolerance);
      const check = checkOf(system);
      const solver = system.dynamics.solver("cod", tolerance, denseMemory);
      const offset = 8 * positions;
      const v = trial.v;

      /** Sets the trial state that belongs to the unknowns. */
      function place(t: number, unknowns: Address): void {
        workspace.kernels.copyVector(positions, unknowns, trial.q);
        solve(t, unknowns + offset, v, mu);
        system.at(t);
      }

      return {
        ode: {
          dimension: positions + n,
          positions,
          y,
          trial: yTrial,
          rate(t, out) {
            const { kernels } = workspace;
            place(t, yTrial);
            system.coordinates.positionRate(v, 0, v, out);
            const dense = denseOf(system);
            const momenta = out + offset;
            dense.massRateTimesVelocity(momenta);
            kernels.axpy(n, 1, system.dynamics.forces(), momenta, momenta);
            dense.jacobianRate(slope);
            kernels.matrixVector(n, rows, slope, n, mu, turning);
            kernels.axpy(n, -1, turning, momenta, momenta);
            // Checked here, as the failing function is known; later only the momenta are NaN.
            check(kernels.checkFinite(n, momenta));
          },
          tolerate() {},
        },
        ...STATE_AS_UNKNOWNS,
        beginStep(t) {
          const { kernels } = workspace;
          load(t);
          kernels.copyVector(positions, state.q, y);
          system.dynamics.massTimes(v, y + offset);
          return false;
        },
        endStep(t) {
          place(t, y);
          system.store();
        },
        accelerations: (out) => solver.accelerate(system.constraints.gamma(), out),
      };
    },
  };
}

/** Computes v and mu from p* at the trial positions. */
function bindMomenta(
  system: System,
  tolerance: number,
): (t: number, momenta: Address, v: Address, mu: Address) => void {
  const { workspace } = system;
  const memory = denseMemory(workspace);
  const { velocities: n } = system.coordinates;
  const { rows: m } = system.constraints;
  const [method, kind] = [SolverMethod.COD, MassKind.FULL];
  const record = workspace.vector("momenta solver", solverSlots(n, m, method));
  const zero = workspace.vector("zero velocity", Math.max(n, m));
  const right = workspace.vector("velocity right side", m);

  const check = checkOf(system);
  const search = new RankSearch();

  return (t, momenta, v, mu) => {
    const { kernels } = workspace;
    kernels.copyVector(n, zero, v);
    system.at(t);
    const dense = denseOf(system);
    const [mass, jacobian] = [dense.mass(), dense.jacobian()];
    search.begin(dense.generalRank()?.rank ?? m, m, tolerance);
    do {
      check(
        memory.kernels.solverFactor(n, m, method, kind, search.tolerance, mass, jacobian, record),
      );
    } while (search.again(memory.kernels.solverRank(n, m, method, search.tolerance, record)));
    kernels.axpy(m, -1, system.constraints.phiDot(), zero, right);
    check(memory.kernels.solverMultipliers(n, m, method, kind, record, momenta, right, mu));
    check(memory.kernels.solverRates(n, m, method, kind, record, momenta, right, 0, 0, v, 0));
  };
}

/** Returns a function that throws the error of a failed status. */
function checkOf(system: System): (status: number) => void {
  return (status) => {
    if (failed(status)) throw system.errorFor(status, "try a shorter step");
  };
}
