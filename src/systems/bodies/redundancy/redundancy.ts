// The redundancy of the constraints: how many of their rows are independent, which depend on which, whether the start
// is a singular pose. Found once, in separate memory.

import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { NodriftError } from "../../../ground/errors.js";
import { movingBodies, rotorCount } from "../plan/carriers.js";
import { geometric, referTo } from "../plan/massless-geometry.js";
import { type Plan, rowNamesOf } from "../plan/plan.js";
import { countRows, type LoopRanks, largestPivots } from "../system/loop-ranks.js";
import { checkDrives } from "./contradicting-drives.js";
import { type Examined, NearbyPoses } from "./nearby-poses.js";
import { NullSpace, type NullVector } from "./null-vectors.js";

/** Number of poses near the start at which the rank is evaluated. */
const POSES = 8;

/** A joint with redundant constraint rows. */
export interface Redundancy {
  /** Name of the joint. */
  readonly joint: string;
  /** Its redundant rows. */
  readonly rows: readonly string[];
  /** The other joints of the loop, which imply these rows. */
  readonly repeats: readonly string[];
  /** `"hinge 2": axial, tilt 1 repeat "hinge 1"`. */
  readonly text: string;
}

/** What is known about rows before notes are made of it. */
export interface Examination {
  readonly rows: number;
  /** Independent rows, in general. */
  readonly rank: number;
  readonly degreesOfFreedom: number;
  readonly redundant: readonly Redundancy[];
  /** The start is a singular pose: fewer rows are independent there than nearby. */
  readonly singular: boolean;
  /** Independent rows at the start. */
  readonly startRank: number;
  /** Joints with rows that depend on others at the start, but not nearby. */
  readonly singularJoints: readonly string[];
  /** Rows whose reactions are not unique. */
  readonly shared: ReadonlySet<number>;
  /** For the solver; undefined for trees. */
  readonly ranks: LoopRanks | undefined;
  /** Nearly redundant rows. */
  readonly misfits: readonly Misfit[];
  /** How far joints stay open at poses near the start, because of them. */
  readonly open: number;
  /** The smallest pivot of the independent rows, by geometry: 0 where the rank would be lower. */
  readonly leastPivot: number;
  /** The joint that has it. */
  readonly weakest: string;
  /** The poses examined, the start first: none for trees. */
  readonly poses: readonly PublicPose[];
}

