// Formulas that read the mechanism at the state that is being evaluated: 0.3 - angle('hinge').

import { NodriftError } from "../../ground/errors.js";
import { partsOf } from "../expressions/graph.js";
import { parse } from "../expressions/parser.js";
import { Program } from "../expressions/program.js";
import type { FunctionLookup } from "../expressions/scope.js";
import { hint } from "../model/option-checks.js";
import type { QuantityReader } from "../model/quantity-reader.js";

/** Value of a formula for numbers of its variables. */
export type ReadingFormula = (variables: ArrayLike<number>, read: QuantityReader) => number;

type Read = (read: QuantityReader, subject: string) => number;

const AXES = ["x", "y", "z"] as const;

/** What formulas can read, of joints, bodies, motors, states and controllers. */
const QUANTITIES: Readonly<Record<string, Read>> = {
  angle: (read, joint) => read.angle(joint),
  angleRate: (read, joint) => read.angleRate(joint),
  displacement: (read, joint) => read.displacement(joint),
  displacementRate: (read, joint) => read.displacementRate(joint),
  length: (read, joint) => read.length(joint),
  lengthRate: (read, joint) => read.lengthRate(joint),
  motorTorque: (read, motor) => read.motorTorque(motor),
  motorPower: (read, motor) => read.motorPower(motor),
  state: (read, subject) => ofSet(subject, (set, name) => read.state(set, name)),
  output: (read, subject) => ofSet(subject, (set, name) => read.output(set, name)),
  ...Object.fromEntries(
    AXES.flatMap((axis, i): [string, Read][] => [
      [axis, (read, body) => read.position(body)[i]!],
      [`v${axis}`, (read, body) => read.velocity(body)[i]!],
      [`w${axis}`, (read, body) => read.angularVelocity(body)[i]!],
      // r of x and y: the x of the body's y axis. Rotations are stored by columns.
      ...AXES.map((own, j): [string, Read] => [
        `r${axis}${own}`,
        (read, body) => read.rotation(body)[3 * j + i]!,
      ]),
    ]),
  ),
  speed: (read, body) => {
    const [x, y, z] = read.velocity(body) as unknown as readonly [number, number, number];
    return Math.sqrt(x * x + y * y + z * z);
  },
};

const NAMES = Object.keys(QUANTITIES);

/** 'pi.integral' is one of several, 'pi' the only one. */
function ofSet(subject: string, read: (set: string, name?: string) => number): number {
  const dot = subject.lastIndexOf(".");
  return dot < 0 ? read(subject) : read(subject.slice(0, dot), subject.slice(dot + 1));
}

/** Whether a formula reads something: a name in quotes shows it, or that one is missing. */
export function readsSomething(text: string): boolean {
  return /\w\s*\(\s*['")]/.test(text);
}

/** What formulas know besides their variables: parameters of the model, and functions of a file. */
export interface Known {
  readonly parameters: readonly { readonly name: string; readonly value: number }[];
  readonly functions?: FunctionLookup | undefined;
}

/** A formula of some variables and of quantities. Throws where it cannot be understood. */
export function readingFormula(
  where: string,
  text: string,
  own: readonly string[],
  { parameters, functions }: Known,
): ReadingFormula {
  // A name of its own hides a parameter of the same name.
  const given = parameters.filter(({ name }) => !own.includes(name));
  const variables = [...own, ...given.map(({ name }) => name)];
  const parsed = parse(text, { variables, quantities: NAMES, functions });
  const readings = parsed.quantities.map(({ name, subject }) => {
    if (subject === undefined) {
      throw new NodriftError("DESCRIPTION", `${where}: ${name} needs a name, as in ${name}('...')`);
    }
    const read = QUANTITIES[name];
    if (read === undefined) {
      throw new NodriftError(
        "DESCRIPTION",
        `${where}: nothing is called ${name}${hint(name, NAMES)}`,
      );
    }
    return { read, subject };
  });
  const program = new Program(partsOf(parsed.root), variables.length + readings.length);
  const { slots } = program;
  slots.set(
    given.map(({ value }) => value),
    own.length,
  );
  return (values, read) => {
    for (let i = 0; i < own.length; i++) slots[i] = values[i]!;
    for (let i = 0; i < readings.length; i++) {
      const { read: find, subject } = readings[i]!;
      slots[variables.length + i] = find(read, subject);
    }
    return program.run();
  };
}
