// What users may say about the tree: options with names, checked, as numbers of joints and bodies.

import { GROUND, type ModelData } from "../../../describe/model/model-data.js";
import { descriptionError, hint, show } from "../../../describe/model/option-checks.js";
import { bodyNamed } from "../../bodies/plan/names.js";
import { Components } from "../../bodies/plan/spanning-tree.js";
import { treeForm } from "./tree-forms.js";

/** Pins of the tree by names. What is not pinned is chosen. */
export interface TreePins {
  /** Joints that stay rows. */
  readonly cut?: readonly string[] | undefined;
  /** Joints that are nodes of the tree. */
  readonly keep?: readonly string[] | undefined;
  /**
   * Bodies with coordinates of their own although joints hold them: these are cut, or hang others on them. Three in a plane,
   * if joints keep them in one, else six. Default: chosen by counted work, unless joints are kept; [] for none.
   */
  readonly free?: readonly string[] | undefined;
}

/** The same by numbers. */
export interface NumberedPins {
  readonly cut: ReadonlySet<number>;
  readonly keep: ReadonlySet<number>;
  readonly free: ReadonlySet<number>;
}

/** The bodies of a joint that has a tree form, A's first; undefined for one that stays rows. */
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

/** The pins without those of joints that a model does not have: of one without some joints. */
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