/** Public positions and velocities. */
export interface PublicPose {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/** Nearly redundant rows of a joint: axes parallel only to single precision, say. */
export interface Misfit {
  readonly joint: string;
  readonly others: readonly string[];
  /** How far from redundant: an angle in radians, or a length over that of the bodies. */
  readonly size: number;
}

/** Misfits of redundant rows below this are rounding. */
const ROUNDING = 1e-13;

/** Examines the rows of a model. */
export function examine(model: Examined): Examination {
  const { plan } = model;
  const { rows } = plan;
  const { bodies } = plan.model;
  const velocities = BODY_VELOCITIES * movingBodies(bodies) + rotorCount(bodies);
  if (!plan.hasLoops) {
    return {
      rows,
      rank: rows,
      startRank: rows,
      degreesOfFreedom: velocities - rows,
      redundant: [],
      singular: false,
      singularJoints: [],
      shared: new Set<number>(),
      ranks: undefined,
      misfits: [],
      open: 0,
      leastPivot: 1,
      weakest: "",
      poses: [],
    };
  }
  const { startRank, start, best, openBest, poses, open, leastPivot, weakest } = search(model);
  const rank = rows - best.length;
  const singular = startRank < rank;
  checkDrives(model, singular ? [] : start, best);
  const shared = rowsOf(best);
  const own = [...rowsOf(start)].filter((row) => !shared.has(row));
  return {
    rows,
    rank,
    startRank,
    degreesOfFreedom: velocities - rank,
    redundant: redundanciesOf(plan, best),
    singular,
    singularJoints: singular ? jointsOf(plan, own) : [],
    shared,
    ranks: ranksOf(model, best, poses),
    misfits: misfitsOf(plan, best, start, openBest),
    open,
    leastPivot,
    weakest: jointsOf(plan, [weakest])[0] ?? "",
    poses,
  };
}

/**
 * Null vectors at the nearby pose with the highest rank and then the best pivots, and at the start if they are needed
 * there: if it is singular, or drives may contradict each other. Also all poses examined, the constraint error left at
 * them and the least pivot of the best.
 */
function search({ plan, q, v, time, length, make }: Examined) {
  const system = make(geometric(plan, length));
  const { bodies } = system.quantities.plan.model;
  const space = new NullSpace(system);
  const nearby = new NearbyPoses(system, length);
  system.workspace.seal();
  const first = referTo(plan.model.bodies, bodies, q, v);
  const load = (pose: ArrayLike<number>) => {
    nearby.set(pose, first.v);
    system.continuation.finaliseState(time);
    system.load(time);
    return space.dependentRows();
  };
  /** Undefined next to a singular pose, where a pivot is so small that what follows it is rounding: such a pose says nothing. */
  const countAt = (pose: ArrayLike<number>) => {
    try {
      return load(pose).length;
    } catch (error) {
      if (error instanceof NodriftError && error.code === "MASS") return undefined;
      throw error;
    }
  };
  const atStart = load(first.q).length;
  let best = { dependent: atStart, ...space.leastPivot(), pose: first.q, open: 0 };
  const poses = [first.q];
  for (let i = 0; i < POSES; i++) {
    load(first.q);
    if (!nearby.move(time)) continue;
    const pose = nearby.get().q;
    const dependent = countAt(pose);
    if (dependent === undefined) continue;
    const { pivot, row } = space.leastPivot();
    const better =
      dependent < best.dependent || (dependent === best.dependent && pivot > best.pivot);
    if (better) best = { dependent, pivot, row, pose, open: nearby.left / length };
    poses.push(pose);
  }
  const vectors = space.vectors(load(best.pose));
  const atBest = best.pose === first.q;
  const isOpen = vectors.some(({ misfit }) => misfit > ROUNDING && misfit <= best.open);
  const asked = best.dependent < atStart || plan.drives.length > 0 || isOpen;
  return {
    startRank: plan.rows - atStart,
    start: !asked ? [] : atBest ? vectors : space.vectors(load(first.q)),
    best: vectors,
    openBest: best.open,
    poses: poses.map((pose) => referTo(bodies, plan.model.bodies, pose, first.v)),
    open: nearby.open,
    leastPivot: best.pivot,
    weakest: best.row,
  };
}

/**
 * Dependent rows of each block that closes a loop, and the largest last pivot that its independent rows have
 * at some pose, with the masses of the model.
 */
function ranksOf(
  { plan, time, make }: Examined,
  best: readonly NullVector[],
  poses: readonly PublicPose[],
): LoopRanks {
  const rows = best.map(({ row }) => row);
  const holds = countRows(plan, rows, () => true);
  const dependent = countRows(
    plan,
    rows,
    (block) => plan.blocks[block]!.closing || holds[block]! > 0,
  );
  const system = make(plan);
  const reference = largestPivots(system, dependent, poses, ({ q, v }) => {
    system.quantities.arrays.q.set(q);
    system.quantities.arrays.v.set(v);
    system.at(time);
  });
  return { dependent, reference };
}

/**
 * Rows of the best pose that fit only nearly. Where that pose is open by more than a misfit, the misfit may be the tilt
 * of axes that the open joints leave: planks in a row between two grounded ends have no other pose, and Newton's iteration
 * comes back to theirs slowly, stopping open by 1e-6. The start, which is closed, decides there.
 * Rejected: to measure all misfits at the start. Rows that depend on others only there would count, nearly singular
 * starts would pass for rounded axes.
 */
function misfitsOf(
  plan: Plan,
  vectors: readonly NullVector[],
  start: readonly NullVector[],
  open: number,
): Misfit[] {
  const found = new Map<string, Misfit>();
  const closed = new Map(start.map((vector) => [vector.row, vector.misfit]));
  for (const { row, rows, misfit: seen } of vectors) {
    const [joint = ""] = jointsOf(plan, [row]);
    const misfit = seen > open ? seen : Math.min(seen, closed.get(row) ?? 0);
    if (!(misfit > ROUNDING) || misfit <= (found.get(joint)?.size ?? 0)) continue;
    const others = jointsOf(plan, rows).filter((name) => name !== joint);
    found.set(joint, { joint, others, size: misfit });
  }
  return [...found.values()].sort((a, b) => b.size - a.size);
}

function rowsOf(vectors: readonly NullVector[]): Set<number> {
  return new Set(vectors.flatMap(({ rows }) => rows));
}

/** Names of the joints of some rows, in the order of the model. */
export function jointsOf({ blocks, model }: Plan, rows: readonly number[]): string[] {
  const joints = new Set(rows.map((row) => blocks.find((block) => holds(block, row))!.joint));
  return [...joints].sort((a, b) => a - b).map((joint) => model.joints[joint]!.name);
}

function holds({ firstRow, rows }: { firstRow: number; rows: number }, row: number): boolean {
  return row >= firstRow && row < firstRow + rows;
}

function redundanciesOf(plan: Plan, vectors: readonly NullVector[]): Redundancy[] {
  return plan.model.joints.flatMap(({ name }, joint) => {
    const blocks = plan.blocks.filter((block) => block.joint === joint);
    const found = blocks.flatMap((block) => {
      const names = rowNamesOf(block.block);
      return vectors
        .filter(({ row }) => holds(block, row))
        .map(({ row, rows }) => ({ row: names[row - block.firstRow]!, rows }));
    });
    if (found.length === 0) return [];
    const rows = found.map(({ row }) => row);
    const all = jointsOf(plan, [...new Set(found.flatMap((each) => each.rows))]);
    const repeats = all.filter((other) => other !== name);
    return [{ joint: name, rows, repeats, text: textOf(name, rows, repeats) }];
  });
}

function textOf(joint: string, rows: readonly string[], repeats: readonly string[]): string {
  const others = repeats.map((name) => `"${name}"`).join(", ");
  const verb = rows.length === 1 ? "repeats" : "repeat";
  return `"${joint}": ${rows.join(", ")} ${verb} ${others || "its other rows"}`;
}
