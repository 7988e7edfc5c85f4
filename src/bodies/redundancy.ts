// What the constraints of a model are worth: how many of their rows are independent, which repeat which,
// whether the start is a singular pose. Found once, in memory of its own.

import { BODY_VELOCITIES } from "../../assembly/layout-bodies.js";
import { planSparse } from "../sparse/symbolic.js";
import { type Plan, rowNamesOf } from "./plan.js";
import { checkDrives } from "./redundancy-drives.js";
import { findLoops, type Loops } from "./redundancy-loops.js";
import { type Examined, NearbyPoses } from "./redundancy-poses.js";
import { NullSpace, type NullVector } from "./redundancy-vectors.js";

/** Poses near the start at which the rank is looked for. */
const POSES = 8;

/** A joint with rows that say nothing new. */
export interface Redundancy {
  readonly joint: string;
  /** Its redundant rows. */
  readonly rows: readonly string[];
  /** The other joints of the loop: together they say the same. */
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
}

/** The plan with joints that close loops after the others, for tests of rank; undefined for trees. */
export function planForRank(plan: Plan): Plan | undefined {
  const loops = findLoops(plan);
  return loops && { ...plan, sparse: sparseOf(plan, loops) };
}

function sparseOf({ model, blocks }: Plan, { after }: Loops) {
  const constraints = blocks.map(({ rows, bodies }) => ({ rows, bodies }));
  const graph = { bodyCount: model.bodies.length, bodySize: BODY_VELOCITIES, constraints };
  return planSparse(graph, after);
}

/** Examines the rows of a model; `plan` is {@link planForRank}'s. */
export function examine(model: Examined, plan: Plan | undefined): Examination {
  const { rows } = model.plan;
  const velocities = BODY_VELOCITIES * model.plan.model.bodies.length;
  const none = { redundant: [], singular: false, singularJoints: [], shared: new Set<number>() };
  if (!plan) return { rows, rank: rows, startRank: rows, ...degrees(velocities, rows), ...none };
  const { start, best } = search(model, plan);
  const startRank = rows - start.length;
  const rank = rows - best.length;
  const singular = startRank < rank;
  checkDrives(model, singular ? [] : start, best);
  const shared = rowsOf(best);
  return {
    rows,
    rank,
    startRank,
    ...degrees(velocities, rank),
    redundant: redundanciesOf(plan, best),
    singular,
    singularJoints: singular
      ? jointsOf(
          plan,
          [...rowsOf(start)].filter((r) => !shared.has(r)),
        )
      : [],
    shared,
  };
}

function degrees(velocities: number, rank: number): { degreesOfFreedom: number } {
  return { degreesOfFreedom: velocities - rank };
}

/** Null vectors at the start, and at the pose nearby with the highest rank and then the best pivots. */
function search({ q, v, time, length, make }: Examined, plan: Plan) {
  const system = make(plan);
  const space = new NullSpace(system);
  const poses = new NearbyPoses(system, length);
  system.workspace.seal();
  const load = (pose: ArrayLike<number>, velocity: ArrayLike<number>) => {
    poses.set(pose, velocity);
    system.settle(time);
    const { workspace, positions, velocities, state, trial } = system;
    workspace.kernels.copyVector(positions + velocities, state, trial);
    system.at(time);
    return space.dependentRows();
  };
  const atStart = load(q, v);
  const start = space.vectors(atStart);
  if (start.length === 0) return { start, best: start };
  let best = { dependent: atStart.length, pivot: space.leastPivot(), pose: q };
  for (let i = 0; i < POSES; i++) {
    load(q, v);
    if (!poses.move(time)) continue;
    const pose = poses.get().q;
    const dependent = load(pose, v).length;
    const pivot = space.leastPivot();
    const better =
      dependent < best.dependent || (dependent === best.dependent && pivot > best.pivot);
    if (better) best = { dependent, pivot, pose };
  }
  return { start, best: best.pose === q ? start : space.vectors(load(best.pose, v)) };
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
