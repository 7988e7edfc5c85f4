// Many joints between the same two bodies: two hundred hinges on one axis. Each couples with each in S,
// which is dense then, though six rows at most can be independent between two bodies. Joints whose rows follow
// from those of a few others, the leaders, at every pose, are found before S is planned: their part of the
// factor is known from that of the leaders (src/ground/sparse/ordering.ts).
//
// Whether a joint follows is decided by the examination of redundant rows, in a separate model: for each
// joint a copy of the two bodies with the leaders and that joint. The copies do not touch each other, so that all
// joints are examined at once, at a cost that is linear in their number. A joint follows if it adds no rank.
//
// Rejected: comparing the markers of joints. It needs a rule for each two kinds of joints, and two ball
// joints make a hinge that others follow from. Skipping dependent columns in the factor: S is dense still, and
// while its rank is unknown none of them vanish.

import { couplesSensors } from "../../../describe/model/kinds.js";
import {
  type BlockData,
  type BodyData,
  GROUND,
  type MarkerData,
  type ModelData,
} from "../../../describe/model/model-data.js";
import { NodriftError } from "../../../ground/errors.js";
import { Stopped } from "../../../ground/run-limits.js";
import { type Followers, type Plan, planModel } from "../plan/plan.js";
import { sizeOf, startOf } from "../start/start.js";
import type { BodySystem } from "../system/system.js";
import { type Examination, examine } from "./redundancy.js";

/** Up to this many joints between two bodies a dense S is fast enough. */
const FEW = 16;
/** Ranks that rows between two bodies can have, so as many leaders at most. */
const MOST_LEADERS = 6;
/** Tolerance (of angles, or lengths over that of the model): nearly redundant joints do not follow. */
const EXACT = 1e-9;

/** Makes a system for a plan of a model of some length. */
type Make = (plan: Plan, length: number) => BodySystem;

/** Joints that follow from others beside them, where there are many between two bodies. */
export function findFollowers(model: ModelData, time: number, make: Make): Followers {
  const found = new Map<BlockData, readonly BlockData[]>();
  for (const blocks of parallelBlocks(model)) {
    if (blocks.length <= FEW) continue;
    const leaders = [blocks[0]!];
    let others = blocks.slice(1);
    while (others.length > 0) {
      const follow = whichFollow(model, leaders, others, time, make);
      if (!follow) break;
      for (const block of follow) found.set(block, [...leaders]);
      others = others.filter((block) => !follow.has(block));
      if (leaders.length === MOST_LEADERS) break;
      leaders.push(...others.splice(0, 1));
    }
  }
  return found;
}

/** Blocks of constant geometry, by the two bodies they are between. */
function parallelBlocks({ joints, markers }: ModelData): BlockData[][] {
  const pairs = new Map<string, BlockData[]>();
  for (const block of joints.flatMap(({ blocks }) => blocks)) {
    const isConstant = block.rows.every(
      (row) => !couplesSensors(row) && row.b >= 0 && typeof row.prescribed !== "object",
    );
    if (!block.holonomic || block.user || !isConstant) continue;
    const bodies = new Set(block.rows.flatMap(({ a, b }) => [markers[a]!.body, markers[b]!.body]));
    if (bodies.size !== 2) continue;
    const key = [...bodies].sort((one, other) => one - other).join();
    pairs.set(key, [...(pairs.get(key) ?? []), block]);
  }
  return [...pairs.values()];
}

/** Those of some blocks that add no rank to their leaders; undefined where they do not fit together. */
function whichFollow(
  model: ModelData,
  leaders: readonly BlockData[],
  others: readonly BlockData[],
  time: number,
  make: Make,
): Set<BlockData> | undefined {
  const copies = [leaders, ...others.map((block) => [...leaders, block])];
  const plan = planModel(modelOfCopies(model, copies));
  const examination = examineStart(plan, time, make);
  if (!examination?.ranks) return undefined;
  const dependent = new Array<number>(copies.length).fill(0);
  plan.blocks.forEach(({ joint }, block) => {
    dependent[joint] = dependent[joint]! + Math.max(0, examination.ranks!.dependent[block]!);
  });
  const inexact = new Set(
    examination.misfits.filter(({ size }) => size > EXACT).map(({ joint }) => joint),
  );
  const rows = (block: BlockData) => block.rows.reduce((sum, { names }) => sum + names.length, 0);
  return new Set(
    others.filter((block, i) => {
      const more = dependent[i + 1]! - dependent[0]!;
      return more === rows(block) && !inexact.has(nameOf(i + 1));
    }),
  );
}

/** Undefined if the joints do not fit together: that is reported when the whole model starts. */
function examineStart(plan: Plan, time: number, makeOf: Make): Examination | undefined {
  const length = sizeOf(plan.model);
  const make = (each: Plan) => makeOf(each, length);
  try {
    const { q, v } = startOf({ plan, length, time, options: {}, make });
    return examine({ plan, q, v, time, length, make });
  } catch (error) {
    if (error instanceof NodriftError && !(error instanceof Stopped)) return undefined;
    throw error;
  }
}

/** A model with the two bodies once for each list of blocks, which become one joint. */
function modelOfCopies(model: ModelData, copies: readonly (readonly BlockData[])[]): ModelData {
  const bodies: BodyData[] = [];
  const markers: MarkerData[] = [];
  const joints = copies.map((blocks, copy) => {
    const numbers = new Map([[GROUND, GROUND]]);
    const bodyOf = (body: number) => {
      if (!numbers.has(body)) {
        numbers.set(body, bodies.length);
        const still = { velocity: undefined, angularVelocity: undefined };
        bodies.push({ ...model.bodies[body]!, ...still });
      }
      return numbers.get(body)!;
    };
    const known = new Map<number, number>();
    const markerOf = (marker: number) => {
      if (!known.has(marker)) {
        const { body, ...rest } = model.markers[marker]!;
        known.set(marker, markers.push({ ...rest, body: bodyOf(body) }) - 1);
      }
      return known.get(marker)!;
    };
    const own = blocks.map((block) => ({
      ...block,
      rows: block.rows.map((row) => ({ ...row, a: markerOf(row.a), b: markerOf(row.b) })),
    }));
    return {
      name: nameOf(copy),
      type: "copy",
      markers: undefined,
      blocks: own,
      sensors: {},
      isDrive: false,
    };
  });
  return {
    ...model,
    bodies,
    markers,
    joints,
    sensors: [],
    forces: [],
    userForces: [],
    states: [],
    controllers: [],
  };
}

function nameOf(copy: number): string {
  return `copy ${copy}`;
}
