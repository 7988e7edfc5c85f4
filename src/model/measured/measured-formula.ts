// Reads formulas of a mechanism. Systems convert them to graphs over their own memory (frame-graph.ts).

import { SensorKind } from "../../../assembly/layout-bodies.js";
import { column } from "../../base/algebra/vectors.js";
import { differentiate } from "../../formulas/expressions/derivative.js";
import { FormulaError } from "../../formulas/expressions/error.js";
import { Graph, type Node, partsOf } from "../../formulas/expressions/graph.js";
import { Operation } from "../../formulas/expressions/operations.js";
import { parse } from "../../formulas/expressions/parser.js";
import { Program } from "../../formulas/expressions/program.js";
import type { FunctionLookup } from "../../formulas/expressions/scope.js";
import type { MeasuredFormula, MeasuredInput } from "../formula-data.js";
import { forceMarkers } from "../kinds.js";
import type { ModelData, UserRows } from "../model-data.js";
import { type ModelLists, type Subject, Subjects } from "./subjects.js";
import { quantityNames, type SensorMeasure } from "./vocabulary.js";

/** Names available to a formula. */
export interface MeasuredScope {
  /** Local variables, like `length` and `rate` in the law of a spring. */
  readonly locals: Readonly<Record<string, MeasuredInput>>;
  /** Parts of the model that can be named in quotes. Without them only local variables and parameters are available. */
  readonly lists: (ModelLists & Pick<ModelData, "sensors">) | undefined;
  /** Parameters of the model. */
  readonly parameters: readonly { readonly name: string; readonly value: number }[];
  /** Functions that it can call. */
  readonly functions?: FunctionLookup | undefined;
}

/** Returns a number as a formula. */
export function constantFormula(value: number): MeasuredFormula {
  return { text: `${value}`, parts: [new Graph().constant(value)], inputs: [] };
}

/**
 * Reads a formula of a mechanism. Throws a FormulaError if it is wrong, or if a quantity does not follow from poses
 * and velocities: reactions and accelerations follow from forces, so a law of them would be circular.
 */
export function measuredFormula(text: string, scope: MeasuredScope): MeasuredFormula {
  const { locals, lists, functions } = scope;
  const names = Object.keys(locals);
  // A local variable shadows a parameter of the same name.
  const parameters = scope.parameters.filter(({ name }) => !names.includes(name));
  const parsed = parse(text, {
    variables: [...names, ...parameters.map(({ name }) => name)],
    quantities: lists ? quantityNames : [],
    functions,
  });
  const parts = partsOf(parsed.root);
  // Lists all parts of the model: only for formulas that name some.
  const subjects = parsed.quantities.length > 0 && lists ? new Subjects(lists) : undefined;
  const quantities = parsed.quantities.map((quantity) => {
    const subject = subjects!.resolve(quantity, text);
    const input = inputOf(subject, lists!);
    if (typeof input !== "string") return input;
    throw new FormulaError(`${quantity.name}: ${input}`, quantity.offset, text);
  });
  const inputs: readonly MeasuredInput[] = [
    ...Object.values(locals),
    ...parameters.map(({ name, value }) => ({ kind: "parameter", name, value }) as const),
    ...quantities,
  ];
  return Object.freeze({ text, parts, inputs: Object.freeze(inputs) });
}

/** Returns the input for a quantity, or the reason why laws cannot use it. */
function inputOf(
  subject: Subject,
  lists: NonNullable<MeasuredScope["lists"]>,
): MeasuredInput | string {
  const bodyNamed = (name: string) => lists.bodies.findIndex((body) => body.name === name);
  switch (subject.of) {
    case "point": {
      const { measure, place } = subject;
      const body = bodyNamed(place.body);
      if (measure.kind === "speed") return { kind: "speed", body, point: place.point };
      const { axis } = measure;
      if (measure.kind !== "direction") {
        return { kind: measure.kind, body, point: place.point, axis };
      }
      return { kind: "direction", body, direction: column(place.axes, measure.of), axis };
    }
    case "body":
      if (subject.measure.kind === "acceleration") return CIRCULAR_REASON;
      return {
        kind: "angularVelocity",
        body: bodyNamed(subject.body),
        axis: subject.measure.axis,
      };
    case "joint": {
      const { measure, joint } = subject;
      if (!("sensor" in measure)) return CIRCULAR_REASON;
      const found = lists.joints.find(({ name }) => name === joint)!;
      const index = found.sensors[measure.sensor];
      if (index !== undefined) return sensorInput(index, measure.isRate, lists);
      const offers = Object.keys(found.sensors).join(" and ");
      return `joint "${joint}" has no ${measure.sensor}${offers === "" ? "" : `: it has ${offers}`}`;
    }
    case "force":
      if (!("sensor" in subject.measure)) return CIRCULAR_REASON;
      return forceInput(subject.force, subject.measure, lists);
    case "set":
      if (subject.measure === "state") {
        return { kind: "state", set: subject.set, own: subject.own };
      }
      return "formulas of states, controllers and motors read it; give this law as a function, which may read it too";
    case "whole":
      return NOT_A_SYSTEM_QUANTITY;
  }
}

