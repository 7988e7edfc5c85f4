// From a model to the tree of its joints.

import { BODY_POSITIONS } from "../../../../assembly/layout-bodies.js";
import { NodeKind } from "../../../../assembly/layout-tree.js";
import { couplesSensors } from "../../../describe/model/kinds.js";
import { GROUND, type JointData, type ModelData } from "../../../describe/model/model-data.js";
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
  transposeMultiply,
  transposeTimes,
  type Vector,
  vectorOf,
  ZERO,
} from "../../../ground/algebra/vectors.js";
import { CARRIER_AXES } from "../../bodies/plan/carriers.js";
import { chooseTree, type Held } from "./choose-tree.js";
import { countWork } from "./counted-work.js";
import { jointGraph } from "./joint-graph.js";
import { type Plane, planesOf } from "./planes.js";
import { chooseReleased } from "./release-bodies.js";
import { type Rotations, rotationsOf, seatedAxes } from "./seats.js";
import { type FormNode, treeForm } from "./tree-forms.js";
import { checkedPins, type TreePins } from "./tree-options.js";
import type { PlannedNode, TreePlan } from "./tree-plan.js";

/** What a tree is planned from besides the model. */
export interface TreeOptions extends TreePins {
  /**
   * What the row "thread" of a screw holds, by the number of its joint: pitch / (2 pi) angle - displacement. Default: 0, as
   * it is where the joint was made from bodies.
   */
  readonly threads?: ReadonlyMap<number, number> | undefined;
  /** Public positions that say which way the axes of markers point: see seats.ts. Default: the poses of the model. */
  readonly positions?: ArrayLike<number> | undefined;
}

/** Chooses the joints that are nodes, and lists the nodes, parents first. */
export function planTree(model: ModelData, options: TreeOptions = {}): TreePlan {
  const pins = checkedPins(model, options);
  const rotations = rotationsOf(model, options.positions);
  const planes = planesOf(model, rotations);
  // Who says what is free or kept has the last word.
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
    multiplications: countWork(graph, held).multiplications,
  };
}

/**
 * Bodies with parents first. A body follows its parent at once where it can, so that a pass over the nodes finds the
 * parent's numbers in the cache; breadth first would put a whole generation between them. Children and roots come in the
 * order of the model.
 */
function depthFirst(held: readonly Held[]): number[] {
  const children = [GROUND, ...held.keys()].map(() => [] as number[]);
  for (const [body, { parent }] of held.entries()) children[parent + 1]!.push(body);
  const order: number[] = [];
  // A stack of its own: a chain of thousands of bodies is too deep for calls.
  const open = [...children[0]!].reverse();
  for (let body = open.pop(); body !== undefined; body = open.pop()) {
    order.push(body);
    open.push(...children[body + 1]!.reverse());
  }
  return order;
}

/** A frame in another: axes by columns, and point. */
type Placed = Pick<PlannedNode, "turn" | "offset">;

/** What the nodes of a form belong to. */
interface Chain extends Pick<PlannedNode, "joint" | "parent" | "pitch"> {
  readonly name: string;
  readonly sensors: JointData["sensors"];
  /** Where it begins, in the frame of the parent. */
  readonly start: Placed;
  /** The body in the last node. */
  readonly last: Pick<PlannedNode, "body" | "bodyAxes" | "centre">;
}

const FREE_POSITIONS = ["x", "y", "z", "e0", "e1", "e2", "e3"];
const FREE_VELOCITIES = ["vx", "vy", "vz", "w1", "w2", "w3"];

/** Lays out nodes one behind the other. */
class NodeBuilder {
  readonly nodes: PlannedNode[] = [];
  readonly nodeOf: number[];
  positions = 0;
  velocities = 0;

  constructor(
    readonly model: ModelData,
    readonly rotations: Rotations,
    readonly planes: readonly (Plane | undefined)[],
    readonly options: TreeOptions,
  ) {
    this.nodeOf = model.bodies.map(() => -1);
  }

