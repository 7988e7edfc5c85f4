// Choice of the joints that form the tree, and of their directions. Cut joints cost rows, so the tree holds as many
// rows as it can: it is a spanning tree of the largest weight, grown by Prim's rule (Bell System Technical Journal 36,
// 1957) from the ground, and the joint with most rows is taken first. Fixed joints thus are always in it, and a loop
// is cut at a spherical joint rather than at a hinge. Among joints with as many rows the one that ends nearest to the
// ground comes first: if all joints are alike that is breadth first, and loops side by side share no branch. M^-1 is
// dense in a branch, so cuts whose paths share no node are not coupled in S.
//
// Rejected: depth first among all joints, and then rows. It saves path length (15 multiplications for each row and
// node), but one more row costs a row of S, its factor and its share of every correction.

import { NodeKind } from "../../../../assembly/layout-tree.js";
import { descriptionError, hint, show } from "../../../base/checking/values.js";
import { GROUND, type ModelData } from "../../../model/model-data.js";
import { bodyNamed } from "../../bodies/plan/carriers.js";
import { Components } from "../../bodies/plan/loops.js";
import { bodiesOf, rowNamesOf } from "../../bodies/plan/plan.js";
import { type PlaneNormal, rowCount, rowsLeft, treeEnds, treeForm } from "./planes.js";

/** Joint and parent of each body. */
export interface TreeEdge {
  /** Index of the joint in the tree; -1 for a free body. */
  readonly joint: number;
  /** Index of the parent: {@link GROUND} for the ground and for a free body. */
  readonly parent: number;
}

/** An edge with one end in the tree. */
interface Candidate extends Pick<JointEdge, "joint" | "weight"> {
  readonly parent: number;
  readonly child: number;
  readonly depth: number;
}

/** Returns a joint for each body, or none for the roots of the tree: those that are to be free, and others. */
export function chooseTree(graph: JointGraph, free: ReadonlySet<number>): TreeEdge[] {
  return new Growth(graph).grow(free);
}

class Growth {
  readonly #graph: JointGraph;
  readonly #held: (TreeEdge | undefined)[];
  /** Depth of the ground, then of each body. */
  readonly #depth: number[];
  readonly #open = new Heap();

  constructor(graph: JointGraph) {
    this.#graph = graph;
    this.#held = graph.masses.map(() => undefined);
    this.#depth = graph.edgesAt.map(() => 0);
  }

  grow(free: ReadonlySet<number>): TreeEdge[] {
    for (const body of free) this.#free(body);
    for (const root of [GROUND, ...free]) this.#offer(root);
    this.#span();
    // Bodies that no tree joint connects to a root hang on the heaviest body of their component.
    for (const body of this.#held.keys()) {
      if (this.#held[body] !== undefined) continue;
      const root = this.#heaviest(body);
      this.#free(root);
      this.#offer(root);
      this.#span();
    }
    return this.#held as TreeEdge[];
  }

  /** Makes a body a root: one node from the ground. */
  #free(body: number): void {
    this.#held[body] = { joint: -1, parent: GROUND };
    this.#depth[body + 1] = 1;
  }

  /** Adds the best joint that reaches a new body until no joint does. */
  #span(): void {
    for (let best = this.#open.take(); best !== undefined; best = this.#open.take()) {
      const { joint, parent, child, depth } = best;
      if (this.#isReached(child)) continue;
      this.#held[child] = { joint, parent };
      this.#depth[child + 1] = depth;
      this.#offer(child);
    }
  }

  /** Adds the joints from a body of the tree to others. */
  #offer(parent: number): void {
    for (const { a, b, joint, weight, length } of this.#graph.edgesAt[parent + 1]!) {
      const child = a === parent ? b : a;
      if (weight === 0 || this.#isReached(child)) continue;
      this.#open.put({ joint, weight, parent, child, depth: this.#depth[parent + 1]! + length });
    }
  }

  #isReached(body: number): boolean {
    return body === GROUND || this.#held[body] !== undefined;
  }

  /** Returns the heaviest of the bodies that joints connect to a body; the first of several. */
  #heaviest(body: number): number {
    const { masses, edgesAt } = this.#graph;
    const members = new Set([body]);
    for (const one of members) {
      for (const { a, b, weight } of edgesAt[one + 1]!) if (weight > 0) members.add(a).add(b);
    }
    const sorted = [...members].sort((one, other) => one - other);
    return sorted.reduce((best, each) => (masses[each]! > masses[best]! ? each : best));
  }
}

