// Choice of the coordinates in which a model is integrated, with the reason as text.

import { SparseColumn, SparseTable } from "../../../../assembly/layout.js";
import { NodriftError } from "../../../base/errors.js";
import type { SparsePlan } from "../../../base/sparse/symbolic.js";
import type { CoordinateChoice } from "../../../interfaces/index.js";
import type { ModelData } from "../../../model/model-data.js";
import type { AssemblyReport } from "../../../systems/bodies/initial-state/initial-state.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import type { RelativePlan } from "../../../systems/relative/plan/relative-plan.js";
import {
  hasInertia,
  type RankedTree,
} from "../../../systems/relative/redundancy/relative-ranks.js";
import type { PlannedTree } from "../probe/planned-tree.js";

/** Data of a model from which its coordinates are chosen. */
interface ChoiceModel {
  readonly data: ModelData;
  readonly plan: Plan;
  readonly examination: { readonly rank: number; readonly rows: number };
  readonly q: Float64Array;
  readonly length: number;
  /** The tree, planned on first use. */
  readonly tree: PlannedTree;
}

/** Chooses relative coordinates if they are requested or cheaper. */
export function chosenCoordinates(
  model: ChoiceModel,
  {
    asked,
    open,
    ranked,
  }: {
    readonly asked: "auto" | "relative" | "maximal";
    /** Opening of the joints in the initial state. */
    readonly open: number;
    readonly ranked: () => RankedTree;
  },
): CoordinateChoice {
  const forFriction = frictionNeedsMaximal(
    model.data,
    () => model.examination,
    asked === "relative",
  );
  if (forFriction || model.plan.unnormalised) return forFriction ?? UNNORMALISED;
  if (asked === "maximal") return requested("maximal");
  if (asked === "relative") return requested("relative", model.tree);
  // Joints of a tree cannot be open beyond the misfit of their geometry.
  if (open > OPEN_TOLERANCE) return openStart(open);
  if (!hasInertia(model.data.bodies, ranked)) return WITHOUT_INERTIA;
  return cheaperCoordinates({
    tree: model.tree,
    whole: model.plan,
    q: model.q,
    length: model.length,
  });
}

/** Maximal coordinates because the initial state leaves joints open, which a tree cannot. */
function openStart(size: number): CoordinateChoice {
  const why = `the start leaves joints open by ${size.toExponential(0)}; joints of a tree are always closed`;
  return { kind: "maximal", why };
}

/**
 * Returns maximal coordinates if friction follows the reaction of a joint and constraints are redundant: reactions are
 * then those of minimum norm over all rows, which a tree does not have.
 */
export function frictionNeedsMaximal(
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
    `${name}: ${why}: minimum-norm reactions need maximal coordinates. Omit \`coordinates\`, ` +
      "or give coulomb instead of coefficient",
  );
}

/** Coordinates requested by the caller. */
function requested(kind: CoordinateChoice["kind"], tree?: PlannedTree): CoordinateChoice {
  return { kind, why: tree ? `requested; ${shapeOf(tree)}` : "requested" };
}

/** Maximal coordinates because Euler parameters of all bodies are integrated without normalisation. */
const UNNORMALISED: CoordinateChoice = {
  kind: "maximal",
  why: "Euler parameters of all bodies are integrated without normalisation",
};

/**
 * Ratio of masses that closed loops move from which maximal coordinates are used: near singular poses relative coordinates
 * then lose digits (a parallelogram with a coupler of a thousand kilograms, at a tolerance of 1e-10: 5e-5 off, 1e-7 in
 * maximal ones).
 */
const MASS_RATIO_FOR_MAXIMAL = 100;
/**
 * Ratio of masses from which relative coordinates are used again: rounding of the accelerations in maximal coordinates
 * then exceeds common tolerances, and steps shrink with it (a planar loop with masses from 3e-6 to 1e5 kg, at 1e-10:
 * 20 000 steps in a tenth of a second, 11 in all along a tree). A parallelogram with a link of 1e8 kg passes its
 * singular poses to 1.5e-8 m along a tree; in maximal coordinates 5 of 27 runs do not end.
 */
