// The builder passed to recipes of joints: option checks, markers, sensors and user-given drives.

import type { SensorKind } from "../../../assembly/layout-bodies.js";
import { comparedRate } from "../../base/algebra/derivative-check.js";
import { isRecord, needed } from "../../base/checking/index.js";
import {
  checkKeys,
  descriptionError,
  hint,
  notNegative,
  show,
  wrongDerivative,
} from "../../base/checking/values.js";
import { NodriftError } from "../../base/errors.js";
import type { Joint } from "../handles.js";
import { type FramePairOptions, Markers } from "../markers.js";
import { type FormulaSource, type FormulaText, sourceOf } from "../measured/formula-source.js";
import { parameterValues, timeFunctions } from "../measured/measured-formula.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import type { BlockData, Drive, JointAppearance, JointData } from "../model-data.js";
import {
  Checker,
  compliance,
  ends,
  type OptionRules,
  type RecipeOption,
  vector,
} from "../recipe-checker.js";
import type { Store } from "../store.js";
import type { TreeForm } from "./rows.js";

/**
 * Compliance of the rows in m/N or rad/(N m): one number for all rows, or one per row name. It does not affect the
 * motion. It decides how redundant joints share a load, so only ratios matter. Rows without a compliance get the
 * geometric mean of those given for rows of their kind.
 *
 * @example
 * m.revolute({ between: [m.ground, shaft], at, axis, compliance: { "transverse 1": 2e-9, "transverse 2": 2e-9 } });
 */
export type Compliance = number | Readonly<Record<string, number>>;

/** Options of every joint. */
export interface JointOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/** Options of joints at a frame. */
export interface FramedJointOptions extends FramePairOptions, JointOptions {}

/** Rules of {@link FramedJointOptions}. */
export const framed = { between: needed(ends), at: vector, axis: vector, compliance };
/** Rules of options of joints between the axes of two bodies. */
export const crossed = {
  between: needed(ends),
  at: vector,
  axisA: vector,
  axisB: vector,
  compliance,
};
/** Rules of {@link PointPairOptions}. */
export const pointPair = { between: needed(ends), atA: vector, atB: vector };

/** A type of joint: all there is to know about it. Each has a file, and a line in the index. */
export interface JointType<Options, Parts extends JointParts<string> = JointParts> {
  /** Rules of its options. */
  readonly options: OptionRules<Options>;
  readonly appearance: JointAppearance;
  /** Its nodes in joint coordinates. Without it, it stays rows. */
  readonly tree?: TreeForm;
  /** Converts options that satisfy their rules to rows. */
  rows(options: Options, builder: JointBuilder): Parts;
}

/** A joint type of the registry. */
export type AnyJointType = Omit<JointType<never, JointParts<string>>, "options"> & {
  readonly options: Readonly<Record<string, RecipeOption>>;
};

/** Parts of a joint. `Measured` names its sensors, and types the readings of its handle. */
export interface JointParts<Measured extends string = never> {
  readonly markers: JointData["markers"];
  readonly blocks: readonly BlockData[];
  readonly sensors?: Readonly<Record<Measured, number>>;
  /** Whether it prescribes a motion, and so does work. */
  readonly isDrive?: true;
}

/** Parts of a joint that drives the coordinate it measures. */
export type DriveParts<Measured extends string> = JointParts<Measured> & { readonly isDrive: true };

/** A constant, a formula of `t` and parameters, a function of time, or { value, rate, acceleration }. */
export type DriveOption =
  | number
  | FormulaText
  | ((t: number) => number)
  | Omit<Drive, "parameters">;

export class JointBuilder extends Checker {
  readonly markers = new Markers(this);

  constructor(store: Store, type: string, options: object) {
    super(store, "joint", type, options);
  }

  sensor(kind: SensorKind, a: number, b: number): number {
    return this.store.addSensor({ kind, a, b, owner: this.name });
  }