/** Candidates by rank: a binary heap, because a plate of a thousand bodies has as many open joints. */
class Heap {
  readonly #items: Candidate[] = [];

  put(item: Candidate): void {
    const items = this.#items;
    let place = items.push(item) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (isBefore(items[above]!, item)) break;
      items[place] = items[above]!;
      place = above;
    }
    items[place] = item;
  }

  take(): Candidate | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && isBefore(items[below + 1]!, items[below]!)) below++;
      if (isBefore(last, items[below]!)) break;
      items[place] = items[below]!;
      place = below;
    }
    items[place] = last;
    return first;
  }
}

/** Most rows, then nearest to the root, then the order of the joints. */
function isBefore(one: Candidate, other: Candidate): boolean {
  if (one.weight !== other.weight) return one.weight > other.weight;
  if (one.depth !== other.depth) return one.depth < other.depth;
  return one.joint < other.joint;
}

// The joints of a model that can be nodes, with the data for choosing between them.

/** Rows that have to be satisfied at some bodies. */
export interface JointRows {
  readonly joint: number;
  /** Bodies of these rows that move. */
  readonly bodies: readonly number[];
  readonly rows: number;
}

/** A joint that has a tree form. Its rows are those that remain if it is cut. */
export interface JointEdge extends JointRows {
  readonly a: number;
  readonly b: number;
  /** Rows saved by having it in the tree; 0 for a joint that is to be cut. */
  readonly weight: number;
  /** Number of nodes that move: the depth of the child minus that of the parent. */
  readonly length: number;
  /** Velocities of its nodes. */
  readonly freedoms: number;
}

export interface JointGraph {
  readonly edges: readonly JointEdge[];
  /** Rows that remain in every tree. Drives do not: they prescribe a coordinate. */
  readonly always: readonly JointRows[];
  /** Edges at the ground, then at each body. */
  readonly edgesAt: readonly (readonly JointEdge[])[];
  readonly masses: readonly number[];
  /** Degrees of freedom of each body if it is free. */
  readonly freedoms: readonly number[];
}

/** Larger than the number of rows of any joint, so that pinned joints come first. */
const PINNED_WEIGHT = 1000;

export function jointGraph(
  model: ModelData,
  pins: NumberedPins,
  planes: readonly (PlaneNormal | undefined)[],
): JointGraph {
  const edges = [...model.joints.keys()].flatMap((joint) => edgeOf(model, pins, planes, joint));
  const edgesAt: JointEdge[][] = [GROUND, ...model.bodies.keys()].map(() => []);
  for (const edge of edges) {
    edgesAt[edge.a + 1]!.push(edge);
    edgesAt[edge.b + 1]!.push(edge);
  }
  return {
    edges,
    always: [...model.joints.keys()].flatMap((joint) => alwaysRows(model, joint)),
    edgesAt,
    masses: model.bodies.map(({ mass }) => mass),
    freedoms: planes.map((plane) => (plane === undefined ? 6 : 3)),
  };
}

function edgeOf(
  model: ModelData,
  { cut, keep }: NumberedPins,
  planes: readonly (PlaneNormal | undefined)[],
  joint: number,
): JointEdge[] {
  const ends = treeEnds(model, joint);
  if (ends === undefined) return [];
  const data = model.joints[joint]!;
  const { nodes } = treeForm(data.type)!.fromA;
  const weight = rowCount(data) + (keep.has(joint) ? PINNED_WEIGHT : 0);
  return [
    {
      joint,
      a: ends[0],
      b: ends[1],
      bodies: ends.filter((body) => body !== GROUND),
      weight: cut.has(joint) ? 0 : weight,
      rows: rowsLeft(model, joint, planes),
      length: nodes.filter(({ kind }) => kind !== NodeKind.FIXED).length,
      freedoms: nodes.reduce((sum, { velocityNames }) => sum + velocityNames.length, 0),
    },
  ];
}

