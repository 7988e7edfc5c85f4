import { ForceKind } from "../../../assembly/layout-bodies.js";
import { MotorData } from "../../../assembly/layout-motor.js";
import { comparedRate } from "../../base/algebra/derivative-check.js";
import { rateOf } from "../../base/algebra/differences.js";
import {
  finite,
  flag,
  needed,
  notNegative,
  number,
  oneOf,
  positive,
} from "../../base/checking/index.js";
import { checkKeys, show, type VectorLike, wrongDerivative } from "../../base/checking/values.js";
import { constantsOf } from "../constants.js";
import type { Joint } from "../handles.js";
import { type FormulaSource, type FormulaText, sourceOf } from "../measured/formula-source.js";
import { timeFunctions } from "../measured/measured-formula.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import type { Drive } from "../model-data.js";
import type { QuantityReader } from "../quantity-reader.js";
import { type EndPair, recipeOption } from "../recipe-checker.js";
import { type FormulaScope, readingFormula, readsSomething } from "../states/reading-formula.js";
import type { ForceBuilder, ForceType } from "./force-builder.js";
import { type JointCoordinate, measuredBy, sensedRules } from "./sensed.js";

/**
 * A number, a function of time that may read the mechanism, { value, rate } of time, or a formula of t and of
 * quantities of the model: `"output('pid')"`.
 */
export type MotorInput =
  | number
  | FormulaText
  | ((t: number, read: QuantityReader) => number)
  | Drive;

/** Options of `motor`. */
export interface MotorOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** The driven joint: revolute, prismatic, cylindrical or screw. For a length, use `between` instead. */
  readonly joint?: Joint | string | undefined;
  /** Two bodies or markers: the motor acts on the distance between a point of each. */
  readonly between?: EndPair | undefined;
  /** Point of the first body, in the world at the poses given. Default: the origin of its frame. */
  readonly atA?: VectorLike | undefined;
  /** Point of the second body, given in the same way. */
  readonly atB?: VectorLike | undefined;
  /** Coordinate of a joint that has both an angle and a displacement. */
  readonly of?: JointCoordinate | undefined;
  /** Controlled quantity: torque (or force), rate, or angle (displacement, length). */
  readonly mode: "torque" | "velocity" | "position";
  /** Target: a number, a function of time and a reader, or { value, rate }. Numbers can be set at run time. */
  readonly target: MotorInput;
  /** Position gain in N m/rad or N/m, for mode "position". */
  readonly stiffness?: number | undefined;
  /** Rate gain in N m s/rad or N s/m, for modes "position" and "velocity". */
  readonly damping?: number | undefined;
  /** Feed-forward torque or force at the joint. */
  readonly feedForward?: MotorInput | undefined;
  /** Maximum torque of the rotor in N m, or force in N if no gear converts rotation to displacement. */
  readonly maximumTorque?: number | undefined;
  /** Maximum speed of the rotor in rad/s. Accelerating torque fades out over the last 5 percent. */
  readonly maximumSpeed?: number | undefined;
  /** Maximum power in W. */
  readonly maximumPower?: number | undefined;
  /** Rotor angle in rad for each rad or m of the joint. Default: 1. */
  readonly gearRatio?: number | undefined;
  /** Inertia of the rotor about its axis in kg m^2. At the joint it is multiplied by the square of the ratio. */
  readonly rotorInertia?: number | undefined;
  /** Efficiency of the gear, above 0 and up to 1. Default: 1. */
  readonly efficiency?: number | undefined;
  /** Integrates the energy delivered to the joint, as a state `energy` with the name of the motor. */
  readonly energy?: boolean | undefined;
}

/** Modes. The flag of the law is the index in this list. */
const MODES = ["torque", "velocity", "position"] as const;

/** Joint rate below which the sign of gear losses changes gradually, rad/s or m/s. */
const GEAR_LOSS_TRANSITION_RATE = 0.01;

