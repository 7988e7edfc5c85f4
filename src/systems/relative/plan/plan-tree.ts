// From a model to the tree of its joints.

import { NodeKind } from "../../../../assembly/layout-tree.js";
import { couplesSensors } from "../../../describe/model/kinds.js";
import { GROUND, type JointData, type ModelData } from "../../../describe/model/model-data.js";
import {
  add,
  IDENTITY,
  multiply,
  subtract,
  times,
  transposeMultiply,
  transposeTimes,
  type Vector,
  vectorOf,
  ZERO,
} from "../../../ground/algebra/vectors.js";
import { chooseTree, type Held } from "./choose-tree.js";
import { type Rotations, rotationsOf, seatedAxes } from "./seats.js";
import { treeForm } from "./tree-forms.js";
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
  const held = chooseTree(model, checkedPins(model, options));
  const builder = new NodeBuilder(
    model,
    rotationsOf(model, options.positions),
    options.threads ?? new Map(),
  );
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
    readonly threads: ReadonlyMap<number, number>,
  ) {
    this.nodeOf = model.bodies.map(() => -1);
  }

  /** Adds the nodes from the parent of a body to the body. */
  add(body: number, held: Held): void {
    if (held.joint < 0) this.#addFree(body);
    else this.#addChain(body, held);
    this.nodeOf[body] = this.nodes.length - 1;
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

  #addChain(body: number, { joint, parent }: Held): void {
    const { model } = this;
    const data = model.joints[joint]!;
    const form = treeForm(data.type)!;
    const markers = data.markers!;
    const isFromA = model.markers[markers[0]]!.body === parent;
    const axes = seatedAxes(model, markers, form.seat, this.rotations);
    const { nodes, end } = isFromA ? form.fromA : form.fromB;
    const [near, far] = isFromA ? [0, 1] : [1, 0];
    for (const [i, node] of nodes.entries()) {
      const isFirst = i === 0;
      const isLast = i === nodes.length - 1;
      const seat = isFirst
        ? this.#onParent(parent, { point: model.markers[markers[near]!]!.point, axes: axes[near]! })
        : { turn: IDENTITY, offset: ZERO };
      const turn = multiply(seat.turn, node.turn);
      const pitch = node.kind === NodeKind.SCREW ? advanceOf(data) : 0;
      // The thread holds pitch q - displacement = c: the node is at z (pitch q - c).
      const start = pitch === 0 ? 0 : -(this.threads.get(joint) ?? 0);
      this.#push({
        ...BARE,
        kind: node.kind,
        parent: isFirst ? this.#nodeOf(parent) : this.nodes.length - 1,
        joint,
        positionNames: node.positionNames.map((part) => `${data.name} ${part}`),
        velocityNames: node.velocityNames.map((part) => `${data.name} ${part}`),
        turn,
        offset: add(seat.offset, times(turn, vectorOf(0, 0, start))),
        pitch,
        sensor: node.sensor === undefined ? -1 : (data.sensors[node.sensor] ?? -1),
        ...(isLast ? this.#bodyIn(body, markers[far]!, multiply(axes[far]!, end)) : {}),
      });
    }
  }

  #nodeOf(body: number): number {
    return body === GROUND ? -1 : this.nodeOf[body]!;
  }

  /** A frame of a body in the axes of its node and from its point. */
  #onParent(body: number, frame: { point: Vector; axes: readonly number[] }): Placed {
    if (body === GROUND) return { turn: frame.axes, offset: frame.point };
    const { bodyAxes, centre } = this.nodes[this.nodeOf[body]!]!;
    const arm = subtract(frame.point, this.model.bodies[body]!.centre);
    return { turn: multiply(bodyAxes, frame.axes), offset: add(centre, times(bodyAxes, arm)) };
  }

  /** A body in a node with certain axes (in those of the body) at one of its markers. */
  #bodyIn(body: number, marker: number, axes: readonly number[]) {
    const arm = subtract(this.model.bodies[body]!.centre, this.model.markers[marker]!.point);
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
