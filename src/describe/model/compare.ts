// What a change of numbers means for a mechanism that is in memory already.

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
import { descriptionError } from "./option-checks.js";

/**
 * What differs between two descriptions of the same structure: nothing but gravity and constants of forces ("forces"), or
 * masses and inertias too ("masses"): numbers in memory. Or also where joints sit and what they hold ("geometry"), on
 * which the start, the rank of the rows and the tree depend.
 */
export type Difference = "forces" | "masses" | "geometry";

/** Throws where the structure differs. */
export function differenceOf(before: ModelData, after: ModelData): Difference {
  const odd = structureProblem(before, after);
  if (odd !== undefined) {
    throw descriptionError(
      odd,
      "this would change what the mechanism is made of, and not a number of it: compile a new model",
    );
  }
  const isPlaced =
    before.joints.length === after.joints.length &&
    same(before.states.map(ratesOf), after.states.map(ratesOf)) &&
    same(before.markers, after.markers) &&
    same(before.forces.map(rotorOf), after.forces.map(rotorOf)) &&
    same(before.bodies.map(placeOf), after.bodies.map(placeOf)) &&
    same(before.joints.map(numbersOf), after.joints.map(numbersOf));
  if (!isPlaced) return "geometry";
  return same(before.bodies.map(massOf), after.bodies.map(massOf)) ? "forces" : "masses";
}

/** The name of a joint or force whose kind of law, rows or functions are others. */
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

/** Joints but those that hold what is locked: they come and go, behind all others. */
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

/** Outputs, memory, and how many samples may be under way. */
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

/** Numbers of states that forces bring along: their rates are functions, which are bound when memory is laid out. */
function ratesOf({ constants }: StateSetData) {
  return constants;
}

/** What of a body joints are placed by. */
function placeOf({ centre, position, orientation }: BodyData) {
  return [centre, position, orientation];
}

/** Rotors are coupled to what they turn with, by a factor. */
function rotorOf({ rotor }: ForceData) {
  return rotor;
}

function massOf({ mass, inertia }: BodyData) {
  return [mass, inertia];
}

/** Numbers of a joint; functions cannot be set. */
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
 * Whether two descriptions differ in nothing but masses, inertias, gravity and constants of forces, whoever made them. Stricter than
 * {@link differenceOf}, which compares a description with itself after a setting: starts, names and functions may differ here. A function, or an
 * object that hides something, is the same only as itself.
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

/** Whether data is the same, number by number; objects that are not `open` are the same only as themselves. */
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