const MASS_RATIO_FOR_RELATIVE_AGAIN = 1e8;

/**
 * Distance of loops from the origin, in lengths of the model, beyond which maximal coordinates are used. Poses along a
 * tree are sums in the world, so rounding opens cut joints by 1e-16 of the distance at every stage. At 1e6 m, with a
 * tolerance of 1e-6, no step was short enough. Rows in maximal coordinates take differences of the integrated
 * coordinates, which are rounded once.
 */
const MAX_DISTANCE_IN_MODEL_LENGTHS = 1e3;

/** Maximal coordinates because articulated inertias vanish relative to those of other bodies. */
const WITHOUT_INERTIA: CoordinateChoice = {
  kind: "maximal",
  why: "some joint of a tree moves almost no inertia, compared with the neighbouring bodies",
};

/** Data of a choice, in addition to the plans. */
interface ChoiceFacts {
  readonly tree: PlannedTree;
  readonly whole: Plan;
  /** Initial positions, seven values for each body. */
  readonly q: Float64Array;
  /** A characteristic length of the model. */
  readonly length: number;
}

/** Returns the coordinates in which an evaluation takes less work, provided both are as accurate. */
function cheaperCoordinates({ tree, whole, q, length }: ChoiceFacts): CoordinateChoice {
  if (tree.plan.closing.includes(true)) {
    const ratio = massRatioOfLoops(tree.plan);
    if (ratio > MASS_RATIO_FOR_MAXIMAL && ratio < MASS_RATIO_FOR_RELATIVE_AGAIN) {
      const why = `masses in closed loops differ by a factor of ${ratio.toPrecision(1)}; maximal coordinates pass singular poses more accurately`;
      return { kind: "maximal", why };
    }
    const distance = q.reduce((most, x, i) => (i % 7 < 3 ? Math.max(most, Math.abs(x)) : most), 0);
    if (distance > MAX_DISTANCE_IN_MODEL_LENGTHS * length) {
      const why = `closed loops are ${distance.toPrecision(1)} from the origin; rounding opens joints of a tree there`;
      return { kind: "maximal", why };
    }
  }
  const [along, apart] = [relativeCost(tree.plan), maximalCost(whole)];
  const rounded = (work: number) => Number(work.toPrecision(2));
  const kind = along < apart ? "relative" : "maximal";
  const counts =
    kind === "relative"
      ? `about ${rounded(along)} multiplications an evaluation, ${rounded(apart)} in maximal coordinates`
      : `about ${rounded(apart)} multiplications an evaluation, ${rounded(along)} in relative coordinates`;
  return { kind, why: `${shapeOf(tree)}; ${counts}` };
}

/**
 * Ratio of the masses that closed loops move: bodies from the meeting of the two paths outwards, with all they carry.
 * Those that carry a whole loop, as a chassis its suspension, count only if they are lighter: the rows of a loop do
 * not depend on their motion.
 */
function massRatioOfLoops({ tree, rest, paths, closing }: RelativePlan): number {
  const { nodes, nodeOf } = tree;
  const { bodies } = rest.model;
  const moved = new Set<number>();
  const carriers = new Set<number>();
  rest.blocks.forEach((block, index) => {
    if (!closing[index]) return;
    const ways = block.bodies.map((body) => {
      const way = new Set<number>();
      for (let node = nodeOf[body]!; node >= 0; node = nodes[node]!.parent) way.add(node);
      return way;
    });
    for (const node of paths[index]!.map((number) => number - 1)) {
      const carries = ways.length > 1 && ways.every((way) => way.has(node));
      (carries ? carriers : moved).add(node);
    }
  });
  for (let node = 0; node < nodes.length; node++) {
    if (moved.has(nodes[node]!.parent)) moved.add(node);
  }
  const massesOf = (list: Iterable<number>) =>
    [...list].map((node) => nodes[node]!.body).flatMap((body) => bodies[body]?.mass ?? []);
  const masses = massesOf(moved);
  const heaviest = Math.max(...masses);
  return heaviest / Math.min(...masses, ...massesOf(carriers));
}