/** The rows of a joint without a tree form. */
function alwaysRows(model: ModelData, joint: number): JointRows[] {
  const { blocks, isDrive } = model.joints[joint]!;
  if (isDrive || treeEnds(model, joint) !== undefined) return [];
  const touched = new Set(blocks.flatMap((block) => bodiesOf(model, block)));
  const bodies = [...touched].filter((body) => body !== GROUND);
  const rows = blocks.reduce((sum, block) => sum + rowNamesOf(block).length, 0);
  return bodies.length === 0 ? [] : [{ joint, bodies, rows }];
}

// Estimated multiplications of an evaluation with a tree, for choosing between trees. A row is a wrench that is passed
// inwards to the root, and all rows that pass a body are coupled in S = J M^-1 J^T. As every path ends at a root, the
// cuts of one branch (the bodies outboard of one body that is attached to the ground, or of a free one) are all
// coupled, and S consists of the cliques of branches.

/**
 * Multiplications of a node with one degree of freedom, in all passes; and of a row at each degree of freedom on its
 * path.
 */
const NODE_COST = 255;
const ROW_COST = 15;
/** A free body has one node, of twice the work. */
const FREE_NODES = 2;

export interface CountedWork {
  readonly multiplications: number;
  /** Rows that remain constraints. */
  readonly cuts: readonly JointRows[];
  /** Body at which the branch of each body begins. */
  readonly branchOf: readonly number[];
  readonly depth: readonly number[];
}

/** Estimates the cost of a tree, of the joints that it cuts and of other rows. */
export function estimateCost(
  { edges, always, freedoms: free }: JointGraph,
  held: readonly TreeEdge[],
): CountedWork {
  const branchOf: number[] = [];
  const depth: number[] = [];
  for (const body of held.keys()) settle(body, held, branchOf, depth);
  const edgeOf = new Map(edges.map((edge) => [edge.joint, edge]));
  const freedoms = held.map(({ joint }, body) => edgeOf.get(joint)?.freedoms ?? free[body]!);
  const tree = new Set(held.map(({ joint }) => joint));
  const cuts = [...always, ...edges.filter(({ joint }) => !tree.has(joint))];
  const passing = held.map(() => 0);
  let work = factorWork(cuts, branchOf);
  for (const own of freedoms) work += NODE_COST * (own === 6 ? FREE_NODES : own);
  for (const cut of cuts) {
    for (const body of pathOf(cut.bodies, held)) {
      passing[body]! += cut.rows;
      work += ROW_COST * cut.rows * freedoms[body]!;
    }
  }
  for (const [body, rows] of passing.entries()) work += (freedoms[body]! * rows * rows) / 2;
  return { multiplications: work, cuts, branchOf, depth };
}

/** Determines the branch and the depth of a body and of its ancestors. */
function settle(
  body: number,
  held: readonly TreeEdge[],
  branchOf: number[],
  depth: number[],
): void {
  const above: number[] = [];
  let at = body;
  while (branchOf[at] === undefined) {
    const { parent } = held[at]!;
    if (parent === GROUND) {
      branchOf[at] = at;
      depth[at] = 1;
    } else {
      above.push(at);
      at = parent;
    }
  }
  for (const one of above.reverse()) {
    const { parent } = held[one]!;
    branchOf[one] = branchOf[parent]!;
    depth[one] = depth[parent]! + 1;
  }
}

/** Returns all bodies between some bodies and their roots, each once. */
function pathOf(bodies: readonly number[], held: readonly TreeEdge[]): Set<number> {
  const path = new Set<number>();
  for (const body of bodies) {
    for (let at = body; at !== GROUND && !path.has(at); at = held[at]!.parent) path.add(at);
  }
  return path;
}

/** Cuts between the same branches: a dense block of S. */
interface Group {
  rows: number;
  readonly branches: readonly number[];
}

/**
 * Cost of the factor of S. Groups of cuts are eliminated one after the other, those coupled with few rows first. The
 * rows that a group is coupled with then form one clique, as if the branches of the group were one.
 */
