// Why a model is integrated in the coordinates that it is, in words.

import type { ModelData } from "../../../describe/model/model-data.js";
import { NodriftError } from "../../../ground/errors.js";
import type { CoordinateChoice } from "../../../seam/index.js";
import { movingBodies } from "../../../systems/bodies/plan/carriers.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import { maximalWork, relativeWork } from "../../../systems/relative/plan/work.js";
import type { RankedTree } from "../../../systems/relative/redundancy/relative-ranks.js";
import { hasInertia } from "../../../systems/relative/redundancy/tree-inertia.js";
import type { PlannedTree } from "../probe/planned-tree.js";
import { OPEN } from "./open-joints.js";

/** A model whose coordinates are to be chosen. */
interface Choosing {
  readonly data: ModelData;
  readonly plan: Plan;
  readonly examination: { readonly rank: number; readonly rows: number };
  readonly q: Float64Array;
  readonly length: number;
  /** Planned when it is first asked for. */
  readonly tree: PlannedTree;
}

/** Relative coordinates where they are asked for or cheaper. */
export function chosenCoordinates(
  model: Choosing,
  {
    asked,
    open,
    ranked,
  }: {
    readonly asked: "auto" | "relative" | "maximal";
    /** How far joints are open at the start. */
    readonly open: number;
    readonly ranked: () => RankedTree;
  },
): CoordinateChoice {
  const rubs = rubbing(model.data, () => model.examination, asked === "relative");
  if (rubs || model.plan.unnormalised) return rubs ?? PLAIN;
  if (asked === "maximal") return askedFor("maximal");
  if (asked === "relative") return askedFor("relative", model.tree);
  // Joints of a tree cannot stay open, but for what their geometry misses.
  if (open > OPEN) return openStart(open);
  if (!hasInertia(model.data.bodies, ranked)) return WITHOUT_INERTIA;
  return cheaper({ tree: model.tree, whole: model.plan, q: model.q, length: model.length });
}

/** Maximal coordinates because the start is not on all joints: a tree cannot be there. */
function openStart(size: number): CoordinateChoice {
  const why = `the start leaves joints open by ${size.toExponential(0)}; joints of a tree are always closed`;
  return { kind: "maximal", why };
}

/**
 * Maximal coordinates because friction follows the reaction of a joint where constraints are redundant: reactions are those of least norm of all
 * rows then, which a tree does not have.
 */
export function rubbing(
  { name, forces }: ModelData,
  ranks: () => { readonly rank: number; readonly rows: number },
  isRelative: boolean,
): CoordinateChoice | undefined {
  const force = forces.find(({ reaction }) => reaction !== undefined);
  if (force === undefined) return undefined;
  const { rank, rows } = ranks();
  if (rank === rows) return undefined;
  const why = `friction "${force.name}" follows the reaction of joint "${force.reaction}", and constraints are redundant`;
  if (!isRelative) return { kind: "maximal", why };
  throw new NodriftError(
    "DESCRIPTION",
    `${name}: ${why}: the least of their reactions is found in maximal coordinates only. Leave coordinates to be chosen, or give coulomb in place ` +
      "of coefficient",
  );
}

/** Coordinates that were asked for. */
function askedFor(kind: CoordinateChoice["kind"], tree?: PlannedTree): CoordinateChoice {
  return { kind, why: tree ? `asked for; ${shapeOf(tree)}` : "asked for" };
}

/** Maximal coordinates, because Euler parameters of all bodies are to be integrated without normalising them. */
const PLAIN: CoordinateChoice = {
  kind: "maximal",
  why: "Euler parameters of all bodies are integrated, which are not normalised",
};

/**
 * Masses in closed loops that differ by more than this: beside singular poses relative coordinates then lose digits
 * (a parallelogram with a coupler of a thousand kilograms, at a tolerance of 1e-10: 5e-5 off, 1e-7 in maximal ones).
 */
