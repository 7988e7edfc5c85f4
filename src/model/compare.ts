// Compares two descriptions of a mechanism to decide what a change of values requires of a compiled one.

import { descriptionError } from "../base/checking/values.js";
import type {
  BlockData,
  BodyData,
  ControllerData,
  ForceData,
  JointData,
  MarkerData,
  ModelData,
  RowData,
  StateSetData,
} from "./model-data.js";

/**
 * What differs between two descriptions of the same structure: only gravity and force constants ("forces"), also
 * masses and inertias ("masses"), or also joint geometry and constraints ("geometry"). The first two are values in
 * memory. On the geometry the initial state, the rank of the rows and the tree depend.
 */
export type Difference = "forces" | "masses" | "geometry";

/** Returns the difference of two descriptions. Throws if their structures differ. */
export function differenceOf(before: ModelData, after: ModelData): Difference {
  const odd = structureProblem(before, after);
  if (odd !== undefined) {
    throw descriptionError(
      odd,
      "this would change the structure of the mechanism, not only values: compile a new model",
    );
  }
  const isPlaced =
    before.joints.length === after.joints.length &&
    same(before.states.map(ratesOf), after.states.map(ratesOf)) &&
    same(before.markers, after.markers) &&
    same(before.forces.map(rotorOf), after.forces.map(rotorOf)) &&
    same(before.bodies.map(poseOf), after.bodies.map(poseOf)) &&
    same(before.joints.map(numbersOf), after.joints.map(numbersOf));
  if (!isPlaced) return "geometry";
  return same(before.bodies.map(massOf), after.bodies.map(massOf)) ? "forces" : "masses";
}

/** Returns the name of a joint or force whose kind of law, rows or functions differ. */
function structureProblem(before: ModelData, after: ModelData): string | undefined {
  const differs = <Entry extends { readonly name: string }>(
    list: readonly Entry[],
    others: readonly Entry[],
    structure: (entry: Entry) => unknown,
  ) =>
    list.find((entry, i) => i < others.length && !same(structure(entry), structure(others[i]!)))
      ?.name;
  return (
    differs(before.forces, after.forces, forceStructure) ??
    differs(own(before), own(after), jointStructure) ??
    differs(before.states, after.states, ({ names }) => names) ??
    differs(before.controllers, after.controllers, controllerStructure) ??
    differs(unlocked(before), unlocked(after), ({ body }) => body)
  );
}

/** Returns all joints except those that hold locked coordinates. These are appended and removed at run time. */
function own({ joints }: ModelData): readonly JointData[] {
  return joints.filter(({ holds }) => holds !== true);
}

function unlocked({ markers }: ModelData): readonly MarkerData[] {
  return markers.filter(({ holds }) => holds !== true);
}

function forceStructure(force: ForceData) {
  const { kind, a, b, flag, constants, update, derive, rotor, formulas } = force;
  const has = [update, derive, rotor].map((part) => part !== undefined);
  const texts = formulas?.map(({ slot, formula }) => [slot, formula.text]);
  return [kind, a, b, flag, constants.length, ...has, texts];
}

/** Returns outputs, memory and the number of samples that may be pending. */
function controllerStructure({ outputs, memory, delay, every }: ControllerData) {
  return [outputs, memory, Math.floor(delay / every)];
}

function jointStructure({ type, markers, blocks, isDrive, sensors }: JointData) {
  return [type, markers, blocks.map(blockStructure), isDrive, sensors];
}

function blockStructure({ holonomic, rows, user }: BlockData) {
  const texts = user?.formulas?.map(({ text }) => text);
  return [holonomic, rows.map(rowStructure), user?.names, user?.bodies, texts];
}

function rowStructure({ names, kind, a, b, axisA, axisB, constants, prescribed, unit }: RowData) {
  return [names, kind, a, b, axisA, axisB, constants.length, typeof prescribed, unit];
}

/** Returns the constants of states that belong to forces. Their rates are functions bound at memory layout. */
function ratesOf({ constants }: StateSetData) {
  return constants;
}

/** Returns the properties of a body by which joints are placed. */
function poseOf({ centre, position, orientation }: BodyData) {
  return [centre, position, orientation];
}

/** Returns the rotor of a force, which is coupled to its joint by a constant factor. */
function rotorOf({ rotor }: ForceData) {
  return rotor;
}

function massOf({ mass, inertia }: BodyData) {
  return [mass, inertia];
}

/** Returns the values of a joint that can be set; functions cannot. */
function numbersOf({ blocks, compliance }: JointData) {
  const rows = blocks.flatMap((block) => block.rows);
  return [
    compliance,
    rows.map(({ constants, prescribed }) => [
      constants,
      typeof prescribed === "number" ? prescribed : undefined,
      typeof prescribed === "object" ? prescribed.parameters : undefined,
    ]),
    blocks.map(({ user }) => user?.formulas?.map(({ inputs }) => inputs)),
  ];
}

/**
 * Whether two descriptions differ only in masses, inertias, gravity and force constants, whichever model they come
 * from. Stricter than {@link differenceOf}, which compares a description with itself after `set`: initial values,
 * names and functions may differ here. A function, or an object with hidden data, equals only itself.
 */
export function differsInLoadsOnly(before: ModelData, after: ModelData): boolean {
  return same(unloaded(before), unloaded(after), isPlain);
}

function unloaded(data: ModelData) {
  return {
    ...data,
    gravity: undefined,
    bodies: data.bodies.map((body) => ({ ...body, mass: undefined, inertia: undefined })),
    forces: data.forces.map((force) => ({ ...force, constants: force.constants.length })),
  };
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}

/** Whether data is deeply equal. Objects that are not `open` equal only themselves. */
export function same(
  a: unknown,
  b: unknown,
  open: (value: object) => boolean = () => true,
): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return false;
  if (!open(a) || !open(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => same((a as Keyed)[key], (b as Keyed)[key], open))
  );
}

type Keyed = Readonly<Record<string, unknown>>;
