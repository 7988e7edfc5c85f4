// Everything about a mechanism in relative coordinates that does not change: its tree, and the rows that remain.

import { SparseIncidence, SparseTable } from "../../../../assembly/layout.js";
import { Prescribed, RowKind } from "../../../../assembly/layout-bodies.js";
import { level } from "../../../describe/joints/rows.js";
import { couplesSensors } from "../../../describe/model/kinds.js";
import type { BlockData, JointData, ModelData } from "../../../describe/model/model-data.js";
import { planSparse, type SparsePlan } from "../../../ground/sparse/symbolic.js";
import { carryCouplings } from "../../bodies/plan/coupling-offsets.js";
import { type Plan, planModel, withLoads } from "../../bodies/plan/plan.js";
import { SpanningTree } from "../../bodies/plan/spanning-tree.js";
import type { PlannedBlock } from "../../bodies/plan/table-builder.js";
import { carryAngles } from "../../bodies/system/angle-continuation.js";
import { planTree } from "./plan-tree.js";
import type { TreePins } from "./tree-options.js";
import type { TreePlan } from "./tree-plan.js";

/** A mechanism in relative coordinates. Shared by its systems. */
export interface RelativePlan {
  /** The mechanism in maximal coordinates. */
  readonly whole: Plan;
  readonly tree: TreePlan;
  /** The bodies with their forces and sensors, and the rows that remain. */
  readonly rest: Plan;
  /** S = J M^-1 J^T of these rows: its bodies are the nodes, numbered from 1. */
  readonly sparse: SparsePlan;
  /** For each block of rows: its nodes on the way to the ground, leaves first. */
  readonly paths: readonly (readonly number[])[];
  /** For each block: whether it closes a loop, so that its rows may be redundant. */
  readonly closing: readonly boolean[];
}

/**
 * Plans the tree of a mechanism and the rows that remain. `whole` is its plan in maximal coordinates, assembled at the
 * public positions given: angles count from there, and couplings hold what they hold there.
 */
export function planRelative(
  whole: Plan,
  positions: ArrayLike<number>,
  pins: TreePins = {},
): RelativePlan {
  const { model } = whole;
  const tree = planTree(model, { ...pins, positions, threads: threadsOf(whole) });
  const inTree = new Set(tree.treeJoints);
  const joints = model.joints.map((joint, index) =>
    inTree.has(index) ? { ...joint, blocks: [] } : { ...joint, blocks: joint.blocks.map(inAxes) },
  );
  return planRows(whole, tree, joints);
}

/** The same plan of a mechanism whose masses, gravity and constants of forces are others. */
export function withTreeLoads(plan: RelativePlan, whole: Plan): RelativePlan {
  const { bodies, gravity, forces, states, controllers, driven } = whole.model;
  const rest = withLoads(plan.rest, {
    ...plan.rest.model,
    bodies,
    gravity,
    forces,
    states,
    controllers,
    ...(driven && { driven }),
  });
  return { ...plan, whole, rest };
}

/**
 * The same without some of its rows, by their numbers in `rest`: rows that are zero at all poses of the tree.
 */
export function withoutRows(plan: RelativePlan, dropped: ReadonlySet<number>): RelativePlan {
  const { rest, whole, tree } = plan;
  const firstRows = new Map(rest.blocks.map(({ block, firstRow }) => [block, firstRow]));
  const joints = rest.model.joints.map((joint) => ({
    ...joint,
    blocks: joint.blocks.flatMap((block) => {
      let next = firstRows.get(block)!;
      const rows = block.rows.filter(({ names }) => {
        const first = next;
        next += names.length;
        return !dropped.has(first);
      });
      return rows.length === 0 && block.rows.length > 0 ? [] : [{ ...block, rows }];
    }),
  }));
  return planRows(whole, tree, joints);
}

/** Plans the rows of the joints given, over a tree. */
function planRows(whole: Plan, tree: TreePlan, joints: readonly JointData[]): RelativePlan {
  const rest = planModel({ ...whole.model, joints });
  carryAngles(whole, rest);
  carryCouplings(whole, rest);
  const paths = rest.blocks.map(({ bodies }) => pathOf(tree, bodies));
  const closing = closingBlocks(whole.model, tree, rest.blocks);
  const constraints = rest.blocks.map(({ rows }, index) => ({ rows, bodies: paths[index]! }));
  const sparse = planSparse(
    {
      bodyCount: tree.nodes.length + 1,
      bodySize: 6,
      bodySizes: [0, ...tree.nodes.map(({ velocityNames }) => velocityNames.length)],
      constraints,
    },
    orderOf(rest.blocks, paths, closing),
  );
  return { whole, tree, rest, sparse, paths, closing };
}

