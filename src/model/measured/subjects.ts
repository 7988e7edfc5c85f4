// Resolves the names in quotes of quantities to parts of the model.

import { IDENTITY, type Matrix, type Vector } from "../../base/algebra/vectors.js";
import { advice } from "../../base/checking/suggest.js";
import type { Quantity } from "../../formulas/expressions/graph-builder.js";
import { FormulaError } from "../../formulas/expressions/index.js";
import { GROUND, type JointData, type ModelData } from "../model-data.js";
import {
  type BodyMeasure,
  bodyQuantities,
  type Dimension,
  type ForceMeasure,
  forceQuantities,
  type JointMeasure,
  jointQuantities,
  MULTIPLIER,
  type PointMeasure,
  pointQuantities,
  type SetMeasure,
  setQuantities,
  systemQuantities,
  type Term,
  type WholeMeasure,
} from "./vocabulary.js";

/** A point and axes of a body: of its own frame, or of a marker. */
export interface BodyPlace {
  readonly body: string;
  readonly point: Vector;
  readonly axes: Matrix;
}

/** A quantity with the part of the model it belongs to. */
export type Subject = { readonly dimension: Dimension | undefined } & (
  | { readonly of: "point"; readonly measure: PointMeasure; readonly place: BodyPlace }
  | { readonly of: "body"; readonly measure: BodyMeasure; readonly body: string }
  | { readonly of: "joint"; readonly measure: JointMeasure; readonly joint: string }
  | { readonly of: "force"; readonly measure: ForceMeasure; readonly force: string }
  | { readonly of: "set"; readonly measure: SetMeasure; readonly set: string; readonly own: string }
  | { readonly of: "whole"; readonly measure: WholeMeasure }
);

/** Whether a name cannot be resolved because its definition is already in error. */
export type IsLost = (kind: "body" | "joint", subject: string) => boolean;

/** Lists of a model, complete or not. */
export type ModelLists = Pick<
  ModelData,
  "bodies" | "markers" | "joints" | "forces" | "userForces" | "states" | "controllers"
>;

const find = <Measure>(list: readonly Term<Measure>[], name: string) =>
  list.find((one) => one.name === name);

/** Bodies, their markers, joints and forces by name. */
export class Subjects {
  readonly #bodies: ReadonlySet<string>;
  readonly #joints: ReadonlySet<string>;
  readonly #forces: ReadonlySet<string>;
  /** Bodies of joints and user forces that act on several bodies, so a load is not defined by the name alone. */
  readonly #spread: Readonly<Record<"joint" | "force", ReadonlyMap<string, readonly string[]>>>;
  readonly #rows: ReadonlyMap<string, RowOfJoint>;
  /** Drives of angles, whose reaction is a torque. */
  readonly #turning: ReadonlySet<string>;
  /** Markers by the names of body and marker: "crank:tip". */
  readonly #markers: ReadonlyMap<string, BodyPlace>;
  readonly #isLost: IsLost;
  readonly #sets: Readonly<Record<SetMeasure, ReadonlyMap<string, OneOfSet>>>;

