import { isList, show } from "../../base/checking/values.js";
import { NodriftError } from "../../base/errors.js";
import type { MeasuredFormula } from "../formula-data.js";
import type { Body, Force } from "../handles.js";
import { type FormulaText, sourceOf } from "../measured/formula-source.js";
import { constantFormula } from "../measured/measured-formula.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import type { UserForceFunction } from "../model-data.js";
import { type OptionRules, userForceOptions } from "../recipe-checker.js";
import type { Store } from "../store.js";
import { ForceBuilder } from "./force-builder.js";

/** Three numbers or formulas of `t`, parameters and quantities of the model: `["-2 * x('ball')", 0, 0]`. */
export type FormulaVector = readonly (number | FormulaText)[];

/** Load on one body by formulas, in world axes. Default of both parts: zero. */
export interface FormulaLoad {
  /** Force at the origin of the body's frame. */
  readonly force?: FormulaVector | undefined;
  /** Torque on the body. */
  readonly torque?: FormulaVector | undefined;
}

/** Options of `userForce`: `apply`, or `loads`. */
export interface UserForceOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** Bodies whose motion the function receives and on which it acts, in this order. */
  readonly bodies: readonly (Body | string)[];
  /**
   * Adds to the force (world, at the origin of the body's frame) and the torque (world) of each body. Its arguments
   * are views that the next evaluation overwrites. If it declares a fourth parameter, it receives a reader of the
   * mechanism.
   */
  readonly apply?: ((...given: Required<Parameters<UserForceFunction>>) => void) | undefined;
  /** A load for each body by formulas, instead of a function. Formulas have exact derivatives and are compiled. */
  readonly loads?: readonly FormulaLoad[] | undefined;
}

const OPTIONS: OptionRules<UserForceOptions> = userForceOptions;

/** Number of parameters of a function that does not read the mechanism. */
const PARAMETERS_WITHOUT_READER = 3;

/** Adds a force that a user function or formulas apply to bodies. NaN is reported with the body and the time. */
export function addUserForce(store: Store, options: UserForceOptions): Force {
  const builder = new ForceBuilder(store, "userForce", options);
  const { bodies: given, apply, loads } = builder.read(options, OPTIONS) as UserForceOptions;
  const bodies = builder.bodies(given);
  if ((apply === undefined) === (loads === undefined)) {
    throw builder.error("give apply, a function of motions, or loads, formulas for each body");
  }
  if (loads !== undefined) {
    const formulas = Object.freeze(loadFormulas(loads, bodies.length, builder));
    return store.addUserForce({ name: builder.name, bodies, formulas });
  }
  if (typeof apply !== "function") {
    throw builder.error(`apply must be a function of motions, not ${show(apply)}`);
  }
  const names = bodies.map((body) => store.bodies[body]!.name);
  return store.addUserForce({
    name: builder.name,
    bodies,
    reads: apply.length > PARAMETERS_WITHOUT_READER,
    apply: guarded(apply, names, builder),
  });
}

/** Returns force and torque of each body as six formulas. */
function loadFormulas(loads: unknown, count: number, builder: ForceBuilder): MeasuredFormula[] {
  if (!Array.isArray(loads) || loads.length !== count) {
    const given = Array.isArray(loads) ? `a list of ${loads.length}` : show(loads);
    throw builder.error(`loads must be one { force, torque } for each of bodies, not ${given}`);
  }
  return loads.flatMap((load: FormulaLoad, i) => {
    builder.checkInner(`loads[${i}]`, load, [], ["force", "torque"]);
    if (load.force === undefined && load.torque === undefined) {
      throw builder.error(`loads[${i}]: give force or torque`);
    }
    return (["force", "torque"] as const).flatMap((part) =>
      threeFormulas(`loads[${i}].${part}`, load[part] ?? [0, 0, 0], builder),
    );
  });
}

function threeFormulas(option: string, given: unknown, builder: ForceBuilder): MeasuredFormula[] {
  if (!isList(given) || given.length !== 3) {
    throw builder.error(`${option} must be 3 numbers or formulas, not ${show(given)}`);
  }
  return Array.from(given, (one, i) => {
    const source = sourceOf(one);
    const place = `${option}[${i}]`;
    if (source) return recipeFormula(builder, place, source, { t: TIME });
    return constantFormula(builder.finite(place, one));
  });
}

/** Wraps the user function with checks for NaN. */
function guarded(
  apply: NonNullable<UserForceOptions["apply"]>,
  names: readonly string[],
  builder: ForceBuilder,
): UserForceFunction {
  return (motions, loads, t, read) => {
    const returned: unknown = apply(motions, loads, t, read!);
    if (returned instanceof Promise) {
      throw builder.error("apply must be synchronous, but returned a promise");
    }
    // Arrow functions without braces return their last assigned value, or the array that they filled.
    if (typeof returned === "object" && returned !== null && !isOf(returned, loads)) {
      throw new NodriftError(
        "EVALUATION",
        `${builder.where}: apply returned ${show(returned)} at t = ${t}; it must add to the force and torque of its second ` +
          "parameter and return nothing",
      );
    }
    for (let i = 0; i < loads.length; i++) {
      const { force, torque } = loads[i]!;
      if (isFinite3(force) && isFinite3(torque)) continue;
      throw new NodriftError(
        "EVALUATION",
        `${builder.where}: apply gave "${names[i]}" the force ${show(force)} and the torque ` +
          `${show(torque)} at t = ${t}`,
      );
    }
  };
}

function isOf(returned: object, loads: Parameters<UserForceFunction>[1]): boolean {
  return loads.some(({ force, torque }) => returned === force || returned === torque);
}

function isFinite3(v: Float64Array): boolean {
  return Number.isFinite(v[0]) && Number.isFinite(v[1]) && Number.isFinite(v[2]);
}