/**
 * A motor at a joint or between two points. Applies the torque feedForward + stiffness (target - angle) + damping
 * (target' - angle'), within the limits of its rotor.
 *
 * @example
 * m.motor({ joint: elbow, mode: "position", target: (t) => Math.sin(t), stiffness: 400, damping: 20,
 *   gearRatio: 100, rotorInertia: 3e-5, maximumTorque: 0.4 });
 * m.motor({ joint: wheel, mode: "velocity", target: 20, damping: 5, maximumPower: 500 });
 */
export const motor: ForceType<MotorOptions> = {
  options: {
    ...sensedRules,
    mode: needed(oneOf(...MODES)),
    target: needed(recipeOption("live", "a number, a formula or a function of time")),
    stiffness: notNegative,
    damping: notNegative,
    feedForward: recipeOption("live", "a number, a formula or a function of time"),
    maximumTorque: positive,
    maximumSpeed: positive,
    maximumPower: positive,
    gearRatio: finite,
    rotorInertia: notNegative,
    efficiency: number("a number above 0 and up to 1", (value) => value > 0 && value <= 1, {
      exclusiveMinimum: 0,
      maximum: 1,
    }),
    energy: flag,
  },
  appearance: { symbol: "motor", attaches: "neither" },
  law(options, builder) {
    const { mode, gearRatio: ratio = 1, efficiency = 1, rotorInertia: inertia = 0 } = options;
    const { stiffness, damping } = gainsOf(mode, options, builder);
    if (ratio === 0) throw builder.error("gearRatio is zero: the rotor would not turn at all");
    const most = (option: "maximumTorque" | "maximumSpeed" | "maximumPower") =>
      options[option] ?? Number.MAX_VALUE;
    const target = inputOf("target", options.target, builder);
    const feed = inputOf("feedForward", options.feedForward ?? 0, builder);
    const isTorque = mode === "torque";
    const rateOfTarget = mode === "position" ? target.rate : isTorque ? () => 0 : target.value;
    const a = measuredBy(options, builder);
    const { name } = builder;
    return {
      kind: ForceKind.MOTOR,
      a,
      b: -1,
      flag: MODES.indexOf(mode),
      constants: constantsOf(MotorData.LENGTH, {
        [MotorData.STIFFNESS]: stiffness,
        [MotorData.DAMPING]: damping,
        [MotorData.MOST_TORQUE]: most("maximumTorque"),
        [MotorData.MOST_SPEED]: most("maximumSpeed"),
        [MotorData.MOST_POWER]: most("maximumPower"),
        [MotorData.RATIO]: ratio,
        [MotorData.EFFICIENCY]: efficiency,
        [MotorData.SLOW]: Math.abs(ratio) * GEAR_LOSS_TRANSITION_RATE,
      }),
      reads: target.reads || feed.reads,
      update: (slots, _motion, _measured, t, read) => {
        const aim = target.value(t, read!);
        slots[MotorData.TARGET] = mode === "position" ? aim : 0;
        slots[MotorData.TARGET_RATE] = rateOfTarget(t, read!);
        slots[MotorData.FEED] = feed.value(t, read!) + (isTorque ? aim : 0);
      },
      // Targets that depend on time alone have no state derivatives, so the derivatives of the law are complete.
      ...(!target.reads && !feed.reads && { derive: () => {} }),
      ...(inertia > 0 && { rotor: inertia * ratio * ratio }),
      ...(options.energy && {
        states: {
          name,
          names: Object.freeze(["energy"]),
          start: Object.freeze([0]),
          isOfForce: true,
          rates: (_t, _y, read, out) => {
            out[0] = read.motorPower(name);
          },
        },
      }),
    };
  },
};

