// One model with every joint, drive and force that files can tell, each on bodies of its own; as a document and by
// calls.

import type { Model } from "nodrift/bodies";
import {
  FunctionSet,
  type JsonObject,
  type ModelDocument,
  type NamedFunction,
  type TypedEntry,
} from "nodrift/files";
import { forceCases } from "../../support/force-cases.js";
import { type Case, jointCases } from "../../support/joint-cases.js";
import { addScene, base, emptyModel, gravity, nameOf, sceneEntries } from "./scene.js";

export const wave: NamedFunction = { name: "wave", of: ["x"], expression: "0.3 * sin(3*x + 0.1)" };

export interface NamedCase {
  /** "revolute 0": its type and number. */
  readonly title: string;
  readonly type: string;
  readonly list: "joints" | "forces";
  readonly given: Case<unknown>;
}

const named = (
  list: NamedCase["list"],
  cases: Readonly<Record<string, { readonly files: readonly Case<unknown>[] }>>,
) =>
  Object.entries(cases).flatMap(([type, { files }]) =>
    files.map((given, i): NamedCase => ({ title: `${type} ${i}`, type, list, given })),
  );

/** Every case. */
export const allCases: readonly NamedCase[] = [
  ...named("joints", jointCases),
  ...named("forces", forceCases),
];

/** Names of a scene in an entry. */
function renamed(value: unknown, scene: number): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, scene));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, renamed(one, scene)]),
    );
  }
  const isName = ["a", "b", "hinge", "slide", "turn"].includes(value as string);
  return isName ? nameOf(value as string, scene) : value;
}

/** A file with some cases; joints that are referred to come before those that do. */
export function documentWith(cases: readonly NamedCase[], name = "all"): ModelDocument {
  const bodies: JsonObject[] = [];
  const lists = { joints: [] as TypedEntry[], forces: [] as TypedEntry[] };
  for (const [i, { type, list, given }] of cases.entries()) {
    const scene = cases.length === 1 ? 0 : i + 1;
    const entries = sceneEntries(scene, given.needs ?? []);
    bodies.push(...entries.bodies);
    lists.joints.push(...entries.joints);
    lists[list].push({ type, ...(renamed(given.entry, scene) as JsonObject) });
  }
  return {
    nodrift: 1,
    name,
    units: "SI",
    gravity: [...gravity],
    functions: [wave],
    ground: { markers: [base] },
    bodies,
    ...lists,
  };
}

/** The same by calls. */
export function modelWith(cases: readonly NamedCase[], name = "all"): Model {
  const { m, ground } = emptyModel(name);
  const functions = new FunctionSet();
  functions.define(wave);
  for (const [i, { type, given }] of cases.entries()) {
    const handles = addScene(m, cases.length === 1 ? 0 : i + 1, given.needs ?? [], ground);
    const method = m[type as "fixed"] as (options: never) => unknown;
    method(given.options(handles, functions) as never);
  }
  return m;
}
