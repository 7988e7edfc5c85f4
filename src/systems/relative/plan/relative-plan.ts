// Everything about a mechanism in relative coordinates that does not change: its tree, and the remaining rows.

import { SparseIncidence, SparseTable } from "../../../../assembly/layout.js";
import { BODY_POSITIONS, Prescribed, RowKind } from "../../../../assembly/layout-bodies.js";
import { NodeKind } from "../../../../assembly/layout-tree.js";
import {
  add,
  axesAlong,
  dot,
  IDENTITY,
  type Matrix,
  multiply,
  scale,
  subtract,
  threeAt,
  times,
  transpose,
  transposeMultiply,
  transposeTimes,
  type Vector,
  vectorOf,
  ZERO,
} from "../../../base/algebra/vectors.js";
import { type SparsePlan, sparsePlan } from "../../../base/sparse/symbolic.js";
import { type FormNode, level } from "../../../model/joints/rows.js";
import { couplesSensors } from "../../../model/kinds.js";
import {
  type BlockData,
  GROUND,
  type JointData,
  type ModelData,
} from "../../../model/model-data.js";
import { CARRIER_AXES } from "../../bodies/plan/carriers.js";
import { SpanningTree } from "../../bodies/plan/loops.js";
import { carryCouplings, type Plan, planModel, withLoads } from "../../bodies/plan/plan.js";
import type { PlannedBlock } from "../../bodies/plan/table-builder.js";
import { carryAngles } from "../../bodies/system/angle-continuation.js";
import {
  type CountedWork,
  checkedPins,
  chooseTree,
  estimateCost,
  type JointGraph,
  jointGraph,
  type TreeEdge,
  type TreePins,
} from "./choose-tree.js";
import {
  alignedAxes,
  type PlaneNormal,
  planesOf,
  type Rotations,
  rotationsOf,
  treeForm,
} from "./planes.js";
import type { PlannedNode, TreePlan } from "./tree-plan.js";

// Bodies given free coordinates although joints hold them. M^-1 is dense within a branch, so a ladder of n loops
// attached at one end has a dense S, at O(n^3) cost. Each freed body starts a new branch: a few more rows and degrees
// of freedom, but S becomes sparse. A body is freed once k loops lie outboard of it; the cost estimate chooses k, or
// none.
//
// Rejected: three loops by rule. The best spacing depends on rows and degrees of freedom, and parallel loops, as those
// of an N-four-bar, need none. Halving branches while that pays: it ends up to 5 % above the best even spacing.

/** Spacings in loops that are compared. */
const LOOP_SPACINGS = [2, 3, 4, 5, 6, 8, 12];

/** Chooses the tree, with bodies freed if that saves work. */
function chooseReleased(graph: JointGraph): readonly TreeEdge[] {
  const choose = (free: ReadonlySet<number>) => {
    const held = chooseTree(graph, free);
    return { held, work: estimateCost(graph, held) };
  };
  const whole = choose(new Set());
  const { cuts, depth } = whole.work;
  if (cuts.length === 0) return whole.held;
  const inwards = [...whole.held.keys()].sort((one, other) => depth[other]! - depth[one]!);
  const tried = LOOP_SPACINGS.flatMap((loops) =>
    [true, false].map((once) => spaced(whole.held, whole.work, inwards, loops, once)),
  )
    .filter((free) => free.size > 0)
    .map(choose);
  const best = tried.reduce(
    (one, other) => (other.work.multiplications < one.work.multiplications ? other : one),
    whole,
  );
  return best.held;
}

/**
 * Returns the bodies with `k` loops outboard of them, of which no body farther out is freed. A loop counts once, at
 * its far end: the joint between the two sides of a ladder is divided together with one of them. Or it counts at all
 * its ends: if only rows connect the sides, each has to be divided separately.
 */
