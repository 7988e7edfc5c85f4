// Many joints between the same two bodies, such as two hundred hinges on one axis. Each is coupled with each in S,
// which is then dense, though at most six rows can be independent between two bodies. Joints whose rows follow from
// those of a few others, the representatives, at every pose, are found before S is planned: their rows of the factor
// are known from those of the representatives (src/base/sparse/symbolic.ts).
//
// The examination of redundant rows decides whether a joint is dependent, in a separate model. It has, for each joint,
// a copy of the two bodies with the representatives and that joint. The copies do not touch each other, so that all
// joints are examined together, at a cost that is linear in their number. A joint is dependent if it adds no rank.
//
// Rejected: comparing the markers of joints. It needs a rule for each two kinds of joints, and two ball joints make a
// hinge from which others follow. Skipping dependent columns in the factor: S is still dense, and while its rank is
// unknown none of them vanish.

import { NodriftError } from "../../../base/errors.js";
import { Stopped } from "../../../base/run-limits.js";
import { couplesSensors } from "../../../model/kinds.js";
import {
  type BlockData,
  type BodyData,
  GROUND,
  type MarkerData,
  type ModelData,
  type RowData,
} from "../../../model/model-data.js";
import { initialStateOf, sizeOf } from "../initial-state/initial-state.js";
import { type DependentBlocks, type Plan, planModel } from "../plan/plan.js";
import type { BodySystem } from "../system/system.js";
import { type Examination, examine } from "./redundancy.js";

/** Up to this many joints between two bodies a dense S is fast enough. */
const MAX_DENSE_PARALLEL_JOINTS = 16;
/** Largest rank of rows between two bodies, and so the maximum number of representatives. */
const MAX_REPRESENTATIVES = 6;
/** Tolerance (of angles, or lengths over that of the model): nearly redundant joints are not dependent. */
const DEPENDENCE_TOLERANCE = 1e-9;

/** Creates a system for a plan of a model of some length. */
type Make = (plan: Plan, length: number) => BodySystem;

/** Finds joints that follow from parallel ones, if there are many between two bodies. */
export function findDependentBlocks(model: ModelData, time: number, make: Make): DependentBlocks {
  const found = new Map<BlockData, readonly BlockData[]>();
  for (const blocks of parallelBlocks(model)) {
    if (blocks.length <= MAX_DENSE_PARALLEL_JOINTS) continue;
    const representatives = [blocks[0]!];
    let others = blocks.slice(1);
    while (others.length > 0) {
      const dependent = findDependent(model, representatives, others, time, make);
      if (!dependent) break;
      for (const block of dependent) found.set(block, [...representatives]);
      others = others.filter((block) => !dependent.has(block));
      if (representatives.length === MAX_REPRESENTATIVES) break;
      representatives.push(...others.splice(0, 1));
    }
  }
  return found;
}

/** Blocks of constant geometry, grouped by their two bodies. */
function parallelBlocks({ joints, markers, bodies }: ModelData): BlockData[][] {
  const pairs = new Map<number, BlockData[]>();
  for (const { blocks } of joints) {
    for (const block of blocks) {
      if (!block.holonomic || block.user || !block.rows.every(isConstant)) continue;
      const touched = new Set<number>();
      for (const { a, b } of block.rows) touched.add(markers[a]!.body).add(markers[b]!.body);
      if (touched.size !== 2) continue;
      const [one, other] = [...touched] as [number, number];
      // The ground has the index -1.
      const key = Math.min(one, other) * (bodies.length + 1) + Math.max(one, other);
      const pair = pairs.get(key);
      if (pair) pair.push(block);
      else pairs.set(key, [block]);
    }
  }
  return [...pairs.values()];
}

function isConstant(row: RowData): boolean {
  return !couplesSensors(row) && row.b >= 0 && typeof row.prescribed !== "object";
}

/** Returns the blocks that add no rank to the representatives; undefined if they do not fit together. */
function findDependent(
  model: ModelData,
  representatives: readonly BlockData[],
  others: readonly BlockData[],
  time: number,
  make: Make,
): Set<BlockData> | undefined {
  const copies = [representatives, ...others.map((block) => [...representatives, block])];
  const plan = planModel(modelOfCopies(model, copies));
  const examination = examineStart(plan, time, make);
  if (!examination?.ranks) return undefined;
  const dependent = new Array<number>(copies.length).fill(0);
  plan.blocks.forEach(({ joint }, block) => {
    dependent[joint] = dependent[joint]! + Math.max(0, examination.ranks!.dependent[block]!);
  });
  const inexact = new Set(
    examination.misfits.filter(({ size }) => size > DEPENDENCE_TOLERANCE).map(({ joint }) => joint),
  );
  const rows = (block: BlockData) => block.rows.reduce((sum, { names }) => sum + names.length, 0);
  return new Set(
    others.filter((block, i) => {
      const more = dependent[i + 1]! - dependent[0]!;
      return more === rows(block) && !inexact.has(nameOf(i + 1));
    }),
  );
}

/** Undefined if the joints do not fit together, which is reported when the whole model is assembled. */
function examineStart(plan: Plan, time: number, makeOf: Make): Examination | undefined {
  const length = sizeOf(plan.model);
  const make = (each: Plan) => makeOf(each, length);
  try {
    const { q, v } = initialStateOf({ plan, length, time, options: {}, make });
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
