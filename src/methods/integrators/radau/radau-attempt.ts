import { RadauTable } from "../../../../assembly/layout-stiff.js";
import type { Address } from "../../../ground/memory/arena.js";
import { stiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { Ode } from "../../../seam/index.js";
import type { StepStart } from "../implicit/step-start.js";
import type { IterationTolerance, RadauNewton } from "./radau-newton.js";

/** Attempts a step in one call. False where that did not succeed, and nothing is known. */
export type WholeAttempt = (t: number, h: number, allowed: IterationTolerance) => boolean;

/** Steps in one call, for equations whose f and df/dy are compiled, and df/dy dense; undefined for others. */
export function wholeAttempt(
  ode: Ode,
  beginning: StepStart,
  newton: RadauNewton,
  filtered: Address,
  workspace: Workspace,
): WholeAttempt | undefined {
  const { compiled } = ode;
  const { dense: real } = newton.real;
  const { dense: complex } = newton.complex;
  if (!(compiled && real && complex)) return undefined;
  const stiff = stiffMemory(workspace);
  const { table } = newton;
  let isThere = false;
  workspace.whenSealed((arena) => {
    const functions = compiled.functions();
    if (functions === undefined) return;
    const { luFactor, luSolve } = workspace.kernels;
    const { rate, jacobian } = functions;
    const first = stiff.place([rate, jacobian, luFactor, luSolve]);
    const fields = arena.integers(table);
    fields[RadauTable.KNOWN] = beginning.known;
    fields[RadauTable.COUNTS] = beginning.counted;
    fields[RadauTable.SLOPE] = beginning.slope;
    fields[RadauTable.END_SLOPE] = beginning.endSlope;
    fields[RadauTable.FILTERED] = filtered;
    for (let i = 0; i < 4; i++) fields[RadauTable.RATE + i] = first + i;
    fields[RadauTable.TIME] = compiled.time;
    fields[RadauTable.MATRIX] = real.matrix;
    fields[RadauTable.SHIFTED] = real.work;
    fields[RadauTable.REAL_FACTOR] = real.factor;
    fields[RadauTable.COMPLEX_FACTOR] = complex.factor;
    fields[RadauTable.PIVOTS] = complex.pivots;
    fields[RadauTable.SCRATCH] = complex.work;
    isThere = true;
  });
  return (t, h, { relative, positions, velocities, part, rounding, iterations }) => {
    if (!isThere) return false;
    newton.prepare(h);
    const evaluations = stiff.kernels.radauAttempt(
      table.address,
      t,
      h,
      relative,
      positions,
      velocities,
      part,
      rounding,
      iterations,
    );
    if (evaluations === 0) return false;
    compiled.evaluated?.(evaluations);
    beginning.hasEnded();
    return true;
  };
}
