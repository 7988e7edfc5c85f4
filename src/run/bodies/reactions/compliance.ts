// Compliance of joint rows, for loads whose sharing the motion does not determine.

import { power } from "../../../ground/algebra/portable-power.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";

export interface Compliances {
  /** Of each row: length for a force, angle for a torque. */
  readonly values: Float64Array;
  /** Rows for which the user gives it. */
  readonly given: ReadonlySet<number>;
  /** What is assumed for the others. */
  readonly assumed: { readonly force: number; readonly torque: number };
}

/**
 * Only ratios matter. Rows for which none is given get the geometric mean of those that are given for rows of
 * their kind: one bearing of 1e-6 m/N beside others of 1 m/N would carry everything. Where only forces have one,
 * torques get theirs by a typical length L: a torque of F L turns by x / L where a force F moves by x, so that
 * it is 1 / L^2 times as large. Zeros, which stand for rigid rows, have no part in the mean.
 */
export function compliancesOf({ blocks, model }: Plan, length: number): Compliances {
  const rows = blocks.flatMap(({ block, joint }) => {
    const given = model.joints[joint]?.compliance;
    return [...block.rows, ...(block.user ? [block.user] : [])].flatMap(({ names, unit }) =>
      names.map((name) => ({ unit, compliance: given?.[name] })),
    );
  });
  const mean = (kind: "force" | "torque") =>
    geometricMean(
      rows.flatMap(({ unit, compliance = 0 }) =>
        unit === kind && compliance > 0 ? [compliance] : [],
      ),
    );
  const [force, torque] = [mean("force"), mean("torque")];
  const square = length ** 2;
  const assumed = {
    force: force ?? (torque === undefined ? 1 : torque * square),
    torque: torque ?? (force ?? 1) / square,
  };
  return {
    values: Float64Array.from(rows, ({ unit, compliance }) => compliance ?? assumed[unit]),
    given: new Set(rows.flatMap(({ compliance }, row) => (compliance === undefined ? [] : [row]))),
    assumed,
  };
}

/** Undefined for none. Equal ones are unchanged. */
function geometricMean(values: readonly number[]): number | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  return values.reduce((mean, value) => mean * power(value / first, 1 / values.length), first);
}