const UNLIKE = 100;
/**
 * Masses that differ by this: rounding of the accelerations in maximal coordinates is then larger than common tolerances, and steps shrink with them
 * (a planar loop with masses from 3e-6 to 1e5 kg, at 1e-10: 20 000 steps in a tenth of a second, 11 in all along a tree). A
 * parallelogram with a link of 1e8 kg passes its singular poses to 1.5e-8 m along a tree; in maximal ones 5 of 27 runs do not end.
 */
const FAR_UNLIKE = 1e8;

/**
 * Loops that lie farther from the origin than so many lengths of the model. Poses along a tree are sums in the world, so
 * rounding opens cut joints by 1e-16 of the distance at every stage: at 1e6 m, with a tolerance of 1e-6, no step was short
 * enough. Rows in maximal coordinates take differences of what is integrated, which is rounded once.
 */
const FAR = 1e3;

/** Maximal coordinates because articulated inertias vanish beside those of other bodies. */
const WITHOUT_INERTIA: CoordinateChoice = {
  kind: "maximal",
  why: "some joint of a tree moves next to no inertia, compared with the bodies beside it",
};

/** What a choice depends on besides the plans. */
interface ChoiceFacts {
  readonly tree: PlannedTree;
  readonly whole: Plan;
  /** The start, seven numbers a body. */
  readonly q: Float64Array;
  /** A characteristic length of the model. */
  readonly length: number;
}

/** The coordinates in which an evaluation takes less work, if both are as accurate. */
function cheaper({ tree, whole, q, length }: ChoiceFacts): CoordinateChoice {
  if (tree.plan.closing.includes(true)) {
    const { bodies } = whole.model;
    const masses = bodies.slice(0, movingBodies(bodies)).map(({ mass }) => mass);
    const ratio = Math.max(...masses) / Math.min(...masses);
    if (ratio > UNLIKE && ratio < FAR_UNLIKE) {
      const why = `masses in closed loops differ by a factor of ${ratio.toPrecision(1)}; singular poses are passed more accurately so`;
      return { kind: "maximal", why };
    }
    const distance = q.reduce((most, x, i) => (i % 7 < 3 ? Math.max(most, Math.abs(x)) : most), 0);
    if (distance > FAR * length) {
      const why = `closed loops are ${distance.toPrecision(1)} from the origin; rounding opens joints of a tree there`;
      return { kind: "maximal", why };
    }
  }
  const [along, apart] = [relativeWork(tree.plan), maximalWork(whole)];
  const rounded = (work: number) => Number(work.toPrecision(2));
  const kind = along < apart ? "relative" : "maximal";
  const counted =
    kind === "relative"
      ? `about ${rounded(along)} multiplications an evaluation, ${rounded(apart)} in maximal coordinates`
      : `about ${rounded(apart)} multiplications an evaluation, ${rounded(along)} in relative coordinates`;
  return { kind, why: `${shapeOf(tree)}; ${counted}` };
}

/** "a tree of 7 joints, 2 rows of 1 cut joint remain". */
function shapeOf({ plan }: PlannedTree): string {
  const { tree, rest } = plan;
  const free = new Set(tree.nodes.filter(({ joint }) => joint < 0).map(({ body }) => body)).size;
  const roots =
    free > 0
      ? `${tree.treeJoints.length > 0 ? " and " : ""}${many(free, "free body", "free bodies")}`
      : "";
  const joints = tree.treeJoints.length > 0 ? many(tree.treeJoints.length, "joint") : "";
  const owners = new Set(rest.blocks.map(({ joint }) => joint)).size;
  const left =
    rest.rows === 0
      ? "no constraints remain"
      : `${many(rest.rows, "constraint")} of ${many(owners, "joint, coupling or drive", "joints, couplings and drives")} ${rest.rows === 1 ? "remains" : "remain"}`;
  return `a tree of ${joints}${roots}, ${left}`;
}

function many(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
