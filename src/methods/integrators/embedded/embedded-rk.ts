import {
  callback,
  listOf,
  needed,
  options,
  optionsOf,
  type Shape,
  whole,
} from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { AdaptiveIntegrator } from "../../../seam/index.js";
import { requireExplicit, requireSizes, TABLEAU_SHAPE, weights } from "../fixed/tableau.js";
import { type SlopeMemory, slopeMemory } from "./slope-memory.js";
import type { EmbeddedTableau } from "./tableau.js";

const TABLEAU: Shape<EmbeddedTableau> = {
  ...TABLEAU_SHAPE,
  errorOrder: needed(whole(1)),
  errors: needed(listOf(weights)),
  judge: callback("a function of two norms"),
  denseStages: options({ a: needed(listOf(weights)), c: needed(weights) }),
  dense: needed(listOf(weights)),
};

/**
 * An explicit Runge-Kutta method with error estimate and dense output, given by its tableau. The end slope is evaluated
 * after projection, so that one evaluation serves the error estimate, dense output and the next step.
 *
 * @example
 * // Heun's rule, judged by Euler's.
 * const heunEuler = embeddedRk({
 *   name: "heun-euler",
 *   reference: "Hairer, Norsett and Wanner, Solving ODEs I, section II.4",
 *   order: 2,
 *   errorOrder: 2,
 *   a: [[], [1]],
 *   b: [1 / 2, 1 / 2],
 *   c: [0, 1],
 *   errors: [[-1 / 2, 1 / 2]],
 *   dense: [],
 * });
 */
export function embeddedRk(given: EmbeddedTableau, ...more: undefined[]): AdaptiveIntegrator {
  const tableau = optionsOf("embeddedRk", "METHOD", given, TABLEAU, more);
  requireEmbedded(tableau);
  const { name, reference, order, errorOrder, b, c } = tableau;
  const stages = b.length;
  const denseNodes = tableau.denseStages?.c ?? [];
  return {
    name,
    reference,
    order,
    errorOrder,
    stages,
    isMultistep: false,

    bind(ode, workspace) {
      const n = ode.dimension;
      const memory = slopeMemory(tableau, n, workspace);
      const { slope, rows, slopes, tableau: all, nodes } = memory;
      const end = slope(stages);
      const later = { first: 1, count: stages, tableau: all, nodes, slopes };
      let endKnown = false;

      /** Writes f(t, y) at the accepted y. */
      function slopeAtState(t: number, out: Address): void {
        workspace.kernels.copyVector(n, ode.y, ode.trial);
        ode.rate(t, out);
      }

      return {
        attempt(t, h) {
          const { kernels } = workspace;
          endKnown = false;
          if (!memory.begun) slopeAtState(t, slopes);
          memory.begun = true;
          const done = ode.stages?.(t, h, later) ?? 1;
          if (done === stages) return;
          for (let s = done; s < stages; s++) {
            kernels.combine(n, s, h, ode.y, slopes, rows[s] as Address, ode.trial);
            ode.rate(t + (c[s] as number) * h, slope(s));
          }
          kernels.combine(n, stages, h, ode.y, slopes, memory.weights, ode.trial);
        },
        accept: () => workspace.kernels.copyVector(n, ode.trial, ode.y),
        error(t, h, norm) {
          slopeAtState(t + h, end);
          endKnown = true;
          return judge(tableau, memory, h, norm);
        },
        commit() {
          if (endKnown) workspace.kernels.copyVector(n, end, slopes);
          memory.begun = endKnown;
          endKnown = false;
        },
        reset() {
          memory.begun = false;
          endKnown = false;
        },
        interpolantRows: memory.interpolantRows,
        interpolant(t, h, before, out) {
          const { kernels } = workspace;
          for (let k = 0; k < denseNodes.length; k++) {
            const count = stages + 1 + k;
            kernels.combine(n, count, h, before, slopes, memory.denseStage(k), ode.trial);
            ode.rate(t + (denseNodes[k] as number) * h, slope(count));
          }
          memory.writeInterpolant(h, before, ode.y, out);
        },
        ...(memory.stiffness && { stiffness: memory.stiffness }),
      };
    },
  };
}

/** Weights are those of slopes that there are. */
function requireEmbedded(tableau: EmbeddedTableau): void {
  const { b, errors, dense, denseStages } = tableau;
  const where = "embeddedRk";
  requireExplicit(where, tableau);
  const later = denseStages?.c.length ?? 0;
  requireSizes(where, { denseStages: denseStages?.a ?? [] }, [["denseStages", [later]]]);
  requireSizes(where, { errors }, [["errors", [Math.min(2, Math.max(1, errors.length))]]]);
  const most = (rows: readonly (readonly number[])[]) =>
    Math.max(0, ...rows.map((row) => row.length));
  const slopes = b.length + 1;
  if (
    most(errors) > slopes ||
    most(dense) > slopes + later ||
    denseStages?.a.some((row, k) => row.length > slopes + k)
  ) {
    throw new NodriftError(
      "METHOD",
      `${where}: \`errors\` or \`dense\` refer to more slopes than the method has`,
    );
  }
}

/** Norms of the error vectors, put together. */
function judge(
  { errors, judge: together }: EmbeddedTableau,
  memory: SlopeMemory,
  h: number,
  norm: (error: Address) => number,
): number {
  const first = norm(memory.error(0, h));
  if (together === undefined || errors.length < 2) return first;
  return together(first, norm(memory.error(1, h)));
}