  /** Returns the prescribed value of a row. Functions are checked: NaN is reported with the joint and the time. */
  drive(option: string, value: unknown): number | Drive {
    if (typeof value === "number") return this.finite(option, value);
    const { where } = this;
    // A result of `timeFunction` is recognised as a formula by its value.
    const source = sourceOf(value) ?? sourceOf((value as Partial<Drive> | null | undefined)?.value);
    if (source) return this.#formula(option, source);
    if (typeof value === "function") return { value: guarded(where, option, value as Guarded) };
    if (typeof value !== "object" || value === null) {
      throw this.error(
        `${option} must be a number, a formula or a function of time, not ${show(value)}`,
      );
    }
    checkKeys(`${where}: ${option}`, value, ["value"], ["rate", "acceleration"]);
    const drive: Record<string, Guarded> = {};
    for (const [key, entry] of Object.entries(value)) {
      if (entry === undefined) continue;
      if (typeof entry !== "function") {
        throw this.error(`${option}.${key} must be a function of time, not ${show(entry)}`);
      }
      drive[key] = guarded(where, `${option}.${key}`, entry as Guarded);
    }
    return this.#compared(option, drive as unknown as Drive);
  }

  /** Adds checks that compare given derivatives with finite differences of their functions. */
  #compared(option: string, { value, rate, acceleration }: Drive): Drive {
    if (!this.store.check) return { value, rate, acceleration };
    const refuse = (key: string) => (t: number, given: number, found: number) =>
      wrongDerivative(this.where, `${option}.${key}`, t, given, found);
    return {
      value,
      rate: rate && comparedRate(rate, value, 1, refuse("rate")),
      acceleration:
        acceleration &&
        comparedRate(acceleration, rate ?? value, rate ? 1 : 2, refuse("acceleration")),
    };
  }

  /** Returns the drive of a formula of t and parameters, with both derivatives. */
  #formula(option: string, source: FormulaSource): Drive {
    const formula = recipeFormula(this, option, source, { t: TIME }, "own names");
    const [value, rate, acceleration] = timeFunctions(formula);
    return {
      value: guarded(this.where, option, value),
      rate: guarded(this.where, `the rate of ${option}`, rate),
      acceleration: guarded(this.where, `the acceleration of ${option}`, acceleration),
      parameters: parameterValues(formula),
    };
  }
}

type Guarded = (t: number) => number;

function guarded(where: string, option: string, value: Guarded): Guarded {
  return (t) => {
    const result: unknown = value(t);
    if (typeof result === "number" && Number.isFinite(result)) return result;
    throw new NodriftError("EVALUATION", `${where}: ${option} gave ${show(result)} at t = ${t}`);
  };
}

/** Checks the options of a joint, and adds it. */
export function addJoint(
  store: Store,
  type: string,
  joint: AnyJointType,
  options: JointOptions,
): Joint {
  return store.attempt(() => {
    const builder = new JointBuilder(store, type, options);
    const read = builder.read(options, joint.options);
    const { markers, blocks, sensors = {}, isDrive = false } = joint.rows(read as never, builder);
    const given: unknown = options.compliance;
    return store.addJoint({
      name: builder.name,
      type,
      markers,
      blocks: Object.freeze(blocks.map((block) => Object.freeze(block))),
      sensors: Object.freeze(sensors),
      isDrive,
      appearance: joint.appearance,
      compliance: complianceOf(builder.where, blocks, given),
    });
  });
}

function complianceOf(
  where: string,
  blocks: readonly BlockData[],
  given: unknown,
): JointData["compliance"] {
  if (given === undefined) return undefined;
  const names = blocks.flatMap((block) => [
    ...block.rows.flatMap((row) => row.names),
    ...(block.user?.names ?? []),
  ]);
  const pairs = isRecord(given)
    ? Object.entries(given)
    : names.map((name) => [name, given] as const);
  return Object.freeze(
    Object.fromEntries(
      pairs.map(([name, value]) => {
        if (!names.includes(name)) {
          throw descriptionError(
            where,
            `compliance: there is no row "${name}"${hint(name, names)}`,
          );
        }
        const option = isRecord(given) ? `compliance of "${name}"` : "compliance";
        return [name, notNegative(where, option, value ?? Number.NaN)];
      }),
    ),
  );
}
