import { needed, oneOf } from "../../base/checking/index.js";
import { isList, show } from "../../base/checking/values.js";
import { NodriftError } from "../../base/errors.js";
import { isConstant } from "../../formulas/expressions/graph.js";
import type { MeasuredFormula } from "../formula-data.js";
import type { Body } from "../handles.js";
import { type FormulaText, sourceOf } from "../measured/formula-source.js";
import { FrameGraph } from "../measured/frame-graph.js";
import { bodiesRead, readsVelocities, usedInputs } from "../measured/measured-formula.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import type { UserRowFunction } from "../model-data.js";
import { compliance, recipeOption } from "../recipe-checker.js";
import type { JointBuilder, JointOptions, JointType } from "./joint-builder.js";

// User-defined rows of constraints.

/** Rows given by formulas: the formulas, the bodies they read, and whether they are on positions. */
interface RowFormulas {
  readonly formulas: readonly MeasuredFormula[];
  readonly bodies: readonly number[];
  readonly holonomic: boolean;
  readonly areNonlinear: boolean;
}

/** Reads the formulas of rows, each zero when its row is satisfied. */
function rowFormulas(
  names: readonly string[],
  given: readonly FormulaText[],
  builder: JointBuilder,
): RowFormulas {
  if (given.length !== names.length) {
    throw builder.error(`value has ${given.length} formulas for ${names.length} rows`);
  }
  const formulas = given.map((text, i) => {
    const source = sourceOf(text);
    if (!source) throw builder.error(`value[${i}] must be a formula, not ${show(text)}`);
    return recipeFormula(builder, `value[${i}]`, source, { t: TIME });
  });
  const { store } = builder;
  formulas.forEach((formula, i) => {
    if (usedInputs(formula).some(({ kind }) => kind === "state")) {
      throw builder.error(
        `value[${i}], "${formula.text}", reads a state: rows hold bodies alone; give a force instead`,
      );
    }
    if (bodiesRead(formula, store.markers).length > 0) return;
    throw builder.error(`value[${i}], "${formula.text}", reads no body: no motion can change it`);
  });
  const moving = formulas.filter(readsVelocities);
  if (moving.length > 0 && moving.length < formulas.length) {
    throw builder.error(
      "some rows are on velocities and some on positions: give each kind a constraint of its own",
    );
  }
  const holonomic = moving.length === 0;
  const bodies = [...new Set(formulas.flatMap((one) => bodiesRead(one, store.markers)))];
  return {
    formulas: Object.freeze(formulas),
    bodies: Object.freeze(bodies),
    holonomic,
    areNonlinear: !holonomic && areNonlinear(formulas, builder),
  };
}

/** Whether the Jacobian of rows on velocities depends on velocities, so that a second derivative is nonzero. */
function areNonlinear(formulas: readonly MeasuredFormula[], builder: JointBuilder): boolean {
  const { parameters, markers } = builder.store;
  const graph = new FrameGraph(builder.store, {
    frames: 0,
    time: -8,
    reference: (sensor) => -16 - 16 * sensor,
    // Nothing is read here: addresses only distinguish inputs.
    parameter: (name) => -24 - 16 * parameters.findIndex((one) => one.name === name),
  });
  return formulas.some((formula) => {
    const node = graph.formula(formula);
    const directions = bodiesRead(formula, markers).flatMap((body) =>
      [0, 1, 2, 3, 4, 5].map((j) => graph.velocity(body, j)),
    );
    const slopes = directions.map((along) => graph.calculus.along([node], along)[0]!);
    const bends = directions.flatMap((along) => graph.calculus.along(slopes, along));
    return !bends.every((bend) => isConstant(bend, 0));
  });
}

/** Options of `constraint`. */
export interface ConstraintOptions extends JointOptions {
  /** Bodies whose poses the function receives, in this order. Omit it for formulas, which name their bodies. */
  readonly bodies?: readonly (Body | string)[] | undefined;
  /** Names of the rows. */
  readonly rows: readonly string[];
  /**
   * A formula for each row, of `t`, parameters and quantities of the model, which is zero when the row is satisfied.
   * Rows that read velocities are on velocities, linear in them or not. All have exact derivatives and are compiled.
   * The forces of nonlinear rows act along their derivatives with respect to velocities (Chetaev), which must not
   * vanish at the initial state.
   *
   * Alternatively, a function that computes the residuals (written to `out` or returned). Poses are views,
   * overwritten by the next evaluation. A function without a third parameter is taken as time-independent.
   */
  readonly value: readonly FormulaText[] | UserRowFunction;
  /** Unit of the multipliers: "force" for rows that measure lengths, "torque" for angles. Default: "force". */
  readonly unit?: "force" | "torque" | undefined;
}

/**
 * A constraint by user formulas, on positions or velocities; or by a user function of positions, differentiated by
 * finite differences.
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
export const constraint: JointType<ConstraintOptions> = {
  options: {
    bodies: recipeOption("program", "bodies"),
    rows: needed(recipeOption("names", 'one or more names, like ["height"]')),
    value: needed(recipeOption("rows", "a formula for each row, or a function of poses")),
    unit: oneOf("force", "torque"),
    compliance,
  },
  appearance: { attaches: "neither" },
  rows(options, builder) {
    const names = rowNames(options.rows, builder);
    const { unit = "force" } = options;
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
  },
};

function rowNames(rows: unknown, builder: JointBuilder): readonly string[] {
  const isNamed = Array.isArray(rows) && rows.every((name) => typeof name === "string" && name);
  if (!isNamed || rows.length === 0) {
    throw builder.error(`rows must be one or more names, like ["height"], not ${show(rows)}`);
  }
  const twice = rows.find((name, i) => rows.indexOf(name) !== i);
  if (twice !== undefined) throw builder.error(`rows has the name "${twice}" twice`);
  return Object.freeze([...rows]);
}

/** Returns the number, or NaN for null and text, which typed arrays would convert. */
function numberOf(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

/** Copies returned values and checks for NaN; has the same arity as the user's function. */
function guarded(where: string, names: readonly string[], value: UserRowFunction): UserRowFunction {
  const evaluate: UserRowFunction = (poses, out, t) => {
    // Entries that are not written must not keep the values of the previous evaluation.
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