/** Describes a tree, such as "a tree of 7 joints, 2 constraints of 1 joint, coupling or drive remain". */
function shapeOf({ plan }: PlannedTree): string {
  const { tree, rest } = plan;
  const free = new Set(tree.nodes.filter(({ joint }) => joint < 0).map(({ body }) => body)).size;
  const roots =
    free > 0
      ? `${tree.treeJoints.length > 0 ? " and " : ""}${counted(free, "free body", "free bodies")}`
      : "";
  const joints = tree.treeJoints.length > 0 ? counted(tree.treeJoints.length, "joint") : "";
  const owners = new Set(rest.blocks.map(({ joint }) => joint)).size;
  const left =
    rest.rows === 0
      ? "no constraints remain"
      : `${counted(rest.rows, "constraint")} of ${counted(owners, "joint, coupling or drive", "joints, couplings and drives")} ${rest.rows === 1 ? "remains" : "remain"}`;
  return `a tree of ${joints}${roots}, ${left}`;
}

function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

// Cost of an evaluation of accelerations, in multiplications, for the choice of coordinates.

/** Cost of a node: kinematics, articulated inertia and solves. */
const COST_PER_NODE = 255;
/** Cost of a row at each node on its path to the ground. */
const COST_PER_PATH_NODE = 15;
/**
 * Cost of a body, and of the square of a joint's rows, in maximal coordinates. Measured, as the ratio of an evaluation
 * there to one along a tree: 3.1 for a chain of balls (3 rows), 6.9 for hinges (5 rows).
 */
const COST_PER_BODY = 100;
const COST_PER_SQUARED_ROWS = 66;

/** Cost in relative coordinates. */
export function relativeCost({ tree, rest, paths, sparse }: RelativePlan): number {
  const steps = rest.blocks.reduce((sum, { rows }, i) => sum + rows * paths[i]!.length, 0);
  return COST_PER_NODE * tree.nodes.length + COST_PER_PATH_NODE * steps + 3 * factorWork(sparse);
}

/** Cost in maximal coordinates. */
export function maximalCost({ model, blocks, sparse }: Plan): number {
  const squares = blocks.reduce((sum, { rows }) => sum + rows * rows, 0);
  const fill = Math.max(0, factorWork(sparse) - squares * 5);
  return COST_PER_BODY * model.bodies.length + COST_PER_SQUARED_ROWS * squares + fill;
}

/** Multiplications of the block sparse factorisation: r c (c / 3 + below) for each column of c rows. */
function factorWork({ table }: SparsePlan): number {
  const count = table[SparseTable.COLUMN_COUNT]!;
  const first = table[SparseTable.COLUMNS]!;
  let work = 0;
  for (let k = 0; k < count; k++) {
    const at = first + SparseColumn.LENGTH * k;
    const rows = table[at + SparseColumn.ROWS]!;
    const below = rows * table[at + SparseColumn.BLOCK_COUNT]!;
    work += rows * ((rows * rows) / 6 + (rows * below) / 2 + (below * below) / 2);
  }
  return work;
}

// Opening of joints in an initial state, and the part due to the geometry of the model.

/** Constraint error above which an initial state is open for the joints of a tree. */
export const OPEN_TOLERANCE = 1e-10;

/** Largest misfit of nearly fitting geometry, relative to the length of the model. */
export const MAX_MISFIT = 1e-2;

/** Misfit of joints treated as zero, in radians or lengths of the model. */
export const MISFIT_TOLERANCE = 1e-11;

/**
 * Returns the constraint errors of an initial state beyond the misfit of the geometry, in radians or lengths of the
 * model. If joints fit only nearly, position errors up to ten times the misfit and all velocity errors are due to the
 * geometry.
 */
export function openness(
  { residual, velocityResidual }: AssemblyReport,
  misfit: number,
  length: number,
): number {
  const isLoose = misfit > MISFIT_TOLERANCE;
  const left = residual > (isLoose ? 10 * misfit * length : 0) ? residual : 0;
  return Math.max(left, isLoose ? 0 : velocityResidual);
}