export const NOT_A_SYSTEM_QUANTITY =
  "laws and rows are made of positions and velocities; energies are for events and plots";
export const CIRCULAR_REASON =
  "it follows from the forces, and a law made of it would follow from itself";

/** Returns the value or rate of a sensor of the model. */
export function sensorInput(
  index: number,
  isRate: boolean,
  { sensors }: Pick<ModelData, "sensors">,
): MeasuredInput {
  const { kind: sensor, a, b } = sensors[index]!;
  return { kind: "sensor", sensor, a, b, index, isRate };
}

/** Returns the distance of two markers, or its rate. */
export function lengthInput(a: number, b: number, isRate: boolean): MeasuredInput {
  return { kind: "sensor", sensor: SensorKind.LENGTH, a, b, index: undefined, isRate };
}

function forceInput(
  name: string,
  { sensor, isRate }: SensorMeasure,
  lists: NonNullable<MeasuredScope["lists"]>,
): MeasuredInput | string {
  const force = lists.forces.find((one) => one.name === name);
  if (force?.type === "torsionSpring" && sensor === "angle") {
    return sensorInput(force.a, isRate, lists);
  }
  if (force?.type === "spring" && sensor === "length") {
    const [a, b] = forceMarkers(force, lists.sensors) as [number, number];
    return lengthInput(a, b, isRate);
  }
  return `force "${name}" has no ${sensor}`;
}

/** Whether a formula depends on velocities. */
export function readsVelocities({ inputs, parts }: MeasuredFormula): boolean {
  return usedInputs({ inputs, parts }).some(
    (input) =>
      input.kind === "velocity" ||
      input.kind === "speed" ||
      input.kind === "angularVelocity" ||
      ("isRate" in input && input.isRate),
  );
}

/** Whether a formula depends only on rotations: on angles, axes, angular velocities, and time. */
export function readsRotationsOnly(formula: MeasuredFormula): boolean {
  return usedInputs(formula).every(
    (input) =>
      ["time", "parameter", "direction", "angularVelocity", "turned"].includes(input.kind) ||
      (input.kind === "sensor" && input.sensor === SensorKind.ANGLE),
  );
}

export function readsTime(formula: MeasuredFormula): boolean {
  return usedInputs(formula).some(({ kind }) => kind === "time");
}

/** Whether user rows depend on time. A function that does not declare its third parameter does not. */
export function dependsOnTime(user: UserRows | undefined): boolean {
  if (!user) return false;
  const { value, formulas = [] } = user;
  return (value !== undefined && value.length > 2) || formulas.some(readsTime);
}

/** Returns the inputs that occur in a formula. */
export function usedInputs({
  inputs,
  parts,
}: Pick<MeasuredFormula, "inputs" | "parts">): readonly MeasuredInput[] {
  const used = new Set(
    parts.flatMap((node) => (node.operation === Operation.Slot ? [node.number] : [])),
  );
  return inputs.filter((_, i) => used.has(i));
}

/** Returns the bodies whose motion a formula reads, without the ground. */
export function bodiesRead(
  formula: MeasuredFormula,
  markers: ModelData["markers"],
): readonly number[] {
  const found = usedInputs(formula).flatMap((input) => {
    if ("body" in input) return [input.body];
    if (!("isRate" in input)) return [];
    return [markers[input.a]!.body, markers[input.b]!.body];
  });
  return [...new Set(found.filter((body) => body >= 0))];
}

/** Returns the values of the parameters that a formula reads, which can be set. */
export function parameterValues(formula: MeasuredFormula): readonly number[] {
  return usedInputs(formula).flatMap((input) => (input.kind === "parameter" ? [input.value] : []));
}

/** Returns a formula of time and parameters, and its first two derivatives, as functions of time. */
export function timeFunctions(
  formula: MeasuredFormula,
): readonly [(t: number) => number, (t: number) => number, (t: number) => number] {
  const { inputs, parts } = formula;
  const time = inputs.findIndex(({ kind }) => kind === "time");
  const rate = differentiate(parts, inputs.length, time);
  const second = rate && differentiate(partsOf(rate), inputs.length, time);
  if (!rate || !second) {
    throw new FormulaError("its derivatives are too large: use a shorter formula", 0, formula.text);
  }
  const at = (root: Node) => {
    const program = new Program(partsOf(root), inputs.length);
    inputs.forEach((input, i) => {
      if (input.kind === "parameter") program.slots[i] = input.value;
    });
    return (t: number) => {
      program.slots[time] = t;
      return program.run();
    };
  };
  return [at(parts.at(-1)!), at(rate), at(second)];
}

/** Returns the formula with time fixed at t. */
export function atTime(formula: MeasuredFormula, t: number): MeasuredFormula {
  const inputs = formula.inputs.map((input) =>
    input.kind === "time" ? ({ kind: "parameter", name: "t", value: t } as const) : input,
  );
  return { ...formula, inputs };
}