function spaced(
  held: readonly TreeEdge[],
  { cuts, depth }: CountedWork,
  inwards: readonly number[],
  loops: number,
  once: boolean,
): ReadonlySet<number> {
  const beyond = new Int32Array(held.length);
  const farther = (one: number, other: number) => (depth[other]! > depth[one]! ? other : one);
  for (const { bodies } of cuts) {
    for (const body of once ? [bodies.reduce(farther)] : bodies) beyond[body]! += 1;
  }
  const free = new Set<number>();
  for (const body of inwards) {
    const { joint, parent } = held[body]!;
    // The root of a branch is attached to the ground, or free already.
    if (parent === GROUND || joint < 0) continue;
    if (beyond[body]! >= loops) free.add(body);
    else beyond[parent]! += beyond[body]!;
  }
  return free;
}

// Plans the tree of a model's joints.

/** Options of the tree in addition to the model. */
export interface TreeOptions extends TreePins {
  /**
   * Value that the row "thread" of a screw holds, by joint index: pitch / (2 pi) angle - displacement. Default: 0, as
   * for a joint made from bodies.
   */
  readonly threads?: ReadonlyMap<number, number> | undefined;
  /**
   * Public positions that determine the relative orientation of markers: see planes.ts. Default: the poses
   * of the model.
   */
  readonly positions?: ArrayLike<number> | undefined;
}

/** Chooses the joints that become nodes, and lists the nodes, parents first. */
export function planTree(model: ModelData, options: TreeOptions = {}): TreePlan {
  const pins = checkedPins(model, options);
  const rotations = rotationsOf(model, options.positions);
  const planes = planesOf(model, rotations);
  // Options that free or keep bodies have precedence.
  const isPinned = options.free !== undefined || pins.keep.size > 0;
  const graph = jointGraph(model, pins, planes);
  const held = isPinned ? chooseTree(graph, pins.free) : chooseReleased(graph);
  const builder = new NodeBuilder(model, rotations, planes, options);
  for (const body of depthFirst(held)) builder.add(body, held[body]!);
  const inTree = new Set(held.map(({ joint }) => joint));
  const joints = [...model.joints.keys()];
  return {
    nodes: builder.nodes,
    nodeOf: builder.nodeOf,
    positions: builder.positions,
    velocities: builder.velocities,
    treeJoints: joints.filter((joint) => inTree.has(joint)),
    cutJoints: joints.filter((joint) => !inTree.has(joint)),
    multiplications: estimateCost(graph, held).multiplications,
  };
}

/**
 * Bodies with parents first. A body follows its parent immediately if it can, so that a pass over the nodes finds the
 * parent's data in the cache; breadth first would put a whole generation between them. Children and roots are in the
 * order of the model.
 */
function depthFirst(held: readonly TreeEdge[]): number[] {
  const children = [GROUND, ...held.keys()].map(() => [] as number[]);
  for (const [body, { parent }] of held.entries()) children[parent + 1]!.push(body);
  const order: number[] = [];
  // An explicit stack, since a chain of thousands of bodies is too deep for recursion.
  const open = [...children[0]!].reverse();
  for (let body = open.pop(); body !== undefined; body = open.pop()) {
    order.push(body);
    open.push(...children[body + 1]!.reverse());
  }
  return order;
}

/** A frame relative to another: axes, column-major, and origin. */
type Placed = Pick<PlannedNode, "turn" | "offset">;

/** Data shared by the nodes of a form. */
interface Chain extends Pick<PlannedNode, "joint" | "parent" | "pitch"> {
  readonly name: string;
  readonly sensors: JointData["sensors"];
  /** Frame at which the chain begins, relative to the parent. */
  readonly start: Placed;
  /** Placement of the body in the last node. */
  readonly last: Pick<PlannedNode, "body" | "bodyAxes" | "centre">;
}

const FREE_POSITIONS = ["x", "y", "z", "e0", "e1", "e2", "e3"];
const FREE_VELOCITIES = ["vx", "vy", "vz", "w1", "w2", "w3"];

