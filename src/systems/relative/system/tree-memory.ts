// Where everything of a tree lies, and what is written there once.

import { padToTwo } from "../../../../assembly/layout.js";
import {
  BODY_VELOCITIES,
  LoopBlock,
  loopScratchSlots,
} from "../../../../assembly/layout-bodies.js";
import {
  Node,
  NodeConstant,
  NodeEntry,
  NodeKind,
  RowBlock,
  RowSource,
  TreeTable,
} from "../../../../assembly/layout-tree.js";
import type { BodyData, Vector } from "../../../describe/model/model-data.js";
import {
  IDENTITY,
  type Matrix,
  multiply,
  quaternionOf,
  transpose,
} from "../../../ground/algebra/vectors.js";
import type { Arena, Segment } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import { record } from "../../../ground/sparse/tables.js";
import type { BodySegments } from "../../bodies/memory/memory.js";
import { anglesOf } from "../../bodies/system/angle-continuation.js";
import { firstIncidences, type RelativePlan, slotsOfY } from "../plan/relative-plan.js";
import type { PlannedNode } from "../plan/tree-plan.js";

/** Segments of a tree. */
export type TreeSegments = Readonly<Record<keyof ReturnType<typeof lengths>, Segment>>;

function lengths(plan: RelativePlan) {
  const { tree, rest, sparse } = plan;
  const { positions, velocities, nodes } = tree;
  const count = nodes.length + 1;
  const largest = rest.blocks.reduce((most, { rows }) => Math.max(most, rows), 0);
  return {
    state: positions + velocities + 1,
    trial: positions + velocities + 1,
    table: Math.ceil(tableLength(plan) / 2),
    constants: NodeConstant.LENGTH * count,
    nodes: Node.LENGTH * count,
    sparseTable: Math.ceil(sparse.table.length / 2),
    y: slotsOfY(plan),
    factor: sparse.blockSlots,
    pivots: rest.rows,
    sparseScratch: sparse.scratchSlots,
    loopBlocks: LoopBlock.LENGTH * rest.blocks.length,
    loopScratch: loopScratchSlots(largest),
    wrenches: rest.rows === 0 ? 0 : 6 * padToTwo(largest) * count,
    rowScratch: rest.rows,
    bodyScratch: BODY_VELOCITIES * rest.model.bodies.length,
    velocityScratch: velocities,
  };
}

function tableLength({ tree, rest }: RelativePlan): number {
  const sources = rest.blocks.reduce((sum, { bodies }) => sum + bodies.length, 0);
  return (
    TreeTable.LENGTH +
    NodeEntry.LENGTH * (tree.nodes.length + 1) +
    RowBlock.LENGTH * rest.blocks.length +
    RowSource.LENGTH * sources
  );
}

/** Reserves the memory of a tree; tables and constants are written when it is there. */
export function reserveTree(
  plan: RelativePlan,
  workspace: Workspace,
  bodies: BodySegments,
): TreeSegments {
  const segments = Object.fromEntries(
    Object.entries(lengths(plan)).map(([name, slots]) => [
      name,
      workspace.reserve(`tree ${name}`, slots),
    ]),
  ) as TreeSegments;
  workspace.whenSealed((arena) => {
    arena.integers(segments.table).set(tableOf(plan, segments, bodies));
    arena.integers(segments.sparseTable).set(plan.sparse.table);
    writeNodes(plan, segments, arena);
  });
  return segments;
}

function tableOf(plan: RelativePlan, segments: TreeSegments, bodies: BodySegments): number[] {
  const { tree, rest } = plan;
  const head: [TreeTable, number][] = [
    [TreeTable.NODE_COUNT, tree.nodes.length + 1],
    [TreeTable.CONSTANTS, segments.constants.address],
    [TreeTable.NODES, segments.nodes.address],
    [TreeTable.POSITIONS, segments.trial.address],
    [TreeTable.VELOCITIES, segments.trial.address + 8 * tree.positions],
    [TreeTable.POSITION_COUNT, tree.positions],
    [TreeTable.VELOCITY_COUNT, tree.velocities],
    [TreeTable.BODY_TABLE, bodies.table.address],
    [TreeTable.ROW_COUNT, rest.rows],
    [TreeTable.BLOCK_COUNT, rest.blocks.length],
    [TreeTable.SPARSE_TABLE, segments.sparseTable.address],
    [TreeTable.Y, segments.y.address],
    [TreeTable.SPARSE_FACTOR, segments.factor.address],
    [TreeTable.SPARSE_PIVOTS, segments.pivots.address],
    [TreeTable.SPARSE_SCRATCH, segments.sparseScratch.address],
    [TreeTable.LOOP_BLOCKS, segments.loopBlocks.address],
    [TreeTable.LOOP_SCRATCH, segments.loopScratch.address],
    [TreeTable.WRENCHES, segments.wrenches.address],
    [TreeTable.WRENCH_SLOTS, segments.wrenches.slots / (tree.nodes.length + 1)],
    [TreeTable.ROW_SCRATCH, segments.rowScratch.address],
    [TreeTable.BODY_SCRATCH, segments.bodyScratch.address],
    [TreeTable.VELOCITY_SCRATCH, segments.velocityScratch.address],
  ];
  const table = record(TreeTable.LENGTH, head);
  for (const [field, list] of [
    [TreeTable.NODE_LIST, nodeList(plan)],
    [TreeTable.BLOCK_LIST, blockList(plan)],
    [TreeTable.SOURCE_LIST, sourceList(plan)],
  ] as const) {
    table[field] = table.length;
    for (const value of list) table.push(value);
  }
  return table;
}

