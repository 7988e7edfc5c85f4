import { NodriftError } from "../../ground/errors.js";
import type { FormulaText } from "../measured/formula-source.js";
import type { Body } from "../model/handles.js";
import type { UserRowFunction } from "../model/model-data.js";
import { isList, oneOf, show } from "../model/option-checks.js";
import { rowFormulas } from "./constraint-formulas.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";

/** Options of `constraint`. */
export interface ConstraintOptions {
  /** For messages, readings and files. Default: the type with a number. */
  readonly name?: string | undefined;
  /** Whose poses the function gets, in this order. Formulas name their bodies themselves. */
  readonly bodies?: readonly (Body | string)[] | undefined;
  /** A name for each row. */
  readonly rows: readonly string[];
  /**
   * A formula for each row, of `t`, parameters and quantities of the model: zero where the row holds. Rows that read
   * velocities are on velocities, linear in them or not; all have exact derivatives and are compiled. Rows that are not linear
   * hold by forces along their derivatives by velocities (Chetaev), which must not be zero at the start.
   *
   * Or a function that computes the residuals (written to `out` or returned). Poses are views, overwritten by the next
   * evaluation. Without a third parameter it is taken as time-independent.
   */
  readonly value: readonly FormulaText[] | UserRowFunction;
  /** What the rows measure: lengths have forces as multipliers ("force", if not given), angles torques. */
  readonly unit?: "force" | "torque" | undefined;
  /** How much its rows give way: decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A constraint by the user's own formulas, on positions or velocities; or by a function of positions, whose derivatives
 * are found by differences.
 *
 * @example
 * m.constraint({ rows: ["parabola"], value: ["z('bead') - x('bead')^2"] });
 * m.constraint({ rows: ["skate"], value: ["vx('sledge') * ryx('sledge') - vy('sledge') * rxx('sledge')"] });
 * m.constraint({
 *   bodies: [bead],
 *   rows: ["parabola"],
 *   value: ([{ position: [x, , z] }], out) => { out[0] = z - x * x; },
 * });
 */
export function constraint(options: ConstraintOptions, builder: JointBuilder): JointParts {
  builder.check(options, ["rows", "value"], ["bodies", "unit", "compliance"]);
  const names = rowNames(options.rows, builder);
  const unit = oneOf(builder.where, "unit", options.unit ?? "force", ["force", "torque"]);
  if (Array.isArray(options.value)) {
    if (options.bodies !== undefined) {
      throw builder.error("bodies is for functions: formulas name the bodies they read");
    }
    const { holonomic, ...read } = rowFormulas(names, options.value, builder);
    const user = Object.freeze({ names, unit, ...read });
    return { markers: undefined, blocks: [{ holonomic, rows: [], user }] };
  }
  if (typeof options.value !== "function") {
    const what = "a formula for each row, or a function of poses";
    throw builder.error(`value must be ${what}, not ${show(options.value)}`);
  }
  if (options.bodies === undefined) throw builder.error("bodies is missing");
  const bodies = builder.bodies(options.bodies);
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

/** Not null or text, which arrays of numbers would take for numbers. */
function numberOf(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

/** Copies returned values and checks for NaN; has the same arity as the user's function. */
function guarded(where: string, names: readonly string[], value: UserRowFunction): UserRowFunction {
  const evaluate: UserRowFunction = (poses, out, t) => {
    // What is not written must not pass for the value of the evaluation before.
    out.fill(Number.NaN);
    const result = value(poses, out, t);
    if (result !== undefined && result !== out) {
      if (!isList(result) || result.length !== names.length) {
        const problem = `value gave ${show(result)} instead of ${names.length} numbers`;
        throw new NodriftError("EVALUATION", `${where}: ${problem} at t = ${t}`);
      }
      for (let i = 0; i < names.length; i++) out[i] = numberOf(result[i]);
    }
    for (let i = 0; i < names.length; i++) {
      if (Number.isFinite(out[i])) continue;
      const advice = result === undefined ? `: return it, or write it to out[${i}]` : "";
      throw new NodriftError(
        "EVALUATION",
        `${where}: row "${names[i]}" is ${out[i]} at t = ${t}${advice}`,
      );
    }
  };
  return Object.defineProperty(evaluate, "length", { value: value.length });
}
