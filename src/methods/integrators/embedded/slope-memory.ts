import type { Address } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import { tableauMemory } from "../fixed/tableau.js";
import { writeHermite } from "../hermite.js";
import type { EmbeddedTableau } from "./tableau.js";

/** Slopes of a step in the arena, and what is made of them. */
export interface SlopeMemory {
  readonly slopes: Address;
  slope(index: number): Address;
  /** Weights of the stages and of the step, row by row; then where each row begins. */
  readonly tableau: Address;
  readonly rows: readonly Address[];
  /** When stages are: c. */
  readonly nodes: Address;
  readonly weights: Address;
  /** Weights of an additional stage of dense output. */
  denseStage(index: number): Address;
  /** The first slope is that at the accepted state. Lies in the arena. */
  begun: boolean;
  /** Writes an error vector of the step and gives its address. */
  error(index: number, h: number): Address;
  readonly interpolantRows: number;
  writeInterpolant(h: number, before: Address, after: Address, out: Address): void;
  /** Missing where no stage lies at the end of the step. */
  readonly stiffness?: (h: number, least?: number) => number;
}

export function slopeMemory(
  embedded: EmbeddedTableau,
  n: number,
  workspace: Workspace,
): SlopeMemory {
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
  // The last stage at the end of the step, and how its state differs from the end itself.
  const last = c.lastIndexOf(1);
  const difference = workspace.constants(
    `${name} end less last stage`,
    b.map((weight, k) => weight - (a[last]?.[k] ?? 0)),
  );

  /**
   * h |f(y1) - f(g)| / |y1 - g| with g the last stage: about h times the largest eigenvalue where
   * the system is stiff (Hairer and Wanner, Solving ODEs II, section IV.2). 0 where |y1 - g| is less than `least`
   * of |y1 - y0|: what functions that are not exact add to f is then taken for stiffness.
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