function nodeList({ tree, rest }: RelativePlan): number[] {
  const angleSlots = new Map(anglesOf(rest));
  const ground = new Array<number>(NodeEntry.LENGTH).fill(0);
  const entries = tree.nodes.flatMap(({ kind, parent, body, position, velocity, turn, sensor }) =>
    record(NodeEntry.LENGTH, [
      [NodeEntry.KIND, kind],
      [NodeEntry.PARENT, parent + 1],
      [NodeEntry.BODY, body],
      [NodeEntry.POSITION, position],
      [NodeEntry.VELOCITY, velocity],
      [NodeEntry.ALIGNED, turn.every((value, i) => value === IDENTITY[i]) ? 1 : 0],
      [NodeEntry.ANGLE, angleSlots.get(sensor) ?? -1],
    ]),
  );
  return [...ground, ...entries];
}

function blockList(plan: RelativePlan): number[] {
  const { rest, paths } = plan;
  const incidences = firstIncidences(plan);
  let sources = 0;
  return rest.blocks.flatMap(({ rows, firstRow, bodies }, index) => {
    const first = sources;
    sources += bodies.length;
    return record(RowBlock.LENGTH, [
      [RowBlock.ROWS, rows],
      [RowBlock.FIRST_ROW, firstRow],
      [RowBlock.FIRST_INCIDENCE, incidences[index]],
      [RowBlock.INCIDENCE_COUNT, paths[index]!.length],
      [RowBlock.FIRST_SOURCE, first],
      [RowBlock.SOURCE_COUNT, bodies.length],
    ]);
  });
}

function sourceList({ tree, rest }: RelativePlan): number[] {
  return rest.blocks.flatMap(({ bodies }, index) =>
    bodies.flatMap((body, i) =>
      record(RowSource.LENGTH, [
        [RowSource.NODE, tree.nodeOf[body]! + 1],
        [RowSource.BODY, body],
        [RowSource.SLOT, rest.sparse.jacobianSlotOf[index]![i]],
      ]),
    ),
  );
}

/** Writes what follows from masses, inertias and gravity; and all else that nodes have, which is the same again. */
export function writeNodes(
  { tree, rest }: RelativePlan,
  segments: TreeSegments,
  arena: Arena,
): void {
  const { bodies, gravity } = rest.model;
  const constants = arena.floats(segments.constants);
  tree.nodes.forEach((node, index) => {
    constants.set(constantsOf(node, bodies[node.body]), NodeConstant.LENGTH * (index + 1));
  });
  const ground = arena.floats(segments.nodes).subarray(0, Node.LENGTH);
  ground.set(IDENTITY, Node.ROTATION);
  ground.set(
    gravity.map((g) => -g),
    Node.BIAS + 3,
  );
  ground[Node.PUBLISHED] = 1;
}

function constantsOf(node: PlannedNode, body: BodyData | undefined): number[] {
  const { turn, offset, pitch, kind, bodyAxes, centre } = node;
  const values = new Array<number>(NodeConstant.LENGTH).fill(0);
  const write = (slot: NodeConstant, numbers: readonly number[]) => {
    for (const [i, value] of numbers.entries()) values[slot + i] = value;
  };
  write(NodeConstant.TURN, turn);
  write(NodeConstant.OFFSET, offset);
  write(NodeConstant.PITCH, [kind === NodeKind.SCREW ? pitch : 0]);
  write(NodeConstant.BODY_AXES, bodyAxes);
  write(NodeConstant.CENTRE, centre);
  write(NodeConstant.TURN_PARAMETERS, quaternionOf(turn));
  write(NodeConstant.BODY_PARAMETERS, quaternionOf(bodyAxes));
  if (body === undefined) return values;
  write(NodeConstant.MASS, [body.mass]);
  write(
    NodeConstant.MOMENT,
    centre.map((c) => body.mass * c),
  );
  write(NodeConstant.INERTIA, inertiaAbout(body, bodyAxes, centre));
  return values;
}

/** The inertia about a point from which the centre of mass lies at c, in the axes of the node: Steiner's theorem. */
function inertiaAbout({ mass, inertia }: BodyData, axes: Matrix, c: Vector): number[] {
  const turned = multiply(multiply(axes, inertia), transpose(axes));
  const square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  return [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ].map(([i = 0, j = 0]) => {
    const own = (turned[3 * j + i]! + turned[3 * i + j]!) / 2;
    return own + mass * ((i === j ? square : 0) - c[i]! * c[j]!);
  });
}
