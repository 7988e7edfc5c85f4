import { Turn } from "../../../assembly/layout-bodies.js";
import { oneOf, optionsOf, rule, type Shape } from "../../base/checking/index.js";
import type { Address } from "../../base/memory/arena.js";
import type { CoupledMethod } from "../../interfaces/index.js";
import { NO_HISTORY, PLAIN_COUPLED } from "../defaults.js";
import { bindEmbedding, EMBEDDING_SHAPE, type EmbeddingOptions } from "./embedding.js";

/** Options of {@link welch}. */
export interface WelchOptions extends EmbeddingOptions {
  /**
   * Corrector passes. 1: as in the paper; second order only if nothing depends on velocities, else first. 2: always
   * second order; the same bits as 1 if nothing depends on velocities. Default: 2.
   */
  readonly passes?: 1 | 2;
  /**
   * Orientation at mid-step. "turned": half a step with the predicted angular velocity. "printed": the mean e^h = (e^p
   * + e) / 2 of eq. 24, not normalised, so that R(e^h) differs from a rotation by a term of order h^2; J is that of
   * Haug's tables, which the paper cites, for the same e^h.
   * Both are of the same order; the states differ by that term. Without bodies in space both agree but for rounding.
   * Default: "turned".
   */
  readonly midpoint?: "turned" | "printed";
}

const SHAPE: Shape<WelchOptions> = {
  passes: rule("1 (as printed) or 2", (value) => value === 1 || value === 2),
  midpoint: oneOf("turned", "printed"),
  ...EMBEDDING_SHAPE,
};

/**
 * Second-order constraint embedding. A predictor, the step of {@link hong}, yields a^p, v^p and q^p.
 * The corrector is centred: J, M and Q are taken at t + h/2 and q + h v^p / 2, and the constraints at
 * the end of the step are expanded at the predicted positions,
 *
 *   Phi(q^p, t + h) + J (q(t + h) - q^p) = 0
 *   q(t + h) = q + h v + h^2 a / 2,   q^p = q + h v + h^2 a^p
 *   =>   J a = 2 J a^p - 2 Phi(q^p, t + h) / h^2
 *
 * whether time occurs in Phi or not. Velocity constraints Pi are centred too: with J a = gamma - Pi(t) / h their
 * initial error vanishes at the end, up to h^3.
 *
 * a^p lacks gamma, so (v + v^p) / 2 is wrong by O(h), and so are forces that depend on it. The second pass takes them
 * at v + h a / 2 with the a of the first, which is correct up to h^2.
 *
 * A residual of the velocity, O(h^2) after the first step unless that starts from rest, changes sign in every step
 * and decays slowly. States are of second order nevertheless, but the multipliers of a step are wrong by O(h), with
 * alternating sign: the mean of two steps is of second order.
 *
 * `welch({ passes: 1, midpoint: "printed" })` is scheme (43) to the letter.
 *
 * @example
 * simulate(pendulum, { method: { coupled: welch() }, step: 1e-3, q: [1, 0] });
 */
export function welch(options: WelchOptions = {}, ...more: undefined[]): CoupledMethod {
  const read = optionsOf("welch", "METHOD", options, SHAPE, more);
  const { passes = 2, midpoint = "turned", solver = "auto" } = read;
  const isPrinted = midpoint === "printed";
  const words = [passes, ...(isPrinted ? [midpoint] : []), ...(solver === "auto" ? [] : [solver])];
  return {
    ...PLAIN_COUPLED,
    name: `welch(${words.join(", ")})`,
    reference: "Welch, Hong, Trapp and Choi, J. Guid. Control Dyn. (2007), eqs. 43 and 44",
    order: passes,
    stages: 1 + passes,
    survivesSingularPoses: solver !== "cholesky" && solver !== "kkt",
    survivesRedundantRows: solver !== "cholesky" && solver !== "kkt",
    bind(system) {
      const { workspace, state, trial } = system;
      const { positions, velocities } = system.coordinates;
      const { rows, holonomicRows } = system.constraints;
      const embedding = bindEmbedding(system, solver);
      const predicted = workspace.vector("welch: predicted accelerations", velocities);
      const a = workspace.vector("welch: accelerations", velocities);
      const mean = workspace.vector("welch: mean velocity", velocities);
      const pi = workspace.vector("welch: velocity residuals at the start", rows);
      const phi = workspace.vector("welch: predicted phi", rows);
      const product = workspace.vector("welch: J times predicted accelerations", rows);
      const zero = workspace.vector("welch: zero", rows);
      const half = workspace.vector("welch: half of the step", positions);
      const [start, end] = [state.v, trial.v];
      const memory = { predicted, a, mean, phi, pi, product };
      // If nothing depends on velocities, the second pass would return the same bits.
      const needed = system.dynamics.ignoresVelocities ? 1 : passes;

      /** Writes Phi(q^p, t + h) to memory and the mid-step positions to the trial state. */
      function predict(t: number, h: number): void {
        const { kernels } = workspace;
        embedding.predict(t, h, predicted);
        if (rows > holonomicRows) kernels.copyVector(rows, system.constraints.phiDot(), pi);
        kernels.axpy(velocities, h, predicted, start, end);
        embedding.move(h, end, Turn.IMPLICIT);
        system.at(t + h);
        kernels.copyVector(rows, system.constraints.phi(), phi);
        if (isPrinted) average();
        else embedding.move(h / 2, end, Turn.EXPONENTIAL);
      }

      /** Averages the predicted orientation, at unit length (eq. 22), and that of the beginning: eqs. 23 and 24. */
      function average(): void {
        const { kernels } = workspace;
        system.coordinates.normalise(trial.q);
        kernels.axpy(positions, -1, state.q, trial.q, half);
        kernels.axpy(positions, 0.5, half, state.q, trial.q);
      }

      /** Switches to unnormalised Euler parameters, or back. */
      function takePlain(isPlain: boolean): void {
        if (isPrinted) system.coordinates.useUnnormalised(isPlain);
      }

      /** Runs one pass, with the mid-step velocity that follows from the accelerations `from`. */
      function correct(t: number, h: number, from: Address): void {
        const { kernels } = workspace;
        const { right } = embedding;
        kernels.axpy(velocities, h / 2, from, start, end);
        system.at(t + h / 2);
        system.constraints.jacobianTimes(predicted, product);
        kernels.stabilisedRight(holonomicRows, -2, 2 / (h * h), zero, product, phi, right);
        embedding.nonholonomicRight(h, pi);
        embedding.solve(a);
      }

      /** Runs all passes. A solve may fail. */
      function correctAll(t: number, h: number): void {
        takePlain(true);
        try {
          correct(t, h, predicted);
          if (needed === 2) correct(t, h, a);
        } finally {
          takePlain(false);
        }
      }

      return {
        ...NO_HISTORY,
        attempt(t, h) {
          const { kernels } = workspace;
          if (!isPrinted && embedding.embed(t, h, needed, memory)) return;
          predict(t, h);
          correctAll(t, h);
          embedding.keep(t + h / 2);
          kernels.axpy(velocities, h / 2, a, start, mean);
          kernels.axpy(velocities, h, a, start, end);
          embedding.move(h, mean, Turn.CAYLEY);
        },
        accept: () => system.store(),
        accelerations: embedding.accelerations,
        multipliers(out) {
          takePlain(true);
          try {
            embedding.multipliers(out);
          } finally {
            takePlain(false);
          }
        },
      };
    },
  };
}