  constructor(model: ModelLists, isLost: IsLost = () => false) {
    const { bodies: list, joints: joined, markers } = model;
    this.#bodies = new Set(list.map(({ name }) => name));
    this.#joints = new Set(joined.map(({ name }) => name));
    const turning = joined.filter(({ type }) => type === "driveAngle");
    this.#turning = new Set(turning.map(({ name }) => name));
    this.#forces = new Set([...model.forces, ...model.userForces].map(({ name }) => name));
    const names = (bodies: readonly number[]) => bodies.map((body) => list[body]!.name);
    this.#spread = {
      joint: spread(joined.map(({ name, blocks }) => [name, names(userBodies(blocks))])),
      force: spread(model.userForces.map(({ name, bodies }) => [name, names(bodies)])),
    };
    this.#rows = rowsOf(joined);
    this.#markers = new Map(
      markers
        .filter(({ body }) => body !== GROUND)
        .map(({ name, body, point, axes }) => {
          const owner = list[body]!.name;
          return [`${owner}:${name}`, { body: owner, point, axes }] as const;
        })
        // If two have the same name, the first one wins.
        .reverse(),
    );
    this.#isLost = isLost;
    this.#sets = {
      state: numbersOf(model.states),
      output: numbersOf(model.controllers.map(({ name, outputs }) => ({ name, names: outputs }))),
    };
  }

  /** Resolves a quantity to a part of the model. Throws a FormulaError if there is none. */
  resolve({ name, subject, offset }: Quantity, text: string): Subject {
    const refuse = (what: string) => new FormulaError(`${name}: ${what}`, offset, text);
    const whole = find(systemQuantities, name);
    if (whole) {
      if (subject !== undefined) throw refuse(`it takes no name: write ${name}()`);
      return { of: "whole", ...whole };
    }
    if (subject === undefined) throw refuse(`it needs a name, as in ${name}('...')`);
    const ofSet = setQuantities.find((one) => one.name === name)?.name;
    if (ofSet) return this.#ofSet(ofSet, subject, refuse);
    if (name === MULTIPLIER) return this.#ofRow(subject, refuse);
    const [joint, force] = [find(jointQuantities, name), find(forceQuantities, name)];
    if (force && this.#forces.has(subject) && !(joint && this.#joints.has(subject))) {
      if ("load" in force.measure) this.#refuseSpread("force", subject, "power", refuse);
      return { of: "force", ...force, force: subject };
    }
    if (force && !joint) {
      throw refuse(`there is no force "${subject}"${adviceFor(subject, [...this.#forces])}`);
    }
    if (joint === undefined) return this.#ofBody(name, subject, refuse);
    if (!this.#joints.has(subject) && !this.#isLost("joint", subject)) {
      throw refuse(`there is no joint "${subject}"${adviceFor(subject, [...this.#joints])}`);
    }
    if ("load" in joint.measure) this.#refuseSpread("joint", subject, MULTIPLIER, refuse);
    const isTorque = name === "driveForce" && this.#turning.has(subject);
    return { of: "joint", ...joint, ...(isTorque && { dimension: "torque" }), joint: subject };
  }

  #ofRow(subject: string, refuse: (what: string) => FormulaError): Subject {
    const found = this.#rows.get(subject);
    if (found) return { of: "joint", ...found };
    if (this.#isLost("joint", subject) || this.#isLost("joint", subject.split(".")[0]!)) {
      return { of: "joint", dimension: "force", joint: subject, measure: { row: "" } };
    }
    throw refuse(`there is no row "${subject}"${adviceFor(subject, [...this.#rows.keys()])}`);
  }

  /** Rejects loads of parts that act on several bodies, as the name does not determine the body. */
  #refuseSpread(
    kind: "joint" | "force",
    subject: string,
    instead: string,
    refuse: (what: string) => FormulaError,
  ): void {
    const bodies = this.#spread[kind].get(subject);
    if (!bodies) return;
    throw refuse(
      `"${subject}" acts on ${bodies.join(" and ")}, on each in its own way: read ${instead}('${subject}'), or by the API ${kind}("${subject}").force({ on: "${bodies[0]}" })`,
    );
  }

  #ofSet(measure: SetMeasure, subject: string, refuse: (what: string) => FormulaError): Subject {
    const known = this.#sets[measure];
    const found = known.get(subject);
    if (found) return { of: "set", dimension: undefined, measure, ...found };
    throw refuse(`there is no "${subject}"${adviceFor(subject, [...known.keys()])}`);
  }

  #ofBody(name: string, subject: string, refuse: (what: string) => FormulaError): Subject {
    const marker = this.#bodies.has(subject) ? undefined : this.#markers.get(subject);
    if (!marker && !this.#bodies.has(subject) && !this.#isLost("body", subject)) {
      const known = subject.includes(":") ? [...this.#markers.keys()] : [...this.#bodies];
      const what = subject.includes(":") ? "marker" : "body";
      throw refuse(`there is no ${what} "${subject}"${adviceFor(subject, known)}`);
    }
    const place = marker ?? { body: subject, point: ORIGIN, axes: IDENTITY };
    const ofPoint = find(pointQuantities, name);
    if (ofPoint) return { of: "point", ...ofPoint, place };
    const { body } = place;
    if (marker) throw refuse(`it applies to bodies, not markers: write ${name}('${body}')`);
    return { of: "body", ...find(bodyQuantities, name)!, body };
  }
}

interface OneOfSet {
  readonly set: string;
  readonly own: string;
}

/** Returns the entries of states or controllers by their names in formulas. */
function numbersOf(
  list: readonly { readonly name: string; readonly names: readonly string[] }[],
): ReadonlyMap<string, OneOfSet> {
  return new Map(
    list.flatMap(({ name: set, names }) => [
      ...names.map((own) => [`${set}.${own}`, { set, own }] as const),
      ...(names.length === 1 ? [[set, { set, own: names[0]! }] as const] : []),
    ]),
  );
}

interface RowOfJoint {
  readonly joint: string;
  readonly dimension: Dimension;
  readonly measure: { readonly row: string };
}

/** Returns the rows of joints by their names in formulas. */
function rowsOf(joints: readonly JointData[]): ReadonlyMap<string, RowOfJoint> {
  return new Map(
    joints.flatMap(({ name: joint, blocks }) => {
      const rows = blocks.flatMap(({ rows, user }) => [
        ...(user?.names.map((row) => ({ row, unit: user.unit })) ?? []),
        ...rows.flatMap(({ names, unit }) => names.map((row) => ({ row, unit }))),
      ]);
      const all = rows.map(
        ({ row, unit }) => [row, { joint, dimension: unit, measure: { row } }] as const,
      );
      const alone = all.length === 1 ? [[joint, all[0]![1]] as const] : [];
      return [...all.map(([row, one]) => [`${joint}.${row}`, one] as const), ...alone];
    }),
  );
}

function userBodies(blocks: JointData["blocks"]): readonly number[] {
  return [...new Set(blocks.flatMap(({ user }) => user?.bodies ?? []))];
}

/** Returns the parts that act on more than one body. */
function spread(
  list: readonly (readonly [string, readonly string[]])[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(list.filter(([, bodies]) => bodies.length > 1));
}

const ORIGIN: Vector = [0, 0, 0];

function adviceFor(name: string, known: readonly string[]): string {
  return known.length === 0 ? ": there are none" : advice(name, known);
}
