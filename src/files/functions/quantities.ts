// Quantities that formulas of events and outputs read from a state, with the vocabulary of src/model/measured.

import { column, norm, times } from "../../base/algebra/vectors.js";
import { isRecord } from "../../base/checking/index.js";
import { descriptionError, show } from "../../base/checking/values.js";
import type { BodyState, ForceReading, JointReading } from "../../bodies.js";
import { type Formula, parseFormula } from "../../formulas/expressions/index.js";
import { type Subject, Subjects } from "../../model/measured/subjects.js";
import {
  type BodyMeasure,
  type Dimension,
  type ForceMeasure,
  type JointMeasure,
  type LoadMeasure,
  type PointMeasure,
  quantityNames,
  type SensorMeasure,
  type WholeMeasure,
} from "../../model/measured/vocabulary.js";
import type { ModelData, Vector } from "../../model/model-data.js";
import { type FunctionSet, requireFunctions } from "./functions.js";

export { type Dimension, quantityNames };

/** Reads a value from a state. */
export type BodyStateFunction = (state: BodyState) => number;

/** A formula of a file that reads states. */
export interface StateFormula {
  /** Evaluates the formula at a state. */
  readonly read: BodyStateFunction;
  /** Dimension, if the formula is a single quantity. */
  readonly dimension: Dimension | undefined;
}

/** Pattern of a single quantity; quotes are doubled in names. */
const ALONE = /^\s*\w+\s*\(\s*(?:'(?:[^']|'')*'|"(?:[^"]|"")*")?\s*\)\s*$/;

/**
 * Parses a formula of t, of quantities of a model and of named functions. Its value is NaN in modes without a joint that
 * it reads. Throws a FormulaError if it names something unknown.
 */
export function parseStateFormula(
  text: string,
  model: ModelData,
  functions?: FunctionSet,
): StateFormula {
  requireFunctions("parseStateFormula", functions);
  if (!isRecord(model) || !Array.isArray(model.bodies) || !Array.isArray(model.joints)) {
    throw descriptionError(
      "parseStateFormula",
      `the model is ${show(model)}; use the data of a compiled model`,
    );
  }
  return stateFormulaOf(text, new Subjects(model), functions);
}

/** Returns a parser for many formulas of one model, some parts of which may be invalid. */
export function stateFormulaOf(
  text: string,
  subjects: Subjects,
  functions?: FunctionSet,
): StateFormula {
  const formula = parseFormula(text, {
    variables: ["t"],
    quantities: quantityNames,
    ...(functions && { functions: functions.library }),
  });
  const found = formula.quantities.map((quantity) => subjects.resolve(quantity, text));
  return {
    read: reader(formula, found.map(readingOf)),
    dimension: ALONE.test(text) ? found[0]?.dimension : undefined,
  };
}

function reader(formula: Formula, readings: readonly BodyStateFunction[]): BodyStateFunction {
  const { slots } = formula;
  return (state) => {
    slots[0] = state.time;
    for (let i = 0; i < readings.length; i++) slots[i + 1] = readings[i]!(state);
    return formula.value();
  };
}

/** Returns the function that reads a quantity from a state. */
function readingOf(subject: Subject): BodyStateFunction {
  switch (subject.of) {
    case "point":
      return pointReading(subject.measure, subject.place);
    case "body":
      return bodyReading(subject.measure, subject.body);
    case "joint":
      return (state) =>
        present(
          () => state.joint(subject.joint),
          (joint) => jointValue(subject.measure, joint),
        );
    case "force":
      return (state) =>
        present(
          () => state.force(subject.force),
          (force) => forceValue(subject.measure, force),
        );
    case "set": {
      const { measure, set, own } = subject;
      return (state) => state[measure](set)[own]!;
    }
    case "whole":
      return wholeReading(subject.measure);
  }
}

function pointReading(
  measure: PointMeasure,
  { body, point, axes }: Extract<Subject, { of: "point" }>["place"],
): BodyStateFunction {
  switch (measure.kind) {
    case "position":
      return (state) => state.body(body).point(point)[measure.axis]!;
    case "velocity":
      return (state) => state.body(body).pointVelocity(point)[measure.axis]!;
    case "speed":
      return (state) => norm(state.body(body).pointVelocity(point));
    case "direction": {
      const own: Vector = column(axes, measure.of);
      return (state) => times(state.body(body).rotation, own)[measure.axis]!;
    }
  }
}

function bodyReading({ kind, axis }: BodyMeasure, body: string): BodyStateFunction {
  return (state) => state.body(body)[kind][axis]!;
}

function jointValue(measure: JointMeasure, joint: JointReading): number | undefined {
  if ("sensor" in measure) {
    return sensorValue(measure.sensor, measure.isRate, joint);
  }
  if ("row" in measure) return joint.multipliers[measure.row];
  return "load" in measure ? loadValue(measure, joint) : joint.driveForce;
}

function forceValue(measure: ForceMeasure, force: ForceReading): number | undefined {
  if ("sensor" in measure) {
    return sensorValue(measure.sensor, measure.isRate, force);
  }
  return "load" in measure ? loadValue(measure, force) : force[measure.other];
}

function sensorValue(
  sensor: SensorMeasure["sensor"],
  isRate: boolean,
  from: JointReading | ForceReading,
): number | undefined {
  return from[isRate ? (`${sensor}Rate` as const) : sensor];
}

function loadValue({ load, axis }: LoadMeasure, from: JointReading | ForceReading): number {
  const vector = from[load]();
  return axis === undefined ? norm(vector) : vector[axis]!;
}

function wholeReading(measure: WholeMeasure): BodyStateFunction {
  if (measure === "constraintError") return (state) => state.constraintError().position;
  return (state) => state.energy()[measure];
}

/** Reads NaN in modes without the joint or force, and if it does not measure the quantity. */
function present<Reading>(
  find: () => Reading,
  read: (found: Reading) => number | undefined,
): number {
  let found: Reading;
  try {
    found = find();
  } catch {
    return Number.NaN;
  }
  return read(found) ?? Number.NaN;
}
