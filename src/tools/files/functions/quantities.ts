// Numbers that formulas of events and outputs can read from a state: z('ball'), angle('hinge'), energy().

import type { BodyState, ForceReading, JointReading } from "../../../bodies.js";
import { type Formula, FormulaError, parseFormula } from "../../../describe/expressions/index.js";
import type { ModelData, Vector } from "../../../describe/model/model-data.js";
import { GROUND } from "../../../describe/model/model-data.js";
import { descriptionError, show } from "../../../describe/model/option-checks.js";
import { norm } from "../../../ground/algebra/vectors.js";
import { isRecord } from "../../../ground/checking/index.js";
import { advice } from "../document/name-suggestions.js";
import { requireFunctions } from "./function-checks.js";
import type { FunctionSet } from "./functions.js";

/** Reads a number from a state. */
export type BodyStateFunction = (state: BodyState) => number;

/** What a quantity is, for axes and tables. */
export type Dimension =
  | "length"
  | "velocity"
  | "acceleration"
  | "angle"
  | "angular velocity"
  | "force"
  | "torque"
  | "power"
  | "energy";

const AXES = ["x", "y", "z"] as const;

type PointReading = (state: BodyState, body: string, point: Vector) => Vector;
type OfJoint = (joint: JointReading) => number | undefined;
type OfForce = (force: ForceReading) => number | undefined;
type Quantity = Formula["quantities"][number];
type Kind<Read> = { readonly dimension: Dimension | undefined; readonly read: Read };

const three = <Read>(letter: string, make: (axis: number) => Kind<Read>) =>
  AXES.map((axis, i) => [`${letter}${axis}`, make(i)] as const);

/** Of a body, or of one of its markers: 'crank', 'crank:tip'. */
const points = new Map<string, Kind<(state: BodyState, body: string, point: Vector) => number>>([
  ...three("", (i) => part("length", (state, body, point) => state.body(body).point(point), i)),
  ...three("v", (i) =>
    part("velocity", (state, body, point) => state.body(body).pointVelocity(point), i),
  ),
  [
    "speed",
    {
      dimension: "velocity",
      read: (state, body, point) => norm(state.body(body).pointVelocity(point)),
    },
  ],
]);

function part(dimension: Dimension, read: PointReading, axis: number) {
  return {
    dimension,
    read: (state: BodyState, body: string, point: Vector) => read(state, body, point)[axis]!,
  };
}

/** Of a body as a whole. */
const bodies = new Map<string, Kind<(state: BodyState, body: string) => number>>([
  ...three("w", (i) => ({
    dimension: "angular velocity",
    read: (state: BodyState, body: string) => state.body(body).angularVelocity[i]!,
  })),
  ...three("a", (i) => ({
    dimension: "acceleration",
    read: (state: BodyState, body: string) => state.body(body).acceleration[i]!,
  })),
]);

/** Of a joint or drive. */
const joints = new Map<string, Kind<OfJoint>>([
  ["angle", { dimension: "angle", read: (joint) => joint.angle }],
  ["angleRate", { dimension: "angular velocity", read: (joint) => joint.angleRate }],
  ["displacement", { dimension: "length", read: (joint) => joint.displacement }],
  ["displacementRate", { dimension: "velocity", read: (joint) => joint.displacementRate }],
  ["length", { dimension: "length", read: (joint) => joint.length }],
  ["lengthRate", { dimension: "velocity", read: (joint) => joint.lengthRate }],
  ["force", { dimension: "force", read: (joint) => norm(joint.force()) }],
  ["torque", { dimension: "torque", read: (joint) => norm(joint.torque()) }],
  ...three("f", (i) => ({
    dimension: "force",
    read: (joint: JointReading) => joint.force()[i],
  })),
  ...three("t", (i) => ({
    dimension: "torque",
    read: (joint: JointReading) => joint.torque()[i],
  })),
]);

/** Of drives alone. */
joints.set("driveForce", { dimension: "force", read: (joint) => joint.driveForce });

