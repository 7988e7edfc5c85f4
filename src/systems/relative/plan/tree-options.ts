// User options of the tree: validated, and converted from names to indices of joints and bodies.

import { GROUND, type ModelData } from "../../../model/model-data.js";
import { descriptionError, hint, show } from "../../../model/option-checks.js";
import { bodyNamed } from "../../bodies/plan/names.js";
import { Components } from "../../bodies/plan/spanning-tree.js";
import { treeForm } from "./tree-forms.js";

/** Constraints on the choice of the tree, by names. Everything else is chosen. */
export interface TreePins {
  /** Joints that remain rows. */
  readonly cut?: readonly string[] | undefined;
  /** Joints that are nodes of the tree. */
  readonly keep?: readonly string[] | undefined;
  /**
   * Bodies with their own coordinates although joints hold them: their joints are cut, or attach other bodies to them.
   * Three coordinates if joints keep a body in a plane, else six. Default: chosen by the cost estimate, unless joints
   * are kept; [] for none.
   */
  readonly free?: readonly string[] | undefined;
}

/** Constraints on the choice of the tree, by indices. */
export interface NumberedPins {
  readonly cut: ReadonlySet<number>;
  readonly keep: ReadonlySet<number>;
  readonly free: ReadonlySet<number>;
}

/** Returns the bodies of a joint that has a tree form, A's first; undefined for a joint that remains rows. */
export function treeEnds(model: ModelData, joint: number): readonly [number, number] | undefined {
  const { type, markers } = model.joints[joint]!;
  if (treeForm(type) === undefined || markers === undefined) return undefined;
  const [a, b] = markers.map((marker) => model.markers[marker]!.body) as [number, number];
  return a === b ? undefined : [a, b];
}

/** Checks the pins: every name is known, and no two contradict each other. */
export function checkedPins(model: ModelData, { cut = [], keep = [], free = [] }: TreePins) {
  const pins: NumberedPins = {
    cut: new Set(cut.map((name) => jointNamed(model, name, "cut"))),
    keep: new Set(keep.map((name) => jointNamed(model, name, "keep"))),
    free: new Set(free.map((name) => bodyNamed(model, name, `${model.name}: tree, free`))),
  };
  checkKept(model, pins);
  return pins;
}

/** Returns the pins without those of joints that a model does not have, for a model without some joints. */
export function pinsWithin({ joints }: ModelData, { cut, keep, free }: TreePins): TreePins {
  const names = new Set(joints.map(({ name }) => name));
  const known = (list: readonly string[] | undefined) => list?.filter((name) => names.has(name));
  return { cut: known(cut), keep: known(keep), free };
}

function jointNamed(model: ModelData, name: string, option: string): number {
  const joint = model.joints.findIndex((each) => each.name === name);
  if (joint >= 0) return joint;
  const known = model.joints.map((each) => each.name);
  throw treeError(model, `${option}: there is no joint ${show(name)}${hint(name, known)}`);
}

/** Joints that are kept must have a form, hold bodies not held otherwise, and not be cut as well. */
function checkKept(model: ModelData, { cut, keep, free }: NumberedPins): void {
  const joined = new Components(model.bodies.length + 1);
  for (const body of free) joined.join(GROUND + 1, body + 1);
  for (const joint of keep) {
    const { name, type } = model.joints[joint]!;
    if (cut.has(joint)) throw treeError(model, `"${name}" is in cut and in keep: take one`);
    const ends = treeEnds(model, joint);
    if (ends === undefined) {
      throw treeError(model, `keep: "${name}" (${type}) always stays rows, it has no tree form`);
    }
    if (joined.join(ends[0] + 1, ends[1] + 1)) continue;
    const roots = free.size > 0 ? ", with the ground and the bodies of free for roots" : "";
    throw treeError(
      model,
      `keep: "${name}" closes a loop of joints that are kept${roots}: leave one of them out`,
    );
  }
}

function treeError(model: ModelData, what: string) {
  return descriptionError(`${model.name}: tree`, what);
}
