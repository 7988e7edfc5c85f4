import { NodriftError } from "../../ground/errors.js";
import type { Body } from "../model/handles.js";
import type { UserRowFunction } from "../model/model-data.js";
import { isList, oneOf, show } from "../model/option-checks.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";

/** Options of `constraint`. */
export interface ConstraintOptions {
  /** For messages, readings and files. Default: the type with a number. */
  readonly name?: string | undefined;
  /** Whose poses the function gets, in this order. */
  readonly bodies: readonly Body[];
  /** A name for each row. */
  readonly rows: readonly string[];
  /**
   * Computes the residuals (written to `out` or returned). Poses are views, overwritten by the next evaluation. Without
   * a third parameter it is taken as time-independent.
   */
  readonly value: UserRowFunction;
  /** What the rows measure: lengths have forces as multipliers ("force", if not given), angles torques. */
  readonly unit?: "force" | "torque" | undefined;
  /** How much its rows give way: decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A constraint on positions by the user's own function; its derivatives are found by differences.
 *
 * @example
 * m.constraint({
 *   bodies: [bead],
 *   rows: ["parabola"],
 *   value: ([{ position: [x, , z] }], out) => { out[0] = z - x * x; },
 * });
 */
export function constraint(options: ConstraintOptions, builder: JointBuilder): JointParts {
  builder.check(options, ["bodies", "rows", "value"], ["unit", "compliance"]);
  const bodies = builder.bodies(options.bodies);
  const names = rowNames(options.rows, builder);
  if (typeof options.value !== "function") {
    throw builder.error(`value must be a function of poses, not ${show(options.value)}`);
  }
  const unit = oneOf(builder.where, "unit", options.unit ?? "force", ["force", "torque"]);
  const value = guarded(builder.where, names, options.value);
  const user = Object.freeze({ names, bodies, value, unit });
  return { markers: undefined, blocks: [{ holonomic: true, rows: [], user }] };
}

function rowNames(rows: unknown, builder: JointBuilder): readonly string[] {
  const isNamed = Array.isArray(rows) && rows.every((name) => typeof name === "string" && name);
  if (!isNamed || rows.length === 0) {
    throw builder.error(`rows must be one or more names, like ["height"], not ${show(rows)}`);
  }
  const twice = rows.find((name, i) => rows.indexOf(name) !== i);
  if (twice !== undefined) throw builder.error(`rows has the name "${twice}" twice`);
  return Object.freeze([...rows]);
}

/** Copies returned values and checks for NaN; has the same arity as the user's function. */
function guarded(where: string, names: readonly string[], value: UserRowFunction): UserRowFunction {
  const evaluate: UserRowFunction = (poses, out, t) => {
    const result = value(poses, out, t);
    if (result !== undefined && result !== out) {
      if (!isList(result) || result.length !== names.length) {
        const problem = `value gave ${show(result)} instead of ${names.length} numbers`;
        throw new NodriftError("EVALUATION", `${where}: ${problem} at t = ${t}`);
      }
      out.set(result as ArrayLike<number>);
    }
    for (let i = 0; i < names.length; i++) {
      if (Number.isFinite(out[i])) continue;
      throw new NodriftError("EVALUATION", `${where}: row "${names[i]}" is ${out[i]} at t = ${t}`);
    }
  };
  return Object.defineProperty(evaluate, "length", { value: value.length });
}
