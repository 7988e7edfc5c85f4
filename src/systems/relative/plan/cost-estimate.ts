// Estimated multiplications of an evaluation with a tree, for choosing between trees. A row is a wrench that is passed
// inwards to the root, and all rows that pass a body are coupled in S = J M^-1 J^T. As every path ends at a root, the
// cuts of one branch (the bodies outboard of one body that is attached to the ground, or of a free one) are all
// coupled, and S consists of the cliques of branches.

import { GROUND } from "../../../model/model-data.js";
import type { TreeEdge } from "./choose-tree.js";
import type { JointGraph, JointRows } from "./joint-graph.js";

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