/** Of a force: what has the name of a joint is that of the joint. */
const forces = new Map<string, Kind<OfForce>>([
  ["angle", { dimension: "angle", read: (force) => force.angle }],
  ["angleRate", { dimension: "angular velocity", read: (force) => force.angleRate }],
  ["length", { dimension: "length", read: (force) => force.length }],
  ["lengthRate", { dimension: "velocity", read: (force) => force.lengthRate }],
  ["force", { dimension: "force", read: (force) => norm(force.force()) }],
  ["torque", { dimension: "torque", read: (force) => norm(force.torque()) }],
  ["power", { dimension: "power", read: (force) => force.power }],
  ["motorTorque", { dimension: "torque", read: (force) => force.driveForce }],
  ["springEnergy", { dimension: "energy", read: (force) => force.energy }],
  ...three("f", (i) => ({
    dimension: "force",
    read: (force: ForceReading) => force.force()[i],
  })),
  ...three("t", (i) => ({
    dimension: "torque",
    read: (force: ForceReading) => force.torque()[i],
  })),
]);

/** Of states and controllers: 'pi.integral', or 'pi' where it has one number. */
const sets = new Map<string, (state: BodyState, set: string) => Readonly<Record<string, number>>>([
  ["state", (state, set) => state.state(set)],
  ["output", (state, set) => state.output(set)],
]);

/** Of all together. */
const wholes = new Map<string, Kind<BodyStateFunction>>([
  ["energy", { dimension: "energy", read: (state) => state.energy().total }],
  ["kineticEnergy", { dimension: "energy", read: (state) => state.energy().kinetic }],
  ["potentialEnergy", { dimension: "energy", read: (state) => state.energy().potential }],
  ["constraintError", { dimension: "length", read: (state) => state.constraintError().position }],
]);

/** Every name that can be called. */
export const quantityNames: readonly string[] = [
  ...points.keys(),
  ...bodies.keys(),
  ...new Set([...joints.keys(), ...forces.keys()]),
  ...sets.keys(),
  ...wholes.keys(),
];

/** A formula of a file that reads states. */
export interface StateFormula {
  /** Evaluates it at a state. */
  readonly read: BodyStateFunction;
  /** What it is, where it is one quantity alone. */
  readonly dimension: Dimension | undefined;
}

/** Names that cannot be judged, as what they stand for is wrong itself. */
type IsLost = (kind: "body" | "joint", subject: string) => boolean;

/** One quantity and nothing else; quotes are doubled in names. */
const ALONE = /^\s*\w+\s*\(\s*(?:'(?:[^']|'')*'|"(?:[^"]|"")*")?\s*\)\s*$/;

/**
 * A formula of t, of quantities of a model and of named functions. In modes without a joint that it reads it is NaN.
 * Throws a FormulaError where it names something that is not there.
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
      `the model is ${show(model)}; give the data of a compiled model`,
    );
  }
  return stateFormulaOf(text, new Subjects(model), functions);
}

/** The same for many formulas of one model, some parts of which may be lost. */
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
    read: reader(
      formula,
      found.map(({ read }) => read),
    ),
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

/** What quantities can be of: bodies, their markers, and joints of a model. */
export class Subjects {
  readonly #bodies: ReadonlySet<string>;
  readonly #joints: ReadonlySet<string>;
  readonly #forces: ReadonlySet<string>;
  /** Drives of angles, whose force is a torque. */
  readonly #turning: ReadonlySet<string>;
  /** By the names of the body and the marker: "crank:tip". */
  readonly #markers: ReadonlyMap<string, { readonly body: string; readonly point: Vector }>;
  readonly #isLost: IsLost;
  readonly #sets: ReadonlyMap<
    string,
    ReadonlyMap<string, { readonly set: string; readonly own: string }>
  >;

