import {
  callback,
  listOf,
  needed,
  options,
  optionsOf,
  type Shape,
  whole,
} from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type { AdaptiveIntegrator } from "../../../interfaces/index.js";
import { PLAIN_INTEGRATOR } from "../../defaults.js";
import {
  requireExplicit,
  requireSizes,
  TABLEAU_SHAPE,
  type Tableau,
  tableauMemory,
  weights,
} from "../fixed/tableau.js";
import { writeHermite } from "../hermite.js";

/** Slopes of a step in the arena, and quantities computed from them. */
interface SlopeMemory {
  readonly slopes: Address;
  slope(index: number): Address;
  /** Weights of the stages and of the step, row-major; and the address of each row. */
  readonly tableau: Address;
  readonly rows: readonly Address[];
  /** Times of the stages: c. */
  readonly nodes: Address;
  readonly weights: Address;
  /** Returns the weights of an additional stage of dense output. */
  denseStage(index: number): Address;
  /** Whether the first slope is that at the accepted state. Stored in the arena. */
  begun: boolean;
  /** Writes an error vector of the step and returns its address. */
  error(index: number, h: number): Address;
  readonly interpolantRows: number;
  writeInterpolant(h: number, before: Address, after: Address, out: Address): void;
  /** Undefined if no stage lies at the end of the step. */
  readonly stiffness?: (h: number, least?: number) => number;
}

function slopeMemory(embedded: EmbeddedTableau, n: number, workspace: Workspace): SlopeMemory {
  const { name, a, b, c, errors, dense, denseStages } = embedded;
  const { address: tableau, rows, nodes } = tableauMemory(embedded, workspace);
  const stages = b.length;
  const count = stages + 1 + (denseStages?.c.length ?? 0);
  const list = (what: string, rows: readonly (readonly number[])[]) =>
    rows.map((row, k) => workspace.constants(`${name} ${what} ${k}`, row));
  const slopes = workspace.vector(`${name} slopes`, n * count);
  const slope = (index: number) => slopes + 8 * n * index;
  const zero = workspace.vector(`${name} zero`, n);
  const scratch = workspace.vector(`${name} error`, n);
  const other = workspace.vector(`${name} difference of slopes`, n);
  const errorWeights = list("error", errors);
  const denseWeights = list("dense row", dense);
  const denseStageWeights = list("dense stage", denseStages?.a ?? []);
  const flag = workspace.reserve(`${name} has its first slope`, 1);
  let begun = new Float64Array(1);
  workspace.whenSealed((arena) => {
    begun = arena.floats(flag);
  });

  const weights = rows[stages] as Address;
  // The last stage at the end of the step, and the difference of its state from the end itself.
  const last = c.lastIndexOf(1);
  const difference = workspace.constants(
    `${name} end less last stage`,
    b.map((weight, k) => weight - (a[last]?.[k] ?? 0)),
  );

  /**
   * h |f(y1) - f(g)| / |y1 - g| with g the last stage: about h times the largest eigenvalue if the system is stiff
   * (Hairer and Wanner, Solving ODEs II, section IV.2). 0 if |y1 - g| is less than `least` times |y1 - y0|, as noise
   * in f would then be taken for stiffness.
   */
  function stiffness(h: number, least = 0): number {
    const { kernels } = workspace;
    kernels.axpy(n, -1, slope(last), slope(stages), other);
    kernels.combine(n, stages, h, zero, slopes, difference, scratch);
    const change = kernels.dot(n, scratch, scratch);
    if (!(change > 0)) return 0;
    const quotient = Math.abs(h) * Math.sqrt(kernels.dot(n, other, other) / change);
    if (least === 0) return quotient;
    kernels.combine(n, stages, h, zero, slopes, weights, scratch);
    return change >= least * least * kernels.dot(n, scratch, scratch) ? quotient : 0;
  }

  return {
    slopes,
    slope,
    tableau,
    rows,
    nodes,
    weights,
    denseStage: (index) => denseStageWeights[index] as Address,
    get begun() {
      return begun[0] === 1;
    },
    set begun(value) {
      begun[0] = value ? 1 : 0;
    },
    error(index, h) {
      const weights = errorWeights[index] as Address;
      const length = errors[index]?.length ?? 0;
      workspace.kernels.combine(n, length, h, zero, slopes, weights, scratch);
      return scratch;
    },
    interpolantRows: 4 + dense.length,
    writeInterpolant(h, before, after, out) {
      writeHermite(workspace, n, h, before, after, slopes, slope(stages), out);
      for (let k = 0; k < dense.length; k++) {
        const length = dense[k]?.length ?? 0;
        const row = out + 8 * n * (4 + k);
        const weights = denseWeights[k] as Address;
        workspace.kernels.combine(n, length, h, zero, slopes, weights, row);
      }
    },
    ...(last >= 0 && { stiffness }),
  };
}

const TABLEAU: Shape<EmbeddedTableau> = {
  ...TABLEAU_SHAPE,
  errorOrder: needed(whole(1)),
  errors: needed(listOf(weights)),
  judge: callback("a function of two norms"),
  denseStages: options({ a: needed(listOf(weights)), c: needed(weights) }),
  dense: needed(listOf(weights)),
};

/**
 * An explicit Runge-Kutta method with error estimate and dense output, given by its tableau. The end slope is
 * evaluated after projection, so one evaluation serves the error estimate, dense output and the next step.
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
    ...PLAIN_INTEGRATOR,

    bind(ode, workspace) {
      const n = ode.dimension;
      const memory = slopeMemory(tableau, n, workspace);
      const { slope, rows, slopes, tableau: all, nodes } = memory;
      const end = slope(stages);
      const later = { first: 1, count: stages, tableau: all, nodes, slopes };
      const { fused } = ode;
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
          const done = fused ? fused.stages(t, h, later) : 1;
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
        // The tolerance only decides whether a step is accepted.
        setTolerance() {},
        watch() {},
        skipsEndEvaluation: false,
        currentOrder: errorOrder - 1,
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

/** Throws if a tableau has weights of slopes that do not exist. */
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

/** Combines the norms of the error vectors. */
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

/**
 * Data of an explicit Runge-Kutta method with an error estimate. Slopes are ordered: first those of the stages, then
 * the one at the end of the step, then those that only dense output needs.
 */
export interface EmbeddedTableau extends Tableau {
  /** The estimate is O(h^errorOrder). */
  readonly errorOrder: number;
  /** Error vectors h sum e_k slope_k: one, or two that {@link judge} combines. */
  readonly errors: readonly (readonly number[])[];
  /** Returns the error from the norms of both vectors. Default: the norm of the first. */
  readonly judge?: (first: number, second: number) => number;
  /** Stages that only dense output needs: weights of all slopes before each of them. */
  readonly denseStages?: {
    readonly a: readonly (readonly number[])[];
    readonly c: readonly number[];
  };
  /**
   * Rows of the interpolant after the first four, as weights of all slopes: row j is
   * h sum d_k slope_k. The first four are the cubic with the values and slopes of both ends.
   */
  readonly dense: readonly (readonly number[])[];
}
