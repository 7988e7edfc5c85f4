// The joints of a model that can be nodes, with the data for choosing between them.

import { NodeKind } from "../../../../assembly/layout-tree.js";
import { GROUND, type ModelData } from "../../../model/model-data.js";
import { bodiesOf, rowNamesOf } from "../../bodies/plan/plan.js";
import { type PlaneNormal, rowsLeft } from "./planes.js";
import { rowCount, treeForm } from "./tree-forms.js";
import { type NumberedPins, treeEnds } from "./tree-options.js";

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