function factorWork(cuts: readonly JointRows[], branchOf: readonly number[]): number {
  const groups = groupsOf(cuts, branchOf);
  const meeting = new Map<number, Set<Group>>();
  for (const group of groups) {
    for (const branch of group.branches) {
      meeting.set(branch, (meeting.get(branch) ?? new Set()).add(group));
    }
  }
  const neighbours = ({ branches }: Group) =>
    new Set(branches.flatMap((branch) => [...meeting.get(branch)!]));
  const rowsOf = (some: Iterable<Group>) => [...some].reduce((sum, { rows }) => sum + rows, 0);
  const sizes = new Map(groups.map((group) => [group, rowsOf(neighbours(group))]));
  let work = 0;
  for (const group of groups.sort((one, other) => sizes.get(one)! - sizes.get(other)!)) {
    const clique = neighbours(group);
    clique.delete(group);
    const [rows, beside] = [group.rows, rowsOf(clique)];
    work += rows ** 3 / 6 + (rows * rows * beside) / 2 + (rows * beside * beside) / 2;
    for (const branch of group.branches) meeting.set(branch, clique);
  }
  return work;
}

function groupsOf(cuts: readonly JointRows[], branchOf: readonly number[]): Group[] {
  const groups = new Map<string, Group>();
  for (const cut of cuts) {
    const passed = new Set(cut.bodies.map((body) => branchOf[body]!));
    const branches = [...passed].sort((one, other) => one - other);
    const group = groups.get(branches.join()) ?? { rows: 0, branches };
    group.rows += cut.rows;
    groups.set(branches.join(), group);
  }
  return [...groups.values()];
}

// User options of the tree: validated, and converted from names to indices of joints and bodies.

/** Constraints on the choice of the tree, by names. Everything else is chosen. */
export interface TreePins {
  /** Joints that remain rows. */
  readonly cut?: readonly string[] | undefined;
  /** Joints that are nodes of the tree. */
  readonly keep?: readonly string[] | undefined;
  /**
   * Bodies with their own coordinates although joints hold them: their joints are cut, or attach other bodies to them.
   * Three coordinates if joints keep a body in a plane, else six. Default: chosen by the cost estimate, unless joints
   * are kept; [] for none.
   */
  readonly free?: readonly string[] | undefined;
}

/** Constraints on the choice of the tree, by indices. */
export interface NumberedPins {
  readonly cut: ReadonlySet<number>;
  readonly keep: ReadonlySet<number>;
  readonly free: ReadonlySet<number>;
}

/** Checks the pins: every name is known, and no two contradict each other. */
export function checkedPins(model: ModelData, { cut = [], keep = [], free = [] }: TreePins) {
  const pins: NumberedPins = {
    cut: new Set(cut.map((name) => jointNamed(model, name, "cut"))),
    keep: new Set(keep.map((name) => jointNamed(model, name, "keep"))),
    free: new Set(free.map((name) => bodyNamed(model, name, `${model.name}: tree, free`))),
  };
  checkKept(model, pins);
  return pins;
}

/** Returns the pins without those of joints that a model does not have, for a model without some joints. */
export function pinsWithin({ joints }: ModelData, { cut, keep, free }: TreePins): TreePins {
  const names = new Set(joints.map(({ name }) => name));
  const known = (list: readonly string[] | undefined) => list?.filter((name) => names.has(name));
  return { cut: known(cut), keep: known(keep), free };
}

function jointNamed(model: ModelData, name: string, option: string): number {
  const joint = model.joints.findIndex((each) => each.name === name);
  if (joint >= 0) return joint;
  const known = model.joints.map((each) => each.name);
  throw treeError(model, `${option}: there is no joint ${show(name)}${hint(name, known)}`);
}

/** Joints that are kept must have a form, hold bodies not held otherwise, and not be cut as well. */
function checkKept(model: ModelData, { cut, keep, free }: NumberedPins): void {
  const joined = new Components(model.bodies.length + 1);
  for (const body of free) joined.join(GROUND + 1, body + 1);
  for (const joint of keep) {
    const { name, type } = model.joints[joint]!;
    if (cut.has(joint)) throw treeError(model, `"${name}" is in cut and in keep: take one`);
    const ends = treeEnds(model, joint);
    if (ends === undefined) {
      throw treeError(model, `keep: "${name}" (${type}) always stays rows, it has no tree form`);
    }
    if (joined.join(ends[0] + 1, ends[1] + 1)) continue;
    const roots = free.size > 0 ? ", with the ground and the bodies of free for roots" : "";
    throw treeError(
      model,
      `keep: "${name}" closes a loop of joints that are kept${roots}: leave one of them out`,
    );
  }
}

function treeError(model: ModelData, what: string) {
  return descriptionError(`${model.name}: tree`, what);
}