  constructor(model: ModelData, isLost: IsLost = () => false) {
    const { bodies: list, joints: joined, markers } = model;
    this.#bodies = new Set(list.map(({ name }) => name));
    this.#joints = new Set(joined.map(({ name }) => name));
    const turning = joined.filter(({ type }) => type === "driveAngle");
    this.#turning = new Set(turning.map(({ name }) => name));
    this.#forces = new Set([...model.forces, ...model.userForces].map(({ name }) => name));
    this.#markers = new Map(
      markers
        .filter(({ body }) => body !== GROUND)
        .map(({ name, body, point }) => {
          const owner = list[body]!.name;
          return [`${owner}:${name}`, { body: owner, point }] as const;
        })
        // Of two that are called the same the first is meant.
        .reverse(),
    );
    this.#isLost = isLost;
    this.#sets = new Map([
      ["state", numbersOf(model.states.map(({ name, names }) => ({ name, names })))],
      ["output", numbersOf(model.controllers.map(({ name, outputs: names }) => ({ name, names })))],
    ]);
  }

  resolve({ name, subject, offset }: Quantity, text: string): Kind<BodyStateFunction> {
    const refuse = (what: string) => new FormulaError(`${name}: ${what}`, offset, text);
    const whole = wholes.get(name);
    if (whole) {
      if (subject !== undefined) throw refuse(`it takes no name: write ${name}()`);
      return whole;
    }
    if (subject === undefined) throw refuse(`it needs a name, as in ${name}('...')`);
    const ofSet = sets.get(name);
    if (ofSet) return this.#ofSet(name, subject, ofSet, refuse);
    const [joint, force] = [joints.get(name), forces.get(name)];
    if (force && this.#forces.has(subject) && !(joint && this.#joints.has(subject))) {
      const { dimension, read } = force;
      return { dimension, read: (state) => forceIn(state, subject, read) };
    }
    if (force && !joint) {
      throw refuse(`there is no force "${subject}"${adviceFor(subject, [...this.#forces])}`);
    }
    if (joint === undefined) return this.#ofBody(name, subject, refuse);
    const isTorque = name === "driveForce" && this.#turning.has(subject);
    return this.#ofJoint(subject, isTorque ? { ...joint, dimension: "torque" } : joint, refuse);
  }

  #ofSet(
    name: string,
    subject: string,
    read: (state: BodyState, set: string) => Readonly<Record<string, number>>,
    refuse: (what: string) => FormulaError,
  ): Kind<BodyStateFunction> {
    const known = this.#sets.get(name)!;
    if (!known.has(subject)) {
      throw refuse(`there is no "${subject}"${adviceFor(subject, [...known.keys()])}`);
    }
    const { set, own } = known.get(subject)!;
    return { dimension: undefined, read: (state) => read(state, set)[own]! };
  }

  #ofJoint(
    subject: string,
    { dimension, read }: Kind<OfJoint>,
    refuse: (what: string) => FormulaError,
  ): Kind<BodyStateFunction> {
    if (!this.#joints.has(subject) && !this.#isLost("joint", subject)) {
      throw refuse(`there is no joint "${subject}"${adviceFor(subject, [...this.#joints])}`);
    }
    return { dimension, read: (state) => valueIn(state, subject, read) };
  }

  #ofBody(
    name: string,
    subject: string,
    refuse: (what: string) => FormulaError,
  ): Kind<BodyStateFunction> {
    const marker = this.#bodies.has(subject) ? undefined : this.#markers.get(subject);
    if (!marker && !this.#bodies.has(subject) && !this.#isLost("body", subject)) {
      const known = subject.includes(":") ? [...this.#markers.keys()] : [...this.#bodies];
      const what = subject.includes(":") ? "marker" : "body";
      throw refuse(`there is no ${what} "${subject}"${adviceFor(subject, known)}`);
    }
    const { body, point } = marker ?? { body: subject, point: ORIGIN };
    const ofPoint = points.get(name);
    if (ofPoint) {
      return {
        dimension: ofPoint.dimension,
        read: (state) => ofPoint.read(state, body, point),
      };
    }
    if (marker) throw refuse(`it applies to bodies, not markers: write ${name}('${body}')`);
    const { dimension, read } = bodies.get(name)!;
    return { dimension, read: (state) => read(state, body) };
  }
}

/** Numbers of states and controllers by what formulas call them. */
function numbersOf(list: readonly { readonly name: string; readonly names: readonly string[] }[]) {
  return new Map(
    list.flatMap(({ name: set, names }) => [
      ...names.map((own) => [`${set}.${own}`, { set, own }] as const),
      ...(names.length === 1 ? [[set, { set, own: names[0]! }] as const] : []),
    ]),
  );
}

const ORIGIN: Vector = [0, 0, 0];

function adviceFor(name: string, known: readonly string[]): string {
  return known.length === 0 ? ": there are none" : advice(name, known);
}

/** NaN in modes that do not have the joint, and where the joint does not measure it. */
function valueIn(state: BodyState, name: string, read: OfJoint): number {
  let joint: JointReading;
  try {
    joint = state.joint(name);
  } catch {
    return Number.NaN;
  }
  return read(joint) ?? Number.NaN;
}

/** NaN in modes that do not have the force, and where it does not measure it. */
function forceIn(state: BodyState, name: string, read: OfForce): number {
  let force: ForceReading;
  try {
    force = state.force(name);
  } catch {
    return Number.NaN;
  }
  return read(force) ?? Number.NaN;
}
