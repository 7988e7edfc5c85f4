// What implicit methods want of a system by formulas: its derivatives entry by entry.

import type { Segment } from "../../ground/memory/arena.js";
import { EntryList } from "../../ground/sparse/entry-list.js";
import type { EquationDerivatives, MatrixEntry } from "../../seam/index.js";
import type { Pattern } from "./derivatives.js";
import type { FormulaFunctions } from "./formula-module.js";
import type { FormulaQuantities } from "./quantities.js";

/** Derivatives of a system by formulas, in memory that is reserved here. */
export function formulaDerivatives(system: FormulaQuantities): EquationDerivatives {
  const { workspace, memory, programs, velocities: n, rows: m } = system;
  const { rows, forces } = programs.patterns();
  const rowValues = workspace.reserve("derivatives of rows", 3 * rows.places.length);
  const forceValues = workspace.reserve("derivatives of forces", 2 * forces.places.length);
  const lists = [0, 1].map(
    (k) => new EntryList(workspace, k === 0 ? "stiffness" : "damping", forces.places.length),
  );
  const entries = (places: Pattern["places"], { address }: Segment): MatrixEntry[] =>
    places.map(([row, column], k) => ({ row, column, address: address + 8 * k, scale: 1 }));
  const forceEntries = entries(forces.places, forceValues);
  const dampingOffset = 8 * forces.places.length;
  let functions: FormulaFunctions | undefined;
  workspace.whenSealed((arena) => {
    functions = programs.derivativesIn(arena, memory, rowValues, forceValues);
    for (const list of lists) {
      list.clear();
      for (const entry of forceEntries) list.add(entry);
    }
  });
  return {
    rows: entries(rows.places, rowValues),
    rates: [],
    biasOffset: 8 * rows.places.length,
    gyroscopicOffset: 16 * rows.places.length,
    forces: forceEntries,
    dampingOffset,
    couplings: () => Math.ceil(n / 6) ** 2,
    addStiffness: (stride, x, out) => lists[0]!.timesRows(1, 0, stride, x, out),
    addDamping: (stride, x, out) => lists[1]!.timesRows(1, dampingOffset, stride, x, out),
    evaluate(accelerations, multipliers) {
      const { kernels } = workspace;
      const { address } = memory.motion;
      kernels.copyVector(n, accelerations, address);
      kernels.copyVector(m, multipliers, address + 8 * n);
      functions!.derivatives!();
    },
  };
}