/** Builds the list of nodes in order. */
class NodeBuilder {
  readonly nodes: PlannedNode[] = [];
  readonly nodeOf: number[];
  positions = 0;
  velocities = 0;

  constructor(
    readonly model: ModelData,
    readonly rotations: Rotations,
    readonly planes: readonly (PlaneNormal | undefined)[],
    readonly options: TreeOptions,
  ) {
    this.nodeOf = model.bodies.map(() => -1);
  }

  /** Adds the nodes from the parent of a body to the body. */
  add(body: number, held: TreeEdge): void {
    const plane = this.planes[body];
    const { states } = this.model.bodies[body]!;
    if (states !== undefined) this.#addStates(body, states);
    else if (held.joint >= 0) this.#addJoint(body, held);
    else if (plane !== undefined) this.#addInPlane(body, plane);
    else this.#addFree(body);
    this.nodeOf[body] = this.nodes.length - 1;
  }

  /** Adds an auxiliary body (carriers.ts): a slide for each state, along x, y and z. */
  #addStates(body: number, states: readonly string[]): void {
    for (const [i, name] of states.entries()) {
      const axes = CARRIER_AXES[i]!;
      const isLast = i === states.length - 1;
      this.#push({
        ...UNATTACHED_NODE,
        kind: NodeKind.SLIDE,
        parent: i === 0 ? -1 : this.nodes.length - 1,
        position: this.positions,
        velocity: this.velocities,
        turn: i === 0 ? axes : transposeMultiply(CARRIER_AXES[i - 1]!, axes),
        positionNames: [`integral of ${name}`],
        velocityNames: [name],
        ...(isLast ? this.#bodyIn(body, ZERO, axes) : {}),
      });
    }
  }

  #addFree(body: number): void {
    const { name } = this.model.bodies[body]!;
    this.#push({
      ...UNATTACHED_NODE,
      kind: NodeKind.FREE,
      body,
      position: this.positions,
      velocity: this.velocities,
      positionNames: FREE_POSITIONS.map((part) => `${name} ${part}`),
      velocityNames: FREE_VELOCITIES.map((part) => `${name} ${part}`),
    });
  }

  /**
   * Adds a body that its joints keep in a plane: two slides of its centre of mass and a rotation, as if a planar joint
   * held it.
   */
  #addInPlane(body: number, plane: PlaneNormal): void {
    const { name, centre } = this.model.bodies[body]!;
    const { nodes, end } = treeForm("planar")!.fromA;
    const height = dot(plane.ground, this.#startOf(body));
    this.#addChain(nodes, {
      name,
      joint: -1,
      sensors: {},
      parent: -1,
      start: { turn: axesAlong(plane.ground), offset: scale(height, plane.ground) },
      pitch: 0,
      last: this.#bodyIn(body, centre, multiply(axesAlong(plane.body), end)),
    });
  }

  /** Initial position of the centre of mass. */
  #startOf(body: number): Vector {
    const { positions } = this.options;
    if (positions !== undefined) return threeAt(positions, BODY_POSITIONS * body);
    const { position, centre } = this.model.bodies[body]!;
    return add(position, times(this.rotations(body), centre));
  }

  #addJoint(body: number, { joint, parent }: TreeEdge): void {
    const { model } = this;
    const data = model.joints[joint]!;
    const form = treeForm(data.type)!;
    const markers = data.markers!;
    const isFromA = model.markers[markers[0]]!.body === parent;
    const axes = alignedAxes(model, markers, form.alignment, this.rotations);
    const { nodes, end } = isFromA ? form.fromA : form.fromB;
    const [near, far] = isFromA ? ([0, 1] as const) : ([1, 0] as const);
    const pointOf = (side: 0 | 1) => model.markers[markers[side]]!.point;
    this.#addChain(nodes, {
      name: data.name,
      joint,
      sensors: data.sensors,
      parent: this.#nodeOf(parent),
      start: this.#onParent(parent, { point: pointOf(near), axes: axes[near] }),
      pitch: form === treeForm("screw") ? advanceOf(data) : 0,
      last: this.#bodyIn(body, pointOf(far), multiply(axes[far], end)),
    });
  }

  #addChain(nodes: readonly FormNode[], chain: Chain): void {
    const { name, joint, sensors, parent, start, pitch, last } = chain;
    for (const [i, node] of nodes.entries()) {
      const turn = i === 0 ? multiply(start.turn, node.turn) : node.turn;
      // A thread holds pitch q - displacement = c, so the node is at z (pitch q - c).
      const held = pitch === 0 ? 0 : (this.options.threads?.get(joint) ?? 0);
      const shift = times(turn, vectorOf(0, 0, -held));
      const { body, bodyAxes, centre } = i === nodes.length - 1 ? last : UNATTACHED_NODE;
      this.#push({
        kind: node.kind,
        parent: i === 0 ? parent : this.nodes.length - 1,
        body,
        joint,
        turn,
        offset: i === 0 ? add(start.offset, shift) : ZERO,
        pitch,
        bodyAxes,
        centre,
        sensor: node.sensor === undefined ? -1 : (sensors[node.sensor] ?? -1),
        position: this.positions,
        velocity: this.velocities,
        positionNames: node.positionNames.map((part) => `${name} ${part}`),
        velocityNames: node.velocityNames.map((part) => `${name} ${part}`),
      });
    }
  }

  #nodeOf(body: number): number {
    return body === GROUND ? -1 : this.nodeOf[body]!;
  }

  /** Frame of a body relative to its node: in the axes of the node and from its point. */
  #onParent(body: number, frame: { point: Vector; axes: Matrix }): Placed {
    if (body === GROUND) return { turn: frame.axes, offset: frame.point };
    const { bodyAxes, centre } = this.nodes[this.nodeOf[body]!]!;
    const arm = subtract(frame.point, this.model.bodies[body]!.centre);
    return { turn: multiply(bodyAxes, frame.axes), offset: add(centre, times(bodyAxes, arm)) };
  }

  /** Placement of a body in a node at one of its points, with certain axes: both in the frame of the body. */
  #bodyIn(body: number, point: Vector, axes: Matrix) {
    const arm = subtract(this.model.bodies[body]!.centre, point);
    return {
      body,
      bodyAxes: transpose(axes),
      centre: transposeTimes(axes, arm),
    };
  }

  #push(node: PlannedNode): void {
    this.nodes.push(node);
    this.positions += node.positionNames.length;
    this.velocities += node.velocityNames.length;
  }
}