/**
 * Points held together along the axes of a body instead of those of the world: in the plane of a planar loop, wherever
 * that lies, one row is zero at all poses and can be left out.
 */
function inAxes(block: BlockData): BlockData {
  if (!block.rows.some(({ kind }) => kind === RowKind.COINCIDE)) return block;
  const rows = block.rows.flatMap((row) =>
    row.kind === RowKind.COINCIDE
      ? row.names.map((name, axis) => level(name, row.a, axis, row.b))
      : [row],
  );
  return { ...block, rows };
}

/** What the threads of screws hold, by joints. */
function threadsOf({ model, couplings, data }: Plan): Map<number, number> {
  const threads = new Map<number, number>();
  model.joints.forEach(({ name, type }, joint) => {
    const held = couplings.find((each) => type === "screw" && each.name === `${name}: thread`);
    if (held) threads.set(joint, data[held.slot + Prescribed.VALUE]!);
  });
  return threads;
}

/** All nodes on the ways from some bodies to the ground, numbered from 1, children before their parents. */
function pathOf({ nodes, nodeOf }: TreePlan, bodies: readonly number[]): number[] {
  const path = new Set<number>();
  for (const body of bodies) {
    for (let node = nodeOf[body]!; node >= 0 && !path.has(node + 1); node = nodes[node]!.parent) {
      path.add(node + 1);
    }
  }
  return [...path].sort((a, b) => b - a);
}

/** Blocks whose bodies the tree, or blocks before them, connect already. */
function closingBlocks(
  model: ModelData,
  { treeJoints }: TreePlan,
  blocks: readonly PlannedBlock[],
): boolean[] {
  const spanned = new SpanningTree(model);
  for (const index of treeJoints) {
    const joint = model.joints[index]!;
    const touched = joint.markers!.map((marker) => model.markers[marker]!.body);
    for (const block of joint.blocks) spanned.add(block, joint, touched);
  }
  return blocks.map(({ block, joint, bodies }) => {
    const data = model.joints[joint]!;
    const touched = data.markers
      ? [...new Set(data.markers.map((marker) => model.markers[marker]!.body))]
      : bodies;
    return !(block.holonomic && !block.user && spanned.add(block, data, touched));
  });
}

/** Couplings, drives and rows of the user come after the joints that close the loops they are in. */
function orderOf(
  blocks: readonly PlannedBlock[],
  paths: readonly (readonly number[])[],
  closing: readonly boolean[],
): number[][] | undefined {
  if (!closing.includes(true)) return undefined;
  const closers = new Map<number, number[]>();
  blocks.forEach((block, index) => {
    if (!closing[index] || !isPlain(block)) return;
    for (const node of paths[index]!) closers.set(node, [...(closers.get(node) ?? []), index]);
  });
  return blocks.map((block, index) =>
    isPlain(block) ? [] : [...new Set(paths[index]!.flatMap((node) => closers.get(node) ?? []))],
  );
}

function isPlain({ block }: PlannedBlock): boolean {
  return block.holonomic && !block.user && block.rows.every((row) => !couplesSensors(row));
}

/** Where the incidences of each block begin in the sparse table: they lie block by block. */
export function firstIncidences({ paths }: RelativePlan): number[] {
  let next = 0;
  return paths.map((path) => {
    const first = next;
    next += path.length;
    return first;
  });
}

/** Slots of all Y. */
export function slotsOfY({ sparse }: RelativePlan): number {
  const { table } = sparse;
  const count = table[SparseTable.INCIDENCE_COUNT]!;
  if (count === 0) return 0;
  const last = table[SparseTable.INCIDENCES]! + SparseIncidence.LENGTH * (count - 1);
  // Six for the last one: enough for every kind of node.
  return table[last + SparseIncidence.SLOT]! + 6 * table[last + SparseIncidence.ROWS]!;
}