function gainsOf(
  mode: MotorOptions["mode"],
  options: MotorOptions,
  builder: ForceBuilder,
): { readonly stiffness: number; readonly damping: number } {
  const { stiffness = 0, damping = 0 } = options;
  if (mode === "position" && options.stiffness === undefined) {
    throw builder.error('mode is "position": give stiffness, and damping');
  }
  if (mode === "velocity" && options.damping === undefined) {
    throw builder.error('mode is "velocity": give damping');
  }
  const odd =
    (mode !== "position" && options.stiffness !== undefined && "stiffness") ||
    (mode === "torque" && options.damping !== undefined && "damping");
  if (odd) throw builder.error(`mode is "${mode}", which has no ${odd}`);
  return { stiffness, damping };
}

/** A target as a function of time and a reader. */
interface MotorTarget {
  readonly value: (t: number, read: QuantityReader) => number;
  readonly rate: (t: number, read: QuantityReader) => number;
  readonly reads: boolean;
}

/** Reads a formula. A formula of t has an exact rate; the rate of quantities it reads is unknown and taken as zero. */
function formulaInput(option: string, source: FormulaSource, builder: ForceBuilder): MotorTarget {
  if (!readsSomething(source.name)) {
    const formula = recipeFormula(builder, option, source, { t: TIME }, "own names");
    const [value, rate] = timeFunctions(formula);
    const checked = (what: string, f: (t: number) => number) => (t: number) =>
      builder.number(what, f(t), t);
    return { value: checked(option, value), rate: checked(option, rate), reads: false };
  }
  const known = { parameters: builder.store.parameters, functions: source.functions };
  const formula = readFormula(option, source.name, known, builder);
  const time = new Float64Array(1);
  const value = (t: number, read: QuantityReader) => {
    time[0] = t;
    return formula(time, read);
  };
  // It declares both parameters, and therefore reads the mechanism.
  return inputOf(option, value, builder);
}

function readFormula(option: string, text: string, known: FormulaScope, builder: ForceBuilder) {
  try {
    return readingFormula(text, ["t"], known);
  } catch (error) {
    throw builder.error(`${option}: ${(error as Error).message}`);
  }
}

function inputOf(option: string, given: unknown, builder: ForceBuilder): MotorTarget {
  if (typeof given === "number") {
    const value = builder.finite(option, given);
    return { value: () => value, rate: () => 0, reads: false };
  }
  const checked =
    (what: string, f: (t: number, read: QuantityReader) => number) =>
    (t: number, read: QuantityReader) =>
      builder.number(what, f(t, read), t);
  const source = sourceOf(given);
  if (source) return formulaInput(option, source, builder);
  if (typeof given === "function") {
    const law = given as (t: number, read: QuantityReader) => number;
    const value = checked(option, law);
    const reads = law.length > 1;
    // The rate of quantities that are read is unknown.
    const rate = reads ? () => 0 : (t: number) => rateOf((at) => value(at, undefined!), t);
    return { value, rate, reads };
  }
  if (typeof given !== "object" || given === null) {
    throw builder.error(`${option} must be a number or a function of time, not ${show(given)}`);
  }
  checkKeys(`${builder.where}: ${option}`, given, ["value"], ["rate", "acceleration"]);
  const { value, rate } = given as { value: unknown; rate?: unknown };
  if (typeof value !== "function" || (rate !== undefined && typeof rate !== "function")) {
    throw builder.error(`${option}: value and rate must be functions of time`);
  }
  const own = inputOf(option, value, builder);
  if (rate === undefined) return own;
  const ownRate = checked(`${option}.rate`, rate as MotorTarget["rate"]);
  if (!builder.store.check || own.reads || rate.length > 1) return { ...own, rate: ownRate };
  // Neither function reads the mechanism.
  const ofTime = (f: MotorTarget["value"]) => (t: number) => f(t, undefined!);
  const refuse = (t: number, wrong: number, found: number) =>
    wrongDerivative(builder.where, `${option}.rate`, t, wrong, found);
  return { ...own, rate: comparedRate(ofTime(ownRate), ofTime(own.value), 1, refuse) };
}
