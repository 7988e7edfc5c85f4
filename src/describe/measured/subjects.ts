// What the names in the quotes of quantities stand for.

import { IDENTITY, type Matrix, type Vector } from "../../ground/algebra/vectors.js";
import { advice } from "../../ground/checking/name-suggestions.js";
import type { Quantity } from "../expressions/graph-builder.js";
import { FormulaError } from "../expressions/index.js";
import { GROUND, type ModelData } from "../model/model-data.js";
import {
  type BodyMeasure,
  bodyQuantities,
  type Dimension,
  type ForceMeasure,
  forceQuantities,
  type JointMeasure,
  jointQuantities,
  type Named,
  type PointMeasure,
  pointQuantities,
  type SetMeasure,
  setQuantities,
  type WholeMeasure,
  wholeQuantities,
} from "./vocabulary.js";

/** A point and axes of a body; those of the body itself, or of a marker. */
export interface BodyPlace {
  readonly body: string;
  readonly point: Vector;
  readonly axes: Matrix;
}

/** A quantity with what it is of. */
export type Subject = { readonly dimension: Dimension | undefined } & (
  | { readonly of: "point"; readonly measure: PointMeasure; readonly place: BodyPlace }
  | { readonly of: "body"; readonly measure: BodyMeasure; readonly body: string }
  | { readonly of: "joint"; readonly measure: JointMeasure; readonly joint: string }
  | { readonly of: "force"; readonly measure: ForceMeasure; readonly force: string }
  | { readonly of: "set"; readonly measure: SetMeasure; readonly set: string; readonly own: string }
  | { readonly of: "whole"; readonly measure: WholeMeasure }
);

/** Names that cannot be judged, as what they stand for is wrong itself. */
export type IsLost = (kind: "body" | "joint", subject: string) => boolean;

/** Lists of a model, finished or not. */
export type Lists = Pick<
  ModelData,
  "bodies" | "markers" | "joints" | "forces" | "userForces" | "states" | "controllers"
>;

const find = <Measure>(list: readonly Named<Measure>[], name: string) =>
  list.find((one) => one.name === name);

/** Bodies, their markers, joints and forces by name. */
export class Subjects {
  readonly #bodies: ReadonlySet<string>;
  readonly #joints: ReadonlySet<string>;
  readonly #forces: ReadonlySet<string>;
  /** Drives of angles, whose force is a torque. */
  readonly #turning: ReadonlySet<string>;
  /** By the names of the body and the marker: "crank:tip". */
  readonly #markers: ReadonlyMap<string, BodyPlace>;
  readonly #isLost: IsLost;
  readonly #sets: Readonly<Record<SetMeasure, ReadonlyMap<string, OneOfSet>>>;

  constructor(model: Lists, isLost: IsLost = () => false) {
    const { bodies: list, joints: joined, markers } = model;
    this.#bodies = new Set(list.map(({ name }) => name));
    this.#joints = new Set(joined.map(({ name }) => name));
    const turning = joined.filter(({ type }) => type === "driveAngle");
    this.#turning = new Set(turning.map(({ name }) => name));
    this.#forces = new Set([...model.forces, ...model.userForces].map(({ name }) => name));
    this.#markers = new Map(
      markers
        .filter(({ body }) => body !== GROUND)
        .map(({ name, body, point, axes }) => {
          const owner = list[body]!.name;
          return [`${owner}:${name}`, { body: owner, point, axes }] as const;
        })
        // Of two that are called the same the first is meant.
        .reverse(),
    );
    this.#isLost = isLost;
    this.#sets = {
      state: numbersOf(model.states),
      output: numbersOf(model.controllers.map(({ name, outputs }) => ({ name, names: outputs }))),
    };
  }

  /** Throws a FormulaError where there is no such thing. */
  resolve({ name, subject, offset }: Quantity, text: string): Subject {
    const refuse = (what: string) => new FormulaError(`${name}: ${what}`, offset, text);
    const whole = find(wholeQuantities, name);
    if (whole) {
      if (subject !== undefined) throw refuse(`it takes no name: write ${name}()`);
      return { of: "whole", ...whole };
    }
    if (subject === undefined) throw refuse(`it needs a name, as in ${name}('...')`);
    const ofSet = setQuantities.find((one) => one.name === name)?.name;
    if (ofSet) return this.#ofSet(ofSet, subject, refuse);
    const [joint, force] = [find(jointQuantities, name), find(forceQuantities, name)];
    if (force && this.#forces.has(subject) && !(joint && this.#joints.has(subject))) {
      return { of: "force", ...force, force: subject };
    }
    if (force && !joint) {
      throw refuse(`there is no force "${subject}"${adviceFor(subject, [...this.#forces])}`);
    }
    if (joint === undefined) return this.#ofBody(name, subject, refuse);
    if (!this.#joints.has(subject) && !this.#isLost("joint", subject)) {
      throw refuse(`there is no joint "${subject}"${adviceFor(subject, [...this.#joints])}`);
    }
    const isTorque = name === "driveForce" && this.#turning.has(subject);
    return { of: "joint", ...joint, ...(isTorque && { dimension: "torque" }), joint: subject };
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

/** Numbers of states or controllers by what formulas call them. */
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

const ORIGIN: Vector = [0, 0, 0];

function adviceFor(name: string, known: readonly string[]): string {
  return known.length === 0 ? ": there are none" : advice(name, known);
}