/** A node at its parent that belongs to no joint and no body. */
const UNATTACHED_NODE = {
  parent: -1,
  body: -1,
  joint: -1,
  turn: IDENTITY,
  offset: ZERO,
  pitch: 0,
  bodyAxes: IDENTITY,
  centre: ZERO,
  sensor: -1,
} satisfies Partial<PlannedNode>;

/** Advance of a screw for one radian: the factor of its angle in the row "thread". */
function advanceOf({ blocks }: JointData): number {
  const thread = blocks.flatMap(({ rows }) => rows).find(couplesSensors);
  return thread!.constants[0]!;
}

/** A mechanism in relative coordinates. Shared by its systems. */
export interface RelativePlan {
  /** The mechanism in maximal coordinates. */
  readonly whole: Plan;
  readonly tree: TreePlan;
  /** The bodies with their forces and sensors, and the remaining rows. */
  readonly rest: Plan;
  /** S = J M^-1 J^T of these rows: its bodies are the nodes, numbered from 1. */
  readonly sparse: SparsePlan;
  /** Nodes on the path to the ground for each block of rows, leaves first. */
  readonly paths: readonly (readonly number[])[];
  /** Whether each block closes a loop, so that its rows may be redundant. */
  readonly closing: readonly boolean[];
}

/**
 * Plans the tree of a mechanism and the remaining rows. `whole` is its plan in maximal coordinates, assembled at the
 * given public positions: angles are measured from there, and couplings hold their values of that pose.
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

/** Returns the plan with other masses, gravity and force constants. */
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
 * Returns the plan without some of its rows, by their indices in `rest`: rows that are zero at all poses of the tree.
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