  /** Adds the nodes from the parent of a body to the body. */
  add(body: number, held: Held): void {
    const plane = this.planes[body];
    const { states } = this.model.bodies[body]!;
    if (states !== undefined) this.#addStates(body, states);
    else if (held.joint >= 0) this.#addJoint(body, held);
    else if (plane !== undefined) this.#addInPlane(body, plane);
    else this.#addFree(body);
    this.nodeOf[body] = this.nodes.length - 1;
  }

  /** A carrier (carriers.ts): a slide for each number, along x, y and z. */
  #addStates(body: number, states: readonly string[]): void {
    for (const [i, name] of states.entries()) {
      const axes = CARRIER_AXES[i]!;
      const isLast = i === states.length - 1;
      this.#push({
        ...BARE,
        kind: NodeKind.SLIDE,
        parent: i === 0 ? -1 : this.nodes.length - 1,
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
      ...BARE,
      kind: NodeKind.FREE,
      body,
      positionNames: FREE_POSITIONS.map((part) => `${name} ${part}`),
      velocityNames: FREE_VELOCITIES.map((part) => `${name} ${part}`),
    });
  }

  /** A body that its joints keep in a plane: two slides of its centre of mass and a turn, as if a planar joint held it. */
  #addInPlane(body: number, plane: Plane): void {
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

  /** The centre of mass at the start. */
  #startOf(body: number): Vector {
    const { positions } = this.options;
    if (positions !== undefined) return threeAt(positions, BODY_POSITIONS * body);
    const { position, centre } = this.model.bodies[body]!;
    return add(position, times(this.rotations(body), centre));
  }

  #addJoint(body: number, { joint, parent }: Held): void {
    const { model } = this;
    const data = model.joints[joint]!;
    const form = treeForm(data.type)!;
    const markers = data.markers!;
    const isFromA = model.markers[markers[0]]!.body === parent;
    const axes = seatedAxes(model, markers, form.seat, this.rotations);
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
      this.#push({
        ...BARE,
        kind: node.kind,
        parent: i === 0 ? parent : this.nodes.length - 1,
        joint,
        positionNames: node.positionNames.map((part) => `${name} ${part}`),
        velocityNames: node.velocityNames.map((part) => `${name} ${part}`),
        turn,
        offset: i === 0 ? add(start.offset, shift) : ZERO,
        pitch,
        sensor: node.sensor === undefined ? -1 : (sensors[node.sensor] ?? -1),
        ...(i === nodes.length - 1 ? last : {}),
      });
    }
  }

  #nodeOf(body: number): number {
    return body === GROUND ? -1 : this.nodeOf[body]!;
  }

  /** A frame of a body in the axes of its node and from its point. */
  #onParent(body: number, frame: { point: Vector; axes: Matrix }): Placed {
    if (body === GROUND) return { turn: frame.axes, offset: frame.point };
    const { bodyAxes, centre } = this.nodes[this.nodeOf[body]!]!;
    const arm = subtract(frame.point, this.model.bodies[body]!.centre);
    return { turn: multiply(bodyAxes, frame.axes), offset: add(centre, times(bodyAxes, arm)) };
  }

  /** A body in a node at one of its points, with certain axes: both in the frame of the body. */
  #bodyIn(body: number, point: Vector, axes: Matrix) {
    const arm = subtract(this.model.bodies[body]!.centre, point);
    return {
      body,
      bodyAxes: transposeMultiply(axes, IDENTITY),
      centre: transposeTimes(axes, arm),
    };
  }

  #push(node: Omit<PlannedNode, "position" | "velocity">): void {
    this.nodes.push({ ...node, position: this.positions, velocity: this.velocities });
    this.positions += node.positionNames.length;
    this.velocities += node.velocityNames.length;
  }
}

/** A node at its parent that belongs to nothing. */
const BARE = {
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