/** Plans the rows of some joints, over a tree. */
function planRows(whole: Plan, tree: TreePlan, joints: readonly JointData[]): RelativePlan {
  const rest = planModel({ ...whole.model, joints });
  carryAngles(whole, rest);
  carryCouplings(whole, rest);
  const paths = rest.blocks.map(({ bodies }) => pathOf(tree, bodies));
  const closing = closingBlocks(whole.model, tree, rest.blocks);
  const constraints = rest.blocks.map(({ rows }, index) => ({ rows, bodies: paths[index]! }));
  const sparse = sparsePlan(
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
 * Expresses rows of coincident points along the axes of a body instead of those of the world. In a planar loop, in any
 * plane, one row is then zero at all poses and can be omitted.
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

/** Values that the threads of screws hold, by joint. */
function threadsOf({ model, couplings, data }: Plan): Map<number, number> {
  const threads = new Map<number, number>();
  model.joints.forEach(({ name, type }, joint) => {
    const held = couplings.find((each) => type === "screw" && each.name === `${name}: thread`);
    if (held) threads.set(joint, data[held.slot + Prescribed.VALUE]!);
  });
  return threads;
}

/** All nodes on the paths from some bodies to the ground, numbered from 1, children before their parents. */
function pathOf({ nodes, nodeOf }: TreePlan, bodies: readonly number[]): number[] {
  const path = new Set<number>();
  for (const body of bodies) {
    for (let node = nodeOf[body]!; node >= 0 && !path.has(node + 1); node = nodes[node]!.parent) {
      path.add(node + 1);
    }
  }
  return [...path].sort((a, b) => b - a);
}

/** Blocks whose bodies are already connected by the tree or by earlier blocks. */
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

/** Couplings, drives and user rows come after the joints that close the loops they are in. */
function orderOf(
  blocks: readonly PlannedBlock[],
  paths: readonly (readonly number[])[],
  closing: readonly boolean[],
): number[][] | undefined {
  if (!closing.includes(true)) return undefined;
  const closers = new Map<number, number[]>();
  blocks.forEach((block, index) => {
    if (!closing[index] || !isPlain(block)) return;
    for (const node of paths[index]!) {
      const own = closers.get(node);
      if (own) own.push(index);
      else closers.set(node, [index]);
    }
  });
  return blocks.map((block, index) =>
    isPlain(block) ? [] : [...new Set(paths[index]!.flatMap((node) => closers.get(node) ?? []))],
  );
}

function isPlain({ block }: PlannedBlock): boolean {
  return block.holonomic && !block.user && block.rows.every((row) => !couplesSensors(row));
}

/** Index of the first incidence of each block in the sparse table, which is ordered by blocks. */
export function firstIncidences({ paths }: RelativePlan): number[] {
  let next = 0;
  return paths.map((path) => {
    const first = next;
    next += path.length;
    return first;
  });
}

/** Number of slots of all Y. */
export function slotsOfY({ sparse }: RelativePlan): number {
  const { table } = sparse;
  const count = table[SparseTable.INCIDENCE_COUNT]!;
  if (count === 0) return 0;
  const last = table[SparseTable.INCIDENCES]! + SparseIncidence.LENGTH * (count - 1);
  // Six for the last node: enough for every kind of node.
  return table[last + SparseIncidence.SLOT]! + 6 * table[last + SparseIncidence.ROWS]!;
}
